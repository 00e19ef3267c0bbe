"""Event-driven runs where forces of several points are not unique: bodies that friction holds, and rims that tip."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import duoti as dt

G = 9.81


def test_a_box_between_pads_is_held() -> None:
    """30 N on either side with a friction of 0.5 hold 19.6 N of weight, if all corners of the pads press alike."""
    m = dt.Model("gripper")
    box = m.add_body("box", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.2))
    m.add_joint("free", dt.Free(), m.ground, box)
    for name, side in (("left", -1), ("right", 1)):
        pad = m.add_body(name, dt.Inertia.box(0.2, size=(0.02, 0.06, 0.06)), position=(0.06 * side, 0, 0.2))
        m.add_joint(f"{name} slide", dt.Prismatic("x"), m.ground, pad)
        m.add_force(f"{name} push", dt.JointTorque(f"{name} slide", -30.0 * side))
        m.add_contact(f"{name} pad", dt.RigidContact(friction=0.5), pad, box)
    r = dt.simulate(m, 0.1, solver=dt.DOPRI5())
    assert r.ok
    assert np.max(np.abs(r["box.position"] - [0, 0, 0.2])) < 1e-12
    assert r["left pad.force.z"][-1] == pytest.approx(G, rel=1e-9)


def test_a_cylinder_tips_about_its_rim_and_does_not_slide() -> None:
    """Pushed at its top by 1.02 of what holds it, on a box as on a plane; friction of 3.3 N of 17.7 N is needed."""
    ends = []
    for floor in (dt.Shape.box((4, 4, 0.1), position=(0, 0, -0.05)), dt.Shape.plane()):
        m = dt.Model("tips")
        b = m.add_body("b", dt.Inertia.cylinder(2.0, radius=0.1, length=0.6), position=(0, 0, 0.3))
        m.add_joint("free", dt.Free(), m.ground, b)
        m.add_contact("k", dt.RigidContact(friction=0.9), m.ground, b, shapes=(floor, dt.Shape.cylinder(0.1, 0.6)))
        m.add_marker("top", b, position=(0, 0, 0.3))
        m.add_force("push", dt.AppliedForce("top", (1.02 * 2 * G * 0.1 / 0.6, 0, 0)))
        r = dt.simulate(m, 0.5, solver=dt.DOPRI5())
        assert r.ok
        ends.append((r["b.position.x"][-1], r["b.angular_velocity.y"][-1]))
    J = 2 * (0.1**2 / 4 + 0.6**2 / 12) + 2 * (0.3**2 + 0.1**2)  # about the rim
    assert ends[0][1] > 0.02 * 2 * G * 0.1 / J * 0.5  # the moment that is left over at the start, and it grows
    assert ends[0] == pytest.approx(ends[1], rel=1e-6)  # rtol 1e-8, and a start that is unstable


def plate(feet, pull, at, rate) -> dt.Model:
    """A plate of 2 kg on balls, (angle, friction) of each; a force that grows with time pulls at a point of it."""
    m = dt.Model("plate")
    b = m.add_body("b", dt.Inertia.box(2.0, (1, 1, 0.1)), position=(0, 0, 0.2))
    m.add_joint("free", dt.Free(), m.ground, b)
    for k, (angle, friction) in enumerate(feet):
        ball = dt.Shape.sphere(0.1, position=(0.5 * np.cos(angle), 0.5 * np.sin(angle), -0.1))
        m.add_contact(f"c{k}", dt.RigidContact(friction=friction), m.ground, b, shapes=(dt.Shape.plane(), ball))
    m.add_marker("p", b, position=at)
    force = (f"{rate * np.cos(pull)}*t", f"{rate * np.sin(pull)}*t", 0)
    m.add_force("pull", dt.AppliedForce("p", force))
    return m


def beyond_cones(r, feet) -> float:
    """How far friction is beyond its cone at the most [N]."""
    forces = [np.asarray(r[f"c{k}.force"]) for k in range(len(feet))]
    return max(
        float(np.max(np.hypot(f[:, 0], f[:, 1]) - mu * f[:, 2])) for f, (_, mu) in zip(forces, feet, strict=True)
    )


THREE = [
    ([(0.1, 0.05), (2.2, 0.9), (4.3, 0.3)], 0.7, (0.2, 0.1, 0.0), 10.0),
    ([(0.1, 0.6), (2.2, 0.02), (4.3, 0.1)], 2.0, (-0.3, 0.2, -0.05), 20.0),
    ([(0.4, 0.01), (2.0, 0.01), (4.4, 1.0)], 5.5, (0.1, -0.4, 0.0), 5.0),
]


@pytest.mark.parametrize(("feet", "pull", "at", "rate"), THREE)
def test_feet_with_different_friction_slip_when_they_must(feet, pull, at, rate) -> None:
    """Three feet: normal forces are unique, friction is not; no foot bears more than it can while another could.

    Time stepping is of first order: of two steps the difference is about that of the shorter one from the motion. The
    slack with which feet at the edge of their cones are watched is 1e-6 of the largest force, about 10 N.
    """
    m = plate(feet, pull, at, rate)
    r = dt.simulate(m, 1.5, outputs=0.005, solver=dt.DOPRI5())
    assert r.ok, r.reason
    assert beyond_cones(r, feet) < 1e-4
    ends = [
        np.asarray(dt.simulate(m, 1.5, outputs=0.5, solver=dt.Moreau(step=h))["b.position"])[-1] for h in (4e-4, 2e-4)
    ]
    assert np.linalg.norm(r["b.position"][-1]) > 0.3  # it has moved
    error = np.linalg.norm(ends[0] - ends[1])
    assert np.linalg.norm(r["b.position"][-1] - ends[1]) < 3.0 * error + 1e-5


def test_none_sticks_beyond_its_cone_in_silence() -> None:
    """Five feet, whose normal forces are not unique either: the run obeys the laws, or says that it could not go on."""
    random, solved = np.random.default_rng(5), 0
    for _ in range(6):
        feet = [(2.0 * np.pi * k / 5 + 0.1, float(mu)) for k, mu in enumerate(10.0 ** random.uniform(-2.0, 0.0, 5))]
        at = (*random.uniform(-0.4, 0.4, 2), 0.0)
        m = plate(feet, random.uniform(0.0, 6.0), at, 10.0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            r = dt.simulate(m, 1.0, outputs=0.02, solver=dt.DOPRI5())
        assert r.ok or r.reason_code in ("contact-unsolved", "jumps-without-end")
        if r.ok:
            solved += 1
            assert beyond_cones(r, feet) < 1e-3
        else:
            by_default = dt.simulate(m, 1.0, outputs=0.02)
            assert by_default.ok
            assert "time stepping instead" in " ".join(by_default.stats.notes) or "Moreau" in by_default.stats.solver
    assert solved >= 1


def test_forces_inside_of_all_cones_are_found() -> None:
    """Against linear programming, whose cones are pyramids of 64 sides, at most 1 - cos(pi / 64) = 1.2e-3 smaller."""
    from scipy.optimize import linprog

    from duoti.contact.event_driven.contact_states import COUNTS, STICK
    from duoti.contact.event_driven.load_sharing import inside_cones

    random = np.random.default_rng(2)
    for _ in range(20):
        k = int(random.integers(3, 6))
        G = random.normal(size=(3 * k, 6))
        G[1::3, 3:], G[2::3, 3:] = 0.0, 0.0  # tangents move three of six velocities only: they are redundant
        x, mu = random.normal(size=3 * k), random.uniform(0.2, 1.0, k)
        x[::3] = random.uniform(1.0, 3.0, k)
        rows = SimpleNamespace(
            counts=np.zeros(1, COUNTS), vectors=[None, x], slot_of=np.repeat(np.arange(k), 3),
            axis_of=np.tile(np.arange(3), k), state=np.full(k, STICK), scale=1.0 / np.sqrt(np.sum(G * G, axis=1)),
            D=G @ G.T, anchor=np.zeros((k, 3)),
        )  # fmt: skip
        rows.counts[0]["rows"] = 3 * k
        found, inside = inside_cones(rows, mu)
        assert G.T @ found.ravel() == pytest.approx(G.T @ x, abs=1e-9)
        assert found[:, 0] == pytest.approx(x[::3])
        assert inside == pytest.approx(np.min(mu * found[:, 0] - np.hypot(found[:, 1], found[:, 2])))
        sides = np.linspace(0.0, 2.0 * np.pi, 64, endpoint=False)
        tangents = np.flatnonzero(np.arange(3 * k) % 3)
        limits = np.zeros((64 * k, 2 * k + 1))
        for i in range(k):
            limits[64 * i : 64 * i + 64, 2 * i], limits[64 * i : 64 * i + 64, 2 * i + 1] = np.cos(sides), np.sin(sides)
        limits[:, -1] = 1.0
        right = np.repeat(mu * x[::3], 64)
        best = linprog(np.r_[np.zeros(2 * k), -1.0], limits, right, np.c_[G[tangents].T, np.zeros(6)],
                       G[tangents].T @ x[tangents], bounds=(None, None))  # fmt: skip
        size = float(np.max(mu * x[::3]))
        assert best.status == 0
        # polygons around the circle have edges nearer by up to 1.2e-3 of |f|; the smooth maximum is off by log(k) / 1e5
        assert inside >= -best.fun - (1.3e-3 * float(np.max(np.abs(x))) + 1e-4 * size)
