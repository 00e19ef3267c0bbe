"""Laws that jump: derivatives with held steps lack the moved time of a jump, and a warning names the law."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable

from duoti.analyses.gradients.expressions import PREFIX
from duoti.analyses.states.warnings import SimulationWarning
from duoti.model.laws.expressions.errors import ExpressionError
from duoti.model.laws.expressions.parser import Apply, Name, Node, parse
from duoti.model.model import Model
from duoti.strict import user_level

JUMPS = frozenset({"sign", "floor", "mod", "<", "<=", ">", ">=", "==", "!="})


def warn_of_jumps(what: str, texts: Iterable[tuple[str, str]], model: Model, differentiated: Collection[str]) -> None:
    """Warn of laws that may jump at a time that moves with the parameters; `texts` are (whose, expression).

    A jump at a time that is given by numbers which are not differentiated does not move.
    """
    still = {"t"} | (set(model.parameters) - set(differentiated))
    found = [f'{whose} ("{text}")' for whose, text in texts if _moving_jump(text, still)]
    if found:
        warnings.warn(
            f"{what}: {', '.join(found)} may jump within the run; derivatives lack what the moved time of a jump "
            "adds. Write the switch as an event, smooth it by step(), or compare with differences of runs",
            SimulationWarning,
            stacklevel=user_level(),
        )


def laws_of(model: Model) -> list[tuple[str, str]]:
    """The laws of a model that are expressions, with their owners; the expressions of objectives are left out."""
    found = [
        (f'force "{name}"', value)
        for name, force in model.forces.items()
        for _, value, _, _ in force.values()
        if isinstance(value, str)
    ]
    return found + [
        (f'state "{name}"', state.rate)
        for name, state in model.states.items()
        if isinstance(state.rate, str) and not name.startswith(PREFIX)
    ]


def _moving_jump(text: str, still: Collection[str]) -> bool:
    try:
        waiting: list[Node] = [parse(text)]
    except ExpressionError:
        return False
    while waiting:
        node = waiting.pop()
        if isinstance(node, Apply):
            if node.function in JUMPS and not _names(node) <= set(still):
                return True
            waiting.extend(node.arguments)
    return False


def _names(tree: Node) -> set[str]:
    waiting, found = [tree], set[str]()
    while waiting:
        node = waiting.pop()
        if isinstance(node, Name):
            found.add(node.name)
        elif isinstance(node, Apply):
            waiting.extend(node.arguments)
    return found
