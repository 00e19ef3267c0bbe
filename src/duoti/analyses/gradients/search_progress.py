"""A line on the terminal that tells how far a search is."""

from __future__ import annotations

import sys
import time
from types import TracebackType

AFTER = 1.0  # s: shorter searches show nothing
INTERRUPTED = "interrupted; these are the best values so far"


class SearchProgress:
    """Shows the number of runs and the value, after the first second; by default in terminals only."""

    def __init__(self, what: str, wanted: bool | None):
        self.what, self.runs, self.best = what, 0, float("inf")
        self.shown = sys.stderr.isatty() if wanted is None else wanted
        self._begin, self._wide = time.monotonic(), 0

    def __enter__(self) -> SearchProgress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._wide:
            sys.stderr.write("\n")

    def update(self, value: float) -> None:
        """After a run."""
        self.runs, self.best = self.runs + 1, min(self.best, value)
        if not self.shown or time.monotonic() - self._begin < AFTER:
            return
        text = f"{self.what}: run {self.runs}, {value:.6g}, best {self.best:.6g} (Ctrl-C keeps the best)"
        sys.stderr.write("\r" + text.ljust(self._wide))
        sys.stderr.flush()
        self._wide = len(text)
