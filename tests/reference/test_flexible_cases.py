"""Flexible bodies in modal coordinates with known answers."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near

import duoti as dt
from duoti.flexible.reduction.reduced import Interface, Reduced
from duoti.flexible.structure.moments import Moments


def connecting_rod(p: dict[str, float], as_printed: bool = True) -> dt.Flexible:
    """The rod of F01 by integrals over its shape functions.

    as_printed: pi to 8 digits, and the longitudinal mass without its factor 1/15, as in the source.
    """
    L, area = p["L2"], p["b"] * p["h"]
    PI = 3.1415927 if as_printed else np.pi
    m = p["rho"] * area * L
    gram = np.zeros((16, 16))

    def put(i, j, value):
        gram[i, j] = gram[j, i] = value

    x1, y1, y2, x3, x4 = 1, 5, 8, 10, 13  # x; lateral fields of q1, q2; longitudinal ones of q3, q4
    put(0, 0, p["M2"])
    put(0, x1, p["M2"] * L / 2)
    put(x1, x1, p["J2"])  # all of J2, with what the height adds: the motion is planar
    for field, first, with_x in ((x3, 2 / 3, 1 / 3), (x4, 1 / 6, 1 / 6), (y1, 2 / PI, 1 / PI), (y2, 0, -0.5 / PI)):
        put(0, field, m * first)
        put(x1, field, m * L * with_x)
    share = m * (1.0 if as_printed else 1.0 / 15.0)
    for i, j, value in ((x3, x3, 8), (x3, x4, 1), (x4, x4, 2)):
        put(i, j, share * value)
    for i, j, value in ((y1, y1, 1 / 2), (y2, y2, 1 / 2), (x3, y1, 16 / PI**3), (x4, y1, 1 / PI - 8 / PI**3)):
        put(i, j, m * value)
    put(x4, y2, -m * 0.5 / PI)
    K = np.zeros((4, 4))
    K[0, 0], K[1, 1] = PI**4 / 24 * (p["h"] / L) ** 2, 2 * PI**4 / 3 * (p["h"] / L) ** 2
    K[2:, 2:] = [[16 / 3, -8 / 3], [-8 / 3, 7 / 3]]
    move = np.zeros((3, 4))
    move[0, 3] = 1.0
    ends = {
        "pin": Interface(np.zeros(3), np.eye(3), np.zeros((3, 4)), np.zeros((3, 4))),
        "block": Interface([L, 0, 0], np.eye(3), move, np.zeros((3, 4))),
    }
    return dt.Flexible(Reduced(Moments(gram), p["E"] * area / L * K, np.zeros((4, 4)), ends))


def slider_crank(p, rod: dt.Flexible, x0=None, v0=None) -> dt.Model:
    m = dt.Model("slider-crank", gravity=(0, 0, 0))
    l1, l2 = p["L1"], p["L2"]
    m.add_body("crank", dt.Inertia(p["M1"], (0, 0, 0), (1, 1, p["J1"])), position=(0, 0, 0))
    x0, v0 = p["x0"] if x0 is None else x0, p["v0"] if v0 is None else v0
    m.add_body("rod", rod, position=(l1, 0, 0), q0=x0[3:], v0=v0[3:])
    m.add_body("block", dt.Inertia(p["M3"], (0, 0, 0), (1, 1, 1)), position=(l1 + l2, 0, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, "crank", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("z"), "crank", "rod", at=(l1, 0, 0), q0=x0[1], v0=v0[1] - v0[0])
    m.add_joint("C", dt.Revolute("z"), "rod", "block", at=(l1 + l2, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "block", at=(l1 + l2, 0, 0))
    m.add_constraint("drive", dt.JointMotion("A", f"{p['Omega']}*t"))
    return m


def test_f01_flexible_slider_crank():
    """The IVP test set's problem with its printed matrices: positions to the digits that its solution deserves.

    The initial values of the set obey its loop to 1e-9; assembly changes them by that, the motion is as sensitive.
    """
    f = case("F01")
    m = slider_crank(f.p, connecting_rod(f.p))
    r = dt.simulate(m, 0.1, outputs=[0.0, 0.025, 0.05, 0.1], solver=dt.DOP853(), rtol=1e-11, atol=1e-14)
    assert r.ok, r.reason
    eta, eta_rate = r["rod.modes"], r["rod.modal_rates"]
    for k, row in enumerate(f.reference["own"], start=1):
        wanted = np.array(row[1:])
        assert_near(r["A.angle"][k] + r["B.angle"][k], wanted[1], 1e-8)
        assert_near(r["D.position"][k] + f.p["L1"] + f.p["L2"], wanted[2], 1e-8)
        assert_near(eta[k], wanted[3:7], 1e-8)
        assert_near(eta_rate[k], wanted[10:14], 1e-4)
    published = np.array(f.reference["published_t0p1"])  # by MEBDFI at 1e-14
    assert_near(r["A.angle"][-1] + r["B.angle"][-1], published[1], 1e-9)
    assert_near(r["D.position"][-1] + f.p["L1"] + f.p["L2"], published[2], 1e-9)  # its x0 closes the loop to 4e-10
    assert_near(eta[-1], published[3:7], 1e-10)
    assert_near(eta_rate[-1], published[10:14], 1e-7)


def newtons_law(p, t, q, rates):
    """Accelerations of F01's consistent modes by Newton's law for points of the rod, in the four amplitudes alone.

    The crank's angle is Omega t, and the loop gives the rod's: sin phi = -L1 sin(Omega t) / l, l = L2 + q4.
    Points, with the shapes of the statement, have positions s(t, q); their masses give sum of m ds/dq . s'' = -K q.
    """
    L1, L2, W = p["L1"], p["L2"], p["Omega"]
    xi, weight = np.polynomial.legendre.leggauss(14)
    xi, mass = (xi + 1) / 2, p["M2"] * weight / 2
    U = np.array([0 * xi, 0 * xi, 4 * xi * (1 - xi), xi * (2 * xi - 1)])
    V = np.array([np.sin(np.pi * xi), np.sin(2 * np.pi * xi), 0 * xi, 0 * xi])
    a, l, l_dot = W * t, L2 + q[3], rates[3]
    sin = -L1 * np.sin(a) / l
    cos = np.sqrt(1 - sin**2)
    phi_q = np.array([0, 0, 0, -sin / (l * cos)])  # from l sin(phi) = -L1 sin(a)
    phi_dot = (-L1 * np.cos(a) * W - l_dot * sin) / (l * cos)
    bias = (L1 * np.sin(a) * W**2 - 2 * l_dot * cos * phi_dot + l * sin * phi_dot**2) / (l * cos)  # phi'' with q'' = 0
    x, y, x_dot, y_dot = L2 * xi + q @ U, q @ V, rates @ U, rates @ V
    along, across = np.array([cos, sin]), np.array([-sin, cos])
    s_q = (U - phi_q[:, None] * y)[:, :, None] * along + (V + phi_q[:, None] * x)[:, :, None] * across
    s_bias = np.outer(-x * phi_dot**2 - bias * y - 2 * phi_dot * y_dot, along)
    s_bias += np.outer(-y * phi_dot**2 + bias * x + 2 * phi_dot * x_dot, across) - L1 * W**2 * np.array(
        [np.cos(a), np.sin(a)]
    )
    M = np.einsum("n,jnx,knx->jk", mass, s_q, s_q)
    h = np.einsum("n,jnx,nx->j", mass, s_q, s_bias)
    turn = p["J2"] - p["M2"] * L2**2 / 3  # what the height of the rod adds
    block_q = np.array([0, 0, 0, cos]) - l * sin * phi_q
    block_bias = -L1 * W**2 * np.cos(a) - 2 * l_dot * sin * phi_dot - l * (sin * bias + cos * phi_dot**2)
    M += turn * np.outer(phi_q, phi_q) + p["M3"] * np.outer(block_q, block_q)
    h += turn * phi_q * bias + p["M3"] * block_q * block_bias
    slim = (p["h"] / L2) ** 2
    K = np.diag([np.pi**4 / 24 * slim, 2 * np.pi**4 / 3 * slim, 16 / 3, 7 / 3])
    K[2, 3] = K[3, 2] = -8 / 3
    return np.linalg.solve(M, -h - p["E"] * p["b"] * p["h"] / L2 * K @ q)


def test_f01_consistent_rod():
    """The physical variant, with the factor 1/15, from the undeformed start: against Newton's law for its points.

    Tolerance: round-off times the ratio of stiff forces that cancel (K q of 1e4 N) to what is left of them.
    """
    p = case("F01").p
    start = case("F01").reference["own_rigid_start_ini2"]
    system = dt.compile(slider_crank(p, connecting_rod(p, as_printed=False), start["x0"], start["v0"]))
    r = dt.simulate(system, 0.02, outputs=0.0025, solver=dt.DOP853(), rtol=1e-10, atol=1e-14)
    assert r.ok, r.reason
    modes, rates = r["rod.modes"], r["rod.modal_rates"]
    own = [dt.accelerations(system, r.q[k], r.v[k], t)[system.flexible["rod"].v] for k, t in enumerate(r.t)]
    wanted = [newtons_law(p, t, q, v) for t, q, v in zip(r.t, modes, rates, strict=True)]
    assert_near(own, wanted, 1e-9, relative=True)


def test_f01_rigid_start():
    """The printed matrices from the undeformed start: to the digits of the case's own solution."""
    f = case("F01")
    start = f.reference["own_rigid_start_ini2"]
    m = slider_crank(f.p, connecting_rod(f.p), start["x0"], start["v0"])
    r = dt.simulate(m, 0.05, outputs=[0.0, 0.025, 0.05], solver=dt.DOP853(), rtol=1e-11, atol=1e-14)
    for k, row in enumerate(start["values"][:2], start=1):
        assert_near(r["rod.modes"][k], row[4:8], 1e-8)
        assert_near(r["rod.modal_rates"][k], row[11:15], 1e-4)


def blade(gamma: float, stiffening: bool) -> np.ndarray:
    """Eigenvalues of a blade that turns steadily about z: EI = rho A = L = 1."""
    beam = dt.Beam.from_stiffness(
        EA=1e6, GAy=1e8, GAz=1e8, GJ=100.0, EIy=1.0, EIz=1.0, mass_per_length=1.0, rotary_inertia=(2e-8, 1e-8, 1e-8)
    )
    body = dt.Flexible.from_beam(
        beam, length=1.0, elements=30, modes=24, interfaces={"root": "start"}, stiffening=stiffening
    )
    m = dt.Model("blade", gravity=(0, 0, 0))
    m.add_body("blade", body)
    m.add_joint("hub", dt.Revolute("z"), m.ground, "blade", at=(0, 0, 0))
    m.add_constraint("drive", dt.JointMotion("hub", f"{gamma}*t"))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    return dt.linearise(m, e).eigenvalues


@pytest.mark.sample(2)
@pytest.mark.parametrize("gamma", [0, 2, 6, 12])
def test_f04_rotating_blade(gamma):
    """Flap and chord frequencies over speed, within the 0.1 % that the case allows 10 elements."""
    table = case("F04").table
    k = list(table["gamma"]).index(gamma)
    values = blade(float(gamma), True)
    assert values.real.max() < 1e-6
    got = np.unique(np.round(np.abs(values.imag), 9))
    for name in ("flap1", "flap2", "chord1", "chord2"):
        wanted = table[name][k]
        assert np.min(np.abs(got - wanted)) < 1e-3 * wanted, name


def test_f04_false_instability_without_stiffening():
    """Without geometric stiffness the chord frequency is lambda^2 - gamma^2: gone above 3.516, real roots grow."""
    case("F04")
    slow, fast = blade(3.0, False), blade(4.0, False)
    assert slow.real.max() < 1e-6
    assert_near(np.min(np.abs(slow.imag)[np.abs(slow.imag) > 0]), np.sqrt(3.51602**2 - 9.0), 0.02)
    assert_near(fast.real.max(), np.sqrt(16.0 - 3.51602**2), 0.02)


@pytest.fixture(scope="module")
def solid() -> dict[bool, dt.Flexible]:
    """A slender blade of quadratic tetrahedra, 8 modes, with and without stiffening; z is its thin direction."""
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.0, density=7850.0)
    mesh = dt.Mesh.box(size=(1.0, 0.03, 0.01), divisions=(40, 1, 1), centre=(0.5, 0, 0), kind="tet10")
    return {k: dt.Flexible.from_mesh(mesh, steel, {"root": "x-"}, modes=8, stiffening=k) for k in (True, False)}


UNIT = np.sqrt(2.1e11 * 0.01**2 / 12.0 / 7850.0)
"""sqrt(EI / (rho A L^4)) of the solid blade in bending along z [rad/s]."""


def turning(body: dt.Flexible, axis: str, gamma: float) -> np.ndarray:
    """Eigenvalues, in units of sqrt(EI / (rho A L^4)), of the solid blade that turns steadily about an axis."""
    m = dt.Model("blade", gravity=(0, 0, 0))
    m.add_body("blade", body)
    m.add_joint("hub", dt.Revolute(axis), m.ground, "blade", at=(0, 0, 0))
    m.add_constraint("drive", dt.JointMotion("hub", f"{gamma * UNIT}*t"))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    return dt.linearise(m, e).eigenvalues / UNIT


@pytest.mark.parametrize("gamma", [0, 2, 6, 12])
def test_f04_solid_blade(solid, gamma):
    """Tetrahedra against Euler and Bernoulli: flap about z, chord about y, whose frequencies are apart.

    Tolerance: at rest, quadratic elements of 4 x the thickness are 1e-4 too stiff in the second mode, and shear and
    rotary inertia soften it by (22 h/L)^2/24 = 2e-4; eight modes leave 5e-4 of the stiffened shapes at gamma = 12.
    Of the chord, stiffness and centrifugal force are compared apart, since at gamma = 12 they cancel but for a sixth.
    """
    table = case("F04").table
    k = list(table["gamma"]).index(gamma)
    for axis, name in (("z", "flap"), ("y", "chord")):
        values = turning(solid[True], axis, float(gamma))
        assert values.real.max() < 1e-6
        got = np.abs(values.imag)
        for mode in (1, 2):
            wanted = table[f"{name}{mode}"][k]
            found = got[np.argmin(np.abs(got - wanted))]
            away = (
                gamma if name == "chord" else 0.0
            )  # chord frequencies are differences: lambda_c^2 = stiff^2 - gamma^2
            assert_near(np.hypot(found, away) / np.hypot(wanted, away), 1.0, 1e-3)


def test_f04_solid_blade_without_stiffening(solid):
    """Linear modes alone: the chord frequency is lambda^2 - gamma^2, and above 3.516 the blade seems to run away.

    Tolerances: 1 % of what the one mode that counts gives; its coupling to others is left out of the formula.
    """
    first = case("F04").table["flap1"][0]
    slow, fast = (turning(solid[False], "y", gamma) for gamma in (3.0, 4.0))
    assert slow.real.max() < 1e-6
    assert_near(np.abs(slow.imag)[np.abs(slow.imag) > 0].min(), np.sqrt(first**2 - 9.0), 0.01 * 3.0)
    assert_near(fast.real.max(), np.sqrt(16.0 - first**2), 0.01 * 4.0)
    assert turning(solid[True], "y", 4.0).real.max() < 1e-6


def test_f02_spin_up_with_modes():
    """Tip deflections of up to 5.6 % of the length: what second order can give of the exact beam's motion.

    The case accepts 1e-3 m; modes of second order leave out terms of the order of (w/L)^2 = 3e-3 of w = 0.56 m.
    """
    f = case("F02")
    p, table = f.p, f.table
    beam = dt.Beam.from_stiffness(
        EA=p["EA"], GAy=p["GA"], GAz=p["GA"], GJ=p["EI"], EIy=p["EI"], EIz=p["EI"], mass_per_length=p["rhoA"],
        rotary_inertia=(2 * p["rhoI"], p["rhoI"], p["rhoI"]),
    )  # fmt: skip
    body = dt.Flexible.from_beam(beam, length=p["L"], elements=10, modes=12, interfaces={"root": "start", "tip": "end"})
    m = dt.Model("spin-up", gravity=(0, 0, 0))
    m.add_body("beam", body)
    m.add_marker("tip", "beam", interface="tip")
    m.add_joint("hub", dt.Revolute("z"), m.ground, "beam", at=(0, 0, 0))
    T, w = p["T"], p["w_s"]
    law = f"if(t < {T}, {w}/{T}*(t^2/2 + ({T}/(2*pi))^2*(cos(2*pi*t/{T}) - 1)), {w}*(t - {T}/2))"
    m.add_constraint("drive", dt.JointMotion("hub", law))
    r = dt.simulate(m, 20.0, outputs=2.5, solver=dt.Radau(), rtol=1e-6, atol=1e-8)
    assert r.ok, r.reason
    tip, angle = r["tip.position"], r["hub.angle"]
    across = -np.sin(angle) * tip[:, 0] + np.cos(angle) * tip[:, 1]
    along = np.cos(angle) * tip[:, 0] + np.sin(angle) * tip[:, 1] - p["L"]
    for k, t in enumerate(table["t"]):
        n = int(np.argmin(np.abs(r.t - t)))
        assert_near(across[n], table["w_tip"][k], 3e-3)
        assert_near(along[n], table["u_tip"][k], 3e-4)
