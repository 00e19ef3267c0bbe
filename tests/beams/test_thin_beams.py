"""Thin beams through points against closed forms."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ellipe, ellipk

import duoti as dt

ROOT = np.sqrt(2.0)


def hinged(n, EA, EI, mass):
    """A beam of length 1 from (0, 0, 0) to (1, 0, 0), hinged at both ends, n equal pieces, masses at the nodes."""
    m = dt.Model("hinged", gravity=(0, 0, 0))
    m.add_marker("end", m.ground, position=(1, 0, 0))
    for k in range(1, n):
        m.add_body(f"n{k}", dt.Inertia.point(mass / n), position=(k / n, 0, 0))
        m.add_joint(f"j{k}", dt.Translation(), m.ground, f"n{k}", at=(k / n, 0, 0))
    m.add_force("beam", dt.beams.ThinBeam(["ground", *(f"n{k}" for k in range(1, n)), "end"], EA, EI))
    return m


def test_frequencies_of_a_hinged_beam():
    """With x = k pi/n: bending EI/(m h⁴) (2 sin(x/2))⁴/(1 - 2/3 sin²(x/2)), the solution of the equation of three
    moments and of Newton's law by sines; stretch EA/(m h²) (2 sin(x/2))². To the round-off of the largest eigenvalue.
    """
    n, EA, EI, mass = 8, 30.0, 2.0, 0.7
    x = np.arange(1, n) * np.pi / n
    s = np.sin(0.5 * x)
    bending = np.sqrt(EI * n**4 / mass * 16.0 * s**4 / (1.0 - 2.0 / 3.0 * s**2))
    stretch = np.sqrt(EA * n**2 / mass) * 2.0 * s
    found = dt.linearise(hinged(n, EA, EI, mass)).frequencies * 2.0 * np.pi
    wanted = np.sort(np.concatenate([bending, bending, stretch]))
    # eigenvalues of a symmetric matrix: 1e-16 of the largest, times its size 21; their roots
    assert found == pytest.approx(wanted, rel=21e-16 * (wanted[-1] / wanted[0]) ** 2)


def test_spline_is_of_fourth_order():
    """(2 sin(x/2))⁴/(1 - 2/3 sin²(x/2)) = x⁴ (1 - x⁴/720 ...): the first frequency is right to x⁴/1440."""
    for n in (8, 16):
        first = dt.linearise(hinged(n, 1e4, 1.0, 1.0)).frequencies[0] * 2.0 * np.pi
        assert first / np.pi**2 - 1.0 == pytest.approx(-((np.pi / n) ** 4) / 1440.0, rel=2.0 * (np.pi / n) ** 2)


def bowed(n, k):
    """A hinged strip of length 1 and E I = 1, bowed between ends that are as far apart as the elastica of modulus k."""
    K, E = ellipk(k * k), ellipe(k * k)
    span = 2.0 * E / K - 1.0
    m = dt.Model("bow", gravity=(0, 0, 0))
    m.add_marker("end", m.ground, position=(0.6 * span, 0.8 * span, 0))
    c = m.add_cable("strip", m.ground, "end", 1e8, 1.0, length=1.0, elements=n, bending_stiffness=1.0, thin=True)
    return dt.equilibrium(m), c


def test_a_bowed_strip_is_the_elastica():
    """Ends turned by 2 arcsin k = 97 degrees (Love 1927, art. 262-263): height k/K, moment in the middle 4 k K, force
    (2 K)². Stretch changes all that by 4 K²/EA = 1e-7.

    Errors fall with the fourth power of the pieces' length, of which there are n - 2 + sqrt(2); the next power of two
    changes their ratio by about the square of the angle between pieces, phi = 4 k K/n. The height is right to the
    error phi⁴/720 of a spline through a sine.
    """
    k = 0.75
    K = ellipk(k * k)
    errors = []
    for n in (16, 32):
        e, c = bowed(n, k)
        assert e.ok, e.reason
        moments = np.linalg.norm(np.reshape(e["strip.line.bending_moment"], (-1, 3)), axis=1)
        middle = -e[f"{c.nodes[n // 2].name}.position"][2]
        errors.append([middle / (k / K) - 1.0, moments[n // 2] / (4.0 * k * K) - 1.0])
    phi = 4.0 * k * K / 16
    assert abs(errors[0][0]) < phi**4 / 720
    assert errors[0][1] / errors[1][1] == pytest.approx(((30 + ROOT) / (14 + ROOT)) ** 4, rel=phi**2)


def test_tension_of_a_hanging_wire():
    """The weight below: of the nodes, which stand for the lengths of `node_weights`."""
    m = dt.Model("wire", gravity=(0, 0, -10.0))
    m.add_cable("wire", m.ground, (0, 0, -2.0), 1e5, 0.5, elements=6, bending_stiffness=1e-3, thin=True)
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    masses = np.array([m.bodies[f"wire.{name}"].inertia.mass for name in ("node1", "node2", "node3", "node4", "node5")])
    masses = np.r_[masses, m.bodies["wire.end"].inertia.mass]
    wanted = 10.0 * np.cumsum(masses[::-1])[::-1]
    tension = e["wire.line.tension"]
    assert tension == pytest.approx(wanted, rel=1e-8)  # residual of the equilibrium
    along = e.along("wire", "axial_force")
    assert along.values[0, ::2] == pytest.approx(tension)
    assert along.s[[0, -1]] == pytest.approx([0.0, 2.0])
    with pytest.raises(dt.errors.ChannelError, match="axial_force and bending_moment"):
        e.along("wire", "torque")


def test_free_flight_keeps_momentum_and_energy():
    """Inner forces have no resultant and no moment: Verlet's method keeps both momenta to round-off. Energy oscillates
    with (omega h)²/8 of what each motion has (leapfrog's modified energy), at most a part 1/8 at omega h = 1.
    """
    m = dt.Model("whirl", gravity=(0, 0, 0))
    c = m.add_cable("line", (0, 0, 0), (1, 0, 0), 50.0, 1.0, elements=12, bending_stiffness=0.05, thin=True)
    rng = np.random.default_rng(3)
    for node in c.nodes:
        x = node.position[0]
        spin = np.array([np.sin(3.0 * x), 2.0 * x * x, np.cos(5.0 * x)]) + 0.01 * rng.normal(size=3)
        name = f"{node.name}.free"
        m.joints[name] = replace(m.joints[name], v0=spin)
    fastest = 2.0 * np.pi * dt.linearise(m).frequencies[-1]
    r = dt.simulate(m, 2.0, outputs="steps", solver=dt.Verlet(step=0.25 / fastest))
    assert r.ok, r.reason
    masses = np.array([node.inertia.mass for node in c.nodes])
    places = np.stack([r[f"{node.name}.position"] for node in c.nodes], axis=1)
    speeds = np.stack([r[f"{node.name}.velocity"] for node in c.nodes], axis=1)
    p = np.einsum("k,tki->ti", masses, speeds)
    L = np.einsum("k,tki->ti", masses, np.cross(places, speeds))
    steps = r.stats.steps
    assert np.abs(p - p[0]).max() < 1e-15 * steps * np.abs(masses[:, None] * speeds).sum(axis=1).max()
    assert np.abs(L - L[0]).max() < 1e-15 * steps * np.abs(masses[:, None] * speeds).sum(axis=1).max()
    energy = r["energy.total"]
    assert np.ptp(energy) < 0.25**2 / 8 * energy[0]
    kinds = places[:, 1:] - places[:, :-1]
    assert np.abs(kinds[-1, :, 1:]).max() > 0.02  # it has bent out of its line, in space


def test_clamped_by_two_nodes():
    """A cantilever whose clamp is a second node, 1e-6 of its length behind the first: deflection by a force at its end
    is P L³/(3 EI) to the part 1e-6 that the clamp yields by, and small deflections' (w/L)² = 1e-6.
    """
    n, P, EI = 5, 3e-3, 1.0
    m = dt.Model("cantilever", gravity=(0, 0, 0))
    m.add_marker("behind", m.ground, position=(-1e-6, 0, 0))
    for k in range(1, n + 1):
        m.add_body(f"n{k}", dt.Inertia.point(1.0), position=(k / n, 0, 0))
        m.add_joint(f"j{k}", dt.Translation(), m.ground, f"n{k}", at=(k / n, 0, 0))
    m.add_force("beam", dt.beams.ThinBeam(["behind", "ground", *(f"n{k}" for k in range(1, n + 1))], 1e4, EI))
    m.add_force("P", dt.AppliedForce(f"n{n}", (0, 0, P)))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    assert e[f"n{n}.position"][2] == pytest.approx(P / (3.0 * EI), rel=3e-6)


EA, EI, MASS, LENGTH, TURN = 1260.0, 8.5e-3, 10.0, 0.4, 5.0  # of a rubber beam; its angular velocity about -y


def thin_in_space(n, step):
    m = dt.Model("thin", gravity=(0, -9.81, 0))
    c = m.add_cable("c", m.ground, (LENGTH, 0, 0), EA, MASS, elements=n, bending_stiffness=EI, thin=True)
    for node in c.nodes[1:]:
        name = f"{node.name}.free"
        m.joints[name] = replace(m.joints[name], v0=(0, 0, TURN * node.position[0]))
    r = dt.simulate(m, 0.5, outputs=0.1, solver=dt.Verlet(step=step))
    assert r.ok, r.reason
    return r["c.end.position"]


def beam_in_space(n, step):
    m = dt.Model("beam", gravity=(0, -9.81, 0))
    rubber = dt.Beam.from_stiffness(
        EA=EA, GAy=10 * EA, GAz=10 * EA, GJ=EI, EIy=EI, EIz=EI, mass_per_length=MASS,
        rotary_inertia=(1.4e-7, 7e-8, 7e-8),
    )  # fmt: skip
    spin = (0, -TURN, 0)
    b = m.add_beam("b", rubber, start=(0, 0, 0), end=(LENGTH, 0, 0), elements=n, short_ends=True, angular_velocity=spin)
    m.add_joint("hinge", dt.Spherical(), m.ground, b.start, v0=spin)
    r = dt.simulate(m, 0.5, outputs=0.1, solver=dt.GeneralisedAlpha(step=step, rho=0.8))
    assert r.ok, r.reason
    return r["b.end.position"]


def test_in_space_it_moves_as_beam_elements_with_rotations_do():
    """A pendulum that swings out of its plane, on a ball joint: nothing twists it. Beam elements share no code with it.

    What half the steps and pieces change is at least three times the error left (methods of second order in time).
    """
    coarse, fine = ([run(n, step) for run in (thin_in_space, beam_in_space)] for n, step in ((12, 1e-3), (24, 5e-4)))
    left = sum(np.abs(a - b).max() for a, b in zip(coarse, fine, strict=True)) / 3.0
    assert left < 1e-3
    assert np.abs(fine[0] - fine[1]).max() < left
    assert np.ptp(fine[0], axis=0).min() > 0.1  # in all three directions


def test_faults_are_told():
    m = hinged(4, 1.0, 1.0, 1.0)
    m.forces["beam"] = dt.beams.ThinBeam(["n1", "n2"], -1.0, 0.0)
    text = str(dt.check(m))
    assert "stiffness is -1.0" in text
    assert "bending_stiffness is 0.0" in text
    assert "three nodes or more" in text
    m.forces["beam"] = dt.beams.ThinBeam(["n1", "n2", "n3"], 1.0, 1.0, lengths=[0.1])
    assert "each of its 2 pieces" in str(dt.check(m))
    m.forces["beam"] = dt.beams.ThinBeam(["n1", "n1", "n3"], 1.0, 1.0)
    with pytest.raises(ValueError, match="coincide"):
        dt.compile(m)
    with pytest.raises(ValueError, match="give a bending_stiffness"):
        m.add_cable("c", m.ground, (1, 1, 1), 1.0, 1.0, thin=True)
    with pytest.raises(ValueError, match="two elements or more"):
        m.add_cable("c", m.ground, (1, 1, 1), 1.0, 1.0, elements=1, bending_stiffness=1.0, thin=True)


def test_drawn_as_a_line():
    """The viewer gets a cable of as many pieces, their tensions, and the bending moments at both ends of each."""
    from duoti.view.scene.beams_and_cables import along_columns, along_numbers, slender_of
    from duoti.view.scene.pack import unpack

    m = dt.Model("wire", gravity=(0, 0, -10.0))
    m.add_cable(
        "wire", m.ground, (1, 0, 0), 100.0, 0.5, elements=6, bending_stiffness=0.1, thin=True, damping_time=1e-3
    )
    (drawn,) = slender_of(m)
    assert (drawn.name, drawn.kind, drawn.length) == ("wire", "cable", pytest.approx(1.0))
    assert along_columns(m) == 24
    r = dt.simulate(m, 0.1, outputs=0.05)
    assert r.ok, r.reason
    numbers = along_numbers(r)
    heads = [(head["name"], head["what"], head["size"]) for head in numbers["heads"]]
    assert heads == [("wire", "axial_force", 12), ("wire", "bending_moment", 12)]
    drawn_moments = unpack(numbers["block"])[:, 12:]
    moments = r.along("wire", "bending_moment").values
    assert moments.max() > 1e-3
    assert np.allclose(drawn_moments, moments, rtol=0, atol=moments.max() / 2**14)  # 15 bits of their range
