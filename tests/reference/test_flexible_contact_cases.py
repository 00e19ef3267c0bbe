"""Cases in which bodies that deform touch: the woodpecker toy and elastic bars, by both engines."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near

import duoti as dt

WALL = dt.Shape.plane(rotation=dt.Rotation.between("z", "x"))


def woodpecker(p: dict) -> dt.Model:
    """The linear model of the case: a body in two modes, the angles, whose frame slides along the pole.

    Its mass matrix is that of the fields of displacement: the spring's end moves along the pole by l_M phi_M +
    l_G phi_S; J_M and J_S stand in fields across it, which no force acts on.
    """
    m_S, m_M, l_M, l_G = (p[name] for name in ("m_S", "m_M", "l_M", "l_G"))
    y1, y2 = 5, 8  # among the fields 1, x, y, z, and the displacements of each mode
    gram = np.diag([m_M + m_S, *[1e-7] * 3, p["J_M"], m_S * l_M**2, 0, p["J_S"], m_S * l_G**2, 0])
    for i, j, value in ((0, y1, m_S * l_M), (0, y2, m_S * l_G), (y1, y2, m_S * l_M * l_G)):
        gram[i, j] = gram[j, i] = value

    def place(x, across, along):
        return {"position": (x, 0, 0), "displacement": [across, along, (0, 0)], "turn": np.zeros((3, 2))}

    play = p["r_M"] - p["r_O"]
    places = {
        "frame": place(0.0, (0, 0), (0, 0)),
        "beak": place(l_M + l_G - p["l_S"] - p["r_O"], (0, -p["h_S"]), (l_M, l_G - p["l_S"])),
        "lower": place(play, (p["h_M"], 0), (p["r_M"], 0)),
        "upper": place(play, (-p["h_M"], 0), (p["r_M"], 0)),
    }
    stiffness = p["c_phi"] * np.array([[1.0, -1.0], [-1.0, 1.0]])
    toy = dt.Flexible.from_numbers(gram, stiffness, interfaces=places, length=1.0, stiffening=False)
    m = dt.Model("woodpecker", gravity=(0, -p["g"], 0))
    bird = m.add_body("bird", toy)
    m.add_joint("y", dt.Prismatic("y"), m.ground, m.add_marker("sleeve", bird, interface="frame"))
    for name, e in zip(("beak", "lower", "upper"), p["eps_N"], strict=True):
        tip = m.add_marker(f"{name} tip", bird, interface=name)
        m.add_contact(name, dt.RigidContact(friction=p["mu"], restitution=e), m.ground, tip,
                      shapes=(WALL, dt.Shape.point()))  # fmt: skip
    return m


@pytest.mark.parametrize("solver", [dt.Moreau(step=2e-6), dt.DOPRI5(rtol=1e-9, atol=1e-11)])
def test_c08_woodpecker(solver):
    """The tolerances of the case; its best values are those of steps of 1e-6 s."""
    c = case("C08")
    best = c.reference["own_moreau_h_1e_6"]
    times = [0.05, 0.1, 0.15, 0.2]
    r = dt.simulate(woodpecker(c.p), 0.2, outputs=times, at=(c.p["q0"], c.p["v0"]), solver=solver)
    assert r.ok, r.reason
    wanted = np.array([best[str(t)] for t in times])
    assert_near(r["y.position"].ravel(), wanted[:, 0], 2e-4)
    assert_near(r["bird.modes"][:, 1], wanted[:, 2], 1e-3)
    assert_near(r["bird.modes"][:, 0], wanted[:, 1], 1e-3)
    assert r["lower.state"][0] == r["lower.state"][3] == 1.0  # the sleeve is jammed on the pole
    assert abs(r["y.velocity"][0]) < 1e-9


def bar(p: dict, elements: int, name: str = "bar", model: dt.Model | None = None, at: float = 0.0) -> dt.Model:
    """Masses and springs along x, from `at` on; flies towards x = 0."""
    m = dt.Model(name, gravity=(0, 0, 0)) if model is None else model
    dx = p["L"] / elements
    for i in range(elements + 1):
        mass = p["rho"] * p["A"] * dx * (0.5 if i in (0, elements) else 1.0)
        node = m.add_body(f"{name} {i}", dt.Inertia.point(mass), position=(at + i * dx, 0, 0))
        m.add_joint(f"{name} x{i}", dt.Prismatic("x"), m.ground, node, v0=-p["v0"])
        if i:
            spring = dt.SpringDamper(f"{name} {i - 1}", node, stiffness=p["E"] * p["A"] / dx, rest_length=dx)
            m.add_force(f"{name} s{i}", spring)
    return m


def test_c13_bar_by_time_stepping():
    """With the step dx / c the difference equations of the bar are those of its waves: all is exact to round-off.

    That step is the limit of stability, where the energy of midpoints is no measure: the run says so.
    """
    c, n = case("C13"), 50
    m = bar(c.p, n)
    m.add_contact("wall", dt.RigidContact(), m.ground, "bar 0", shapes=(WALL, dt.Shape.point()))
    step = c.p["L"] / n / c.reference["wave_speed"]
    duration = 1.5 * c.reference["contact_time"]
    with pytest.warns(dt.errors.SimulationWarning, match="balance of energy"):
        r = dt.simulate(m, duration, outputs=step, solver=dt.Moreau(step=step))
    force = r["wall.normal_force"]
    during = (r.t > 2.5 * step) & (r.t < c.reference["contact_time"] - 1.5 * step)
    assert_near(force[during], c.reference["contact_force"], 1e-9 * c.reference["contact_force"])
    assert np.all(force[r.t > c.reference["contact_time"] + 1.5 * step] == 0.0)
    assert_near(np.sum(force) * step, 2.0 * c.p["rho"] * c.p["A"] * c.p["L"] * c.p["v0"], 1e-8)
    share = np.r_[0.5, np.ones(n - 1), 0.5] / n  # single masses go on swinging in the shortest wave
    assert_near(r.v[-1] @ share, c.reference["rebound_velocity"], 1e-8)
    shortening = r.q[:, 0] - r.q[:, -1]
    assert_near(shortening.max(), c.reference["max_shortening"], 1e-12)


@pytest.mark.full
@pytest.mark.parametrize("engine", ["event-driven", "time-stepping"])
def test_c13_flexible_body(engine):
    """The bar as a flexible body of ten beam elements; waves disperse, so that part of the energy stays in it.

    Force between the passages of the front and time of contact are those of the case; what the wall gave is the change
    of momentum, exactly.
    """
    c, n = case("C13"), 10
    steel = dt.Material(youngs_modulus=c.p["E"], poisson_ratio=0.0, density=c.p["rho"])
    section = dt.Section.rectangle(np.sqrt(c.p["A"]), np.sqrt(c.p["A"]))
    elastic = dt.Flexible.from_beam(dt.Beam(section, steel), c.p["L"], elements=n, modes=6 * n - 6)
    m = dt.Model("bar", gravity=(0, 0, 0))
    b = m.add_body("bar", elastic)
    far = m.add_marker("far", m.ground, position=(c.p["L"], 0, 0))
    m.add_joint("x", dt.Prismatic("x"), far, m.add_marker("mouth", b, interface="end"), v0=-c.p["v0"])
    tip = m.add_marker("tip", b, interface="start")
    m.add_contact("wall", dt.RigidContact(), m.ground, tip, shapes=(WALL, dt.Shape.point()))
    step, last = 0.1 * c.p["L"] / n / c.reference["wave_speed"], c.reference["contact_time"]
    solver = dt.Moreau(step=step) if engine == "time-stepping" else dt.DOPRI5(rtol=1e-6)
    r = dt.simulate(m, 1.25 * last, outputs=step, solver=solver)
    assert r.ok, r.reason
    force = r["wall.normal_force"]
    # short waves of these elements are faster than c and come back early; till then the force rings about its value
    during = (r.t > 0.1 * last) & (r.t < 0.6 * last)
    assert_near(np.mean(force[during]), c.reference["contact_force"], 1e-2 * c.reference["contact_force"])
    assert_near(r.t[np.flatnonzero(force > 0.0)[-1]], last, 2.0 / n * last)  # an element's travel each way
    impulse = np.sum(force) * step if engine == "time-stepping" else np.trapezoid(force, r.t) + r.impacts[0].impulse[0]
    mass = elastic.mass
    momentum = r.linear_momentum[-1, 0] + mass * c.p["v0"]
    # the trapezoidal rule meets the end of a falling force; impulses of time stepping are the momentum itself
    assert impulse == pytest.approx(momentum, rel=1e-3 if engine == "event-driven" else 1e-9)
    assert 0.0 < 1.0 - impulse / (2.0 * mass * c.p["v0"]) < 1.0 / n  # the end's share of mass loses its energy


def test_two_bars_exchange_their_velocities():
    """Equal bars, one at rest: after 2 L / c of contact the other flies on alone (Saint-Venant), at the exact step."""
    c, n = case("C13"), 40
    p = {**c.p, "v0": -10.0}
    m = bar(p, n, "first", at=-c.p["L"])
    bar({**p, "v0": 0.0}, n, "second", m)
    m.add_contact("ends", dt.RigidContact(), f"first {n}", "second 0", shapes=(WALL, dt.Shape.point()))
    step = c.p["L"] / n / c.reference["wave_speed"]
    with pytest.warns(dt.errors.SimulationWarning, match="balance of energy"):
        r = dt.simulate(m, 1.5 * c.reference["contact_time"], outputs=step, solver=dt.Moreau(step=step))
    share = np.r_[0.5, np.ones(n - 1), 0.5] / n  # single masses go on swinging in the shortest wave
    assert_near(r.v[-1].reshape(2, -1) @ share, [0.0, 10.0], 1e-9)
    during = (r.t > 2.5 * step) & (r.t < c.reference["contact_time"] - 0.5 * step)
    assert_near(r["ends.normal_force"][during], c.reference["contact_force"] / 2.0, 1e-4)
