"""The equations of a mechanism's bond graph as text: state equations and those of the constraint forces."""

from __future__ import annotations

import re
from typing import Any

from duoti.analyses.at import with_instant
from duoti.analyses.mechanism_graph import equations_of
from duoti.bond.text import written_sum
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

SMALL = 1e-9  # part of the largest coefficient of an equation that is round-off of the differences


@with_instant
@explained
def mechanism_equations(
    model: Model | System, q: Any = None, v: Any = None, t: float = 0.0, joint_damping: float | None = None,
    latex: bool = False,
) -> str:  # fmt: skip
    """State equations and constraint-force equations of `mechanism_graph`, with the names of the model, in a state.

    The two cases of Wang, Xu & Chen 2009: without damping of the joints' equations the constraint forces follow from
    the derivative of the constraints (their equation 20), with `joint_damping` from the constraints themselves (19).
    States are momenta: "arm.mx.momentum" [N s] in world axes, "arm.J.momentum3" [N m s] in the body's own. Efforts
    "J1.e0" [N, N m] push the child along the first equation of joint J1. Numbers are those of the state.
    """
    e = equations_of(model, q, v, t, joint_damping)
    states, efforts = [_name(s.state, latex) for s in e.plan.states], [_name(f"{n}.effort", latex) for n in e.names]
    case = "20" if joint_damping is None else "19"
    found: list[tuple[str, list[tuple[str, str]]]] = [
        ("state equations", [
            (_rate(states[i], latex), _sum([(e.a0[i : i + 1], ["1"]), (e.A[i], states), (e.B[i], efforts)], latex))
            for i in range(len(states))
        ]),
        ("constraint equations", [
            ("0", _sum([(e.Jc[i], states), (e.D[i], efforts)], latex)) for i in range(len(efforts))
        ]),
        (f"constraint forces (their equation {case})", [
            (efforts[i], _sum([(e.U_0[i : i + 1], ["1"]), (e.U_X[i], states)], latex)) for i in range(len(efforts))
        ]),
    ]  # fmt: skip
    if latex:
        rows = [rf"{left} &= {right}" for _, each in found for left, right in each]
        return "\\begin{aligned}\n" + " \\\\\n".join(rows) + "\n\\end{aligned}"
    parts: list[str] = []
    for heading, each in found:
        width = max((len(left) for left, _ in each), default=0)
        parts.append("\n".join([f"{heading}:", *(f"  {left:{width}} = {right}" for left, right in each)]))
    return "\n".join(parts)


def _name(name: str, latex: bool) -> str:
    if not latex:
        return name.removesuffix(".effort")
    owner, _, what = name.rpartition(".")
    letter, number = ("e", "") if what == "effort" else ("p", what.removeprefix("momentum"))
    index = re.sub(r"_", r"\\_", owner) + (f",{number}" if number else "")
    return rf"{letter}_{{\mathrm{{{index}}}}}"


def _rate(name: str, latex: bool) -> str:
    return rf"\dot{{{name[0]}}}{name[1:]}" if latex else f"d({name})/dt"


def _sum(parts: list[tuple[Reals, list[str]]], latex: bool) -> str:
    size = max((float(abs(x).max()) for x, _ in parts if len(x)), default=0.0)
    terms = [
        (float(value), name)
        for x, names in parts
        for value, name in zip(x, names, strict=True)
        if abs(value) > SMALL * size
    ]
    return written_sum(terms, latex)
