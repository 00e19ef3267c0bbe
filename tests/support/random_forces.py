"""Random force elements of every type. A new type needs a line in `SAMPLES`; a test says so if it is missing."""

from __future__ import annotations

import numpy as np

import duoti as dt
from duoti.model.forces import FORCE_TYPES, Force
from duoti.model.joint_friction import FRICTION_JOINTS
from support.random_models import Meant, random_rotation


def table(rng):
    x = np.cumsum(rng.uniform(0.2, 1.0, size=7)) - 2.0
    return x, np.cumsum(rng.uniform(-1.0, 3.0, size=7))


def sometimes(times):
    """These, or none at all: an element without damping goes another way."""
    return times if times[0] < 0.2 else 0.0 * times


def positive(rng):
    A = rng.normal(size=(6, 6))
    return A @ A.T + np.eye(6)


# of random numbers, two markers, a joint and which of its coordinates (an angle or a position)
SAMPLES = {
    "applied_force": lambda rng, a, b, j, c: dt.AppliedForce(
        a, (rng.normal(), f"2*sin(3*t) + {b}.position.x", f"{a}.velocity.z"), frame=str(rng.choice(["world", "marker"]))
    ),
    "applied_torque": lambda rng, a, b, j, c: dt.AppliedTorque(
        a, (f"{a}.angular_velocity.y", rng.normal(), "cos(t)"), frame=str(rng.choice(["world", "marker"]))
    ),
    "point_gravity": lambda rng, a, b, j, c: dt.PointGravity(a, b, strength=rng.uniform(1, 5)),
    "beam_element": lambda rng, a, b, j, c: dt.beams.BeamElement(
        a,
        b,
        dt.Beam.from_stiffness(
            matrix=positive(rng),
            mass_per_length=1.0,
            rotary_inertia=(0, 0, 0),
            damping_time=sometimes(rng.uniform(0.1, 0.3, size=6)),
        ),
        rest=0.5 * rng.normal(size=6),
    ),
    "bushing": lambda rng, a, b, j, c: dt.Bushing(a, b, rng.uniform(1, 20, size=6), rng.uniform(0.1, 2, size=6)),
    "cartesian_spring": lambda rng, a, b, j, c: dt.CartesianSpring(
        a, b, rng.uniform(1, 20, size=3), rng.uniform(0.1, 2, size=3), rng.normal(size=3)
    ),
    "coupling_spring": lambda rng, a, b, j, c: dt.CouplingSpring({(j, c): rng.normal()}, 5.0, 0.7, 0.2),
    "gear_mesh": lambda rng, a, b, j, c: dt.GearMesh(
        j, j, rng.uniform(0.1, 1), rng.uniform(0.1, 1), rng.uniform(1, 50), rng.uniform(0, 0.1), rng.choice([0.0, 0.1])
    ),
    "joint_damping": lambda rng, a, b, j, c: dt.JointDamping(j, damping=rng.uniform(0.1, 2)),
    "joint_friction": lambda rng, a, b, j, c: dt.JointFriction(
        j, constant=rng.uniform(0.1, 2), friction_law="regularised", regularisation=0.7
    ),
    "one_way_clutch": lambda rng, a, b, j, c: dt.OneWayClutch(j, rng.uniform(1, 9), int(rng.choice([-1, 1]))),
    "joint_stop": lambda rng, a, b, j, c: dt.JointStop(j, stiffness=20.0, damping=0.1),
    "joint_motor": lambda rng, a, b, j, c: dt.JointMotor(j, 3.0, 10.0, command="0.5*sin(t) - 0.1*q", coordinate=c),
    "joint_spring": lambda rng, a, b, j, c: dt.JointSpring(j, rng.uniform(1, 9), rng.uniform(0, 2), 0.3, coordinate=c),
    "joint_torque": lambda rng, a, b, j, c: dt.JointTorque(j, f"1.2*cos(q) - 0.3*v + {a}.position.y", coordinate=c),
    "line_force": lambda rng, a, b, j, c: dt.LineForce(a, b, "3*(length - 1) + 0.4*speed + sin(t)"),
    "bushing_by_matrix": lambda rng, a, b, j, c: dt.Bushing(
        a, b, positive(rng), 0.1 * positive(rng), 0.3 * rng.normal(size=6)
    ),
    "reeving": lambda rng, a, b, j, c: dt.Reeving(
        a,
        [
            dt.Sheave("ground", 0.02, friction=0.2, side=1, axis=rng.normal(size=3)),
            dt.Sheave(b, 0.04, friction=rng.choice([0.02, 2.0]), side=-1, axis=rng.normal(size=3), turns=1),
        ],
        dt.Sheave(a, 0.03, side=1),
        rng.uniform(1, 50),
        rng.uniform(0.01, 0.1),
        0.2,
    ),
    "reeving_without_friction": lambda rng, a, b, j, c: dt.Reeving(
        a,
        [dt.Sheave("ground", 0.05, side=1), dt.Sheave(b, 0.0), dt.Sheave("ground", 0.02, side=-1)],
        b,
        rng.uniform(1, 50),
        rng.uniform(0, 1),
        0.3,
    ),
    "rope": lambda rng, a, b, j, c: dt.Rope([a, "ground", b, a], rng.uniform(1, 50), rng.uniform(0, 1), 0.7),
    "rope_by_law": lambda rng, a, b, j, c: dt.Rope(
        [a, b, "ground", b], tension=f"3*(length - 1) + 0.4*speed + {a}.position.y"
    ),
    "spectral_beam_element": lambda rng, a, b, j, c: dt.beams.SpectralBeamElement(
        [a, "ground", b],
        dt.Beam.from_stiffness(
            matrix=positive(rng),
            mass_per_length=1.0,
            rotary_inertia=(0, 0, 0),
            damping_time=sometimes(rng.uniform(0.1, 0.3, size=6)),
        ),
    ),
    "spring_damper": lambda rng, a, b, j, c: dt.SpringDamper(a, b, rng.uniform(1, 50), rng.uniform(0, 3), 0.7),
    "table_spring": lambda rng, a, b, j, c: dt.TableSpring(a, b, *table(rng), damping=0.5, rest_length=0.4),
    "tyre": lambda rng, a, b, j, c: dt.TyreForce(
        b,
        dt.Road.flat(rng.normal()),
        dt.Tyre.magic_formula({"UNLOADED_RADIUS": 4.0, "FNOMIN": 20.0, "VERTICAL_STIFFNESS": 20.0, "Q_FCY": 0.1}),
        axis=rng.normal(size=3),
        frame=a,
    ),
    "tyre_fiala": lambda rng, a, b, j, c: dt.TyreForce(
        b, dt.Road.flat(1.0), dt.Tyre.fiala(4.0, 20.0, 50.0, 40.0, vertical_damping=1.0), frame=a
    ),
    "tyre_tmeasy": lambda rng, a, b, j, c: dt.TyreForce(
        b,
        dt.Road.profile(np.stack([x := np.linspace(-40, 40, 161), 0.2 * np.sin(x)], axis=1)),
        dt.Tyre.tmeasy(
            4.0,
            20.0,
            20.0,
            (400, 600),
            (0.1, 0.12),
            (20, 35),
            (0.5, 0.6),
            (18, 30),
            (300, 500),
            (0.2, 0.22),
            (18, 33),
            (0.7, 0.8),
            (17, 30),
            stiffness_x=900.0,
            stiffness_y=700.0,
        ),
        frame=a,
    ),
    "thin_beam": lambda rng, a, b, j, c: dt.beams.ThinBeam(
        ["ground", a, b, "ground"], rng.uniform(1, 50), rng.uniform(1, 9), rng.uniform(0.5, 2, size=3)
    ),
}


SET_VALUED = ("one_way_clutch",)  # no function of the state at all: test_one_way_clutch.py
OF_ONE_BODY = ("beam_load", "nodal_force", "slider", "surface_pressure", "surface_traction")
FORMS = {
    "bushing_by_matrix": "bushing",
    "rope_by_law": "rope",
    "reeving_without_friction": "reeving",
    "tyre_fiala": "tyre",
    "tyre_tmeasy": "tyre",
}
"""Further samples of types that have several forms, with the kind of each."""
BETWEEN_BODIES = tuple(sorted([*(kind for kind in FORCE_TYPES if kind not in (*OF_ONE_BODY, *SET_VALUED)), *FORMS]))
"""Types that act in any model; loads on beams and flexible bodies need these: test_beams.py, test_sliders.py,
test_flexible_loads.py."""


def type_of(sample: str) -> type[Force]:
    """The type that a sample is of."""
    return FORCE_TYPES[FORMS.get(sample, sample)]


def sample_force(kind: str, rng: np.random.Generator, a: str, b: str, joint: str, coordinate: int) -> Force:
    assert kind in SAMPLES, f"add a sample of {kind!r} to tests/support/random_forces.py"
    return SAMPLES[kind](rng, a, b, joint, coordinate)


def plain_coordinates(model: dt.Model) -> list[tuple[str, int]]:
    """(joint, coordinate) of all angles and positions, without components of angular velocities."""
    found = []
    for name, element in model.joints.items():
        start = 0
        for c in element.joint.coordinates:
            found += [] if c.quaternion else [(name, start + i) for i in range(c.nv)]
            start += c.nv
    return found


# friction that depends on the load has no power, gradient or derivatives of its own
SMOOTH = [kind for kind in BETWEEN_BODIES if type_of(kind).complex_numbers]


def add_random_forces(rng: np.random.Generator, meant: Meant, kinds=SMOOTH, ground: bool = True) -> None:
    """One force element of each of these types, between random bodies of the model (and ground)."""
    model = meant.model
    bodies = [*model.bodies, *(["ground"] if ground else [])]
    coordinates = plain_coordinates(model)
    seed = int(rng.integers(2**31))
    for kind in kinds:
        rng = np.random.default_rng([seed, *kind.encode()])  # types do not change each other's numbers
        if kind.startswith(("joint", "coupling")) and not coordinates:
            continue
        ends = rng.choice(bodies, size=2, replace=False)
        for end, body in zip("ab", ends, strict=True):
            model.add_marker(f"{kind}_{end}", str(body), rng.normal(size=3), random_rotation(rng))
        places = coordinates
        if kind == "joint_friction":
            places = [each for each in coordinates if model.joints[each[0]].kind in FRICTION_JOINTS]
            if not places:
                continue
        where = places[rng.integers(len(places))] if places else ("", 0)
        model.add_force(f"{kind} force", sample_force(kind, rng, f"{kind}_a", f"{kind}_b", *where))
