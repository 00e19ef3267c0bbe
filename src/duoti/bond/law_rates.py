"""Rates of laws: what a storage in derivative causality behind a ratio that changes needs.

Its state follows from others, x_D = K g(x, t), where g contains products of laws and flows (or efforts). The constraint
effort, dx_D/dt = K dg/dt, is the unknown that is kept: by the chain rule

    d(m f)/dt = m df/dt + f (dm/dt),   dm/dt = sum of dm/dn dn/dt over the names n that the law m reads,          (1)

where df/dt and dn/dt are rates of states, which contain the constraint efforts again. These are linear equations for
the rates, which are solved together where the graph is evaluated (index reduction by differentiation; the constraint
itself holds by construction, so that nothing drifts: Brenan, Campbell & Petzold 1996, sect. 2.5).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from duoti.bond.assembly import OVER, TIMES, Assembly, LawInput
from duoti.bond.plan import ONE
from duoti.bond.quantities import quantity_variable
from duoti.bond.reading import names_in
from duoti.bond.solve import Row
from duoti.model.expressions import ExpressionError, derivative

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
        self, assembly: Assembly, laws: list[tuple[LawInput, int]], columns: range, states: Mapping[int, Row],
        final: Callable[[int], Row | None], new_law: Callable[[LawInput, int], int], rate_of: RateOf,
    ):  # fmt: skip
        """columns: of the states, those of ports follow; states: rows of all states; final: rows of efforts and flows.

        `final` returns None for a quantity that contains constraint efforts or reactions.
        """
        self.a, self.laws, self.columns, self.states = assembly, laws, columns, states
        self.final, self.new_law, self.rate_of = final, new_law, rate_of
        self.number = {state.state: k for k, state in enumerate(assembly.storages)}
        self.first = columns.stop + len(assembly.port_inputs)
        self.known: dict[int, int] = {}

    def row(self, row: Row, owner: str) -> Row:
        """Rate of a row over columns: columns of states stand for their rates, others for laws that are rates."""
        found: Row = {}
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
        rates: dict[str, Row] = {}
        rows: dict[str, Row] = {}
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

    def _chain(self, law: LawInput, value: str, but: str, rates: dict[str, Row]) -> str:
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

    def _variable(self, variable: tuple[int, float], law: LawInput) -> Row:
        row = self.final(variable[0])
        if row is None:
            raise NoRateError(
                f'"{law.owner}", which reads an effort that depends on accelerations: its rate would be a third '
                "derivative", law.owner,
            )  # fmt: skip
        return {c: variable[1] * x for c, x in row.items()}

    def _read(self, law: LawInput, name: str) -> Row | None:
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
