"""Bodies that slide along beams: moving loads against the series of the simply supported beam, energy, derivatives."""

import numpy as np
import pytest

import duoti as dt

E, SIDE, LENGTH, DENSITY = 2.1e11, 0.1, 10.0, 7850.0
I, MU = SIDE**4 / 12, DENSITY * SIDE**2


def bridge(elements, speed, force=0.0, mass=1e-2, stiffness=1e6, x=0.0, gravity=0.0, order=1):
    """A simply supported beam, and a load on a vertical guide that is driven along it."""
    m = dt.Model("bridge", gravity=(0, 0, 0))
    section, steel = dt.Section.rectangle(width=SIDE, height=SIDE), dt.Material(E, 0.3, DENSITY)
    beam = m.add_beam("b", dt.Beam(section, steel), start=(0, 0, 0), end=(LENGTH, 0, 0), elements=elements, order=order)
    m.add_joint("hinge", dt.Revolute("y"), m.ground, beam.start, at=(0, 0, 0))
    m.add_joint("roller", dt.Composite.of_axes("x", "y"), m.ground, beam.end, at=(LENGTH, 0, 0))
    m.add_body("load", dt.Inertia.point(mass), position=(x, 0, 0))
    way = dt.Composite(dt.Prismatic("x"), dt.Prismatic("z"))
    m.add_joint("drive", way, m.ground, "load", at=(x, 0, 0), v0=[speed, 0])
    m.add_constraint("speed", dt.JointMotion("drive", f"{speed}*t", coordinate=0))
    m.add_force("weight", dt.AppliedForce("load", (0, 0, force - gravity * mass)))
    damping = 2 * 0.3 * np.sqrt(stiffness * mass)
    m.add_force("slide", dt.Slider("load", beam.nodes, stiffness, damping))
    return m, beam


@pytest.mark.parametrize("speed", [5.0, 20.0, 60.0])
def test_moving_load(speed):
    """A force of 1 kN at constant speed: w = 2 P / (mu L) sum sin(n pi x / L) (sin(W t) - W / w_n sin(w_n t)) /
    (w_n^2 - W^2), W = n pi V / L (Fryba, Vibration of Solids and Structures under Moving Loads, chapter 1).

    The beam has 10 elements, whose second frequency is 1 % off, and a load of 10 g on a spring of 1e6 N/m.
    """
    P = -1000.0
    m, beam = bridge(10, speed, P)
    duration = 0.999 * LENGTH / speed
    r = dt.simulate(m, duration, outputs=duration / 200, rtol=1e-6)
    assert r.ok, r.reason
    expected = np.zeros(len(r.t))
    for n in range(1, 40):
        own, forced = (n * np.pi / LENGTH) ** 2 * np.sqrt(E * I / MU), n * np.pi * speed / LENGTH
        wave = np.sin(forced * r.t) - forced / own * np.sin(own * r.t)
        expected += 2 * P / (MU * LENGTH) * np.sin(n * np.pi / 2) / (own**2 - forced**2) * wave
    found = r[f"{beam.nodes[5].name}.position.z"]
    assert np.abs(found - expected).max() < 0.01 * np.abs(expected).max()
    np.testing.assert_allclose(r["slide.place"], speed * r.t, atol=2e-4)


@pytest.mark.parametrize("x", [0.3, 3.7, 5.0, 8.1])
@pytest.mark.parametrize("order", [1, 3])
def test_deflection_below_a_load_at_rest(x, order):
    """P x^2 (L - x)^2 / (3 E I L), wherever it stands between the nodes.

    The load goes to the nodes as virtual work divides it, so those are right but for the shear (a part of (h / L)^2);
    between them elements of order 1 are arcs, a part of 1/n^2 = 1 % off.
    """
    P = -100.0
    m, _ = bridge(10, 0.0, P, stiffness=1e9, x=x, order=order)
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    expected = P * x**2 * (LENGTH - x) ** 2 / (3 * E * I * LENGTH)
    assert e["load.position.z"] == pytest.approx(expected, rel=0.012)
    assert e["slide.force"][2] == pytest.approx(-P, rel=1e-9)


def test_a_mass_lowers_the_frequency():
    """A mass M in the middle: with the shape of the static deflection, w^2 = 48 E I / L^3 / (M + 17/35 mu L)."""
    mass = 800.0
    m, _ = bridge(16, 0.0, mass=mass, stiffness=1e9, x=LENGTH / 2)
    found = np.sort(dt.linearise(m).frequencies)[0]
    expected = np.sqrt(48 * E * I / LENGTH**3 / (mass + 17 / 35 * MU * LENGTH)) / (2 * np.pi)
    assert found == pytest.approx(expected, rel=3e-3)  # Rayleigh's quotient, an upper bound by a part of 1e-3


def free_beam(**law):
    """A beam that floats, and a bead of 2 kg that slides on it."""
    m = dt.Model("bead", gravity=(0, 0, 0))
    soft = dt.Beam.from_stiffness(EA=1e4, GAy=5e3, GAz=5e3, GJ=20.0, EIy=30.0, EIz=30.0, mass_per_length=1.0,
                                  rotary_inertia=(1e-3, 5e-4, 5e-4))  # fmt: skip
    beam = m.add_beam("b", soft, start=(0, 0, 0), end=(2, 0, 0), elements=6)
    m.add_body("bead", dt.Inertia.sphere(2.0, radius=0.05), position=(0.4, 0.003, 0.0))
    m.add_joint(
        "bead free", dt.Free(), m.ground, "bead", v0={"velocity": (0.8, 0.3, 0.5), "angular_velocity": (1.0, 2.0, 3.0)}
    )
    m.add_force("slide", dt.Slider("bead", beam.nodes, 5e3, **law))
    return m


def test_energy_and_momentum():
    """On a beam that floats: without friction energy is kept, and momentum and moment of momentum in any case."""
    m = free_beam()
    r = dt.simulate(m, 0.8, rtol=1e-8, outputs=0.1)
    assert r.ok, r.reason
    assert np.abs(r.energy.residual).max() < 1e-5 * np.abs(r.energy.kinetic).max()
    assert r["slide.place"][-1] > 0.8
    rough = dt.simulate(
        free_beam(damping=5.0, friction=0.3, resistance=0.5, slip_speed=0.05), 0.8, rtol=1e-8, outputs=0.1
    )
    assert np.abs(rough.energy.residual).max() < 1e-5 * np.abs(rough.energy.kinetic).max()
    for result in (r, rough):
        nq, nv = result.system.nq, result.system.nv
        first, last = (dt.momentum(result.model, y[:nq], y[nq : nq + nv]) for y in result.states[[0, -1]])
        np.testing.assert_allclose(last.linear, first.linear, atol=1e-6)
        np.testing.assert_allclose(last.angular, first.angular, atol=1e-6)


def test_derivatives():
    """Against differences of the forces, beside the curve and in motion; central differences of 1e-6 are right to 1e-8
    of the largest entry."""
    m = free_beam(damping=5.0, friction=0.3, resistance=0.5, slip_speed=0.05)
    system = dt.compile(m)
    rng = np.random.default_rng(2)
    q, v = system.initial_state()
    v = v + 0.3 * rng.normal(size=system.nv)
    zero = np.zeros(system.nv)
    from duoti.analyses.instant.derivatives import displace

    q = displace(system, q, 0.02 * rng.normal(size=system.nv))
    found = dt.analyses.inverse_dynamics_derivatives(system, q, v, zero)
    h = 1e-6
    for j in range(system.nv):
        step = np.zeros(system.nv)
        step[j] = h
        ahead, back = (dt.inverse_dynamics(system, displace(system, q, s * step), v, zero) for s in (1, -1))
        np.testing.assert_allclose(found.dq[:, j], (ahead - back) / (2 * h), atol=2e-7 * np.abs(found.dq).max())
        ahead, back = (dt.inverse_dynamics(system, q, v + s * step, zero) for s in (1, -1))
        np.testing.assert_allclose(found.dv[:, j], (ahead - back) / (2 * h), atol=2e-7 * np.abs(found.dv).max())


def test_it_runs_off_the_end():
    """Beyond the last marker nothing holds it: it goes on straight."""
    m = dt.Model("bead", gravity=(0, 0, -9.81))
    for k, x in enumerate((0.0, 1.0, 2.0)):
        m.add_marker(f"rail{k}", m.ground, position=(x, 0, 0))
    m.add_body("bead", dt.Inertia.point(1.0), position=(1.5, 0, 0))
    m.add_joint("free", dt.Translation(), m.ground, "bead", v0=(2.0, 0, 0))
    m.add_force("slide", dt.Slider("bead", ["rail0", "rail1", "rail2"], 1e5, damping=100.0))
    r = dt.simulate(m, 0.5, outputs=0.05, rtol=1e-8)
    assert r.ok, r.reason
    assert np.isnan(r["slide.place"][-1])
    assert r["bead.position.z"][4] == pytest.approx(-9.81 / 1e5, abs=2e-5)
    assert r["bead.position.z"][-1] == pytest.approx(-0.5 * 9.81 * 0.25**2, rel=2e-3)


@pytest.mark.parametrize(("along", "message"), [
    (["rail0"], "two or more"), (["rail1", "rail0"], "do not point along the curve"), (["rail0", "same"], "coincide"),
])  # fmt: skip
def test_faults(along, message):
    m = dt.Model("bead")
    for name, x in (("rail0", 0.0), ("rail1", 1.0), ("same", 0.0)):
        m.add_marker(name, m.ground, position=(x, 0, 0))
    m.add_body("bead", dt.Inertia.point(1.0), position=(0.5, 0, 0))
    m.add_joint("free", dt.Translation(), m.ground, "bead")
    m.add_force("slide", dt.Slider("bead", along, 1e5))
    with pytest.raises((ValueError, dt.ModelError), match=message):
        dt.compile(m)
