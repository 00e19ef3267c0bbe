"""Random constraints of every type. A new type needs a line in `SAMPLES`; a test says so if it is missing."""

from __future__ import annotations

import numpy as np

import duoti as dt
from duoti.model.constraints import CONSTRAINT_TYPES
from support.random_forces import plain_coordinates
from support.random_models import Meant, random_rotation

MOVING_VALUE = "0.3 + 0.2*sin(1.7*t)"


def cam(rng, i, j):
    angles = np.cumsum(rng.uniform(0.4, 1.0, size=8)) - 2.5
    lifts = rng.normal(size=8)
    lifts[-1] = lifts[0]
    return dt.Cam(i, j, angles, lifts, periodic=bool(rng.integers(2)))


# of random numbers, two markers, a marker on ground, two joints whose first coordinate is an angle or a position
SAMPLES = {
    "angle": lambda rng, a, b, g, i, j: dt.Angle(a, b, MOVING_VALUE),
    "belt": lambda rng, a, b, g, i, j: dt.Belt(i, j, 0.3, 0.5),
    "cam": lambda rng, a, b, g, i, j: cam(rng, i, j),
    "coupler": lambda rng, a, b, g, i, j: dt.Coupler({i: 1.5, j: -0.4}, MOVING_VALUE),
    "distance": lambda rng, a, b, g, i, j: dt.Distance(a, b, MOVING_VALUE),
    "equation": lambda rng, a, b, g, i, j: dt.Equation(
        f"sin({a}.position.x + t)*{b}.position[1] - {a}.axis_y.z*{b}.axis_x.x^2 + {a}.position.z^3"
        + (f" + {i}.q[0]*{j}.q[0]^2*t" if i else "")
    ),
    "equation_of_velocities": lambda rng, a, b, g, i, j: dt.Equation(
        f"{a}.velocity.x*{b}.position.y^2 - cos({b}.position.z)*{a}.angular_velocity.y"
        + f" + {b}.local_velocity.x*{a}.axis_x.y"
        + (f" + {i}.v[0]*sin({j}.q[0]*t) + {i}.q[0]*t" if i else "")
    ),
    "joint_motion_by_velocity": lambda rng, a, b, g, i, j: dt.JointMotion(i, velocity=MOVING_VALUE),
    "marker_motion_by_velocity": lambda rng, a, b, g, i, j: dt.MarkerMotion(
        a, velocity=(f"{b}.position.y*t", None, MOVING_VALUE)
    ),
    "marker_motion_seen_from": lambda rng, a, b, g, i, j: dt.MarkerMotion(
        a, velocity=(f"{b}.position.y*t", None, MOVING_VALUE), reference=b
    ),
    "gear": lambda rng, a, b, g, i, j: dt.Gear(i, j, -2.5),
    "joint_motion": lambda rng, a, b, g, i, j: dt.JointMotion(i, MOVING_VALUE),
    "knife_edge": lambda rng, a, b, g, i, j: dt.KnifeEdge(a, rng.normal(size=3)),
    "marker_motion": lambda rng, a, b, g, i, j: dt.MarkerMotion(a, (0.1, None, MOVING_VALUE), b),
    "parallel": lambda rng, a, b, g, i, j: dt.Parallel(a, b, rng.normal(size=3), rng.normal(size=3)),
    "perpendicular": lambda rng, a, b, g, i, j: dt.Perpendicular(a, b, rng.normal(size=3), rng.normal(size=3)),
    "point_on_line": lambda rng, a, b, g, i, j: dt.PointOnLine(a, b, rng.normal(size=3)),
    "point_on_plane": lambda rng, a, b, g, i, j: dt.PointOnPlane(a, b, rng.normal(size=3)),
    "rack_and_pinion": lambda rng, a, b, g, i, j: dt.RackAndPinion(i, j, 0.3),
    "rolling_disc": lambda rng, a, b, g, i, j: dt.RollingDisc(a, 0.4, b),
    "rolling_sphere": lambda rng, a, b, g, i, j: dt.RollingSphere(a, 0.4, b),
    "screw_coupling": lambda rng, a, b, g, i, j: dt.ScrewCoupling(i, j, 0.2),
    "weld": lambda rng, a, b, g, i, j: dt.Weld(a, b),
}


FORMS = {
    "equation_of_velocities": "equation",
    "joint_motion_by_velocity": "joint_motion",
    "marker_motion_by_velocity": "marker_motion",
    "marker_motion_seen_from": "marker_motion",
}
"""Further samples of types that have several forms, with the kind of each."""
CONSTRAINT_SAMPLES = tuple(sorted([*CONSTRAINT_TYPES, *FORMS]))
BETWEEN_JOINTS = (
    "belt", "cam", "coupler", "gear", "joint_motion", "joint_motion_by_velocity", "rack_and_pinion", "screw_coupling",
)  # fmt: skip


def add_random_constraints(rng: np.random.Generator, meant: Meant, kinds=CONSTRAINT_SAMPLES) -> None:
    """A constraint of each of these types between random bodies, markers on ground and joints, closed or not."""
    model = meant.model
    joints = sorted({name for name, coordinate in plain_coordinates(model) if coordinate == 0})
    for kind in kinds:
        assert kind in SAMPLES, f"add a sample of {kind!r} to tests/support/random_constraints.py"
        moving = [*model.bodies]
        a = str(moving[rng.integers(len(moving))])
        others = [name for name in [*moving, "ground"] if name != a]
        b = str(others[rng.integers(len(others))])
        for end, body in zip("abg", (a, b, "ground"), strict=True):
            model.add_marker(f"{kind}_{end}", body, rng.normal(size=3), random_rotation(rng))
        if len(joints) < 2 and kind in BETWEEN_JOINTS:
            continue
        i, j = rng.choice(joints, size=2, replace=False) if len(joints) > 1 else ("", "")
        model.add_constraint(
            f"{kind} constraint", SAMPLES[kind](rng, f"{kind}_a", f"{kind}_b", f"{kind}_g", str(i), str(j))
        )
