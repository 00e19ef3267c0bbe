"""Beams: what must hold whatever the numbers are, and what beams are known for."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.consistent import state_of

STEEL = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)


def numbers(EA, GA, GJ, EIy, EIz, mass=1.0, rotary=(1e-3, 1e-3, 1e-3)):
    return dt.Beam.from_stiffness(
        EA=EA, GAy=GA, GAz=GA, GJ=GJ, EIy=EIy, EIz=EIz, mass_per_length=mass, rotary_inertia=rotary
    )


def clamped(beam, L=1.0, elements=8, gravity=(0, 0, 0), **how):
    m = dt.Model("beam", gravity=gravity)
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(L, 0, 0), elements=elements, **how)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    return m, b


def balanced(m, **how):
    e = dt.equilibrium(m, **how)
    assert e.ok, e.reason
    return e


def test_a_rigid_turn_of_everything_changes_nothing():
    """The same deformed beam, drawn elsewhere and turned: section forces agree to round-off."""
    rng = np.random.default_rng(3)
    R, p = dt.Rotation.from_vector((0.7, -1.9, 0.8)).matrix, np.array([3.0, -2.0, 5.0])
    beam = numbers(1e3, 1e3, 10, 20, 30)
    one = dt.Model("here", gravity=(0, 0, 0))
    one.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=4)
    system = dt.compile(one)
    q, v = state_of(system)
    bent = dt.analyses.displace(system, q, 0.3 * rng.normal(size=system.nv))
    two = dt.Model("there", gravity=(0, 0, 0))
    two.add_beam("b", beam, start=p, end=p + R[:, 0], up=R[:, 2], elements=4)
    turned = dt.compile(two)
    moved = state_of(turned)[0].copy()
    for k in range(5):
        x, w = bent[7 * k : 7 * k + 3], dt.Rotation.from_quaternion(bent[7 * k + 3 : 7 * k + 7])
        moved[7 * k : 7 * k + 3] = R @ x
        moved[7 * k + 3 : 7 * k + 7] = (
            dt.Rotation.from_matrix(R) @ w @ dt.Rotation.from_matrix(R).inverse()
        ).quaternion
    f, g = dt.analyses.generalised_forces(system, bent, v), dt.analyses.generalised_forces(turned, moved, v)
    for k in range(5):  # forces in world axes, torques in axes parallel to the world's when drawn
        for part in (slice(6 * k, 6 * k + 3), slice(6 * k + 3, 6 * k + 6)):
            np.testing.assert_allclose(R @ f[part], g[part], atol=1e-12 * np.abs(f).max())


@pytest.mark.parametrize("slenderness", [1e2, 1e4])
def test_nothing_locks(slenderness):
    """A slender rod under a tip force that bends it far: the elastica for P L²/(E I) = 5, whatever the slenderness."""
    EI = 1.0
    EA = EI * slenderness**2  # radius of gyration L / slenderness
    m, b = clamped(numbers(EA, EA, 1, EI, EI))
    m.add_force("tip", dt.AppliedForce(b.end, (0, 5.0, 0)))
    tip = balanced(m)["b.end.position"]
    near = 2e-5 + 3 / slenderness**2 * 5  # 8 elements; stretch and shear by P/EA
    np.testing.assert_allclose(tip[:2], [1 - 0.38762836072443, 0.71379152361191], atol=near)


def test_second_order_in_the_mesh():
    """Bent and twisted far in space: the error falls by four, or faster, when elements are halved."""
    found = []
    for elements in (4, 8, 16, 64):
        m, b = clamped(numbers(1e5, 1e5, 0.8, 0.5, 1.0), elements=elements)
        m.add_force("tip", dt.AppliedForce(b.end, (0, 2.0, 1.0)))
        found.append(balanced(m)["b.end.position"])
    errors = [np.abs(x - found[-1]).max() for x in found[:-1]]
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(orders > 1.8)
    assert errors[1] < 1e-3


def test_second_order_in_the_step():
    def tip(step):
        m, _ = clamped(numbers(1e4, 1e4, 10, 10, 10, rotary=(0.01, 0.01, 0.01)), gravity=(0, 0, -9.81), elements=4)
        r = dt.simulate(m, 0.5, solver=dt.GeneralisedAlpha(step=step, rho=0.9), outputs=[0.0, 0.5])
        assert r.ok
        return r["b.end.position"][-1]

    fine = tip(1.25e-4)
    errors = [np.abs(tip(step) - fine).max() for step in (4e-3, 2e-3, 1e-3)]
    assert np.log2(errors[0] / errors[-1]) / 2 > 1.8  # over two halvings: fast waves make single ones uneven


def test_free_flight_keeps_energy_and_momentum():
    """A beam thrown with a spin: momentum, angular momentum and energy to the tolerance of the run."""
    m = dt.Model("baton", gravity=(0, 0, 0))
    beam = numbers(1e4, 1e4, 5, 5, 5, rotary=(0.01, 0.01, 0.01))
    m.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=6, velocity=(1, 0, 2), angular_velocity=(0, 3, 8))
    r = dt.simulate(m, 2.0, solver=dt.Radau(rtol=1e-8, atol=1e-10), outputs=0.1)
    assert r.ok
    total = r.energy.total
    assert np.ptp(total) < 1e-6 * total[0]
    masses = np.array([node.inertia.mass for node in m.beams["b"].nodes])
    inertias = [node.inertia.matrix for node in m.beams["b"].nodes]
    P = sum(mass * r[f"{n.name}.velocity"] for mass, n in zip(masses, m.beams["b"].nodes, strict=True))
    L = sum(
        mass * np.cross(r[f"{n.name}.position"], r[f"{n.name}.velocity"])
        + np.array([dt.Rotation.from_quaternion(q).matrix @ I @ dt.Rotation.from_quaternion(q).matrix.T @ w
                    for q, w in zip(r[f"{n.name}.rotation"], r[f"{n.name}.angular_velocity"], strict=True)])
        for mass, I, n in zip(masses, inertias, m.beams["b"].nodes, strict=True)
    )  # fmt: skip
    assert np.abs(P - P[0]).max() < 1e-6 * np.abs(P).max()
    assert np.abs(L - L[0]).max() < 1e-6 * np.abs(L).max()


def test_lateral_buckling_of_a_strip():
    """Prandtl 1899: a strip clamped upright tips over sideways at P = 4.013 sqrt(EI GJ) / L² at its end."""
    EI_weak, GJ = 1.0, 1.0
    beam = numbers(1e7, 1e7, GJ, 1e4, EI_weak)  # EIy, in the plane of the load, is large
    critical = 4.0126 * np.sqrt(EI_weak * GJ)

    def stable(P):
        m, b = clamped(beam, elements=16)
        m.add_force("tip", dt.AppliedForce(b.end, (0, 0, -P)))
        return balanced(m).stable

    assert stable(0.99 * critical)
    assert not stable(1.02 * critical)


def test_helical_spring_from_its_helix():
    """k = G d⁴/(8 D³ n), to the per cent that curvature and pitch change it by."""
    d, D, turns, pitch = 0.004, 0.04, 3, 0.012
    m = dt.Model("spring", gravity=(0, 0, 0))
    angle = 2 * np.pi * turns
    line = (f"{D / 2}*cos({angle}*s)", f"{D / 2}*sin({angle}*s)", f"{pitch * turns}*s")
    s = m.add_beam("s", dt.Beam(dt.Section.circle(radius=d / 2), STEEL), centreline=line, elements=48)
    m.add_joint("foot", dt.Fixed(), m.ground, s.start)
    m.add_joint("head", dt.Prismatic("z"), m.ground, s.end)
    m.add_force("F", dt.AppliedForce(s.end, (0, 0, 1.0)))
    k = 1.0 / (balanced(m)["s.end.position"][2] - pitch * turns)
    assert k == pytest.approx(STEEL.shear_modulus * d**4 / (8 * D**3 * turns), rel=0.02)


def test_a_chain_released_at_one_end_falls_faster_than_free():
    """Both ends at one height, one let go: the tip is ahead of free fall (Calkin & March 1989)."""
    m = dt.Model("chain")
    rope = numbers(2e4, 2e4, 1e-4, 1e-4, 1e-4, rotary=(1e-5, 1e-5, 1e-5))
    a, L = 0.15, 1.0
    depth = (L - np.pi * a / 2) / 2
    s = np.linspace(0, 1, 41) * L
    x = np.where(s < depth, 0, np.where(s > L - depth, a, a / 2 - a / 2 * np.cos((s - depth) / (a / 2))))
    z = np.where(s < depth, -s, np.where(s > L - depth, -(L - s), -depth - a / 2 * np.sin((s - depth) / (a / 2))))
    m.add_beam("c", rope, centreline=np.column_stack([x, 0 * x, z]), elements=40)
    m.add_joint("hook", dt.Spherical(), m.ground, "c.start")
    r = dt.simulate(m, 0.35, solver=dt.GeneralisedAlpha(step=5e-4, rho=0.6), outputs=0.05)
    assert r.ok, r.reason
    drop, free = -r["c.end.position"][:, 2], 0.5 * 9.81 * r.t**2
    assert drop[-1] > free[-1] + 0.01


def test_an_arch_snaps_through():
    """A shallow clamped arch under a load in its middle: up to a limit, unstable in between, and on upside down."""
    m = dt.Model("arch", gravity=(0, 0, 0), parameters={"P": 0.0})
    arch = numbers(1e4, 1e4, 1, 1, 1)
    b = m.add_beam("b", arch, centreline=("s", "0", "0.05*(1 - cos(2*pi*s))"), elements=12)
    m.add_joint("left", dt.Fixed(), m.ground, b.start)
    m.add_joint("right", dt.Fixed(), m.ground, b.end)
    m.add_force("push", dt.AppliedForce(b.nodes[6], (0, 0, "-P")))
    path = dt.equilibrium_path(m, "P", 120.0, step=0.05)
    assert path.ok, path.reason
    height = path.result["b.node6.position"][:, 2]
    first, second = path.turning_points
    assert height[0] == pytest.approx(0.1)
    assert height[-1] < -0.1
    assert path.values[first] > path.values[second]


def test_a_mooring_line_is_a_catenary():
    """Sag of a(cosh(H/2a) - 1) for the length 2 a sinh(H/2a); stretch, bending and 32 elements: some 1e-3."""
    from scipy.optimize import brentq

    m = dt.Model("line")
    s = np.linspace(0, 1, 33)
    points = np.column_stack([s, 0 * s, -1.2 * s * (1 - s)])
    b = m.add_beam("c", numbers(1e5, 1e5, 1e-4, 1e-4, 1e-4, rotary=(1e-6, 1e-6, 1e-6)), centreline=points)
    m.add_joint("left", dt.Spherical(), m.ground, b.start)
    m.add_joint("right", dt.Spherical(), m.ground, b.end)
    a = brentq(lambda a: 2 * a * np.sinh(0.5 / a) - b.length, 0.05, 10)
    sag = -balanced(m)["c.node16.position"][2]
    assert sag == pytest.approx(a * (np.cosh(0.5 / a) - 1), rel=3e-3)
