"""From the equations of a graph to its plan: dependent storages are eliminated, laws are put in order.

A storage in derivative causality has a state that follows from others. For linear storages with constant ratios

    x_D = T x_I + S u,   dx_D/dt = T dx_I/dt + S du/dt,                                                        (1)

dx_I/dt itself contains dx_D/dt, with constant coefficients: both are solved for once, which is what merging two
inertias on one shaft by hand does (I1 + n² I2). If it moves with a port of the mechanism, its energy is that of an
inertia reflected to the joint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from duoti.bond.assembly import TIMES, VALUE, Assembly, ConstantError, LawInput
from duoti.bond.causality import causality
from duoti.bond.errors import BondGraphError
from duoti.bond.graph import FlatGraph
from duoti.bond.order import ordered
from duoti.bond.plan import ONE, Plan, PlannedLaw, Reflected, Storage, Term
from duoti.bond.quantities import Quantities, law_inputs
from duoti.bond.solve import ROUND_OFF, DependentError, Row, refuse, solved
from duoti.model.expressions import derivative
from duoti.model.expressions.compile import Named


def planned(graph: FlatGraph, named: Named, connected: frozenset[str] = frozenset()) -> Plan:
    """The plan of a graph; ports in `connected` get their flows from a mechanism."""
    found = causality(graph, connected)
    extra: set[tuple[str, int]] = set()
    for _ in range(1 + len(graph.elements)):
        assembly = Assembly(graph, found, named, connected)
        assembly.derivative |= extra
        try:
            assembly.assemble()
        except ConstantError as error:
            raise BondGraphError(graph.name, [(str(error), ())]) from None
        if assembly.faults:
            raise BondGraphError(graph.name, assembly.faults)
        try:
            return _Reduction(assembly).plan()
        except DependentError as error:
            free = {c: abs(x) for c, x in error.inputs.items() if assembly.inputs[c].kind == "storage"}
            if not free:
                raise refuse(assembly, error) from None
            port = assembly.storages[assembly.inputs[max(free, key=lambda c: (free[c], c))].index]
            block = assembly.blocks[port.block]
            extra.add((port.owner, block[1].index(assembly.storages.index(port))))
    raise AssertionError


class _Reduction:
    def __init__(self, assembly: Assembly):
        self.a = assembly
        found = solved(assembly)
        self.rows, self.loops = found.rows, found.loops
        self.integral = [k for k, s in enumerate(assembly.storages) if not s.derivative]
        self.dependent = [k for k, s in enumerate(assembly.storages) if s.derivative]
        nonlinear = {law.own_state[1] for law in assembly.laws if law.own_state}
        self.column: dict[int, int] = {k: 1 + i for i, k in enumerate(self.integral)}
        self.nx, self.np = len(self.integral), len(assembly.port_inputs)
        self.law_of = {law.column: i for i, law in enumerate(assembly.laws)}
        self.law_column: dict[int, int] = {}
        self.rate_laws: dict[int, int] = {}
        self.laws: list[tuple[LawInput, int]] = []
        self.constants: dict[int, float] = {}
        self.nonlinear = nonlinear
        self.notes: list[str] = []

    def plan(self) -> Plan:
        a = self.a
        self._place_laws()
        faults = [self._no_dependent_law(k) for k in self.dependent if k in self.nonlinear]
        if faults:
            raise BondGraphError(a.graph.name, faults)
        F = self._stiffness()
        self.reflected = self._reflected(F)
        moved = {k for k, _ in self.reflected_ports.items()}
        inner = [k for k in self.dependent if k not in moved]
        T = self._dependent_states(F, inner)
        outputs = {k: self._output(F, T, k) for k in self.integral if k not in self.nonlinear}
        self.replaced: dict[int, Row] = {a.storages[k].column: row for k, row in outputs.items()}
        self._dependent_rates(T, inner)
        inertial: list[Row] = [self._rates_of_reflected(row) for row in self.rows]
        variables = [self._final(row) for row in self.rows]
        return self._finished(variables, inertial, T, F)

    # ------------------------------------------------------------------------------------------------ columns

    def _place_laws(self) -> None:
        """Constant values join the column of ones, others get a column."""
        a = self.a
        for law in a.laws:
            number = a.number(law.value) if law.op == VALUE and law.own_state is None and not law.own else None
            if law.key == "energy":
                self._new_law(law, -1)
            elif number is not None:
                self.constants[law.column] = number
            else:
                self.law_column[law.column] = self._new_law(law, -1)

    def _new_law(self, law: LawInput, derivative_of: int) -> int:
        self.laws.append((law, derivative_of))
        return 1 + self.nx + self.np + len(self.laws) - 1

    def _final(self, row: Row) -> Row:
        """A row over inputs as one over columns; rates of dependent storages and outputs of storages put in."""
        a, found = self.a, Row()
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

    def _rates_of_reflected(self, row: Row) -> Row:
        """What of a quantity depends on accelerations and reactions, by the columns of inputs."""
        return {
            c: x for c, x in row.items() if c not in self.replaced and self.a.inputs[c].kind in ("rate", "reaction")
        }

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

    def _reflected(self, F: Mapping[tuple[int, int], float]) -> list[Reflected]:
        a, found = self.a, list[Reflected]()
        self.reflected_ports: dict[int, dict[int, float]] = {}
        faults: list[tuple[str, tuple[str, ...]]] = []
        for k in self.dependent:
            port = a.storages[k]
            row = self.rows[port.output[0]]
            ports = {a.inputs[c].index: x * port.output[1] for c, x in row.items() if a.inputs[c].kind == "port"}
            if not ports:
                continue
            others = [a.inputs[c].owner for c in row if a.inputs[c].kind != "port" and self.constants.get(c) != 0.0]
            if others or len(a.blocks[port.block][1]) > 1:
                what = " and ".join(f'"{name}"' for name in dict.fromkeys(others or [port.owner]))
                faults.append((
                    f'storage "{port.owner}" moves with the mechanism and with {what} at once, without any compliance '
                    "between: put a C (a shaft that yields) between them, or make one of them a body of the model",
                    (port.owner, *others),
                ))  # fmt: skip
                continue
            self.reflected_ports[k] = ports
            found.append(Reflected(port.owner, port.state, 1.0 / F[k, k], ports, port.column, port.initial))
            names = ", ".join(f'"{a.port_inputs[p].owner}"' for p in ports)
            self.notes.append(
                f'"{port.owner}" moves with the mechanism at port {names}: its inertia is reflected there'
            )
        hidden = {r.rate_column for r in found} | {p.column for p in a.port_inputs if p.driven}
        for law in a.laws:
            names = tuple({a.inputs[c].owner: 0 for v in law_inputs(a, law) for c in hidden & self.rows[v].keys()})
            if names:
                text = (
                    f'the law of "{law.owner}" reads an effort that depends on accelerations of the mechanism, through '
                    f"{', '.join(names)}; put a C between them"
                )
                faults.append((text, (law.owner, *names)))
        if faults:
            raise BondGraphError(a.graph.name, faults)
        return found

    def _dependent_states(self, F: Mapping[tuple[int, int], float], inner: list[int]) -> dict[int, Row]:
        """(1): rows over columns for the dependent states."""
        a = self.a
        if not inner:
            return {}
        place = {k: i for i, k in enumerate(inner)}
        P, Q = np.zeros((len(inner), len(inner))), list[Row]()
        faults: list[tuple[str, tuple[str, ...]]] = []
        by_row: dict[int, list[tuple[int, float]]] = {}
        for (i, j), x in F.items():
            by_row.setdefault(i, []).append((j, x))
        for k in inner:
            port = a.storages[k]
            right: Row = {}
            for j, x in by_row[k]:
                if j in place:
                    P[place[k], place[j]] += x
                else:
                    _add(right, {self.column[j]: 1.0}, -x)
            for c, x in self.rows[port.output[0]].items():
                x *= port.output[1]
                given = a.inputs[c]
                if given.kind == "storage" and given.index not in self.nonlinear:
                    for j, y in by_row[given.index]:
                        if j in place:
                            P[place[k], place[j]] -= x * y
                        else:
                            _add(right, {self.column[j]: 1.0}, x * y)
                elif c in self.constants:
                    _add(right, {ONE: self.constants[c]}, x)
                elif given.kind == "law" and self._rate_law(c) is not None:
                    _add(right, {self.law_column[c]: 1.0}, x)
                else:
                    faults.append(self._no_constant_ratio(port.owner, given.owner))
            Q.append(right)
        if faults:
            raise BondGraphError(a.graph.name, faults)
        columns = sorted({c for row in Q for c in row})
        X = np.linalg.solve(P, np.array([[row.get(c, 0.0) for c in columns] for row in Q]).reshape(len(inner), -1))
        found = {
            k: {c: float(x) for c, x in zip(columns, X[i], strict=True) if abs(x) > ROUND_OFF * np.max(np.abs(X[i]))}
            for i, k in enumerate(inner)
        }
        state_of = {column: k for k, column in self.column.items()}
        for k, row in found.items():
            others = [a.storages[state_of[c]].owner for c in row if c in state_of]
            words = ", ".join(f'"{name}"' for name in dict.fromkeys(others)) or "sources"
            self.notes.append(f'"{a.storages[k].owner}" (derivative causality) is merged with {words}')
        return found

    def _rate_law(self, column: int) -> int | None:
        """The column of the derivative of a source's value by the time; None if it is no function of the time alone."""
        law = self.a.laws[self.law_of[column]]
        if column not in self.rate_laws:
            if law.op != VALUE or law.own or law.own_state or not isinstance(law.value, str):
                return None
            try:
                program = derivative(law.value, "t", constants=self.a.named)
            except (ValueError, TypeError):
                return None
            if any(name != "t" for name in program.inputs):
                return None
            rate = LawInput(law.owner, law.key, program.source)
            self.rate_laws[column] = self._new_law(rate, self.law_of[column])
        return self.rate_laws[column]

    def _output(self, F: Mapping[tuple[int, int], float], T: Mapping[int, Row], k: int) -> Row:
        """What an integral storage gives, by columns."""
        found: Row = {}
        for j in self.a.blocks[self.a.storages[k].block][1]:
            if (k, j) in F:
                _add(found, {self.column[j]: 1.0} if j in self.column else T[j], F[k, j])
        return found

    def _dependent_rates(self, T: Mapping[int, Row], inner: list[int]) -> None:
        """dx_D/dt as rows over columns, into `replaced`."""
        a = self.a
        if not inner:
            return
        place = {k: i for i, k in enumerate(inner)}
        column_of = {a.storages[k].column: k for k in inner}
        state_of = {column: k for k, column in self.column.items()}
        law_rate = {self.law_column[c]: rate for c, rate in self.rate_laws.items()}
        N, right = np.eye(len(inner)), list[Row]()
        for k in inner:
            known: Row = {}
            for c, x in T[k].items():
                if c in law_rate:
                    _add(known, {law_rate[c]: 1.0}, x)
                elif c in state_of:
                    variable, sign = a.storages[state_of[c]].rate
                    row = self.rows[variable]
                    for d, y in row.items():
                        if d in column_of:
                            N[place[k], place[column_of[d]]] -= x * sign * y
                    _add(known, self._final({d: y for d, y in row.items() if d not in column_of}), x * sign)
            right.append(known)
        columns = sorted({c for row in right for c in row})
        X = np.linalg.solve(N, np.array([[row.get(c, 0.0) for c in columns] for row in right]).reshape(len(inner), -1))
        for i, k in enumerate(inner):
            row = {c: float(x) for c, x in zip(columns, X[i], strict=True) if x}
            self.replaced[a.storages[k].column] = row

    def _no_dependent_law(self, k: int) -> tuple[str, tuple[str, ...]]:
        owner = self.a.storages[k].owner
        text = (
            f'storage "{owner}" has a law of its own and no freedom (derivative causality): its state would follow '
            "from others by the inverse of the law; give it a constant, or put a resistor between them"
        )
        return text, (owner,)

    def _no_constant_ratio(self, owner: str, by: str) -> tuple[str, tuple[str, ...]]:
        text = (
            f'storage "{owner}" depends on others (derivative causality) through "{by}", which is no constant: put a '
            "small compliance (C) or resistor between them"
        )
        return text, (owner, by)

    # ------------------------------------------------------------------------------------------------ the plan

    def _finished(self, variables: list[Row], inertial: list[Row], T: Mapping[int, Row], F: Any) -> Plan:
        a = self.a
        count = 1 + self.nx + self.np + len(self.laws)
        rows: list[Row] = []
        places: dict[tuple[int, float], int] = {}

        def in_Y(variable: int, sign: float = 1.0) -> int:
            """Where a quantity of a bond stands; a row is made where it is no column itself."""
            row = variables[variable]
            if len(row) == 1:
                column, x = next(iter(row.items()))
                if x * sign == 1.0:
                    return column
            if (variable, sign) not in places:
                places[variable, sign] = count + len(rows)
                rows.append({c: sign * x for c, x in row.items()})
            return places[variable, sign]

        def scaled(variable: int) -> tuple[int, float]:
            """Where a quantity stands, and a factor."""
            row = variables[variable]
            if len(row) == 1:
                return next(iter(row.items()))
            return (in_Y(variable), 1.0) if row else (ONE, 0.0)

        def row_in_Y(row: Row) -> int:
            rows.append(row)
            return count + len(rows) - 1

        quantities = Quantities(a, self.column, lambda k: row_in_Y(T[k]) if k in T else None, in_Y)
        laws = [self._law(law, of, quantities, in_Y) for law, of in self.laws]
        efforts = [(in_Y(p.effort), p.sign) for p in a.port_inputs]
        rates = [in_Y(*a.storages[k].rate) for k in self.integral]
        terms: list[Term] = []
        for p in a.powers:  # a quantity that is a multiple of one column needs no row
            (first, x), (second, y) = scaled(p.first), scaled(p.second)
            if x * y:
                terms.append(Term(p.kind, first, second, p.coefficient * x * y))
        where: Callable[[int], int] = lambda k: self.column[k] if k in self.column else row_in_Y(T[k])  # noqa: E731
        reflected = set(self.reflected_ports)
        linear = [k for k in range(len(a.storages)) if k not in reflected and k not in self.nonlinear]
        at = {k: where(k) for k in linear}
        terms += [Term("energy", at[i], at[j], 0.5 * x) for (i, j), x in F.items() if i in at and j in at]
        quadratures, energies = self._energies(laws)
        terms += energies
        steps, loops = ordered(laws, rows, count)
        storages = [Storage(s.owner, s.state, s.initial, self.column.get(k, -1)) for k, s in enumerate(a.storages)]
        return Plan(
            a, storages, self.nx, self.np, laws, rows, steps, loops, rates, efforts, terms, quadratures, variables,
            dict(T), inertial, self.reflected, self.loops, self.notes,
        )  # fmt: skip

    def _law(self, law: LawInput, derivative_of: int, quantities: Quantities, in_Y: Callable[..., int]) -> PlannedLaw:
        column = 1 + self.nx + self.np + next(i for i, (each, _) in enumerate(self.laws) if each is law)
        factor = in_Y(*law.variable) if law.op >= TIMES else -1
        return PlannedLaw(law, column, law.op, factor, quantities.read_by(law), derivative_of)

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
                quadratures.append((number, own[0], self.column[own[1]]))
        return quadratures, terms


def _add(to: Row, row: Row, factor: float) -> None:
    for key, value in row.items():
        to[key] = to.get(key, 0.0) + factor * value
