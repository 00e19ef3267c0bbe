"""How a joint's limits stop it: with a restitution, or as a spring and damper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from duoti.elements.joint_friction import add_stop
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, name_of
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import ForceChannel, in_joint

INTEGERS = ("first", "last", "slot", "slots")
FIRST, LAST, SLOT, SLOTS = range(len(INTEGERS))  # rows of the table of limits; slots of rigid stops
STOP_Q, STOP_V, LOWER, UPPER = range(4)  # places in such a row
REALS = ("stiffness", "damping")
STIFFNESS, DAMPING = range(len(REALS))


@helper
def _beyond(row, q, v):
    """How far a coordinate is beyond its limit, how fast it goes on, and the direction of the force."""
    x, speed = q[int(row[STOP_Q].real)], v[int(row[STOP_V].real)]
    if x.real >= row[UPPER].real:
        return x - row[UPPER], speed, -1.0
    if x.real <= row[LOWER].real:
        return row[LOWER] - x, -speed, 1.0
    return 0.0 * x, 0.0 * speed, 0.0


@helper
def _joint_stop(f, t, q, v, loads, w):
    k, d = loads.forces.reals[f, STIFFNESS], loads.forces.reals[f, DAMPING]
    stored, lost = 0.0 * w.tau[0], 0.0 * w.tau[0]
    for n in range(loads.forces.integers[f, FIRST], loads.forces.integers[f, LAST]):
        row = loads.forces.tables[n]
        depth, speed, sign = _beyond(row, q, v)
        if sign == 0.0:
            continue
        damping = k * depth * d * speed
        if (k * depth + damping).real < 0.0:
            damping = -k * depth  # a stop does not pull
        w.tau[int(row[STOP_V].real)] += sign * (k * depth + damping)
        stored += 0.5 * k * depth * depth
        lost += damping * speed
    if k == 0.0:
        add_stop(w, loads.forces.integers[f, SLOT], loads.forces.integers[f, SLOTS])
    return stored, 0.0 * stored, lost


@helper
def _joint_stop_tangent(f, t, q, v, tree, loads, w, tan, path):
    k, d = loads.forces.reals[f, STIFFNESS], loads.forces.reals[f, DAMPING]
    for n in range(loads.forces.integers[f, FIRST], loads.forces.integers[f, LAST]):
        row = loads.forces.tables[n]
        depth, speed, sign = _beyond(row, q, v)
        if sign != 0.0 and 1.0 + d * speed >= 0.0:
            j = int(row[STOP_V])
            tan.K[j, j] += k * (1.0 + d * speed)
            tan.C[j, j] += k * depth * d


class JointStop(Force):
    r"""How the `limits` of a joint stop it. Without a `JointStop`, the limits are rigid and impacts are plastic.

    Rigid, the velocity after an impact is $v^+ = -e\, v^-$. With a stiffness, the stop is a spring with Hunt and
    Crossley's
    damping, which never pulls:

    $$\tau = k\, d\, (1 + c\, \dot d), \qquad d > 0$$

    $d$ is the distance by which the coordinate is beyond its limit.

    Parameters
    ----------
    joint:
        The joint, which has `limits`.
    restitution:
        Coefficient of restitution $e$ of a rigid stop.
    stiffness:
        Stiffness $k$ of an elastic stop; `None` makes the stop rigid.
    damping:
        Damping $c$ of an elastic stop.

    References
    ----------
    K. H. Hunt, F. R. E. Crossley, Coefficient of restitution interpreted as damping in vibroimpact, Journal of Applied
    Mechanics 42 (1975) 440-445.
    """

    kind = "joint_stop"
    mirrored: ClassVar[Mapping[str, str]] = {"joint": "symmetric"}
    complex_numbers = False
    units: ClassVar = {"restitution": "1", "stiffness": "N m/rad or N/m", "damping": "s/rad or s/m"}
    INTEGERS, REALS = INTEGERS, REALS
    law = staticmethod(_joint_stop)
    tangent = staticmethod(_joint_stop_tangent)

    def __init__(
        self,
        joint: JointElement | str,
        restitution: float = 0.0,
        stiffness: float | None = None,
        damping: float = 0.0,
    ):
        self.joint, self.restitution = joint, restitution
        self.stiffness, self.damping = stiffness, damping

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """The joint."""
        return (("joint", self.joint),)

    def faults(self) -> list[Fault]:
        found = number_faults(positive_restitution=self.restitution, positive_damping=self.damping)
        if self.stiffness is not None:
            found += number_faults(positive_stiffness=self.stiffness)
        if found:
            return found
        if self.restitution > 1.0:
            found.append(Fault(f"restitution is {self.restitution}; it is between 0 and 1", "restitution"))
        if self.stiffness == 0.0:
            found.append(Fault("stiffness is 0; leave it out for a rigid stop", "stiffness"))
        if self.stiffness is None and self.damping:
            found.append(Fault("a rigid stop has no damping: give a stiffness, or a restitution", "damping"))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        first, last = compiler.limits(self.joint) if self.stiffness is not None else (0, 0)
        slot, slots = compiler.friction_slots(self)
        return {"first": first, "last": last, "slot": slot, "slots": slots}

    def reals(self) -> Mapping[str, float]:
        return {"stiffness": self.stiffness or 0.0, "damping": self.damping}

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """The torques or forces."""
        return in_joint(model.joints.get(name_of(self.joint)))  # pyright: ignore[reportArgumentType]
