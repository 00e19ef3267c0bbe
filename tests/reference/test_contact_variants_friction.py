"""Sliding, sticking and rolling with other data than the cases have, and motions that checks of a run once refused.

References are closed forms, or equations of motion written out here and integrated by SciPy to 1e-9. Event-driven runs
keep to rtol 1e-8; time stepping is of first order where forces change.
"""

from __future__ import annotations

from math import atan, cos, hypot, pi, radians, sin, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import duoti as dt

G = 9.81
BOTH_ENGINES = [None, dt.Moreau(step=1e-3), dt.Moreau(step=2.5e-4)]


def ran(model, duration, solver=None, **given):
    r = dt.simulate(model, duration, solver=solver, **given)
    assert r.ok, r.reason
    return r


@pytest.mark.parametrize("solver", BOTH_ENGINES, ids=["event-driven", "1e-3", "2.5e-4"])
def test_ball_with_spin_slips_and_rolls(solver):
    """Launched over a floor with the normal y, with spin about all axes: slip falls by 7/2 mu g along its direction."""
    mass, radius, mu, v, w = 0.7, 0.16, 0.23, np.array([2.0, 0, -1.0]), np.array([4.0, 7.0, 9.0])
    m = dt.Model("ball", gravity=(0, -G, 0))
    b = m.add_body("ball", dt.Inertia.sphere(mass, radius=radius), position=(0, radius, 0))
    m.add_joint("free", dt.Free(), m.ground, b, v0=[*v, *w])
    floor = m.add_marker("floor", m.ground, rotation=dt.Rotation.about("x", -pi / 2))
    law = dt.RigidContact(friction=mu)
    m.add_contact("c", law, floor, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(radius)))
    r = ran(m, 2.0, solver)
    slip = v + np.cross(w, [0, -radius, 0])
    along, rolls = slip / np.linalg.norm(slip), np.linalg.norm(slip) / (3.5 * mu * G)
    where = v * 2.0 - mu * G * along * (rolls * 2.0 - rolls**2 / 2) + [0, radius, 0]
    spin = w + np.cross([0, -radius, 0], -mu * mass * G * along) * rolls / (0.4 * mass * radius**2)
    # events are found where the slip is 1e-9 m/s or so; a step of time stepping in which slip ends is wrong by mu g h²
    allowed = 1e-7 if solver is None else 2 * mu * G * solver.step**2 * 2.0 / solver.step
    assert r["ball.position"][-1] == pytest.approx(where, abs=allowed)
    assert r["ball.angular_velocity"][-1] == pytest.approx(spin, abs=1e-6)
    # an error of 1e-8 of the slip, 4 m/s, in a step is this force
    allowed = 1e-9 if solver is None else 4e-8 * mass / solver.step
    assert r["c.force"][1] == pytest.approx(mass * G * np.array([-mu * along[0], 1, -mu * along[2]]), abs=allowed)
    assert r["c.state"][-1] == 1


def test_top_that_slides_on_a_sphere():
    """A body with a round foot whose centre is above its mass centre (a tippe top): Newton and Euler written out."""
    mass, radius, a, mu, tilt, spin = 0.03, 0.025, 0.004, 0.25, 0.2, 120.0
    I3 = 0.4 * mass * radius**2
    inertia, e3, up = np.diag([0.9 * I3, 0.9 * I3, I3]), np.array([0, -sin(tilt), cos(tilt)]), np.array([0, 0, 1.0])
    place = radius * up - a * e3
    m = dt.Model("top")
    b = m.add_body("top", dt.Inertia(mass, matrix=inertia), position=place, rotation=dt.Rotation.about("x", tilt))
    m.add_joint("free", dt.Free(), m.ground, b, v0=[0.8, 0, 0, *(spin * e3)])
    foot = m.add_marker("foot", b, (0, 0, a))
    law = dt.RigidContact(friction=mu)
    m.add_contact("c", law, m.ground, foot, shapes=(dt.Shape.plane(), dt.Shape.sphere(radius)))
    r = ran(m, 0.08)

    def motion(t, y):
        q, v, w = y[3:7], y[7:10], y[10:]
        R = Rotation.from_quat(np.roll(q, -1)).as_matrix()
        I_W, e = R @ inertia @ R.T, R[:, 2]
        arm = a * e - radius * up
        slip = v + np.cross(w, arm)
        force = up - mu * (slip - slip[2] * up) / np.linalg.norm(slip[:2])  # for a unit of normal force

        def accelerations(N):
            turning = np.linalg.solve(I_W, np.cross(arm, N * force) - np.cross(w, I_W @ w))
            return N * force / mass - G * up, turning

        def leaves(N):  # z = radius - a e_z
            moving, turning = accelerations(N)
            return moving[2] + a * (np.cross(turning, e) + np.cross(w, np.cross(w, e)))[2]

        moving, turning = accelerations(leaves(0.0) / (leaves(0.0) - leaves(1.0)))
        rate = 0.5 * np.array([-w @ q[1:], *(q[0] * w + np.cross(w, q[1:]))])
        return np.concatenate([v, rate, moving, turning])

    start = [*place, cos(tilt / 2), sin(tilt / 2), 0, 0, 0.8, 0, 0, *(spin * e3)]
    end = solve_ivp(motion, (0, 0.08), start, rtol=1e-9, atol=1e-11, method="DOP853").y[:, -1]
    assert r["top.position"][-1] == pytest.approx(end[:3], abs=1e-8)
    assert r["top.angular_velocity"][-1] == pytest.approx(end[10:], abs=1e-5)  # of 120 rad/s
    q = ran(m, 0.08, dt.Moreau(step=1e-4))  # 10 rad/s turn by 1e-3 rad in a step, and spin with them
    assert q["top.angular_velocity"][-1] == pytest.approx(end[10:], abs=0.02)


def belt(kind, mass, k, static, sliding, speed):
    m = dt.Model("belt")
    m.add_body("belt", dt.Inertia.point(1.0))
    m.add_body("block", dt.Inertia.box(mass, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.05))
    m.add_joint("drive", dt.Prismatic("x"), m.ground, "belt")
    m.add_constraint("motion", dt.JointMotion("drive", f"{speed}*t"))
    hook = m.add_marker("hook", m.ground, (0, 0, 0.05))
    m.add_force("spring", dt.CartesianSpring(hook, "block", [k, 0, 0], [0, 0, 0]))
    if kind == "joint":
        m.add_joint("slide", dt.Prismatic("x"), "belt", "block")
        m.add_force("rub", dt.JointFriction("slide", constant=sliding, static_constant=static))
        return m
    m.add_joint("slide", dt.Composite.of_axes("xz", "y"), m.ground, "block", v0=[speed, 0, 0])
    law = dt.RigidContact(friction=sliding / (mass * G), static_friction=static / (mass * G))
    m.add_contact("rub", law, "belt", "block", shapes=(dt.Shape.plane(), dt.Shape.box((0.1, 0.1, 0.1))))
    return m


@pytest.mark.parametrize("kind", ["joint", "contact"])
def test_stick_and_slip_on_a_belt(kind):
    mass, k, static, sliding, speed = 2.5, 160.0, 9.0, 5.5, 0.17
    omega, above = sqrt(k / mass), (static - sliding) / k
    slips = 2 * (pi - atan(above * omega / speed)) / omega
    wanted, t = [static / k / speed], static / k / speed
    for _ in range(2):
        wanted += [t + slips, t + slips + 2 * above / speed]
        t = wanted[-1]
    r = ran(belt(kind, mass, k, static, sliding, speed), 2.4, outputs=1e-3)
    changes = r.t[1:][np.diff((r["rub.mode"] if kind == "joint" else r["rub.state"]).ravel()) != 0]
    assert changes[: len(wanted)] == pytest.approx(wanted, abs=1.001e-3)  # seen at the next output
    if kind == "joint":
        assert [e.t for e in r.events][: len(wanted)] == pytest.approx(wanted, abs=1e-7)
    furthest = sliding / k + hypot(above, speed / omega)
    assert r["block.position.x"].max() == pytest.approx(furthest, abs=1e-6)  # outputs miss the peak by 1e-7
    for step in (1e-3, 2.5e-4):
        q = ran(belt(kind, mass, k, static, sliding, speed), 2.4, dt.Moreau(step=step), outputs=1e-3)
        # it lets go up to a step late, and is pushed by static friction for that step
        assert q["block.position.x"].max() == pytest.approx(furthest, abs=2 * speed * step)


@pytest.mark.parametrize("solver", BOTH_ENGINES, ids=["event-driven", "1e-3", "2.5e-4"])
@pytest.mark.parametrize(("degrees", "M", "mass", "mu"), [(30, 3.0, 1.0, 0.0), (25, 1.0, 2.0, 0.2)])
def test_block_on_a_wedge_that_gives_way(degrees, M, mass, mu, solver):
    a = radians(degrees)
    n, t = np.array([sin(a), 0, cos(a)]), np.array([cos(a), 0, -sin(a)])
    m = dt.Model("wedge")
    wedge = m.add_body("wedge", dt.Inertia.box(M, size=(1, 1, 0.2)))
    m.add_joint("rails", dt.Prismatic("x"), m.ground, wedge)
    face, turned = m.add_marker("face", wedge, rotation=dt.Rotation.about("y", a)), dt.Rotation.about("y", a)
    block = m.add_body("block", dt.Inertia.box(mass, size=(0.1, 0.1, 0.1)), position=0.05 * n, rotation=turned)
    m.add_joint("free", dt.Free(), m.ground, block)
    shapes = (dt.Shape.plane(), dt.Shape.box((0.1, 0.1, 0.1)))
    m.add_contact("c", dt.RigidContact(friction=mu), face, block, shapes=shapes)
    r = ran(m, 0.4, solver)
    push = n - mu * t  # of the wedge on the block, for a unit of normal force
    equations = [[mass, mass * t[0], -push[0]], [0, mass * t[2], -push[2]], [M, 0, push[0]]]
    A, slides, N = np.linalg.solve(equations, [0, -mass * G, 0])
    assert r["rails.position"][-1] == pytest.approx(A * 0.08, abs=1e-9)  # constant forces: steps are exact, too
    assert r["block.position"][-1] == pytest.approx(0.05 * n + 0.08 * (slides * t + [A, 0, 0]), abs=1e-9)
    assert r["c.normal_force"][-1] == pytest.approx(N, abs=1e-6)
    assert r["c.force"][-1] == pytest.approx(N * push, abs=1e-6)


def rod_on_a_floor(half, mass, mu, swapped):
    m = dt.Model("rod")
    phi = radians(65)
    inertia = dt.Inertia(mass, matrix=np.eye(3) * mass * half**2 / 3)
    b = m.add_body("rod", inertia, position=(-half * cos(phi), 0, half * sin(phi)))
    m.add_joint("plane", dt.Planar("-y", first_axis="x"), m.ground, b)
    tip = m.add_marker("tip", b, (half * cos(phi), 0, -half * sin(phi)))
    sides = [(m.ground, dt.Shape.plane()), (tip, dt.Shape.point())]
    (first, second) = sides[::-1] if swapped else sides
    m.add_contact("c", dt.RigidContact(friction=mu), first[0], second[0], shapes=(first[1], second[1]))
    return m


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(
    ("half", "mass", "mu", "omega", "slip"),
    [(2.0, 3.0, 1.2, 0.0, 0.5), (0.5, 0.2, 1.5, 9.0, 2.0), (0.5, 0.2, 1.5, 1.0, 2.0), (0.3, 0.7, 1.5, 0.0, -1.0),
     (0.3, 0.7, 1.2, 12.0, 1.0)],
    ids=["one", "two", "none", "drawn", "leaves"],
)  # fmt: skip
def test_painleve_rods(half, mass, mu, omega, slip, swapped):
    """a = A lambda + b of the tip: one motion, none or two by their signs; forces are of a on b, also swapped."""
    phi = radians(65)
    A = (1 + 3 * cos(phi) ** 2 - np.sign(slip) * 3 * mu * sin(phi) * cos(phi)) / mass
    b = -G + half * omega**2 * sin(phi)
    v = [slip - omega * half * sin(phi), -omega * half * cos(phi), omega]
    found = dt.contact_problem(dt.compile(rod_on_a_floor(half, mass, mu, swapped)), np.zeros(3), v, 0.0)
    wanted = ([0.0] if b >= 0 else []) + ([-b / A] if A * b < 0 else [])
    assert found.consistent == bool(wanted)
    assert found.unique == (len(wanted) == 1)
    forces = sorted((s.force[0] for s in found.solutions), key=lambda f: abs(f[2]))
    for force, N in zip(forces, wanted, strict=True):
        side = -1.0 if swapped else 1.0
        assert force == pytest.approx([-side * np.sign(slip) * mu * N, 0, side * N], abs=1e-9)
    if slip > 0:
        critical = (1 + 3 * cos(phi) ** 2) / (3 * sin(phi) * cos(phi))
        assert found.critical_friction["c"] == pytest.approx(critical, rel=1e-9)


# ----------------------------------------------------------------------------------------------- runs that were refused


@pytest.mark.parametrize("force", [10.0, 12.0, 40.0])
def test_box_that_is_pulled_over_a_floor(force):
    """Friction takes nearly all of the force: what steps miss of its work is no sign of another motion."""
    m = dt.Model("pulled box")
    b = m.add_body("b", dt.Inertia.box(2.0, size=(0.4, 0.4, 0.02)), position=(0, 0, 0.01))
    m.add_joint("free", dt.Free(), m.ground, b)
    shapes = (dt.Shape.plane(), dt.Shape.box((0.4, 0.4, 0.02)))
    m.add_contact("floor", dt.RigidContact(friction=0.5), m.ground, b, shapes=shapes)
    m.add_force("pull", dt.AppliedForce(b, (force, 0, 0)))
    for solver in (None, dt.Moreau(step=1e-3), dt.Moreau(step=1e-4)):
        r = ran(m, 1.0, solver)
        assert r["b.velocity.x"][-1] == pytest.approx((force - 0.5 * 2.0 * G) / 2.0, abs=1e-8)


def test_ball_on_a_hull_uses_time_stepping_by_default(tmp_path):
    """One point that jumps: event-driven runs refuse it, so that the default must not choose them."""
    corners = [(x, y, z) for x in (-0.3, 0.3) for y in (-0.3, 0.3) for z in (-0.4, 0)]
    faces = [(1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {a} {b} {c} {d}" for a, b, c, d in faces]
    (tmp_path / "table.obj").write_text("\n".join(lines))
    m = dt.Model("ball on a table")
    b = m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.1), position=(0.02, 0, 0.12))
    m.add_joint("free", dt.Free(), m.ground, b)
    shapes = (dt.Shape.mesh(tmp_path / "table.obj"), dt.Shape.sphere(0.1))
    m.add_contact("c", dt.RigidContact(), m.ground, b, shapes=shapes)
    r = ran(m, 0.3)
    assert r.stats.solver.startswith("Moreau")
    assert r["c.force"][-1] == pytest.approx([0, 0, 2.0 * G], abs=1e-6)
    assert r["ball.position"][-1] == pytest.approx([0.02, 0, 0.1], abs=1e-7)  # the file is read in single precision
    with pytest.raises(ValueError, match=r"choose dt\.Moreau"):
        dt.simulate(m, 0.3, solver=dt.DOPRI5())


@pytest.mark.parametrize("solver", [None, dt.DOPRI5(), dt.Moreau(step=1e-3)])
def test_point_mass_on_a_free_joint_is_refused(solver):
    m = dt.Model("point")
    b = m.add_body("p", dt.Inertia.point(1.0), position=(0, 0, 1))
    m.add_joint("f", dt.Free(), m.ground, b)
    m.add_contact("c", dt.RigidContact(), m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.point()))
    with pytest.raises(dt.ModelError, match=r'"f": nothing resists turning(.|\n)*dt.Translation'):
        dt.simulate(m, 1.0, solver=solver)
