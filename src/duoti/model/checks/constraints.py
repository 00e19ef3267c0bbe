"""The part of the model check that looks at constraints."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from duoti.model.checks.findings import Findings
from duoti.model.checks.parameters import faults_of, shown
from duoti.model.checks.references import check_joint_reference, check_reference, markers_among
from duoti.model.checks.registry import register_check
from duoti.model.constraints.base import Constraint, ConstraintEquation
from duoti.model.constructor_schema import key_of
from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND
from duoti.model.equations import EQUATION_KINDS, ExpressionEquation
from duoti.model.errors import ChannelError
from duoti.model.laws.expressions import ExpressionError, compile_expression
from duoti.model.laws.expressions.derivative import derivatives
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.law import Function, parameter_names
from duoti.model.laws.user_equations import equation_programs
from duoti.model.model import Model


@register_check("structure", order=200)
def check_constraints(model: Model, found: Findings) -> None:
    """Add what is wrong with the constraints."""
    for name, constraint in model.constraints.items():
        who = ElementId("constraint", str(name))
        with found.about(who):
            _check_constraint(model, who, constraint, found)


def _check_constraint(model: Model, who: ElementId, constraint: Any, found: Findings) -> None:
    if not isinstance(constraint, Constraint):
        found.error("bad-constraint", (who,), f"{who}: {shown(constraint)} is not a constraint",
                    remedy="give an object such as dt.Distance(marker_a, marker_b, length=1.0)")  # fmt: skip
        return
    faults = faults_of(constraint)
    for fault in faults:
        found.error("bad-constraint", (who,), f"{who} ({constraint.kind}): {fault.text}", key=fault.key)
    if not faults:
        _check_references(model, who, constraint, found)


def _check_references(model: Model, who: ElementId, constraint: Constraint, found: Findings) -> None:
    bodies: list[Any] = []
    for reference in constraint.markers():
        key = key_of(constraint, reference, "marker or body")
        if check_reference(model, who, key, reference, found, role="marker or body"):
            bodies.append(model.body_name(reference))
    rows = constraint.rows()
    unknown = sorted({row.kind for row in rows} - set(EQUATION_KINDS))
    if unknown:
        found.error(
            "bad-constraint",
            (who,),
            f"{who} ({constraint.kind}): there is no kind of equation {', '.join(unknown)}",
            f"the kinds are {', '.join(sorted(EQUATION_KINDS))}",
            "import the file that defines it, see duoti.model.equations",
        )
        return
    written = [row for row in rows if issubclass(EQUATION_KINDS[row.kind], ExpressionEquation)]
    for row in written:
        _check_equation(model, who, constraint, row, found)
    coordinates = any(row.terms or (row in written and not row.seen_from) for row in rows)
    first = ElementId("body", bodies[0] if bodies else "")
    if len(bodies) == 2 and bodies[0] == bodies[1] and not coordinates:
        sides = markers_among(model, constraint.markers())
        found.error("self-constraint", (who, first, *sides), f"{who}: both markers are on {first}",
                    "it would constrain nothing or contradict itself", "correct one of the markers")  # fmt: skip
    if bodies and bodies[0] != GROUND and any(EQUATION_KINDS[row.kind].on_ground for row in rows):
        found.error("moving-plane", (who, first), f"{who}: its plane is on {first}",
                    "this equation is only there for fixed frames", "put its first marker on ground")  # fmt: skip
    for row in rows:
        if row in written:
            continue
        for joint, coordinate, _ in row.terms:
            _check_term(model, who, constraint, joint, coordinate, found)
        key = key_of(constraint, row.value, "law", "laws")
        if callable(row.value) or isinstance(row.value, Function):
            _check_function(who, key, row.value, found)
            continue
        if _reads_states(model, who, key, row.value, found):
            continue
        try:
            value, *_ = derivatives(row.value, "t", order=2, constants=model.named_values, known=("t",))
        except (ValueError, TypeError, OverflowError) as error:
            unknown = error.unknown if isinstance(error, ExpressionError) else ()
            found.error("bad-law", (who,), f"{who}: its value: {error}", key=key, unknown=unknown)
            continue
        _check_tables(who, key, row.holonomic, value.tables, found)


def _check_tables(who: ElementId, key: str, holonomic: bool, tables: Iterable[Table], found: Findings) -> None:
    """Report tables that would let velocities jump: those of positions with kinks, those of speeds with jumps."""
    for table in (each for each in tables if each.degree < (3 if holonomic else 1)):
        both = (who, ElementId("table", table.name))
        found.error("rough-motion", both, f"{who}: its value reads {both[1]}, which is {table.kind}",
                    "velocities would jump at its points, and accelerations be infinite",
                    'give the table kind="cubic", or "monotone" if it must not overshoot', key)  # fmt: skip


def _check_equation(
    model: Model, who: ElementId, constraint: Constraint, row: ConstraintEquation, found: Findings
) -> None:
    """Report what is wrong with an equation that the user wrote."""
    for joint in constraint.joints():
        if check_joint_reference(model, who, "joint", joint, found, role="joint") is None:
            return
    key = key_of(constraint, row.expression, "law", "laws")
    try:
        programs = equation_programs(model, row)
    except (ValueError, TypeError, OverflowError, ChannelError) as error:
        unknown = error.unknown if isinstance(error, ExpressionError) else tuple(name for name, _ in row.rates)
        found.error("bad-law", (who,), f"{who}: {error}", key=key, unknown=unknown)
        return
    tables = (programs.value if programs.holonomic else programs.rate).tables
    _check_tables(who, key, programs.holonomic, tables, found)
    if all(slope.value == 0.0 for slope in programs.slopes.values()):
        found.error("bad-law", (who,), f"{who}: nothing that moves stands in its equation",
                    "no multiplier could keep it", "write joint coordinates, positions or velocities of bodies into it",
                    key)  # fmt: skip


def _check_function(who: ElementId, key: str, value: Any, found: Findings) -> None:
    """Report a function that is not one of the time, or does not return three numbers."""
    function, inputs = (value.function, tuple(value.inputs)) if isinstance(value, Function) else (value, None)
    try:
        inputs = parameter_names(function) if inputs is None else inputs
        result: Any = function(0.0) if inputs == ("t",) else None
    except Exception as error:  # whatever a user's function raises
        found.error("bad-law", (who,), f"{who}: its value: the function raised {error!r} at t = 0", key=key)
        return
    if inputs != ("t",):
        found.error("bad-law", (who,), f"{who}: its value: the function reads {', '.join(inputs) or 'nothing'}",
                    "the value of a constraint is a function of the time t alone", "give a function f(t)",
                    key)  # fmt: skip
    elif np.shape(result) != (3,):
        found.error("bad-law", (who,), f"{who}: its value: the function returns {result!r} at t = 0",
                    "the motion needs its rate and second derivative, too",
                    "return three numbers: value, rate, second derivative; or write an expression", key)  # fmt: skip


def _reads_states(model: Model, who: ElementId, key: str, value: Any, found: Findings) -> bool:
    """Report states in the value of a constraint; a value that is no expression at all is reported elsewhere."""
    try:
        names = compile_expression(value, constants=model.named_values).inputs
    except (ValueError, TypeError, OverflowError):
        return False
    states = [inside for inside in names if inside in model.states]
    for state in states:
        found.error("bad-law", (who, ElementId("state", state)), f'{who}: its value reads the state "{state}"',
                    "the value of a constraint is a function of the time t alone",
                    "let a force depend on the state instead, e.g. dt.JointTorque", key)  # fmt: skip
    return bool(states)


def _check_term(
    model: Model, who: ElementId, constraint: Constraint, joint: Any, coordinate: int, found: Findings
) -> None:
    key = key_of(constraint, joint, "joint", "coefficients")
    element = check_joint_reference(model, who, key, joint, found, role="joint")
    if element is None:
        return
    both = (who, ElementId("joint", element.name))
    plain = [not c.quaternion for c in element.joint.coordinates for _ in range(c.nv)]
    if not 0 <= coordinate < len(plain):
        found.error("coordinate", both,
                    f'{who}: coordinate {coordinate} of {both[1]}, which has {len(plain)}', key=key)  # fmt: skip
    elif not plain[coordinate]:
        found.error("coordinate", both,
                    f'{who}: coordinate {coordinate} of {both[1]} is a part of a rotation',
                    remedy="couple an angle of a hinge, a slider or a composite joint instead", key=key)  # fmt: skip
