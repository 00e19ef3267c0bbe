"""Laws of impact with torque impulses and with friction in joints: closed forms, and no gain of energy."""

import numpy as np
import pytest

import duoti as dt
from duoti.contact.impact.friction_discs import impulses_in_discs
from duoti.contact.solve.friction_discs import Disc

FOLLOWED = 5e-3  # of Stronge's law, followed through the impact in steps of 1/500 of a period, friction behind by one


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_a_ball_that_falls_with_spin(law: str) -> None:
    """One point below the mass centre: all laws give p = (1 + e) m u, and torques a p that act throughout.

    A spin about the vertical that the torque could more than stop is stopped.
    """
    mass, radius, e, u = 3.0, 0.2, 0.4, 2.0
    p, inertia = mass * (1 + e) * u, 0.4 * mass * radius**2
    contact = dt.RigidContact(restitution=e, rolling_friction=0.002, torsional_friction=0.004, impact=law)
    for spin in (20.0, 0.1):
        m = dt.Model("ball", gravity=(0, 0, 0))
        m.add_body("b", dt.Inertia.sphere(mass, radius=radius), position=(0, 0, 0.3))
        m.add_joint("free", dt.Free(), m.ground, "b", v0=[0, 0, -u, 0, 9.0, spin])
        m.add_contact("floor", contact, m.ground, "b", shapes=(dt.Shape.plane(), dt.Shape.sphere(radius)))
        r = dt.simulate(m, 0.1, outputs=[0.1], solver=dt.DOPRI5())
        assert r.ok, r.reason
        near = FOLLOWED if law == "stronge" else 1e-10
        wanted = [0.0, 9.0 - 0.002 * p / inertia, max(spin - 0.004 * p / inertia, 0.0)]
        assert r["b.velocity"][-1] == pytest.approx([0, 0, e * u], abs=near * u)
        assert r["b.angular_velocity"][-1] == pytest.approx(wanted, abs=near * 9.0)
        assert max(abs(r.energy.residual)) < 1e-9
        assert r.energy.dissipated[-1].item() > 0.0


def _carriage(friction: float, e: float, law: str, speed: float, angle: float = 0.6, rolling: float = 0.0) -> dt.Model:
    """A carriage on rails along x, and a rod pinned to it whose tip hits the ground after 0.01 rad."""
    m = dt.Model("carriage", gravity=(0, 0, 0))
    height = np.cos(angle) + 0.02
    m.add_body("carriage", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.1)), position=(0, 0, height))
    m.add_joint("rails", dt.Prismatic("x"), m.ground, "carriage", v0=speed)
    inertia = dt.Inertia(1.5, com=(0, 0, -0.5), matrix=np.diag([0.2, 1.5 / 12, 0.2]))
    m.add_body("rod", inertia, position=(0, 0, height), rotation=dt.Rotation.from_vector((0, -angle - 0.01, 0)))
    m.add_joint("pin", dt.Revolute("y"), "carriage", "rod", at=(0, 0, height), v0=1.3)
    m.add_force("rub", dt.JointFriction("rails", friction=friction))
    contact = dt.RigidContact(restitution=e, impact=law, rolling_friction=rolling)
    sphere = dt.Shape.sphere(0.02, position=(0, 0, -1.0))
    m.add_contact("floor", contact, m.ground, "rod", shapes=(dt.Shape.plane(), sphere))
    return m


@pytest.mark.parametrize("law", ["newton", "poisson"])
@pytest.mark.parametrize("friction", [0.1, 0.3])
@pytest.mark.parametrize("e", [0.0, 0.6])
def test_rails_that_rub_with_the_load_of_an_impact(law: str, friction: float, e: float) -> None:
    """The impulse p at the tip passes the pin; the rails bear its vertical part Y and rub with friction times |Y|:

        (M + m) dv - m l/2 cos dw = -mu |Y|,   -m l/2 cos dv + J dw = -p l sin
        Y = p + m l/2 sin dw,   dw = -(1 + e) w

    with w about y before it, v of the carriage. All of it is linear: Poisson's law is Newton's here.
    """
    r = dt.simulate(_carriage(friction, e, law, 2.0), 0.02, outputs=1e-4, solver=dt.DOPRI5(rtol=1e-10, atol=1e-12))
    assert r.ok, r.reason
    first = r.impacts[0]
    before, after = int(np.flatnonzero(r.t < first.time)[-1]), int(np.flatnonzero(r.t > first.time)[0])
    v, w = r["rails.velocity"].ravel(), r["pin.rate"].ravel()
    c, s, M, m, J = np.cos(0.6), np.sin(0.6), 2.0, 1.5, 1.5 / 3
    A = [[M + m, -m / 2 * c, 0, friction], [-m / 2 * c, J, s, 0], [0, -m / 2 * s, -1, 1], [0, 1, 0, 0]]
    dv, dw, p, Y = np.linalg.solve(A, [0, 0, 0, -(1 + e) * w[before]])
    assert Y > 0  # as was said
    # the rod turns on between the outputs, and its rates change by 1e-4 s times 1.3 rad/s of themselves
    assert first.impulse[2] == pytest.approx(p, rel=3e-4)
    assert v[after] - v[before] == pytest.approx(dv, abs=3e-4)
    assert w[after] - w[before] == pytest.approx(dw, abs=6e-4)
    assert first.energy_lost > 0.0


def _random_impact(random: np.random.Generator):
    """A body of random inertia with one to three points, each with friction and resistance."""
    half, mass = random.uniform(0.05, 0.3, 3), random.uniform(0.5, 3)
    Q = np.linalg.qr(random.normal(size=(3, 3)))[0]
    I = Q @ np.diag(mass / 3 * (half @ half - half**2)) @ Q.T
    inverse = np.zeros((6, 6))
    inverse[:3, :3], inverse[3:, 3:] = np.linalg.inv(I), np.eye(3) / mass
    n = int(random.integers(1, 4))
    rows, turning = [], []
    for _ in range(n):
        p, F = random.uniform(-1, 1, 3) * half, np.linalg.qr(random.normal(size=(3, 3)))[0]
        F[0] *= -np.sign(F[0] @ p)  # the normal points into the body
        rows.append(F @ np.hstack([np.cross(np.eye(3), p).T, np.eye(3)]))  # v + w x p
        turning.append(np.hstack([F, np.zeros((3, 3))]))
    J = np.vstack([*rows, *turning])
    mu, roll, drill = random.uniform(0, 1, n), random.uniform(0, 0.05, n), random.uniform(0, 0.02, n)
    discs = [Disc((3 * c + 1, 3 * c + 2), 3 * c, mu[c]) for c in range(n)]
    discs += [Disc((3 * (n + c) + 1, 3 * (n + c) + 2), 3 * c, roll[c]) for c in range(n)]
    discs += [Disc((3 * (n + c),), 3 * c, drill[c]) for c in range(n)]
    v = random.normal(size=6) * [5, 5, 5, 1, 1, 1]
    return J @ inverse @ J.T, J @ v, list(range(0, 3 * n, 3)), discs, random.uniform(0, 1, n)


@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_no_impact_gains_energy(law: str) -> None:
    _gains_nothing(law, 60)


@pytest.mark.campaign
@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_no_impact_of_2000_gains_energy(law: str) -> None:
    _gains_nothing(law, 2000)


def _gains_nothing(law: str, count: int) -> None:
    random, looked, most = np.random.default_rng(7), 0, 0.0
    while looked < count:
        W, u, normals, discs, e = _random_impact(random)
        if np.all(u[normals] >= 0.0):
            continue
        p, wrong = impulses_in_discs(W, u, normals, discs, e, law, 0.0, 0.0)
        assert not wrong
        after = u + W @ p
        assert np.all(after[normals] > -1e-6 * np.max(np.abs(u)))
        exchanged = 0.5 * np.abs(p) @ (np.abs(u) + np.abs(after))
        most = max(most, 0.5 * p @ (u + after) / exchanged)
        for disc in discs:
            assert np.linalg.norm(p[list(disc.rows)]) <= disc.radius * p[disc.owner] * (1 + 1e-6) + 1e-12
        looked += 1
    assert most < (1e-9 if law == "poisson" else 1e-3)  # round-off; steps through the impact


def test_poisson_with_rails_gains_no_energy() -> None:
    """Friction in the joint and resistance together, over speeds, angles, coefficients."""
    random = np.random.default_rng(3)
    for _ in range(8):
        friction, e, speed, angle = (
            random.uniform(0, 1),
            random.uniform(0, 1),
            random.normal(),
            random.uniform(0.2, 1.2),
        )
        m = _carriage(friction, e, "poisson", speed, angle, rolling=random.uniform(0, 0.05))
        r = dt.simulate(m, 0.02, solver=dt.DOPRI5())
        assert r.ok, r.reason
        assert all(impact.energy_lost > -1e-12 for impact in r.impacts)
        assert np.all(np.diff(r.energy.kinetic.ravel()) < 1e-9)


def test_contact_problem_of_a_ball_on_a_cart() -> None:
    """A ball of 1 kg, radius 0.1 m, sticks to a cart of 2 kg that a force P pulls along rails with friction 0.1:

    2 a = P - F - f,  a_ball = f,  I alpha = -r f + a_r N,  a_ball - r alpha = a,  F = 0.1 (weights): it begins to roll.
    """
    m = dt.Model("ball on cart")
    cart = m.add_body("cart", dt.Inertia.box(2.0, size=(2, 0.4, 0.1)), position=(0, 0, -0.05))
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
    m.add_joint("rails", dt.Prismatic("x"), m.ground, cart)
    m.add_joint("free", dt.Free(), m.ground, "ball")
    m.add_force("rub", dt.JointFriction("rails", friction=0.1))
    m.add_force("pull", dt.JointTorque("rails", 5.0))
    law = dt.RigidContact(friction=0.5, rolling_friction=0.002)
    top = m.add_marker("top", cart, (0, 0, 0.05))
    m.add_contact("touch", law, top, "ball", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    found = dt.contact_problem(m)
    (only,) = found.solutions
    g, r, inertia = 9.81, 0.1, 0.4 * 0.01
    moment, rub = 0.002 * g, 0.1 * 3 * g
    f = ((5.0 - rub) / 2 + r * moment / inertia) / (1.5 + r * r / inertia)
    assert found.consistent
    assert only.states == ("stick",)
    assert only.turning == ("rolls",)
    assert only.joints == {"rails": "slide"}
    assert only.force[0] == pytest.approx([f, 0, g], abs=1e-9)
    assert only.moment[0] == pytest.approx([0, moment, 0], abs=1e-9)
    assert only.joint_force["rails"] == pytest.approx([-rub], abs=1e-9)
    m.forces["pull"] = dt.JointTorque("rails", 1.0)  # less than the rails hold
    held = dt.contact_problem(m).solutions[0]
    assert held.joints == {"rails": "rest"}
    assert held.turning == ("held",)
    r = dt.simulate(m, 0.2, solver=dt.DOPRI5())  # a run goes on as the problem says
    assert abs(r["rails.velocity"][-1].item()) == 0.0
