"""Closed loops with known motion, each built from the public interface as a user would build it.

The numbers are in `data/`, with their source and the tolerance that they deserve. Runs at tight tolerances have a
global error of 1e-11 ... 1e-9 here; what is asserted is the case's own tolerance, or, where the reference is exact to
more digits than the case asks for, the error of the reference (said at each place).
"""

from __future__ import annotations

import numpy as np
import pytest
from cases import Case, case
from near import assert_near

import duoti as dt

TIGHT = dt.DOP853(rtol=1e-11, atol=1e-12)


def run(model, times, solver=TIGHT, between=0, **options) -> tuple[dt.Result, np.ndarray]:
    """Simulate up to the last of the times; the result, and the rows of it that are at these times.

    between: further outputs in each interval, without which the turns of a cut joint cannot be counted.
    """
    times = np.asarray(times, dtype=float)
    grid = np.unique(np.concatenate([times, np.linspace(0.0, times[-1], between)])) if between else times
    r = dt.simulate(model, duration=float(times[-1]), outputs=grid, solver=solver, **options)
    assert r.ok
    assert r.reason == "end time reached"
    return r, np.searchsorted(r.t, times)


def planar(x, y):
    return np.column_stack([x, y, np.zeros_like(x)])


# ----------------------------------------------------------------------- L01: windows of parallelograms, singular


def n_four_bar(n: int, length=1.0, mass=1.0, g=9.81, speed=1.0) -> dt.Model:
    """Bars stand on ground at x = 0, 1, ..., joined at their tips by horizontal bars; the first one is pushed."""
    m = dt.Model(f"{n}-four-bar", gravity=(0, -g, 0))
    for k in range(n + 1):
        bar = m.add_body(f"bar{k}", dt.Inertia.rod(mass, length, axis="y"), position=(k * length, length / 2, 0))
        v0 = -speed / length if k == 0 else None
        m.add_joint(f"A{k}", dt.Revolute("z"), m.ground, bar, at=(k * length, 0, 0), v0=v0)
    for k in range(n):
        top = m.add_body(f"top{k}", dt.Inertia.rod(mass, length, axis="x"), position=(length * (k + 0.5), length, 0))
        m.add_joint(f"B{k}", dt.Revolute("z"), f"bar{k}", top, at=(k * length, length, 0))
        m.add_joint(f"C{k}", dt.Revolute("z"), top, f"bar{k + 1}", at=((k + 1) * length, length, 0))
    m.add_marker("B0", "bar0", position=(0, length / 2, 0))
    m.add_marker("com0", "bar0")
    return m


def double_four_bar(c: Case) -> dt.Model:
    return n_four_bar(c.p["N"], c.p["l"], c.p["m"], c.p["g"], c.p["vB0"][0])


def test_L01_double_four_bar():
    """Passes the position in which all bars lie flat (mobility 3 instead of 1) ten times on the same branch."""
    c = case("L01")
    table = c.table
    r, at = run(double_four_bar(c), table["t"], between=501)
    # "accept 1e-5 at 10 s"; the reference is exact to 1e-12
    assert_near(r["B0.position"][at], planar(table["B0x"], table["B0y"]), 1e-5)
    assert_near(r["B0.velocity"][at], planar(table["vB0x"], table["vB0y"]), 1e-5 * 7)  # of speeds up to 7 m/s
    assert_near(np.pi / 2 + r["A0.angle"][at], table["theta"], 1e-5)
    assert_near(r["A2.angle"], r["A0.angle"], 1e-5)  # still parallelograms
    assert_near(r.energy.total, 35.835, 1e-3)  # the bar of the IFToMM library, over all outputs


# -------------------------------------------------------------------------------------- L02: squeezing mechanism


def squeezer(c: Case) -> dt.Model:
    """Andrews' mechanism in the position in which it starts; hinges at the ten points, seven of them in a tree."""
    p = c.p
    beta, theta, gamma, phi, delta, omega, epsilon = p["q0"]

    def e(a):
        return np.array([np.cos(a), np.sin(a), 0.0])

    def n(a):
        return np.array([np.sin(a), -np.cos(a), 0.0])

    O, A, B, C = (np.array([*xy, 0.0]) for xy in ((0, 0), (p["xa"], p["ya"]), (p["xb"], p["yb"]), (p["xc"], p["yc"])))
    P = p["rr"] * e(beta)
    F = P - p["d"] * e(beta + theta)
    D = B + p["sd"] * e(gamma) + p["sc"] * n(gamma)
    H = A + p["zt"] * e(delta)
    K = A + p["u"] * n(epsilon)
    m = dt.Model("Andrews' squeezer", gravity=(0, 0, 0))
    centres = {
        1: p["ra"] * e(beta),
        2: P - p["da"] * e(beta + theta),
        3: B + p["sb"] * e(gamma) + p["sa"] * n(gamma),
        4: H + (p["e"] - p["ea"]) * n(phi + delta),
        5: A + p["ta"] * e(delta) + p["tb"] * e(delta + np.pi / 2),
        6: K + (p["zf"] - p["fa"]) * e(omega + epsilon),
        7: A - p["ub"] * e(epsilon) + p["ua"] * n(epsilon),
    }
    for i, at in centres.items():  # only the moment about z matters in the plane
        m.add_body(f"K{i}", dt.Inertia(p[f"m{i}"], matrix=np.eye(3) * p[f"i{i}"]), position=at)
    hinge = dt.Revolute("z")
    for name, parent, child, at in (
        ("beta", "ground", "K1", O), ("Theta", "K1", "K2", P), ("gamma", "ground", "K3", B), ("Phi", "K5", "K4", H),
        ("delta", "ground", "K5", A), ("Omega", "K7", "K6", K), ("epsilon", "ground", "K7", A),
        ("F3", "K2", "K3", F), ("F4", "K2", "K4", F), ("F6", "K2", "K6", F),
    ):  # fmt: skip
        m.add_joint(name, hinge, parent, child, at=at)
    m.add_marker("C", m.ground, position=C)
    m.add_marker("D", "K3", position=D - centres[3])
    m.add_force("spring", dt.SpringDamper("C", "D", stiffness=p["c0"], rest_length=p["l0"]))
    m.add_force("drive", dt.JointTorque("beta", p["mom"]))
    return m


@pytest.fixture(scope="module")
def squeezed():
    c = case("L02")
    table = c.reference["own_trajectory"]
    values = np.array(table["values"])
    r, at = run(squeezer(c), values[:, 0], dt.DOP853(rtol=1e-12, atol=1e-12), between=301)
    return c, values, r, at


def test_L02_squeezer_motion(squeezed):
    c, values, r, at = squeezed
    q = np.column_stack([r[f"{name}.angle"] + q0 for name, q0 in zip(c.p["q0_order"], c.p["q0"], strict=True)])
    v = np.column_stack([r[f"{name}.rate"] for name in c.p["q0_order"]])
    published = c.reference["published_t_0p03"]
    assert_near(q[-1], published["q"], 1e-6)  # "accept 1e-6 on q at t = 0.03"
    # 2.8e-8 relative is the difference between published and own values, at rates of up to 1424 rad/s
    assert_near(v[-1], published["qdot"], 1e-7 * 1424)
    assert_near(q[at], values[:, 1:8], 1e-6)
    assert_near(v[at], values[:, 8:], 1e-7 * 1424)
    assert_near(r.energy.residual, 0, 1e-9)  # J, of 0.5 J that are supplied; tolerance 1e-12 over 300 steps


def test_L02_squeezer_accelerations(squeezed):
    c, _, r, _ = squeezed
    start = c.p["initial_accelerations"]
    names = [name for name in c.p["q0_order"] if r.system.joints[name].closure < 0]
    assert {"beta", "Theta"} <= set(names)
    for name in names:  # relative to the largest acceleration: round-off times the condition of the closures, 1e4
        assert_near(r[f"{name}.a"][0], start.get(name, start["others"]), 1e-9 * start["beta"])
    wanted = dict(zip(c.p["q0_order"], c.reference["published_t_0p03"]["qddot"], strict=True))
    for name in names:  # 1e-7 of the state (see above), times the stiffness of the spring: 1e-6 of the largest
        assert_near(r[f"{name}.a"][-1], wanted[name], 1e-6 * 566749)


def test_L02_squeezer_multipliers_are_the_forces_in_the_common_hinge(squeezed):
    """Published: multipliers of K3, K4, K6 meeting K2 in F; here three redundant hinges, each unique in the plane."""
    c, _, r, _ = squeezed
    wanted = np.array(c.reference["published_t_0p03"]["lambda_"]).reshape(3, 2)
    got = np.array([r[f"{name}.reaction_force"][-1, :2] for name in ("F3", "F4", "F6")])
    assert_near(got, wanted, 1e-6 * 200)  # relative to the largest, as for the accelerations


# ------------------------------------------------------------------------------------- L03: Bricard, overconstrained

BRICARD = (
    ((0, 0, 0), "y"), ((1, 0, 0), "z"), ((1, -1, 0), "x"), ((1, -1, 1), "y"), ((0, -1, 1), "z"), ((0, 0, 1), "x"),
)  # fmt: skip


def bricard(c: Case) -> dt.Model:
    m = dt.Model("Bricard", gravity=c.p["g"])
    points = [c.p["L"] * np.array(point, dtype=float) for point, _ in BRICARD]
    bodies = ["ground"]
    for k, mass in enumerate(c.p["masses"]):
        along = np.abs(points[k + 1] - points[k])
        size = along + c.p["side"] * (along == 0)
        rod = m.add_body(f"rod{k + 1}", dt.Inertia.box(mass, size=size), position=(points[k] + points[k + 1]) / 2)
        bodies.append(rod.name)
    for k, (point, (_, axis)) in enumerate(zip(points, BRICARD, strict=True)):
        m.add_joint(f"J{k}", dt.Revolute(axis), bodies[k], bodies[(k + 1) % 6], at=point)
    m.add_marker("P3", "rod3", position=(points[3] - points[2]) / 2)
    return m


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_L03_bricard(coordinates):
    c = case("L03")
    table = c.table
    r, _ = run(bricard(c), table["t"], coordinates=coordinates)
    # the reference's own convergence is 2.8e-13 and its energy error 1e-12; at 1 rad/s and 10 s that leaves 1e-9
    assert_near(r["P3.position"], np.column_stack([table[f"P3{x}"] for x in "xyz"]), 1e-8)
    assert_near(r["P3.velocity"], np.column_stack([table[f"v{x}"] for x in "xyz"]), 1e-8)
    assert_near(r.energy.residual, 0, 1e-8)


def test_L03_bricard_is_redundant_by_one():
    c = case("L03")
    report = dt.check(bricard(c))
    (finding,) = [f for f in report if f.code == "redundant"]
    assert "1 redundant closure equation:" in finding.what
    (summary,) = [f for f in report if f.code == "topology"]
    assert summary.what.endswith("0 degrees of freedom by Grübler's count, 1 in truth")
    absolute = dt.compile(bricard(c), coordinates="absolute")
    assert absolute.closures.rows == c.reference["constraints"]["rows"]


# ------------------------------------------------------------------------------------------ L05: spatial slider-crank


def spatial_slider_crank(c: Case) -> dt.Model:
    p = c.p
    A = np.array([0.0, p["yA"], p["zA"]])
    B = A + np.array([0, 0, p["lAB"]])
    C = np.array([np.sqrt(p["lBC"] ** 2 - B[1] ** 2 - B[2] ** 2), 0, 0])
    x = (C - B) / p["lBC"]
    y = np.cross([1.0, 0, 0], x)
    y /= np.linalg.norm(y)
    m = dt.Model("spatial slider-crank", gravity=(0, 0, -p["g"]))
    crank = m.add_body("crank", dt.Inertia(p["m"][0], matrix=np.diag(p["iAB"])), position=A)
    rod = m.add_body(
        "rod", dt.Inertia(p["m"][1], matrix=np.diag(p["iBC"])), position=(B + C) / 2,
        rotation=np.column_stack([x, y, np.cross(x, y)]),
    )  # fmt: skip
    slider = m.add_body("slider", dt.Inertia(p["m"][2], matrix=np.diag(p["iSlider"])), position=C)
    m.add_joint("A", dt.Revolute("x"), m.ground, crank, at=A, v0=p["omega0"])
    m.add_joint("B", dt.Spherical(), crank, rod, at=B)
    m.add_joint("C", dt.Universal("x", y), slider, rod, at=C)
    m.add_joint("D", dt.Prismatic("x"), m.ground, slider, at=C)
    return m


@pytest.mark.parametrize("cut", ["B", "C", "D", "absolute"])
def test_L05_spatial_slider_crank(cut):
    c = case("L05")
    table = c.table
    m = spatial_slider_crank(c)
    system = dt.compile(m, coordinates="absolute") if cut == "absolute" else dt.compile(m, force_cut=[cut])
    r, at = run(system, table["t"], between=501)
    assert_near(r["rod.angular_velocity"][0], c.reference["initial_rod_angular_velocity"], 1e-12)  # exact, by hand
    assert_near(r["D.velocity"][0], c.reference["initial_slider_v"], 1e-12)
    turned = (r["A.angle"][at] - table["theta"] + np.pi) % (2 * np.pi) - np.pi  # the table is modulo 2 pi
    assert_near(turned, 0, 1e-6)  # "accept 1e-6"
    assert_near(r["A.rate"][at], table["theta_dot"], 1e-6)
    assert_near(r["slider.position"][at, 0], table["slider_x"], 1e-6)
    assert_near(r["D.velocity"][at], table["slider_v"], 1e-6)
    assert_near(r.energy.residual, 0, 1e-9)  # "energy drift 1e-11" of the reference; 500 steps at 1e-11


# --------------------------------------------------------------------------- slider-cranks in the plane: X05, L08


def slider_crank(l1, l2, m1, m2, m3, theta0=0.0, gravity=0.0, rate=None, slider_velocity=None) -> dt.Model:
    """Crank and rod in the x-y plane, drawn where they start; the slider on the x axis."""
    tip = l1 * np.array([np.cos(theta0), np.sin(theta0), 0])
    end = np.array([tip[0] + np.sqrt(l2**2 - tip[1] ** 2), 0, 0])
    m = dt.Model("slider-crank", gravity=(0, -gravity, 0))
    crank = m.add_body("crank", dt.Inertia.rod(m1, l1, axis=tip), position=tip / 2)
    rod = m.add_body("rod", dt.Inertia.rod(m2, l2, axis=end - tip), position=(tip + end) / 2)
    slider = m.add_body("slider", dt.Inertia.box(m3, size=(0.01, 0.01, 0.01)), position=end)
    m.add_joint("A", dt.Revolute("z"), m.ground, crank, at=(0, 0, 0), v0=rate)
    m.add_joint("B", dt.Revolute("z"), crank, rod, at=tip)
    m.add_joint("C", dt.Revolute("z"), rod, slider, at=end)
    m.add_joint("D", dt.Prismatic("x"), m.ground, slider, at=end, v0=slider_velocity)
    return m


@pytest.mark.parametrize("name", ["X05", "X05v"])
def test_X05_slider_crank_driven_by_torque(name):
    c = case(name)
    p, table = c.p, c.table
    m = slider_crank(p["L1"], p["L2"], p["m1"], p["m2"], p["m3"], rate=p.get("omega0"))
    m.add_force("drive", dt.JointTorque("A", p["M"]))
    r, at = run(m, table["t"], between=201)
    for channel, column in (("A.angle", "theta"), ("A.rate", "omega"), ("D.velocity", "v")):
        assert_near(r[channel][at], table[column], 1e-9 * max(1, np.max(np.abs(table[column]))))  # "1e-9"
    assert_near(r["slider.position"][at, 0], table["x"], 1e-9)
    # the table's own check: what the torque has done is the kinetic energy
    assert_near(r.energy.kinetic - r.energy.kinetic[0], p["M"] * r["A.angle"], 1e-9)  # J, of up to 3.3; "1e-9"


def test_X05_nearer_to_the_exact_value_than_the_peer():
    c = case("X05")
    p = c.p
    m = slider_crank(p["L1"], p["L2"], p["m1"], p["m2"], p["m3"])
    m.add_force("drive", dt.JointTorque("A", p["M"]))
    r = dt.simulate(m, duration=0.3)  # default solver and tolerances
    exact = c.table["x"][list(c.table["t"]).index(0.3)]
    assert abs(r["slider.position"][-1, 0] - exact) < 1e-6  # the promise of the default tolerances, 1e-6


def test_L08_through_the_singular_position():
    """The slider passes the hinge, where the loop may also turn as a whole: same branch, no loss of energy."""
    c = case("L08")
    p, table = c.p, c.table
    m = slider_crank(p["L"], p["L"], p["m"], p["m"], p["m3"], p["theta0"], gravity=9.81, slider_velocity=p["v_slider0"])
    r, at = run(m, table["t"], between=401)
    assert_near(r["A.rate"][0], c.reference["omega0"], 1e-12)  # v / (2 L sin theta), by hand
    assert_near(p["theta0"] + r["A.angle"][at], table["theta"], 1e-5)  # "accept 1e-5 and energy 1e-3"
    assert_near(r["A.rate"][at], table["omega"], 1e-5)
    assert_near(r["slider.position"][at, 0], table["x"], 1e-5)
    assert_near(r["D.velocity"][at], table["v"], 1e-5)
    assert_near(r.energy.residual, 0, 1e-3)


@pytest.mark.parametrize(
    "solver", [dt.DOPRI5(rtol=1e-9, atol=1e-11), dt.DOP853(rtol=1e-9, atol=1e-11), dt.RK4(step=1e-3)], ids=repr
)
def test_L08_with_other_solvers(solver):
    """Whatever steps fall near the singular position: the same branch, to the case's own tolerance."""
    c = case("L08")
    p, table = c.p, c.table
    m = slider_crank(p["L"], p["L"], p["m"], p["m"], p["m3"], p["theta0"], gravity=9.81, slider_velocity=p["v_slider0"])
    r, at = run(m, table["t"], solver, between=401)
    assert_near(p["theta0"] + r["A.angle"][at], table["theta"], 1e-5)  # "accept 1e-5 and energy 1e-3"
    assert_near(r["slider.position"][at, 0], table["x"], 1e-5)
    assert_near(r.energy.residual, 0, 1e-3)


# ------------------------------------------------------------------------------------------- L09: door on two hinges


def door(c: Case, **initial) -> dt.Model:
    p, g = c.p, 9.81
    m = dt.Model("door", gravity=(g * np.sin(p["tilt_rad"]), 0, -g * np.cos(p["tilt_rad"])))
    plate = np.diag([p["H"] ** 2, p["H"] ** 2 + p["W"] ** 2, p["W"] ** 2]) * p["m"] / 12
    leaf = m.add_body("leaf", dt.Inertia(p["m"], matrix=plate), position=(p["W"] / 2, 0, p["H"] / 2))
    m.add_joint("lower", dt.Revolute("z"), m.ground, leaf, at=(0, 0, 0.3), **initial)
    m.add_joint("upper", dt.Revolute("z"), m.ground, leaf, at=(0, 0, 1.7))
    return m


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_L09_door_on_two_hinges(coordinates):
    c = case("L09")
    table = c.table
    r, _ = run(door(c, q0=c.p["theta0"]), table["t"], coordinates=coordinates)
    for hinge in ("lower", "upper"):
        assert_near(r[f"{hinge}.angle"], table["theta"], 1e-9)  # reference to 1e-11; 4 s at tolerance 1e-11
        assert_near(r[f"{hinge}.rate"], table["omega"], 1e-9)
    force, moment = np.zeros((len(r), 3)), np.zeros((len(r), 3))
    for hinge, height in (("lower", 0.3), ("upper", 1.7)):
        force += r[f"{hinge}.reaction_force"]
        moment += r[f"{hinge}.reaction_torque"] + np.cross([0, 0, height], r[f"{hinge}.reaction_force"])
    # forces of 200 N, moments of 160 N m: 1e-9 of the state makes 1e-7 in them
    assert_near(force, np.column_stack([table[f"F{i}"] for i in "123"]), 1e-7)
    assert_near(moment, np.column_stack([table[f"M{i}"] for i in "123"]), 1e-7)


# ---------------------------------------------------------------------------------------- X13: what a peer achieves


def test_X13_four_bar_and_bricard_against_a_peer():
    """At its defaults duoti is nearer to the exact values than the peer with its step of 0.01 s or 1 ms."""
    four_bar, closed = double_four_bar(case("L01")), bricard(case("L03"))
    table, reference = case("L03").table, case("X13").reference
    r = dt.simulate(four_bar, duration=4.0)
    exact = np.array(reference["four_bar_t4_com_exact"])
    peer = np.linalg.norm(np.array(reference["four_bar_exudyn_h0p01"]) - exact)
    assert_near(np.linalg.norm(r["com0.position"][-1, :2] - exact), 0.0, peer)
    assert np.max(np.abs(r.energy.residual)) < reference["four_bar_exudyn_max_energy_error_h0p01"]
    r = dt.simulate(four_bar, duration=10.0)
    exact = np.array(reference["four_bar_t10_B0_exudyn"]["exact"])
    peer = np.linalg.norm(np.array(reference["four_bar_t10_B0_exudyn"]["h1e_3"]) - exact)
    assert_near(np.linalg.norm(r["B0.position"][-1, :2] - exact), 0.0, peer)
    exact = np.array([table[f"P3{x}"][list(table["t"]).index(1.0)] for x in "xyz"])
    peers = reference["bricard_P3_t1_exudyn"]
    assert np.linalg.norm(np.array(peers["h6p25e_5"]) - exact) < 1e-7  # the peer converges to the same
    r = dt.simulate(closed, duration=1.0)
    assert_near(np.linalg.norm(r["P3.position"][-1] - exact), 0.0, np.linalg.norm(np.array(peers["h1e_3"]) - exact))
