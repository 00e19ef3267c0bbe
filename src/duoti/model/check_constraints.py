"""The part of the model check that looks at constraints."""

from __future__ import annotations

from typing import Any

from duoti.model.check_references import check_joint_reference, check_reference
from duoti.model.constraints.base import Constraint
from duoti.model.elements import GROUND
from duoti.model.expressions import compile_expression
from duoti.model.expressions.derivative import derivatives
from duoti.model.findings import Findings
from duoti.model.model import Model
from duoti.model.rows import ROW_KINDS


def check_constraints(model: Model, found: Findings) -> None:
    """Add what is wrong with the constraints."""
    for name, constraint in model.constraints.items():
        who = f'constraint "{name}"'
        if not isinstance(constraint, Constraint):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.error("bad-constraint", (name,), f"{who}: {constraint!r} is not a constraint",
                        remedy="give an object such as dt.Distance(marker_a, marker_b, length=1.0)")  # fmt: skip
            continue
        faults = constraint.faults()
        for fault in faults:
            found.error("bad-constraint", (name,), f"{who} ({constraint.kind}): {fault}")
        if not faults:
            _check_references(model, name, who, constraint, found)


def _check_references(model: Model, name: str, who: str, constraint: Constraint, found: Findings) -> None:
    bodies: list[Any] = []
    for reference in constraint.markers():
        if check_reference(model, who, "marker or body", reference, found):
            bodies.append(model.body_name(reference))
    rows = constraint.rows()
    unknown = sorted({row.kind for row in rows} - set(ROW_KINDS))
    if unknown:
        found.error("bad-constraint", (name,), f"{who} ({constraint.kind}): there is no row kind {', '.join(unknown)}",
                    f"the kinds are {', '.join(sorted(ROW_KINDS))}",
                    "import the file that defines it, see duoti.model.rows")  # fmt: skip
        return
    coordinates = any(row.terms for row in rows)
    if len(bodies) == 2 and bodies[0] == bodies[1] and not coordinates:
        found.error("self-constraint", (name, bodies[0]), f'{who}: both markers are on body "{bodies[0]}"',
                    "it would constrain nothing or contradict itself", "correct one of the markers")  # fmt: skip
    if bodies and bodies[0] != GROUND and any(ROW_KINDS[row.kind].on_ground for row in rows):
        found.error("moving-plane", (name, bodies[0]), f'{who}: its plane is on body "{bodies[0]}"',
                    "rolling is only there for fixed planes", "put the marker of the plane on ground")  # fmt: skip
    for row in rows:
        for joint, coordinate, _ in row.terms:
            _check_term(model, name, who, joint, coordinate, found)
        if _reads_states(model, name, who, row.value, found):
            continue
        try:
            derivatives(row.value, "t", order=2, constants=model.parameters, known=("t",))
        except (ValueError, TypeError) as error:
            found.error("bad-law", (name,), f"{who}: its value: {error}")


def _reads_states(model: Model, name: str, who: str, value: Any, found: Findings) -> bool:
    """Report states in the value of a constraint; a value that is no expression at all is reported elsewhere."""
    try:
        names = compile_expression(value).inputs
    except (ValueError, TypeError):
        return False
    states = [inside for inside in names if inside in model.states]
    for state in states:
        found.error("bad-law", (name, state), f'{who}: its value reads the state "{state}"',
                    "the value of a constraint is a function of the time t alone",
                    "let a force depend on the state instead, e.g. dt.JointTorque")  # fmt: skip
    return bool(states)


def _check_term(model: Model, name: str, who: str, joint: Any, coordinate: int, found: Findings) -> None:
    element = check_joint_reference(model, who, "joint", joint, found)
    if element is None:
        return
    joint_name = element.name
    plain = [not c.quaternion for c in element.joint.coordinates for _ in range(c.nv)]
    if not 0 <= coordinate < len(plain):
        found.error("coordinate", (name, joint_name),
                    f'{who}: coordinate {coordinate} of joint "{joint_name}", which has {len(plain)}')  # fmt: skip
    elif not plain[coordinate]:
        found.error("coordinate", (name, joint_name),
                    f'{who}: coordinate {coordinate} of joint "{joint_name}" is a part of a rotation',
                    remedy="couple an angle of a hinge, a slider or a composite joint instead")  # fmt: skip
