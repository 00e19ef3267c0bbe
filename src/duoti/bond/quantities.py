"""Names of quantities of a graph: `L.flow`, `C1.displacement`, `R2.power`, and those of bonds, `a-b.effort`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from duoti.bond.equations.assembly import Assembly, LawInput, Variable
from duoti.bond.reading import names_in


class Quantities:
    """Where quantities stand in Y."""

    def __init__(
        self, assembly: Assembly, column: Mapping[int, int], dependent: Callable[[int], int | None],
        in_Y: Callable[[int, float], int],
    ):  # fmt: skip
        self.a, self.column, self.dependent, self.in_Y = assembly, column, dependent, in_Y
        self.states = {s.state: k for k, s in enumerate(assembly.storages)}

    def read_by(self, law: LawInput) -> Mapping[str, int]:
        """The quantities of the graph that a law reads, by the names in it."""
        found: dict[str, int] = {}
        for name in names_in(law.value, self.a.named):
            if law.own_state is not None and name == law.own_state[0]:
                found[name] = self.column[law.own_state[1]]
            elif name in law.own:
                found[name] = self.in_Y(*law.own[name])
            elif (index := self.find(name)) is not None:
                found[name] = index
        return found

    def find(self, name: str) -> int | None:
        """Where a named quantity stands; None if the graph has none of this name."""
        if name in self.states:
            k = self.states[name]
            return self.column[k] if k in self.column else self.dependent(k)
        variable = quantity_variable(self.a, name)
        return None if variable is None else self.in_Y(*variable)


def quantity_variable(a: Assembly, name: str) -> Variable | None:
    """Effort or flow of an element with one bond, or of a bond, and its sign."""
    item, _, what = name.rpartition(".")
    if what not in ("effort", "flow"):
        return None
    if item in a.index:
        ends = a.graph.ends[a.index[item]]
        element = a.graph.elements[a.index[item]]
        if len(ends) != 1:
            return None
        own = element.role in ("storage", "resistor")
        return (ends[0].bond, 1.0) if what == "effort" else (a.n + ends[0].bond, float(ends[0].sign) if own else 1.0)
    for k, bond in enumerate(a.graph.bonds):
        if bond.name == item:
            return (k, 1.0) if what == "effort" else (a.n + k, 1.0)
    return None


def law_inputs(a: Assembly, law: LawInput) -> Iterable[int]:
    """Efforts and flows that a law reads."""
    if law.variable[0] >= 0:
        yield law.variable[0]
    for name in names_in(law.value, a.named):
        variable = law.own.get(name) or quantity_variable(a, name)
        if variable is not None:
            yield variable[0]
