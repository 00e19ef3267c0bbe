"""What moves with the mechanism: storages without a freedom of their own, and efforts that only it knows.

The flow of such a storage is a sum of port flows, with constant factors or with factors that are expressions of the
mechanism (a modulated transformer at a port). Its energy belongs to the mechanism; its effort is a reaction there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from duoti.bond.equations.assembly import OVER, TIMES, VALUE, Assembly, LawInput
from duoti.bond.equations.plan import Reflected
from duoti.bond.equations.solve import Combination
from duoti.bond.errors import BondGraphError
from duoti.bond.quantities import law_inputs, quantity_variable
from duoti.bond.reading import names_in

Fault = tuple[str, tuple[str, ...]]
Factor = float | str
"""A number, or an expression of quantities of the mechanism."""


def product(a: Factor, b: Factor) -> Factor:
    """The product of two factors; a number where both are."""
    if not isinstance(a, str) and not isinstance(b, str):
        return a * b
    if 1.0 in (a, b):
        return b if a == 1.0 else a
    left, right = (each if isinstance(each, str) else repr(each) for each in (a, b))
    return f"({left})*({right})"


def total(a: Factor, b: Factor) -> Factor:
    """The sum of two factors."""
    if not isinstance(a, str) and not isinstance(b, str):
        return a + b
    left, right = (each if isinstance(each, str) else repr(each) for each in (a, b))
    return f"({left}) + ({right})"


class Reflection:
    """Finds what a graph leaves to the mechanism."""

    def __init__(self, assembly: Assembly, rows: list[Combination], constants: Mapping[int, float]):
        self.a, self.rows, self.constants = assembly, rows, constants
        self.law_at = {law.column: law for law in assembly.laws if law.own_state is None}
        self.states = {state.state for state in assembly.storages}
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.reflected: dict[int, Reflected] = {}
        self.path: list[int] = []
        """Columns of laws that are being looked at: they may wait for each other."""

    def ratio(self, law: LawInput) -> str | None:
        """The ratio of a modulated two-port as an expression of the mechanism; None if it reads the graph."""
        if law.op == VALUE or not isinstance(law.value, str):
            return None
        for name in names_in(law.value, self.a.named):
            if name in self.states or quantity_variable(self.a, name) is not None:
                return None
        return f"1/({law.value})" if law.op == OVER else law.value

    def _passes(self, c: int) -> tuple[LawInput, str] | None:
        """The law of an input and its ratio, if it passes another quantity on."""
        law = self.law_at.get(c)
        ratio = None if law is None or c in self.path else self.ratio(law)
        return None if law is None or ratio is None else (law, ratio)

    def flows(self, row: Combination, factor: Factor = 1.0) -> tuple[dict[int, Factor], list[str]]:
        """A row as factors of port flows, and the owners of what is none."""
        found: dict[int, Factor] = {}
        others: list[str] = []
        for c, x in row.items():
            given = self.a.inputs[c]
            if given.kind == "port":
                found[given.index] = total(found[given.index], product(factor, x)) if given.index in found else product(
                    factor, x)  # fmt: skip
            elif self.constants.get(c) == 0.0:
                continue
            elif passed := self._passes(c):
                law, m = passed
                self.path.append(c)
                inner, more = self.flows(self.rows[law.variable[0]], product(factor, product(x * law.variable[1], m)))
                self.path.pop()
                for port, each in inner.items():
                    found[port] = total(found[port], each) if port in found else each
                others += more
            else:
                others.append(given.owner)
        return found, others

    def find(self, dependent: Iterable[int], F: Mapping[tuple[int, int], float]) -> dict[int, Reflected]:
        """The storages among the dependent ones that move with ports, by their numbers."""
        a = self.a
        for k in dependent if a.port_inputs else ():
            port = a.storages[k]
            ratios, others = self.flows(self.rows[port.output[0]], port.output[1])
            if not ratios:
                continue
            if others or len(a.blocks[port.block][1]) > 1 or (k, k) not in F:
                what = " and ".join(f'"{name}"' for name in dict.fromkeys(others or [port.owner]))
                self.faults.append((
                    f'storage "{port.owner}" moves with the mechanism and with {what} at once, without any compliance '
                    "between: put a C (a shaft that yields) between them, or make one of them a body of the model",
                    (port.owner, *others),
                ))  # fmt: skip
                continue
            if port.initial:
                self.faults.append((
                    f'storage "{port.owner}" moves with the mechanism: its state follows from the rates there; leave '
                    f"out initial={port.initial:g}, and give the joint a rate",
                    (port.owner,),
                ))  # fmt: skip
            self.reflected[k] = Reflected(port.owner, port.state, 1.0 / F[k, k], ratios, port.column, port.initial)
            names = ", ".join(f'"{a.port_inputs[p].owner}"' for p in ratios)
            how = (
                "a body behind a constraint of velocities"
                if self.reflected[k].changing
                else "its inertia is reflected there"
            )
            self.notes.append(f'"{port.owner}" moves with the mechanism at port {names}: {how}')
        self._no_law_reads_reactions()
        if self.faults:
            raise BondGraphError(a.graph.name, self.faults)
        return self.reflected

    @property
    def hidden(self) -> set[int]:
        """Inputs that only the mechanism knows: rates of storages that move with it, and reactions."""
        return {r.rate_column for r in self.reflected.values()} | {p.column for p in self.a.port_inputs if p.driven}

    def _no_law_reads_reactions(self) -> None:
        a, hidden = self.a, self.hidden
        if not hidden:
            return
        for law in a.laws:
            passed = law.variable[0] if law.op in (TIMES, OVER) and self.ratio(law) is not None else -1
            read = [v for v in law_inputs(a, law) if v != passed]
            names = tuple({a.inputs[c].owner: 0 for v in read for c in self.hidden_in(self.rows[v])})
            if names:
                text = (
                    f'the law of "{law.owner}" reads an effort that depends on accelerations of the mechanism, through '
                    f"{', '.join(names)}; put a C between them"
                )
                self.faults.append((text, (law.owner, *names)))

    def _reaches(self, row: Combination, hidden: set[int]) -> bool:
        """Whether a quantity contains hidden inputs, directly or through ratios that change."""
        seen, queue = set(row), list(row)
        while queue:
            c = queue.pop()
            if c in hidden:
                return True
            law = self.law_at.get(c)
            more = self.rows[law.variable[0]] if law is not None and law.op != VALUE else {}
            queue += [d for d in more if d not in seen]
            seen |= more.keys()
        return False

    def hidden_in(self, row: Combination, known: Iterable[int] = ()) -> dict[int, Factor]:
        """What of a quantity depends on accelerations and reactions: factors of the hidden inputs."""
        hidden, found = self.hidden, dict[int, Factor]()
        if not hidden or not self._reaches(row, hidden):
            return found
        for c, x in row.items():
            if c in known:
                continue
            if c in hidden:
                found[c] = total(found[c], x) if c in found else x
            elif passed := self._passes(c):
                law, m = passed
                self.path.append(c)
                inner = self.hidden_in(self.rows[law.variable[0]], known)
                self.path.pop()
                for d, y in inner.items():
                    each = product(product(x * law.variable[1], m), y)
                    found[d] = total(found[d], each) if d in found else each
            elif c in self.path:
                owner = self.law_at[c].owner
                text = (
                    f'"{owner}" is in an algebraic loop that passes reactions of the mechanism on: put a C or R into it'
                )
                raise BondGraphError(self.a.graph.name, [(text, (owner,))])
        return found
