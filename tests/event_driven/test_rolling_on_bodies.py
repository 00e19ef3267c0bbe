"""Rolling on bodies that move, against textbook results."""

import numpy as np
import pytest

import duoti as dt

FINE = dt.DOP853(rtol=1e-10, atol=1e-12)
NEAR = 1e-8


def table(joint, motion):
    m = dt.Model("table")
    m.add_body("table", dt.Inertia.box(5.0, (2.0, 2.0, 0.1)), position=(0, 0, -0.05))
    m.add_marker("top", "table", (0, 0, 0.05))
    m.add_joint("T", joint, m.ground, "table", at=(0, 0, 0))
    m.add_constraint("drive", motion)
    return m


def run(m, duration, solver=FINE):
    r = dt.simulate(m, duration, solver=solver, outputs=duration / 50)
    assert r.ok, r.reason
    return r


@pytest.mark.parametrize("solver", [FINE, dt.Radau(rtol=1e-9, atol=1e-11)], ids=["explicit", "implicit"])
def test_ball_on_a_turntable(solver):
    """A solid ball moves on a circle, at 2/7 of the turntable's angular velocity: v' = 2/7 Omega x v.

    Milne, Vectorial Mechanics (1948); it does not fly off, whatever the speed.
    """
    omega = 3.0
    m = table(dt.Revolute("z"), dt.JointMotion("T", f"{omega}*t"))
    m.add_body("ball", dt.Inertia.sphere(0.5, 0.1), position=(0.3, 0.0, 0.1))
    m.add_joint("F", dt.Free(), m.ground, "ball", v0={"velocity": (0.2, 0.1, 0.0)})
    m.add_constraint("roll", dt.RollingSphere("ball", 0.1, "top"))
    r = run(m, 4.0, solver)
    w = 2 / 7 * omega
    v0 = r["ball.velocity"][0, :2]
    centre = np.array([0.3, 0.0]) + np.array([-v0[1], v0[0]]) / w
    start = np.array([0.3, 0.0]) - centre
    c, s = np.cos(w * r.t), np.sin(w * r.t)
    exact = centre + np.stack([c * start[0] - s * start[1], s * start[0] + c * start[1]], 1)
    assert np.max(np.abs(r["ball.position"][:, :2] - exact)) < (NEAR if solver is FINE else 100 * NEAR)
    assert np.max(np.abs(r["ball.position"][:, 2] - 0.1)) < 1e-10
    assert np.max(np.abs(r.multipliers("roll")[:, 0] - 0.5 * 9.81)) < 1e-5


@pytest.mark.parametrize(
    ("inertia", "constraint", "part"),
    [
        (dt.Inertia.sphere(0.5, 0.1), dt.RollingSphere("wheel", 0.1, "top"), 2 / 7),
        (dt.Inertia.cylinder(0.5, radius=0.1, length=1e-3, axis="z"), dt.RollingDisc("wheel", 0.1, "top"), 1 / 3),
    ],
    ids=["sphere", "disc"],
)
def test_rolling_on_a_table_that_is_pulled_away(inertia, constraint, part):
    """a = A I / (I + m r²): 2/7 of the table's acceleration for a ball, 1/3 for a disc."""
    m = table(dt.Prismatic("x"), dt.JointMotion("T", "0.5*1.4*t^2"))
    upright = dt.Rotation.about("x", np.pi / 2)  # the axis of a disc across the motion
    m.add_body("wheel", inertia, position=(0, 0, 0.1), rotation=upright)
    m.add_joint("F", dt.Free(), m.ground, "wheel")
    m.add_constraint("roll", constraint)
    r = run(m, 1.0)
    assert np.max(np.abs(r["wheel.position"][:, 0] - 0.5 * part * 1.4 * r.t**2)) < 1e-6  # the disc is 1e-3 m thick
    assert np.max(np.abs(r["T.position"] - 0.7 * r.t**2)) < 1e-10


def test_ball_on_a_free_plate():
    """A plate that slides freely: no outside force along x, and energy is kept."""
    m = dt.Model("plate")
    m.add_body("plate", dt.Inertia.box(2.0, (2.0, 2.0, 0.1)), position=(0, 0, -0.05))
    m.add_marker("top", "plate", (0, 0, 0.05), dt.Rotation.about("y", 0.3))
    m.add_joint("T", dt.Prismatic("x"), m.ground, "plate")
    normal = dt.Rotation.about("y", 0.3).matrix[:, 2]
    m.add_body("ball", dt.Inertia.sphere(0.5, 0.1), position=0.1 * normal)
    m.add_joint("F", dt.Free(), m.ground, "ball")
    m.add_constraint("roll", dt.RollingSphere("ball", 0.1, "top"))
    r = run(m, 1.0)
    momentum = 2.0 * r["plate.velocity"][:, 0] + 0.5 * r["ball.velocity"][:, 0]
    assert np.max(np.abs(momentum)) < NEAR
    assert r["plate.velocity"][-1, 0] < -0.1
    assert np.max(np.abs(r.energy.residual)) < NEAR
