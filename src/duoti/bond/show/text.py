"""The equations of a graph as text or LaTeX, with the user's names.

Each quantity is written where causality says it comes from: first what storages and laws give, then the rates of the
states with numbers put in, what constraints make of dependent storages, and the efforts at ports.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from duoti.bond.element import text_of
from duoti.bond.equations.assembly import OVER, TIMES, Combination
from duoti.bond.equations.plan import Plan, PlannedLaw
from duoti.bond.equations.reduce import planned
from duoti.bond.graph import Graph


def equations(graph: Graph, latex: bool = False) -> str:
    """All equations of a graph by itself; ports are taken for connected."""
    flat = graph.flat()
    ports = frozenset(name for name, each in zip(flat.names, flat.elements, strict=True) if each.role == "port")
    return plan_equations(planned(flat, flat.parameters, ports), latex)


def plan_equations(plan: Plan, latex: bool = False) -> str:
    """The same of a plan."""
    return _Writer(plan, latex).text()


class _Writer:
    def __init__(self, plan: Plan, latex: bool):
        self.plan, self.latex = plan, latex
        first = 1 + plan.nx + plan.ports
        self.names = {0: "1"}
        self.names |= {s.column: self.name(s.state) for s in plan.states}
        self.names |= {1 + plan.nx + k: self.name(f"{p.owner}.flow") for k, p in enumerate(plan.assembly.port_inputs)}
        for k, law in enumerate(plan.laws):
            self.names[first + k] = (
                self.law_name(law) if law.derivative_of < 0 else self.rate(self.names[first + law.derivative_of], True)
            )

    def name(self, name: str) -> str:
        if not self.latex:
            return name
        owner, _, what = name.rpartition(".")
        letter = {"displacement": "q", "momentum": "p", "effort": "e", "flow": "f"}
        number = re.search(r"(\d*)$", what)
        word = what.removesuffix(number[1] if number else "")
        index = rf"\mathrm{{{owner}}}".replace("_", r"\_") + (f",{number[1]}" if number and number[1] else "")
        return f"{letter.get(word, word)}_{{{index}}}"

    def law_name(self, law: PlannedLaw) -> str:
        what = "value" if law.law.key in ("value", "law") else law.law.key
        return self.name(f"{law.law.owner}.{what}") if law.op == 0 else f"{law.law.owner}[{law.column}]"

    def sum(self, row: Combination) -> str:
        return written_sum([(x, self.names[column]) for column, x in sorted(row.items())], self.latex)

    def rate(self, name: str, written: bool = False) -> str:
        """The rate of a quantity by its name, or by what is written for it."""
        text = name if written else self.name(name)
        return rf"\dot{{{text[0]}}}{text[1:]}" if self.latex else f"d({text})/dt"

    def at(self, index: int) -> str:
        count = self.plan.columns
        return self.names[index] if index < count else f"({self.sum(self.plan.rows[index - count])})"

    def lines(self) -> Iterable[tuple[str, str, str]]:
        """Heading, left side and right side of each equation."""
        plan = self.plan
        a = plan.assembly
        for law in plan.laws:
            if law.law.key == "factor":
                continue  # for channels only
            value = text_of(law.law.solves[0] if law.law.solves else law.law.value)
            for name, index in law.reads.items():
                if index >= plan.columns or self.names[index] != name:
                    value = re.sub(rf"(?<![\w.]){re.escape(name)}(?![\w.])", lambda _, p=index: self.at(p), value)
            if law.op in (TIMES, OVER):
                value = f"{self.at(law.factor)} {'*' if law.op == TIMES else '/'} ({value})"
            if law.law.solves:
                heading = "constraint equations" if law.law.inverse_of else "laws"
                yield heading, self.at(law.reads[law.law.solves[1]]), rf"\texttt{{{value}}}" if self.latex else value
                continue
            yield "laws", self.names[law.column], rf"\texttt{{{value}}}" if self.latex else value
        count = plan.columns
        for state, rate in zip(plan.states, plan.rates, strict=True):
            row: Combination = plan.rows[rate - count] if rate >= count else {rate: 1.0}
            yield "state equations", self.rate(state.state), self.sum(row)
        for k, row in plan.dependent.items():
            if self.sum(row) != self.name(plan.storages[k].state):  # that of a law is written above
                yield "constraint equations", self.name(plan.storages[k].state), self.sum(row)
            variable, sign = a.storages[k].rate
            effort = self.sum({c: sign * x for c, x in plan.variables[variable].items()})
            yield "constraint efforts", self.rate(plan.storages[k].state), effort
        for reflected in plan.reflected:
            flows = {port: self.names[1 + plan.nx + port] for port in reflected.ratios}
            if reflected.changing:
                parts = " + ".join(f"({x})*{flows[port]}" for port, x in reflected.ratios.items())
                yield "inertia of the mechanism", self.name(reflected.state), f"{reflected.constant:.6g}*({parts})"
                continue
            row = {1 + plan.nx + port: reflected.constant * float(x) for port, x in reflected.ratios.items()}
            yield "inertia of the mechanism", self.name(reflected.state), self.sum(row)
        for (index, _), port in zip(plan.efforts, a.port_inputs, strict=True):
            row = plan.rows[index - count] if index >= count else {index: 1.0}
            if port.driven:
                yield "flows into the mechanism", self.name(f"{port.owner}.flow"), self.sum(plan.variables[port.flow])
            else:
                yield "efforts at ports", self.name(f"{port.owner}.effort"), self.sum(row)

    def text(self) -> str:
        found: dict[str, list[tuple[str, str]]] = {}
        for heading, left, right in self.lines():
            found.setdefault(heading, []).append((left, right))
        if self.latex:
            rows = [rf"{left} &= {right}" for each in found.values() for left, right in each]
            return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
        parts: list[str] = []
        for heading, each in found.items():
            width = max(len(left) for left, _ in each)
            parts.append("\n".join([f"{heading}:", *(f"  {left:{width}} = {right}" for left, right in each)]))
        return "\n".join(parts)


def written_sum(terms: Iterable[tuple[float, str]], latex: bool) -> str:
    """A sum of coefficients times names; "1" is the name of the constant term."""
    parts: list[str] = []
    for x, name in terms:
        size = f"{abs(x):.6g}"
        times = r"\," if latex else "*"
        if latex:
            size = re.sub(r"e([+-]\d+)$", lambda m: rf"\cdot 10^{{{int(m[1])}}}", size)
        term = size if name == "1" else name if size == "1" else f"{size}{times}{name}"
        sign = "-" if x < 0 else "+" if parts else ""
        parts.append(f"{sign} {term}" if parts else f"{sign}{term}")
    return " ".join(parts) or "0"
