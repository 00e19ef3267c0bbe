"""Rigid trees with known motion, each built from the public interface as a user would build it.

The numbers are in `data/`. A run at tight tolerances has a global error of 1e-12 ... 1e-10 here (its own, times the
growth of small differences), so that where a case asks for 1e-9 or more, what is asserted is the case's own tolerance.
"""

from __future__ import annotations

import numpy as np
import pytest
from cases import Case, case
from near import assert_near

import duoti as dt

TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)


def run(model: dt.Model, times, solver=TIGHT) -> dt.Result:
    """Simulate up to the last of the times, with outputs at these."""
    r = dt.simulate(model, duration=float(np.max(times)), outputs=times, solver=solver)
    assert r.ok
    assert r.reason == "end time reached"
    np.testing.assert_array_equal(r.t, times)
    return r


# ------------------------------------------------------------------------------------------------- R01: pendulum


def pendulum(c: Case) -> dt.Model:
    """A point mass at the end of a massless bar, drawn where it starts."""
    m = dt.Model("simple pendulum", gravity=(0, -c.p["g"], 0))
    bob = m.add_body("bob", dt.Inertia.point(c.p["m"]), position=(*c.p["x0"], 0))
    m.add_joint("hinge", dt.Revolute("z"), m.ground, bob, at=(0, 0, 0))
    return m


@pytest.mark.parametrize(
    ("solver", "tolerance"),
    [
        (TIGHT, 1e-9),  # "1e-9 for a tight-tolerance run"
        (dt.DOPRI5(), 1e-6),  # the defaults: "accept 1e-6 over 10 s"
        (dt.RKF45(), 1e-6),
        (dt.RK4(step=1e-3), 1e-6),
    ],
    ids=["tight", "DOPRI5", "RKF45", "RK4"],
)
def test_R01_simple_pendulum(solver, tolerance):
    c = case("R01")
    table = c.table
    r = run(pendulum(c), table["t"], solver)
    assert_near(r["bob.position"], np.column_stack([table["x"], table["y"], 0 * table["x"]]), tolerance)
    assert_near(r["bob.velocity"], np.column_stack([table["vx"], table["vy"], 0 * table["x"]]), 10 * tolerance)
    assert np.max(np.abs(r.energy.residual)) < 1e-5  # J, the bar of the IFToMM library


def test_R01_bar_tension():
    """The tension is the reaction along the bar; across the bar the hinge of a massless bar carries nothing."""
    c = case("R01")
    table = c.table
    r = run(pendulum(c), table["t"])
    inward = -np.column_stack([table["x"], table["y"], 0 * table["x"]])
    along = np.sum(r["hinge.reaction_force"] * inward, axis=1)
    # forces are of the order of 3 m g: the state's 1e-10 makes 1e-9 N in them
    assert_near(along, table["bar_tension_N"], 1e-8)
    assert_near(r["hinge.reaction_force"], along[:, None] * inward, 1e-8)
    assert_near(r["hinge.reaction_torque"], 0, 1e-8)


def test_R01_period():
    """The bob comes to rest on its own side once every period."""
    c = case("R01")
    m = pendulum(c)
    m.add_event("back", dt.Event("bob.velocity.y", direction="falling"))
    r = dt.simulate(m, duration=10, solver=TIGHT)
    rests = np.array([e.t for e in r.events])  # alternately at the far side and back: half a period apart
    half = float(c.reference["period_s"]) / 2
    assert_near(rests, half * np.arange(1, len(rests) + 1), 1e-9)
    assert len(rests) == int(10 / half)


# ------------------------------------------------------------------------------------- R02: top without any torque


@pytest.mark.parametrize("name", ["R02", "R02b"])
@pytest.mark.parametrize("joint", ["spherical", "free"])
def test_R02_torque_free_top(name, joint):
    c = case(name)
    m = dt.Model("top", gravity=(0, 0, 0))
    top = m.add_body("top", dt.Inertia(1.0, matrix=np.diag(c.p["I"])))
    if joint == "spherical":
        m.add_joint("pivot", dt.Spherical(), m.ground, top, v0=c.p["w0"])
    else:
        m.add_joint("float", dt.Free(), m.ground, top, v0={"angular_velocity": c.p["w0"]})
    table = c.table
    r = run(m, table["t"])
    omega = r["pivot.v"] if joint == "spherical" else r["float.angular_velocity"]
    assert_near(omega, np.column_stack([table["wx"], table["wy"], table["wz"]]), 1e-9)  # reference exact to 1e-14
    q = np.column_stack([table[f"q{i}"] for i in range(4)])
    got = r["top.rotation"]
    signs = np.sign(np.sum(q * got, axis=1))[:, None]  # q and -q are the same rotation
    assert_near(signs * got, q, 1e-7)  # the case's own tolerance
    body_omega = np.array([dt.Rotation(x).inverse() @ w for x, w in zip(got, r["top.angular_velocity"], strict=True)])
    assert_near(body_omega, omega, 1e-12)  # the same numbers in other axes: round-off
    assert_near(np.linalg.norm(r.angular_momentum, axis=1), c.reference["angular_momentum_norm"], 1e-9)
    assert_near(r.energy.kinetic, c.reference["kinetic_energy"], 1e-9)


# -------------------------------------------------------------------------------------------------- R03: heavy top


def test_R03_heavy_top():
    c = case("R03")
    m = dt.Model("heavy top", gravity=c.p["g"])
    top = m.add_body("top", dt.Inertia(c.p["m"], com=c.p["x0"], matrix=np.diag(c.p["Jc"])))
    m.add_marker("com", top, position=c.p["x0"])
    m.add_joint("ball", dt.Spherical(), m.ground, top, at=(0, 0, 0), v0=c.p["w0"])
    table = c.table
    r = run(m, table["t"])
    wanted = {k: np.column_stack([table[k.format(x)] for x in "xyz"]) for k in ("{}", "w{}", "F{}")}
    early = table["t"] <= 1.0
    # "accept 1e-6 at 1 s"; later the reference itself is only converged to 5e-8 times the growth of errors
    assert_near(r["com.position"][early], wanted["{}"][early], 1e-6)
    assert_near(r["com.position"], wanted["{}"], 1e-5)
    assert_near(r["ball.v"][early], wanted["w{}"][early], 1e-6 * 150)  # relative to the spin of 150 rad/s
    # forces of 640 N: 1e-6 of them, and they turn with 150 rad/s
    assert_near(r["ball.reaction_force"][early], wanted["F{}"][early], 1e-6 * 640)
    assert_near(r["ball.reaction_force"], wanted["F{}"], 1e-5 * 640)
    assert_near(r["ball.reaction_torque"], 0, 1e-9)  # a ball joint carries no torque
    invariants = c.reference["invariants"]
    assert_near(r["ball.v"][:, 1], invariants["spin_wy"], 1e-8)
    about_pivot = r.angular_momentum + np.cross(r.mass_centre, r.linear_momentum)
    assert_near(about_pivot[:, 2], invariants["Lz"], 1e-8)
    # the case's energy is that of the centre of mass's motion and the small rotation, without the spin's
    spin = 0.5 * c.p["Jc"][1] * invariants["spin_wy"] ** 2
    off = min(abs(r.energy.total[0] - e) for e in (invariants["E"], invariants["E"] + spin))
    assert_near(off / spin, 0, 1e-8 / spin)
    assert_near(r.energy.residual / spin, 0, 1e-7 / spin)


# ------------------------------------------------------------------------------------------------ R04: pendulums


def test_R04_double_pendulum():
    c = case("R04")
    m = dt.Model("double pendulum", gravity=(0, -c.p["g"], 0))
    l1, l2 = c.p["l1"], c.p["l2"]
    upper = m.add_body("upper", dt.Inertia.point(c.p["m1"], com=(0, -l1, 0)))
    lower = m.add_body("lower", dt.Inertia.point(c.p["m2"], com=(0, -l2, 0)), position=(0, -l1, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, upper, at=(0, 0, 0), q0=c.p["th1"])
    m.add_joint("B", dt.Revolute("z"), upper, lower, at=(0, -l1, 0), q0=c.p["th2"] - c.p["th1"])
    table = c.table
    r = run(m, table["t"])
    # "a float64 code at rtol 1e-12 should agree to 1e-9 at 5 s"
    assert_near(r["A.angle"], table["th1"], 1e-9)
    assert_near(r["A.angle"] + r["B.angle"], table["th2"], 1e-9)
    assert_near(r["A.rate"], table["w1"], 1e-9 * 5)  # rates reach 4 rad/s
    assert_near(r["A.rate"] + r["B.rate"], table["w2"], 1e-9 * 5)


def test_R04c_chain_of_five_rods():
    """Drawn hanging and started at angles; the statement's angles are absolute."""
    c = case("R04c")
    m = dt.Model("chain", gravity=(0, -c.p["g"], 0))
    parent, y, before = m.ground, 0.0, 0.0
    for i, (length, mass, angle) in enumerate(zip(c.p["l"], c.p["m"], c.p["theta0"], strict=True), 1):
        rod = dt.Inertia.rod(mass, length=length, axis="y")
        body = m.add_body(f"rod{i}", rod, position=(0, y - length / 2, 0))
        m.add_joint(f"J{i}", dt.Revolute("z"), parent, body, at=(0, y, 0), q0=angle - before)
        parent, y, before = body, y - length, angle
    m.add_marker("tip", parent, position=(0, -length / 2, 0))
    table = c.table
    r = run(m, table["t"])
    early = table["t"] <= 1.0  # "chaotic, so compare up to 1 s at 1e-6"
    n = c.p["N"]
    theta = np.cumsum(np.column_stack([r[f"J{i}.angle"] for i in range(1, n + 1)]), axis=1)
    omega = np.cumsum(np.column_stack([r[f"J{i}.rate"] for i in range(1, n + 1)]), axis=1)
    assert_near(theta[early], np.column_stack([table[f"theta{i}"] for i in range(1, n + 1)])[early], 1e-6)
    assert_near(omega[early], np.column_stack([table[f"omega{i}"] for i in range(1, n + 1)])[early], 1e-6 * 13)
    tip = np.column_stack([table["tip_x"], table["tip_y"]])
    assert_near(r["tip.position"][early, :2], tip[early], 1e-6)
    assert_near(r["tip.position"][:, :2], tip, 1e-6)  # in fact also later: the table is good to 2e-8 at 2 s


# ------------------------------------------------------------------------------------------------ R06, R07


def test_R06_furuta_pendulum():
    c = case("R06")
    r_arm, lc = c.p["r"], c.p["lc"]
    m = dt.Model("Furuta pendulum")
    # only the moment about z matters for the arm; its mass and the other moments are any that are possible
    arm = m.add_body("arm", dt.Inertia(1.0, matrix=np.diag([c.p["Jarm"] / 2, c.p["Jarm"] / 2, c.p["Jarm"]])))
    inertia = dt.Inertia(c.p["m"], com=(0, 0, -lc), matrix=np.diag([c.p["Jp"], c.p["Jp"], c.p["Jpa"]]))
    pendulum = m.add_body("pendulum", inertia, position=(r_arm, 0, 0))
    m.add_joint("phi", dt.Revolute("z"), m.ground, arm, at=(0, 0, 0), q0=c.p["q0"][0], v0=c.p["v0"][0])
    m.add_joint("th", dt.Revolute("x"), arm, pendulum, at=(r_arm, 0, 0), q0=c.p["q0"][1], v0=c.p["v0"][1])
    table = c.table
    r = run(m, table["t"])
    # the tolerances that the case states for its times, from runs at 1e-10 and 1e-12; rates are ten times larger
    stated = np.array([7e-12, 1e-11, 9e-11, 8e-10, 6e-9, 6e-8])
    for channel, column, scale in (("phi.q", "phi", 1), ("th.q", "th", 1), ("phi.v", "phid", 10), ("th.v", "thd", 10)):
        for k, tolerance in enumerate(scale * stated):
            assert_near(r[channel][k], table[column][k], tolerance)


@pytest.mark.parametrize("name", ["R07", "R07v"])
def test_R07_cart_pole_with_light_cart(name):
    """The mass matrix is nearly singular when the pole is vertical: the cart weighs a millionth of the pole."""
    c = case(name)
    cart_mass, bob_mass, length, g = (c.p[k] for k in ("M", "m", "l", "g"))
    m = dt.Model("cart-pole", gravity=(0, -g, 0))
    cart = m.add_body("cart", dt.Inertia.point(cart_mass))
    pole = m.add_body("pole", dt.Inertia.point(bob_mass, com=(0, -length, 0)))
    m.add_joint("track", dt.Prismatic("x"), m.ground, cart)
    m.add_joint("pin", dt.Revolute("z"), cart, pole, at=(0, 0, 0), q0=np.pi / 2)
    m.add_event("vertical", dt.Event("sin(pin.angle)"))
    table = c.table
    r = run(m, table["t"], dt.DOP853(rtol=1e-12, atol=1e-13))
    for channel, column in (("track.q", "x"), ("track.v", "xd"), ("pin.q", "th"), ("pin.v", "thd")):
        scale = max(1.0, np.max(np.abs(table[column])))
        assert_near(r[channel] / scale, table[column] / scale, 1e-6)  # the IFToMM threshold
    # momentum zero, so that x = m l (1 - sin th) / (M + m); the case's own run holds it to 7e-12
    slide = bob_mass * length * (1 - np.sin(r["pin.q"])) / (cart_mass + bob_mass)
    assert_near(r["track.q"], slide, 1e-9)
    # passes through the vertical after every odd number of quarter periods, at the peak rate
    quarter = float(c.reference["quarter_period_s"])
    assert_near([e.t for e in r.events], quarter * (2 * np.arange(len(r.events)) + 1), 1e-6)
    peaks = np.abs([e.v[1] for e in r.events])
    assert_near(peaks / c.reference["peak_thetadot"], 1, 1e-6)


# ------------------------------------------------------------------------------------------------ V02: human body


def human(c: Case) -> dt.Model:
    m = dt.Model("human")
    rate = iter(c.p["amp"] * np.cos(c.p["ph"] * np.arange(1, len(c.p["joint_order"]) + 1)))
    for segment in c.p["bodies"]:
        name, parent, axes = segment["name"], segment["parent"], segment["axes"]
        inertia = dt.Inertia(segment["mass"], com=segment["com"], matrix=np.diag(segment["I"]))
        if parent is None:
            m.add_body(name, inertia, position=segment["pos"])
            m.add_joint("root", dt.Free(), m.ground, name, v0={"angular_velocity": c.p["w0"]})
            continue
        m.add_body(name, inertia)
        m.add_marker(f"{parent}-{name}", parent, position=segment["pos"])
        joint = dt.Composite(*(dt.Revolute(axis) for axis in axes)) if len(axes) > 1 else dt.Revolute(axes)
        joint_name = f"to {name}"
        m.add_joint(joint_name, joint, f"{parent}-{name}", name, v0=[next(rate) for _ in axes])
        for i, axis in enumerate(axes):
            spring = dt.JointSpring(joint_name, c.p["stiffness"], c.p["damping"], coordinate=i)
            m.add_force(f"passive {name} {axis}", spring)
    return m


def test_V02_human_in_free_fall():
    c = case("V02")
    m = human(c)
    assert m.mass == pytest.approx(c.reference["total_mass"], rel=1e-12)
    system = dt.compile(m)
    assert system.nv == 39
    q, _ = system.initial_state()
    trace = np.trace(dt.mass_matrix(system, q))
    assert trace == pytest.approx(c.reference["mass_matrix_trace_at_zero"], rel=1e-12)
    states = c.reference["states"]
    r = run(m, [s["t"] for s in states])
    angles = np.column_stack([r[f"to {s['name']}.q"] for s in c.p["bodies"][1:]])
    rates = np.column_stack([r[f"to {s['name']}.v"] for s in c.p["bodies"][1:]])
    momentum = r.angular_momentum
    for i, state in enumerate(states):
        # "accept 1e-6"; two other programs agree to 1e-12 on positions, so much less is asked for them here
        assert_near(angles[i], state["joint_angles"], 1e-9)
        assert_near(rates[i], state["joint_rates"], 1e-8)
        assert_near(r["LPT.position"][i], state["pelvis_pos"], 1e-9)
        quaternion = np.asarray(state["pelvis_quat_wxyz"])
        assert_near(abs(quaternion @ r["LPT.rotation"][i]), 1, 1e-12)
        assert_near(r.mass_centre[i], state["com"], 1e-9)
        assert_near(r.linear_momentum[i] / m.mass, state["vcom"], 1e-9)
        assert_near(momentum[i], state["angular_momentum_about_com"], 1e-7)  # of 20 N m s
    assert_near(r.energy.residual, 0, 1e-8)  # of 160 J


# ------------------------------------------------------------------------------------------------ X: a peer's tests


def test_X01_spatial_chain():
    """A robot-like description: each joint between a marker on the link before and the link itself."""
    c = case("X01")
    m = dt.Model("spatial chain", gravity=c.p["g"])
    link = dt.Inertia.box(c.p["m"], size=(2.0, 0.1, 0.1), com=(1.0, 0, 0))
    np.testing.assert_allclose(np.diag(link.about((1, 0, 0))), c.p["I_com"], rtol=1e-12)
    parent = m.ground
    for i, (angles, matrix) in enumerate(zip(c.p["A_xyz_angles"], c.p["A_matrices"], strict=True), 1):
        rotation = dt.Rotation.from_euler("XYZ", angles)
        np.testing.assert_allclose(rotation.matrix, matrix, atol=1e-15)
        seat = m.add_marker(f"seat{i}", parent, position=(0 if i == 1 else 2.0, 0, 0), rotation=rotation)
        parent = m.add_body(f"link{i}", link)
        m.add_joint(f"q{i}", dt.Revolute("z"), seat, parent)
    table = c.table
    r = run(m, table["t"])
    for i in range(1, c.p["n"] + 1):
        assert_near(r[f"q{i}.angle"], table[f"q{i}"], 1e-9)  # "own 1e-10", the reference's error and ours
        assert_near(r[f"q{i}.rate"], table[f"qd{i}"], 1e-8)  # rates of 7.5 rad/s
    total = sum(r[f"q{i}.angle"][-1] for i in range(1, c.p["n"] + 1))
    assert_near(total, c.reference["own_sum_q"], 1e-9)
    assert_near(total, c.reference["exudyn_sum_q_at_1s"], 1e-7)  # RK4 with h = 0.005 there


@pytest.mark.parametrize("kind", ["expression", "python"])
def test_X06_duffing_oscillator_with_sweep(kind):
    c = case("X06")
    mass, k, damping, T = (c.p[x] for x in ("m", "k", "c", "T"))
    f1 = np.sqrt(k / mass) / (2 * np.pi)
    m = dt.Model("Duffing", gravity=(0, 0, 0), parameters={"k": k, "c": damping, "f1": f1, "T": T})
    block = m.add_body("block", dt.Inertia.point(mass))
    m.add_joint("x", dt.Prismatic("x"), m.ground, block)
    if kind == "expression":
        m.add_force("law", dt.JointTorque("x", "80*sin(2*pi*(f1*t/(2*T))*t) - c*v - 0.1*k*q - k*q^3"))
    else:

        def law(t, q, v):
            return 80 * np.sin(2 * np.pi * (f1 * t / (2 * T)) * t) - damping * v - 0.1 * k * q - k * q**3

        m.add_force("law", dt.JointTorque("x", law))
    table = c.table
    r = run(m, table["t"])
    assert_near(r["x.position"], table["x"], 1e-9)  # "own 1e-9"
    assert_near(r["x.velocity"], table["v"], 1e-9 * 50)  # the natural frequency is 50 rad/s at these amplitudes


def test_X07_circular_orbits():
    """Four planets around a star that stays in place; 0.08 to 913 radians of orbit."""
    c = case("X07")
    table = c.table
    m = dt.Model("orbits", gravity=(0, 0, 0))
    for i, R in enumerate(table["R"]):
        planet = m.add_body(f"planet{i}", dt.Inertia.point(1e3), position=(R, 0, 0))
        moves = dt.Composite(dt.Prismatic("x"), dt.Prismatic("y"), dt.Prismatic("z"))
        speed = np.sqrt(c.p["G"] * c.p["M"] / R)
        m.add_joint(f"orbit{i}", moves, m.ground, planet, v0=(0, speed, 0))
        m.add_force(f"pull{i}", dt.PointGravity(m.ground, planet, strength=c.p["G"] * c.p["M"] * 1e3))
    r = run(m, [1e6], dt.DOP853(rtol=1e-13, atol=1e-9))
    for i, R in enumerate(table["R"]):
        # exact reference; an error of the radius of 1e-13 per step moves the phase by 1e-13 * steps * 913 rad
        place = np.array([table["x"][i], table["y"][i], 0.0])
        assert_near(r[f"planet{i}.position"][-1] / R, place / R, 1e-8)
        assert_near(np.linalg.norm(r[f"planet{i}.position"][-1]) / R, 1, 1e-10)


def test_X08_revolute_and_prismatic_chain():
    c = case("X08")
    L, d = c.p["L"], c.p["d"]
    m = dt.Model("bricks", gravity=(0, -9.81, 0))
    brick = dt.Inertia.box(density=c.p["rho"], size=(L, d, d))
    joints = [dt.Revolute("z"), dt.Revolute("x"), dt.Prismatic("y"), dt.Revolute("y"), dt.Revolute("z")]
    parent = m.ground
    for i, joint in enumerate(joints):
        body = m.add_body(f"brick{i + 1}", brick, position=((i + 0.5) * L, 0, 0))
        m.add_joint(f"J{i + 1}", joint, parent, body, at=(i * L, 0, 0))
        parent = body
    m.add_force("spring", dt.JointSpring("J3", stiffness=c.p["k"], damping=c.p["c"]))
    m.add_marker("end", "brick5", position=(L / 2, 0, 0))
    m.add_force("load", dt.AppliedForce("end", c.p["F"]))
    table = np.array(c.reference["own_q_times"])
    r = run(m, table[:, 0])
    q = np.column_stack([r[f"J{i}.q"] for i in range(1, 6)])
    v = np.column_stack([r[f"J{i}.v"] for i in range(1, 6)])
    assert_near(q, table[:, 1:6], 1e-9)  # "own 1e-9"
    assert_near(v, table[:, 6:], 1e-8)  # rates of 3.6 rad/s
    last = c.reference["own_t0p25"]
    assert_near(r["brick5.position"][-1] - [4.5 * L, 0, 0], last["u_com5"], 1e-9)
    assert_near(dt.Rotation(r["brick5.rotation"][-1]).euler("XYZ"), last["rot_xyz"], 1e-9)
    # the peer's own model differs in its damper, by 6e-4 rad
    assert_near(r["brick5.position"][-1] - [4.5 * L, 0, 0], c.reference["exudyn_t0p25"]["u"], 1e-4)
