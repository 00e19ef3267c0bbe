"""From the equations of a graph to its plan: dependent storages are eliminated, laws are put in order.

A storage in derivative causality has a state that follows from others. For linear storages with constant ratios

    x_D = T x_I + S u,   dx_D/dt = T dx_I/dt + S du/dt,                                                        (1)

dx_I/dt itself contains dx_D/dt, with constant coefficients: both are solved for once, which is what merging two
inertias on one shaft by hand does (I1 + n² I2). Behind ratios that change (and for storages with laws) u contains
values of laws, whose rates are laws of their own: see `LawRates`. If it moves with a port of the mechanism, its energy
is that of an inertia there: see below.

Rates of laws: what a storage in derivative causality behind a ratio that changes needs.

Its state follows from others, x_D = K g(x, t), where g contains products of laws and flows (or efforts). The constraint
effort, dx_D/dt = K dg/dt, is the unknown that is kept: by the chain rule

    d(m f)/dt = m df/dt + f (dm/dt),   dm/dt = sum of dm/dn dn/dt over the names n that the law m reads,          (1)

where df/dt and dn/dt are rates of states, which contain the constraint efforts again. These are linear equations for
the rates, which are solved together where the graph is evaluated (index reduction by differentiation; the constraint
itself holds by construction, so that nothing drifts: Brenan, Campbell & Petzold 1996, sect. 2.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from duoti.bond.equations.assembly import (
    OVER,
    ROUND_OFF,
    TIMES,
    VALUE,
    Assembly,
    Combination,
    ConstantError,
    DependentError,
    LawInput,
    refuse,
    solved,
    sorted_labels,
)
from duoti.bond.equations.causality import causality
from duoti.bond.equations.plan import ONE, Plan, PlannedLaw, Reflected, Step, Storage, Term
from duoti.bond.errors import BondGraphError
from duoti.bond.graph import FlatGraph
from duoti.bond.quantities import Quantities, law_inputs, quantity_variable
from duoti.bond.reading import names_in
from duoti.model.laws.expressions import ExpressionError, derivative
from duoti.model.laws.expressions.compile import Named

# What moves with the mechanism: storages without a freedom of their own, and efforts that only it knows.
#
# The flow of such a storage is a sum of port flows, with constant factors or with factors that are expressions of the
# mechanism (a modulated transformer at a port). Its energy belongs to the mechanism; its effort is a reaction there.


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


RateOf = Callable[[str], str | None]
"""The rate of a quantity of the mechanism as an expression; None if there is none."""
RATE, FACTOR, OUTPUT = "__rate", "__factor", "__output"


class NoRateError(Exception):
    """A law has no rate: `what` is wrong with it, in words, and the element."""

    def __init__(self, what: str, owner: str):
        super().__init__(what)
        self.what, self.owner = what, owner


class LawRates:
    """Makes laws for the rates of laws, when they are asked for."""

    def __init__(
        self,
        assembly: Assembly,
        laws: list[tuple[LawInput, int]],
        columns: range,
        states: Mapping[int, Combination],
        final: Callable[[int], Combination | None],
        new_law: Callable[[LawInput, int], int],
        rate_of: RateOf,
    ):
        """columns: of the states, those of ports follow; states: rows of all states; final: rows of efforts and flows.

        `final` returns None for a quantity that contains constraint efforts or reactions.
        """
        self.a, self.laws, self.columns, self.states = assembly, laws, columns, states
        self.final, self.new_law, self.rate_of = final, new_law, rate_of
        self.number = {state.state: k for k, state in enumerate(assembly.storages)}
        self.first = columns.stop + len(assembly.port_inputs)
        self.known: dict[int, int] = {}

    def row(self, row: Combination, owner: str) -> Combination:
        """Rate of a row over columns: columns of states stand for their rates, others for laws that are rates."""
        found: Combination = {}
        for c, x in row.items():
            if c == ONE:
                continue
            if columns_of_ports(c, self.columns, self.first):
                port = self.a.port_inputs[c - self.columns.stop].owner
                raise NoRateError(f'the mechanism at port "{port}", whose acceleration it would read', owner)
            key = c if c in self.columns else self.column(c)
            found[key] = found.get(key, 0.0) + x
        return found

    def column(self, c: int) -> int:
        """The column of the law that is the rate of the law at column c."""
        if c not in self.known:
            law = self.laws[c - self.first][0]
            rate = LawInput(law.owner, law.key, "0")
            self.known[c] = self.new_law(rate, c - self.first)  # first: laws may wait for each other
            self._fill(rate, law, c)
        return self.known[c]

    def _fill(self, rate: LawInput, law: LawInput, c: int) -> None:
        if not isinstance(law.value, str):
            text = (
                f'"{law.owner}", whose law is a Python function: write it as an expression, whose derivative is known'
            )
            raise NoRateError(text, law.owner)
        rates: dict[str, Combination] = {}
        rows: dict[str, Combination] = {}
        if law.inverse_of is not None:  # phi(x) = g: dx/dt = (dg/dt) / phi'(x)
            own, value, output = law.inverse_of
            slope = self._slope(law, value, own)
            rows[own] = {c: 1.0}
            total = self._chain(law, value, own, rates)
            rates[RATE] = self.row(self._variable(output, law), law.owner)
            rate.value, rate.rows, rate.rates = f"({RATE} - ({total}))/({slope})", rows, rates
            return
        total = self._chain(law, law.value, "", rates)
        if law.own_state is not None:
            rows[law.own_state[0]] = self.states[law.own_state[1]]
        if law.op in (TIMES, OVER):
            rows[FACTOR] = self._variable(law.variable, law)
            rates[RATE] = self.row(rows[FACTOR], law.owner)
        product = f"({law.value})*{RATE} + ({total})*{FACTOR}"
        quotient = f"({RATE} - ({total})*{FACTOR}/({law.value}))/({law.value})"
        rate.value = product if law.op == TIMES else quotient if law.op == OVER else total
        rate.rows, rate.rates, rate.own = rows, rates, law.own

    def _chain(self, law: LawInput, value: str, but: str, rates: dict[str, Combination]) -> str:
        """The rate of an expression by the chain rule, but for one name; names of rates are added to `rates`."""
        parts: list[str] = []
        for name in names_in(value, self.a.named):
            slope = self._slope(law, value, name) if name != but else "0"
            if slope == "0":
                continue
            row = self._read(law, name)
            if name == "t":
                parts.append(f"({slope})")
            elif row is not None:
                key = f"{RATE}{len(parts) + 1}"
                rates[key] = self.row(row, law.owner)
                parts.append(f"({slope})*{key}")
            elif (text := self.rate_of(name)) is not None:
                parts.append(f"({slope})*({text})")
            else:
                raise NoRateError(f'"{law.owner}", which reads {name}: its rate is not known', law.owner)
        return " + ".join(parts) or "0"

    def _slope(self, law: LawInput, value: Any, name: str) -> str:
        try:
            return derivative(value, name, constants=self.a.named).source
        except (ExpressionError, ValueError, TypeError) as error:
            raise NoRateError(f'"{law.owner}", whose law has no derivative by {name}: {error}', law.owner) from None

    def _variable(self, variable: tuple[int, float], law: LawInput) -> Combination:
        row = self.final(variable[0])
        if row is None:
            raise NoRateError(
                f'"{law.owner}", which reads an effort that depends on accelerations: its rate would be a third '
                "derivative", law.owner,
            )  # fmt: skip
        return {c: variable[1] * x for c, x in row.items()}

    def _read(self, law: LawInput, name: str) -> Combination | None:
        """The row of a quantity of the graph that a law reads."""
        if law.own_state is not None and name == law.own_state[0]:
            return self.states[law.own_state[1]]
        if name in self.number:
            return self.states[self.number[name]]
        variable = law.own.get(name) or quantity_variable(self.a, name)
        return None if variable is None else self._variable(variable, law)


def columns_of_ports(column: int, states: range, first_law: int) -> bool:
    """Whether a column is the flow of a port."""
    return states.stop <= column < first_law


def ordered(laws: list[PlannedLaw], rows: list[Combination], count: int) -> tuple[list[Step], list[list[Step]]]:
    """Steps, and the steps within each loop. Columns of laws are the last of `count` columns."""
    first = count - len(laws)
    done: set[int] = set()
    steps: list[Step] = []
    loops: list[list[Step]] = []

    def row_steps(law: PlannedLaw) -> Iterable[int]:
        read = [*law.reads.values(), *([law.factor] if law.factor >= 0 else [])]
        return [index - count for index in read if index >= count]

    def law_columns(law: PlannedLaw) -> set[int]:
        found = {c - first for r in row_steps(law) for c in rows[r] if c >= first}
        return found | {c - first for c in (*law.reads.values(), law.factor) if first <= c < count}

    needs = [law_columns(law) for law in laws]
    for group in _groups(needs):
        alone = len(group) == 1 and group[0] not in needs[group[0]]
        inner: list[Step] = []
        for k in group:
            for r in row_steps(laws[k]):
                in_loop = not alone and any(c - first in group for c in rows[r])
                if in_loop and Step("row", r) not in inner:
                    inner.append(Step("row", r))
                elif not in_loop and r not in done:
                    steps.append(Step("row", r))
                    done.add(r)
        if alone:
            steps.append(Step("law", group[0]))
        else:
            loops.append([*inner, *(Step("law", k) for k in group)])
            steps.append(Step("loop", len(loops) - 1))
            done.update(step.number for step in inner)
    steps.append(Step("rows", 0))  # what laws needed is computed once more: that is faster than to ask
    return steps, loops


def by_length(plan: Plan) -> Plan:
    """The plan with its rows sorted by their numbers of terms: sums of few terms are then computed without loops."""
    order = sorted(range(len(plan.rows)), key=lambda r: len(plan.rows[r]))
    number = {r: k for k, r in enumerate(order)}
    count = plan.columns

    def index(old: int) -> int:
        return old if old < count else count + number[old - count]

    def step(old: Step) -> Step:
        return Step("row", number[old.number]) if old.kind == "row" else old

    return replace(
        plan,
        rows=[plan.rows[r] for r in order],
        laws=[
            law._replace(factor=index(law.factor), reads={name: index(at) for name, at in law.reads.items()})
            for law in plan.laws
        ],
        rates=[index(at) for at in plan.rates],
        efforts=[(index(at), sign) for at, sign in plan.efforts],
        terms=[term._replace(first=index(term.first), second=index(term.second)) for term in plan.terms],
        steps=[step(each) for each in plan.steps],
        loops=[[step(each) for each in loop] for loop in plan.loops],
    )


def _groups(needs: list[set[int]]) -> list[list[int]]:
    n = len(needs)
    if not n:
        return []
    pairs = [(k, other) for k, each in enumerate(needs) for other in each]
    graph = csr_array((np.ones(len(pairs)), tuple(np.array(pairs, np.int64).reshape(-1, 2).T)), shape=(n, n))
    count, label = connected_components(graph, directed=True, connection="strong")
    rank = sorted_labels(graph, label, count)
    found: list[list[int]] = [[] for _ in range(count)]
    for k in range(n):
        found[int(rank[k])].append(k)
    return found


def no_rate(name: str) -> None:
    """There is no mechanism, and so no rate of a quantity of it."""


def planned(graph: FlatGraph, named: Named, connected: frozenset[str] = frozenset(), rate_of: RateOf = no_rate) -> Plan:
    """The plan of a graph; ports in `connected` get their flows from a mechanism.

    rate_of: the rate of a quantity of the mechanism, as an expression.
    """
    found = causality(graph, connected)
    extra: set[tuple[str, int]] = set()
    for _ in range(1 + len(graph.elements)):
        assembly = Assembly(graph, found, named, connected)
        assembly.derivative |= extra
        try:
            assembly.assemble()
        except ConstantError as error:
            who = assembly.at_element
            raise BondGraphError(graph.name, [(f'element "{who}": {error}', (who,))]) from None
        if assembly.faults:
            raise BondGraphError(graph.name, assembly.faults)
        try:
            return _Reduction(assembly, rate_of).plan()
        except DependentError as error:
            free = {c: abs(x) for c, x in error.inputs.items() if assembly.inputs[c].kind == "storage"}
            if not free:
                raise refuse(assembly, error) from None
            port = assembly.storages[assembly.inputs[max(free, key=lambda c: (free[c], c))].index]
            block = assembly.blocks[port.block]
            extra.add((port.owner, block[1].index(assembly.storages.index(port))))
    raise AssertionError


class _Reduction:
    def __init__(self, assembly: Assembly, rate_of: RateOf):
        self.a, self.rate_of = assembly, rate_of
        found = solved(assembly)
        self.rows, self.loops = found.rows, found.loops
        self.integral = [k for k, s in enumerate(assembly.storages) if not s.derivative]
        self.dependent = [k for k, s in enumerate(assembly.storages) if s.derivative]
        nonlinear = {law.own_state[1] for law in assembly.laws if law.own_state}
        self.column: dict[int, int] = {k: 1 + i for i, k in enumerate(self.integral)}
        self.nx, self.np = len(self.integral), len(assembly.port_inputs)
        self.first_law = 1 + self.nx + self.np
        self.law_of = {law.column: i for i, law in enumerate(assembly.laws)}
        self.law_column: dict[int, int] = {}
        self.state_law: dict[int, int] = {}
        """Columns of the states of dependent storages that have laws."""
        self.laws: list[tuple[LawInput, int]] = []
        self.constants: dict[int, float] = {}
        self.nonlinear = nonlinear
        self.notes: list[str] = []

    def plan(self) -> Plan:
        a = self.a
        self._place_laws()
        F = self._stiffness()
        reflection = Reflection(a, self.rows, self.constants)
        self.reflected = reflection.find(self.dependent, F)
        self.notes += reflection.notes
        inner = [k for k in self.dependent if k not in self.reflected]
        T = self._dependent_states(F, inner)
        outputs = {k: self._output(F, T, k) for k in self.integral if k not in self.nonlinear}
        self.replaced: dict[int, Combination] = {a.storages[k].column: row for k, row in outputs.items()}
        self._dependent_rates(T, inner)
        inertial = [reflection.hidden_in(row, self.replaced) for row in self.rows]
        factors = {x: self._new_law(LawInput("", "factor", x), -1) for row in inertial for x in row.values()
                   if isinstance(x, str)}  # fmt: skip
        variables = [self._final(row) for row in self.rows]
        return self._finished(variables, inertial, factors, T, F)

    # ------------------------------------------------------------------------------------------------ columns

    def _place_laws(self) -> None:
        """Constant values join the column of ones, others get a column."""
        a = self.a
        for law in a.laws:
            if law.own_state and law.key == "law" and a.storages[law.own_state[1]].derivative:
                self._invert(law, *law.own_state)
                continue
            number = a.number(law.value) if law.op == VALUE and law.own_state is None and not law.own else None
            if law.key == "energy":
                self._new_law(law, -1)
            elif number is not None:
                self.constants[law.column] = number
            else:
                self.law_column[law.column] = self._new_law(law, -1)

    def _invert(self, law: LawInput, own: str, k: int) -> None:
        """The state of a storage whose law gives what others decide: phi(x) = output, solved where it is evaluated."""
        storage = self.a.storages[k]
        column = self.first_law + len(self.laws)
        value = f"{own} - (({law.value}) - {OUTPUT})" if isinstance(law.value, str) else law.value
        what = storage.state.rpartition(".")[2]
        inverse = LawInput(law.owner, what, value, own={OUTPUT: storage.output}, rows={own: {column: 1.0}})
        inverse.inverse_of, inverse.solves = (own, law.value, storage.output), (str(law.value), OUTPUT)
        self.state_law[k] = self._new_law(inverse, -1)
        self._new_law(law, -1)  # for its energy

    def _new_law(self, law: LawInput, derivative_of: int) -> int:
        self.laws.append((law, derivative_of))
        return self.first_law + len(self.laws) - 1

    def _final(self, row: Combination) -> Combination:
        """A row over inputs as one over columns; rates of dependent storages and outputs of storages put in."""
        a, found = self.a, Combination()
        for c, x in row.items():
            if c in self.replaced:
                _add(found, self.replaced[c], x)
            elif c in self.constants:
                _add(found, {ONE: self.constants[c]}, x)
            elif c in self.law_column:
                _add(found, {self.law_column[c]: 1.0}, x)
            elif a.inputs[c].kind == "port":
                _add(found, {1 + self.nx + a.inputs[c].index: 1.0}, x)
            else:
                assert a.inputs[c].kind in ("rate", "reaction")  # the mechanism has the inertia, or its constraint
        return found

    # ------------------------------------------------------------------------------------- dependent storages

    def _stiffness(self) -> dict[tuple[int, int], float]:
        """What the storages give by their states, entry by entry: the inverses of their constants."""
        found: dict[tuple[int, int], float] = {}
        for _, ports, matrix in self.a.blocks:
            if matrix is None:
                continue
            inverse = np.linalg.inv(matrix) if len(matrix) > 1 else 1.0 / matrix
            for i, a in enumerate(ports):
                for j, b in enumerate(ports):
                    if inverse[i, j] or i == j:
                        found[a, b] = float(inverse[i, j])
        return found

    def _dependent_states(self, F: Mapping[tuple[int, int], float], inner: list[int]) -> dict[int, Combination]:
        """(1): rows over columns for the dependent states."""
        a = self.a
        found: dict[int, Combination] = {k: {self.state_law[k]: 1.0} for k in inner if k in self.nonlinear}
        inner = [k for k in inner if k not in self.nonlinear]
        if not inner:
            return found
        index = {k: i for i, k in enumerate(inner)}
        P, Q = np.zeros((len(inner), len(inner))), list[Combination]()
        faults: list[tuple[str, tuple[str, ...]]] = []
        by_row: dict[int, list[tuple[int, float]]] = {}
        for (i, j), x in F.items():
            by_row.setdefault(i, []).append((j, x))
        for k in inner:
            port = a.storages[k]
            right: Combination = {}
            for j, x in by_row[k]:
                if j in index:
                    P[index[k], index[j]] += x
                else:
                    _add(right, {self.column[j]: 1.0}, -x)
            for c, x in self.rows[port.output[0]].items():
                x *= port.output[1]
                given = a.inputs[c]
                if given.kind == "storage" and given.index not in self.nonlinear:
                    for j, y in by_row[given.index]:
                        if j in index:
                            P[index[k], index[j]] -= x * y
                        else:
                            _add(right, {self.column[j]: 1.0}, x * y)
                elif c in self.constants:
                    _add(right, {ONE: self.constants[c]}, x)
                elif c in self.law_column:
                    _add(right, {self.law_column[c]: 1.0}, x)
                else:
                    faults.append(self._no_rate(port.owner, f'an effort of "{given.owner}" that it decides itself'))
            Q.append(right)
        if faults:
            raise BondGraphError(a.graph.name, faults)
        columns = sorted({c for row in Q for c in row})
        X = np.linalg.solve(P, np.array([[row.get(c, 0.0) for c in columns] for row in Q]).reshape(len(inner), -1))
        return found | {
            k: {c: float(x) for c, x in zip(columns, X[i], strict=True) if abs(x) > ROUND_OFF * np.max(np.abs(X[i]))}
            for i, k in enumerate(inner)
        }

    def _tell(self, T: Mapping[int, Combination], inner: list[int]) -> None:
        """Notes about dependent storages; `BondGraphError` if an initial value contradicts what they follow from."""
        a, faults = self.a, list[tuple[str, tuple[str, ...]]]()
        state_of = {column: k for k, column in self.column.items()}
        for k in inner:
            owner, row = a.storages[k].owner, T[k]
            others = [a.storages[state_of[c]].owner for c in row if c in state_of]
            changing = [law.owner for law, _ in (self.laws[c - self.first_law] for c in row if c >= self.first_law)
                        if law.op != VALUE or law.inverse_of or law.own_state]  # fmt: skip
            if changing:
                words = ", ".join(f'"{name}"' for name in dict.fromkeys(changing))
                self.notes.append(
                    f'"{owner}" (derivative causality) follows from others through {words}: its effort is an unknown, '
                    "solved from the rate of that constraint"
                )
            else:
                words = ", ".join(f'"{name}"' for name in dict.fromkeys(others)) or "sources"
                self.notes.append(f'"{owner}" (derivative causality) is merged with {words}')
            given = a.storages[k].initial
            start = sum(x * (1.0 if c == ONE else a.storages[state_of[c]].initial) for c, x in row.items()
                        if c < self.first_law)  # fmt: skip
            open_ = changing or any(c >= self.first_law for c in row)
            if given and (open_ or abs(start - given) > 1e-9 * abs(given)):
                makes = "" if open_ else f", which make it {start:g}"
                text = f'storage "{owner}" follows from others{makes}: leave out initial={given:g}'
                faults.append((text, (owner,)))
        if faults:
            raise BondGraphError(a.graph.name, faults)

    def _output(self, F: Mapping[tuple[int, int], float], T: Mapping[int, Combination], k: int) -> Combination:
        """What an integral storage gives, by columns."""
        found: Combination = {}
        for j in self.a.blocks[self.a.storages[k].block][1]:
            if (k, j) in F:
                _add(found, {self.column[j]: 1.0} if j in self.column else T[j], F[k, j])
        return found

    def _dependent_rates(self, T: Mapping[int, Combination], inner: list[int]) -> None:
        """dx_D/dt as rows over columns, into `replaced`."""
        a = self.a
        if not inner:
            return
        index = {k: i for i, k in enumerate(inner)}
        column_of = {a.storages[k].column: k for k in inner}
        state_of = {column: k for k, column in self.column.items()}
        states: dict[int, Combination] = {k: {c: 1.0} for k, c in self.column.items()} | dict(T)
        for k, each in self.reflected.items():
            states[k] = {1 + self.nx + p: each.constant for p in each.ratios}
        rates = LawRates(
            a, self.laws, range(1, 1 + self.nx), states, self._without_efforts, self._new_law, self.rate_of
        )
        try:
            law_rate = {c: rates.column(c) for k in inner for c in T[k] if c >= self.first_law}
        except NoRateError as error:
            raise BondGraphError(a.graph.name, [self._no_rate(a.storages[inner[0]].owner, error.what)]) from None
        self._tell(T, inner)
        N, right = np.eye(len(inner)), list[Combination]()
        for k in inner:
            known: Combination = {}
            for c, x in T[k].items():
                if c in law_rate:
                    _add(known, {law_rate[c]: 1.0}, x)
                elif c in state_of:
                    variable, sign = a.storages[state_of[c]].rate
                    row = self.rows[variable]
                    for d, y in row.items():
                        if d in column_of:
                            N[index[k], index[column_of[d]]] -= x * sign * y
                    _add(known, self._final({d: y for d, y in row.items() if d not in column_of}), x * sign)
            right.append(known)
        columns = sorted({c for row in right for c in row})
        X = np.linalg.solve(N, np.array([[row.get(c, 0.0) for c in columns] for row in right]).reshape(len(inner), -1))
        for i, k in enumerate(inner):
            row = {c: float(x) for c, x in zip(columns, X[i], strict=True) if x}
            self.replaced[a.storages[k].column] = row

    def _without_efforts(self, variable: int) -> Combination | None:
        """An effort or flow by columns; None if it contains constraint efforts or reactions."""
        row = self.rows[variable]
        hidden = any(self.a.inputs[c].kind in ("rate", "reaction") for c in row)
        return None if hidden else self._final(row)

    def _no_rate(self, owner: str, what: str) -> tuple[str, tuple[str, ...]]:
        text = (
            f'storage "{owner}" depends on others (derivative causality) through {what}; or put a small compliance (C) '
            "or resistor between them"
        )
        return text, (owner,)

    # ------------------------------------------------------------------------------------------------ the plan

    def _finished(
        self,
        variables: list[Combination],
        inertial: list[dict[int, Factor]],
        factors: dict[str, int],
        T: Mapping[int, Combination],
        F: Any,
    ) -> Plan:
        a = self.a
        count = self.first_law + len(self.laws)
        rows: list[Combination] = []
        indices: dict[tuple[int, float], int] = {}

        def in_Y(variable: int, sign: float = 1.0) -> int:
            """Where a quantity of a bond stands; a row is made where it is no column itself."""
            row = variables[variable]
            if len(row) == 1:
                column, x = next(iter(row.items()))
                if x * sign == 1.0:
                    return column
            if (variable, sign) not in indices:
                indices[variable, sign] = count + len(rows)
                rows.append({c: sign * x for c, x in row.items()})
            return indices[variable, sign]

        def scaled(variable: int) -> tuple[int, float]:
            """Where a quantity stands, and a factor."""
            row = variables[variable]
            if len(row) == 1:
                return next(iter(row.items()))
            return (in_Y(variable), 1.0) if row else (ONE, 0.0)

        def row_in_Y(row: Combination) -> int:
            rows.append(row)
            return count + len(rows) - 1

        def index(row: Combination) -> int:
            """Where a sum of columns stands."""
            column, x = next(iter(row.items())) if len(row) == 1 else (ONE, 0.0)
            return column if x == 1.0 else row_in_Y(row)

        def rate(row: Combination) -> Combination:
            """Columns of states stand for their rates."""
            found: Combination = {}
            for c, x in row.items():
                variable, sign = a.storages[self.integral[c - 1]].rate if c <= self.nx else (-1, 1.0)
                _add(found, variables[variable] if variable >= 0 else {c: 1.0}, sign * x)
            return found

        quantities = Quantities(a, self.column | self.state_law, lambda k: index(T[k]) if k in T else None, in_Y)
        laws = [
            self._law(number, quantities, in_Y, lambda row: index(rate(row)), index) for number in range(len(self.laws))
        ]
        efforts = [(in_Y(p.effort), p.sign) for p in a.port_inputs]
        rates = [in_Y(*a.storages[k].rate) for k in self.integral]
        terms: list[Term] = []
        for p in a.powers:  # a quantity that is a multiple of one column needs no row
            (first, x), (second, y) = scaled(p.first), scaled(p.second)
            if x * y:
                terms.append(Term(p.kind, first, second, p.coefficient * x * y))
        linear = [k for k in range(len(a.storages)) if k not in self.reflected and k not in self.nonlinear]
        at = {k: self.column[k] if k in self.column else index(T[k]) for k in linear}
        terms += [Term("energy", at[i], at[j], 0.5 * x) for (i, j), x in F.items() if i in at and j in at]
        quadratures, energies = self._energies(laws)
        terms += energies
        steps, loops = ordered(laws, rows, count)
        storages = [Storage(s.owner, s.state, s.initial, self.column.get(k, -1)) for k, s in enumerate(a.storages)]
        found = Plan(
            a, storages, self.nx, self.np, laws, rows, steps, loops, rates, efforts, terms, quadratures, variables,
            dict(T), inertial, factors, list(self.reflected.values()), self.loops, self.notes,
        )  # fmt: skip
        return by_length(found)

    def _law(
        self,
        number: int,
        quantities: Quantities,
        in_Y: Callable[..., int],
        rate: Callable[[Combination], int],
        index: Callable[[Combination], int],
    ) -> PlannedLaw:
        law, derivative_of = self.laws[number]
        factor = in_Y(*law.variable) if law.op >= TIMES else -1
        reads = dict(quantities.read_by(law))
        reads |= {name: index(dict(row)) for name, row in law.rows.items()}
        reads |= {name: rate(dict(row)) for name, row in law.rates.items()}
        return PlannedLaw(law, self.first_law + number, law.op, factor, reads, derivative_of)

    def _energies(self, laws: list[PlannedLaw]) -> tuple[list[tuple[int, str, int]], list[Term]]:
        """Energies of storages with laws: by the law that the user gives, or integrated."""
        quadratures: list[tuple[int, str, int]] = []
        terms: list[Term] = []
        for number, planned in enumerate(laws):
            own = planned.law.own_state
            if own is None:
                continue
            if planned.law.key == "energy":
                terms.append(Term("energy", ONE, planned.column, 1.0))
            elif planned.law.energy is None:
                quadratures.append((number, own[0], (self.column | self.state_law)[own[1]]))
        return quadratures, terms


def _add(to: Combination, row: Combination, factor: float) -> None:
    for key, value in row.items():
        to[key] = to.get(key, 0.0) + factor * value
