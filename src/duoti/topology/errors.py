"""The one exception of this layer: it carries every fault found, not only the first."""

from __future__ import annotations

from collections.abc import Iterable

from duoti.spelling import nearest


class TopologyError(ValueError):
    """The graph or the preferences about its cuts contradict themselves.

    ``faults`` holds one sentence per fault, in the order of the user's declarations; the message lists them
    all.
    """

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults: tuple[str, ...] = tuple(faults)
        if len(self.faults) == 1:
            message = self.faults[0]
        else:
            message = f"{len(self.faults)} faults\n" + "\n".join(f"  - {fault}" for fault in self.faults)
        super().__init__(message)

    def __reduce__(self) -> tuple[type[TopologyError], tuple[tuple[str, ...]]]:
        return type(self), (self.faults,)


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """'; did you mean "crank"?' when a known name is close, otherwise nothing."""
    close = nearest(name, known)
    return f'; did you mean "{close[0]}"?' if close else ""
