"""Impacts with other data than the cases have: models as a user writes them, references worked out here.

Event-driven runs solve each impact to round-off and locate it with the accuracy of the motion before (rtol 1e-8), so
that 1e-6 or better of what is compared is asked for. Time stepping is of first order: errors are bounded by a few steps
times the speeds.
"""

from __future__ import annotations

from itertools import product
from math import atan2, cos, hypot, pi, sin, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt

G = 9.81


def linear_complementarity(W, q):
    """p >= 0, W p + q >= 0, complementary: all sets of closed contacts are tried."""
    for closed in product([False, True], repeat=len(q)):
        p, on = np.zeros(len(q)), np.flatnonzero(closed)
        if len(on):
            p[on] = np.linalg.solve(W[np.ix_(on, on)], -q[on])
        if min(p) > -1e-12 and min(W @ p + q) > -1e-12:
            return p
    raise AssertionError("no solution")


def newton_with_friction(W, u, e, mu):
    """Impulse (normal, tangent) of a point: Newton's law for the normal, and it sticks if that is within the cone."""
    p = np.linalg.solve(W, [-(1 + e) * u[0], -u[1]])
    if abs(p[1]) <= mu * p[0]:
        return p
    for side in (1.0, -1.0):
        normal = -(1 + e) * u[0] / (W[0, 0] + side * mu * W[0, 1])
        if side * (u + W @ (normal * np.array([1.0, side * mu])))[1] <= 0.0:
            return normal * np.array([1.0, side * mu])
    raise AssertionError("no solution")


# ------------------------------------------------------------------------------------------------- one body, one wall


def bouncing_ball(solver):
    """Gravity along x onto a wall; the ball is a, the wall a marker and b, so that impulses are those on the wall."""
    m = dt.Model("ball and wall", gravity=(3.7, 0, 0))
    ball = m.add_body("ball", dt.Inertia.sphere(2.3, radius=0.07), position=(-0.87, 0, 0))
    m.add_joint("free", dt.Free(), m.ground, ball, v0=[-0.4, 0, 0, 0, 0, 0])
    wall = m.add_marker("wall", m.ground, rotation=dt.Rotation.about("y", -pi / 2))
    m.add_contact(
        "hit", dt.RigidContact(restitution=0.65), ball, wall, shapes=(dt.Shape.sphere(0.07), dt.Shape.plane())
    )
    return dt.simulate(m, 5.0, outputs=0.01, solver=solver)


def bouncing_height(t, speed, first, e=0.65, g=3.7):
    """Distance to the wall after the first impact; rest from the accumulation on."""
    begin, up = first, e * speed
    while t > begin + 2 * up / g and up > 1e-12:
        begin, up = begin + 2 * up / g, e * up
    return max(up * (t - begin) - 0.5 * g * (t - begin) ** 2, 0.0)


def test_ball_on_a_wall_that_is_b():
    speed = sqrt(0.4**2 + 2 * 3.7 * 0.8)
    first = (0.4 + speed) / 3.7
    errors = {}
    for solver in (None, dt.Moreau(step=1e-3), dt.Moreau(step=1e-4)):
        r = bouncing_ball(solver)
        assert r.ok, r.reason
        later = r.t > first + 2e-3
        wanted = [bouncing_height(t, speed, first) for t in r.t[later]]
        errors[solver.step if solver else 0] = np.abs(-0.07 - r["ball.position"][later, 0] - wanted).max()
        assert r["hit.force"][-1] == pytest.approx([2.3 * 3.7, 0, 0], abs=1e-6), "on the wall, along x"
        assert r["hit.normal_force"][-1] == pytest.approx(2.3 * 3.7, abs=1e-6)
        assert r["hit.gap"][-1] == pytest.approx(0.0, abs=1e-9)
        assert r.impacts[0].impulse[0] == pytest.approx(2.3 * 1.65 * speed, rel=1e-9 if not solver else 2e-3)
        assert r.impacts[0].time == pytest.approx(first, abs=1e-9 if not solver else solver.step)
    assert errors[0] < 1e-9
    # each impact is late by up to a step: after the first few the sum of these times speeds of 2.5 m/s
    assert errors[1e-3] < 5 * 1e-3 * speed
    assert errors[1e-4] < 5 * 1e-4 * speed


@pytest.mark.parametrize("mu", [0.04, 0.9], ids=["slips", "sticks"])
def test_oblique_impact_of_a_disc_from_a_file(mu, tmp_path):
    mass, k, radius, e, v = 1.7, 0.8, 0.25, 0.45, np.array([-2.2, 1.9, 5.0])
    J = k * mass * radius**2
    (tmp_path / "disc.yaml").write_text(f"""\
duoti: 1
gravity: [0, 0, 0]
bodies:
  disc: {{inertia: {{mass: {mass}, matrix: [[1, 0, 0], [0, 1, 0], [0, 0, {J}]]}}, position: [{radius + 0.11}, 0, 0]}}
markers:
  wall: {{body: ground, rotation: {{about: {{axis: y, angle: 90 deg}}}}}}
joints:
  plane: {{type: planar, normal: z, between: [ground, disc], v0: {v.tolist()}}}
contacts:
  hit:
    type: rigid_contact
    between: [wall, disc]
    shapes: [{{plane: {{}}}}, {{sphere: {{radius: {radius}}}}}]
    friction: {mu}
    restitution: {e}
""")
    W = np.diag([1 / mass, 1 / mass + radius**2 / J])  # the point of contact is at -x: it moves by v_y - r omega
    p = newton_with_friction(W, np.array([v[0], v[1] - radius * v[2]]), e, mu)
    after = v + np.array([p[0] / mass, p[1] / mass, -radius * p[1] / J])
    r = dt.simulate(dt.load(tmp_path / "disc.yaml"), 0.2)
    assert r["plane.v"][-1] == pytest.approx(after, abs=1e-12)
    (impact,) = r.impacts
    assert impact.time == pytest.approx(0.05, abs=1e-12)
    assert impact.impulse[:2] == pytest.approx(p, abs=1e-12)
    lost = 0.5 * (mass * (v[:2] @ v[:2] - after[:2] @ after[:2]) + J * (v[2] ** 2 - after[2] ** 2))
    assert impact.energy_lost == pytest.approx(lost, abs=1e-12)
    for step in (1e-3, 1e-4):  # the arm of friction is shorter by half the overlap, at most 2.2 m/s times a step
        q = dt.simulate(dt.load(tmp_path / "disc.yaml"), 0.2, solver=dt.Moreau(step=step))
        assert q["plane.v"][-1] == pytest.approx(after, abs=2.2 * step * p[0] / J * max(mu, 0.1) + 1e-9)


# ------------------------------------------------------------------------------------------------- several at once


def row_of_balls(masses, v, e, impact):
    m = dt.Model("row of balls", gravity=(0, 0, 0))
    for i, mass in enumerate(masses):
        place = (0.2 * i - (0.05 if i == 0 else 0.0), 0, 0)
        b = m.add_body(f"b{i}", dt.Inertia.sphere(mass, radius=0.1), position=place, shapes=[dt.Shape.sphere(0.1)])
        m.add_joint(f"j{i}", dt.Prismatic("x"), m.ground, b, v0=v if i == 0 else 0.0)
    for i, each in enumerate(e):
        m.add_contact(f"c{i}", dt.RigidContact(restitution=each, impact=impact), f"b{i}", f"b{i + 1}")
    return m


def at_the_end(r, n):
    return np.array([r[f"j{i}.velocity"][-1] for i in range(n)]).ravel()


@pytest.mark.parametrize(
    ("masses", "e"),
    [([3, 1], [0.4]), ([1, 1, 1], [0.7, 0.7]), ([1, 2, 3, 4], [0.9, 0.3, 0.6]), ([1] * 7, [1.0] * 6)],
    ids=["2", "3", "4", "7"],
)
def test_rows_of_balls(masses, e):
    masses, e, n = np.array(masses, dtype=float), np.array(e), len(masses)
    J = np.eye(n, k=1)[: n - 1] - np.eye(n)[: n - 1]
    W, v = J / masses @ J.T, np.eye(n)[0] * 1.5
    newton = v + J.T @ linear_complementarity(W, (1 + e) * (J @ v)) / masses
    pressed = linear_complementarity(W, J @ v)
    between = v + J.T @ pressed / masses
    more = linear_complementarity(W, J @ between + W @ (e * pressed))
    poisson = between + J.T @ (e * pressed + more) / masses
    for impact, wanted in (("newton", newton), ("poisson", poisson)):
        r = dt.simulate(row_of_balls(masses, 1.5, e, impact), 0.05)
        assert r.ok, r.reason
        assert at_the_end(r, n) == pytest.approx(wanted, abs=1e-12)
    chain = at_the_end(dt.simulate(row_of_balls(masses, 1.5, e, "stronge"), 0.05), n)
    assert masses @ chain == pytest.approx(masses @ v, abs=1e-12)
    assert np.all(np.diff(chain) > -1e-12), "they part"
    if np.all(e == 1.0):
        # that law is integrated over the impulse in steps, which leave some 1e-8 of the energy
        assert masses @ chain**2 == pytest.approx(masses @ v**2, rel=1e-7)
        assert chain[-1] > 0.98 * 1.5, "the last ball flies off with nearly all"


@pytest.mark.parametrize(
    ("degrees", "v", "e", "radius"),
    [(50, (-1, -0.3), 0.8, 0), (110, (-1, -1.5), 0.35, 0), (30, (-1, -0.1), 1.0, 0.05), (150, (0.2, -1), 0.5, 0.05)],
)
def test_corners(degrees, v, e, radius):
    """A point, or a ball that touches both walls at once."""
    angle, v, mass = degrees * pi / 180, np.array(v, dtype=float), 0.7
    normals = np.array([[0, 1, 0], [sin(angle), -cos(angle), 0]])
    p = linear_complementarity(normals @ normals.T / mass, (1 + e) * normals[:, :2] @ v)
    after = v + normals[:, :2].T @ p / mass
    start = radius * np.array([1 / np.tan(angle / 2), 1.0]) - 0.02 * v
    shape = dt.Shape.sphere(radius) if radius else dt.Shape.point()
    for solver in (None, dt.Moreau(step=1e-3), dt.Moreau(step=7e-4)):
        m = dt.Model("corner", gravity=(0, 0, 0))
        b = m.add_body("b", dt.Inertia.point(mass), position=(*start, 0))
        m.add_joint("slide", dt.Translation(), m.ground, b, v0=[*v, 0])
        for k, normal in enumerate(normals):
            wall = m.add_marker(f"wall{k}", m.ground, rotation=dt.Rotation.between("z", normal))
            m.add_contact(f"c{k}", dt.RigidContact(restitution=e), wall, b, shapes=(dt.Shape.plane(), shape))
        r = dt.simulate(m, 0.04, solver=solver)
        assert r.ok, r.reason
        # frictionless: the speeds after the impact do not depend on when it is; the tolerance of a step is 1e-8
        assert r["b.velocity"][-1, :2] == pytest.approx(after, abs=1e-8)
        impulses = {i.contact: float(np.linalg.norm(i.impulse)) for i in r.impacts}
        assert [impulses.get(f"c{k}", 0.0) for k in (0, 1)] == pytest.approx(p, abs=1e-8)


# ------------------------------------------------------------------------------------------------- mechanisms


def routh(W, u, e, mu, law):
    """Planar impulse by integration over the normal impulse: slip, stick and reversal; Poisson's or Stronge's end.

    Du/dp = W (1, k), where k is -mu sign(slip), or what holds the slip at zero if that is within the cone.
    """
    u, p, restitution, work, end = np.array(u), np.zeros(2), False, 0.0, 0.0
    for _ in range(10):
        holds = -W[1, 0] / W[1, 1]
        k = -mu * np.sign(u[1]) if abs(u[1]) > 1e-13 else float(np.clip(holds, -mu, mu))
        slope = W @ [1.0, k]
        ways = []
        if u[1] * slope[1] < 0.0 and abs(u[1]) > 1e-13:
            ways.append((-u[1] / slope[1], "slip ends"))
        if not restitution:
            ways += [(-u[0] / slope[0], "pressed most")] if slope[0] > 0.0 else []
        elif law == "poisson":
            ways.append((end - p[0], "end"))
        else:  # the work of the normal impulse from here on is what is left of e² times that of compression
            ways.append(((-u[0] + sqrt(u[0] ** 2 + 2 * slope[0] * (end - work))) / slope[0], "end"))
        way, what = min(ways)
        work += u[0] * way + 0.5 * slope[0] * way**2
        u, p = u + way * slope, p + way * np.array([1.0, k])
        if what == "end":
            return p
        if what == "slip ends":
            u[1] = 0.0
        else:
            u[0], restitution = 0.0, True
            work, end = (0.0, (1 + e) * p[0]) if law == "poisson" else (0.0, -(e**2) * work)
    raise AssertionError("no end")


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
@pytest.mark.parametrize(("mu", "e"), [(0.35, 0.6), (0.05, 0.9), (1.5, 0.3)])
def test_double_pendulum_strikes_a_wall(law, mu, e):
    """Lagrange's equations of two rods, the tip against a wall; with mu = 0.35 the tip slips, stops and slips back."""
    l1, l2, m1, m2, far = 0.6, 0.5, 1.2, 0.8, 0.75
    m = dt.Model("double pendulum")
    a = m.add_body("a", dt.Inertia.rod(m1, length=l1, axis="z"), position=(0, 0, -l1 / 2))
    b = m.add_body("b", dt.Inertia.rod(m2, length=l2, axis="z"), position=(0, 0, -l1 - l2 / 2))
    m.add_joint("A", dt.Revolute("-y"), m.ground, a, at=(0, 0, 0), q0=0.35, v0=3.0)
    m.add_joint("B", dt.Revolute("-y"), a, b, at=(0, 0, -l1), q0=0.55, v0=1.0)
    tip = m.add_marker("tip", b, (0, 0, -l2 / 2))
    wall = m.add_marker("wall", m.ground, (far, 0, 0), rotation=dt.Rotation.about("y", -pi / 2))
    contact = dt.RigidContact(friction=mu, restitution=e, impact=law)
    m.add_contact("hit", contact, wall, tip, shapes=(dt.Shape.plane(), dt.Shape.point()))
    r = dt.simulate(m, 0.3)

    def mass(q):
        couple = 0.5 * m2 * l1 * l2 * cos(q[0] - q[1])
        return np.array([[(m1 / 3 + m2) * l1**2, couple], [couple, m2 * l2**2 / 3]])

    def motion(t, y):
        twist = 0.5 * m2 * l1 * l2 * sin(y[0] - y[1])
        f = [
            -twist * y[3] ** 2 - (m1 / 2 + m2) * G * l1 * sin(y[0]),
            twist * y[2] ** 2 - m2 / 2 * G * l2 * sin(y[1]),
        ]
        return [*y[2:], *np.linalg.solve(mass(y), f)]

    def gap(t, y):
        return far - l1 * sin(y[0]) - l2 * sin(y[1])

    gap.terminal, gap.direction = True, -1
    way = solve_ivp(motion, (0, 0.3), [0.35, 0.9, 3.0, 4.0], events=gap, rtol=1e-11, atol=1e-12, max_step=0.01)
    y = way.y[:, -1].copy()
    J = np.array([[-l1 * cos(y[0]), -l2 * cos(y[1])], [l1 * sin(y[0]), l2 * sin(y[1])]])
    W, u = J @ np.linalg.solve(mass(y), J.T), J @ y[2:]
    p = newton_with_friction(W, u, e, mu) if law == "newton" else routh(W, u, e, mu, law)
    (impact,) = r.impacts
    assert impact.time == pytest.approx(way.t[-1], abs=1e-9)
    assert impact.impulse == pytest.approx([-p[0], 0, p[1]], abs=1e-6)
    y[2:] += np.linalg.solve(mass(y), J.T @ p)
    end = solve_ivp(motion, (way.t[-1], 0.3), y, rtol=1e-11, atol=1e-12).y[:, -1]
    angles = r["A.angle"][-1].item(), r["A.angle"][-1].item() + r["B.angle"][-1].item()
    assert angles == pytest.approx(end[:2], abs=1e-6)
    assert abs(r.energy.residual).max() < 1e-6


@pytest.mark.parametrize(("b", "h", "part"), [(0.1, 0.5, 0.6), (0.25, 0.5, 0.7), (0.4, 0.45, 0.5)])
def test_rocking_blocks(b, h, part):
    """Housner's block at three slendernesses, as a box on a plane, in space; the block is a."""
    alpha, R, duration = atan2(b, h), hypot(b, h), 1.0
    tilt = part * alpha
    m = dt.Model("rocking block")
    m.ground.shapes.append(dt.Shape.plane())
    corner = (cos(tilt) * b - sin(tilt) * h, 0, -sin(tilt) * b - cos(tilt) * h)
    size = (2 * b, 0.3, 2 * h)
    place = {"position": tuple(-x for x in corner), "rotation": dt.Rotation.about("y", tilt)}
    block = m.add_body("block", dt.Inertia.box(3.0, size=size), shapes=[dt.Shape.box(size)], **place)
    m.add_joint("free", dt.Free(), m.ground, block)
    m.add_contact("floor", dt.RigidContact(friction=5.0), block, m.ground)
    r = dt.simulate(m, duration)

    def rocking(t, y):
        return [y[1], -0.75 * G / R * sin(alpha - y[0])]

    def flat(t, y):
        return y[0]

    flat.terminal, flat.direction = True, -1
    t, y, times = 0.0, [tilt, 0.0], []
    while len(times) < 3:
        way = solve_ivp(rocking, (t, duration), y, events=flat, rtol=1e-11, atol=1e-13, max_step=0.02)
        if way.status != 1:
            break
        t, y = float(way.t[-1]), [1e-300, -(1 - 1.5 * sin(alpha) ** 2) * way.y[1, -1]]
        times.append(t)
    found = sorted({round(i.time, 6) for i in r.impacts})[: len(times)]
    assert times
    assert found == pytest.approx(times, abs=2e-6)
    for step in (1e-3, 2.5e-4):  # each impact is late by up to a step, and changes the next fall in proportion
        q = dt.simulate(m, duration, solver=dt.Moreau(step=step))
        assert sorted({i.time for i in q.impacts})[0] == pytest.approx(times[0], abs=2 * step)
