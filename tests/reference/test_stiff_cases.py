"""Stiff springs, hydraulics, a rheonomic constraint and a bicycle, solved by the implicit methods.

The numbers are in `data/`, with their source and the tolerance that they deserve; what is asserted is the case's own
tolerance. Tolerances of the solvers are chosen from their promise (error per step) and the length of the run, not from
the case's numbers.
"""

from __future__ import annotations

import numpy as np
import pytest
from cases import Case, case
from near import assert_near
from scipy.linalg import expm

import duoti as dt

RADAU = dt.Radau(rtol=1e-9, atol=1e-11)
ALPHA = dt.GeneralisedAlpha(rtol=1e-7, atol=1e-9)


def run(model, times, solver=RADAU, **options) -> dt.Result:
    """Simulate up to the last of the times, with outputs at these."""
    r = dt.simulate(model, duration=float(times[-1]), outputs=times, solver=solver, **options)
    assert r.ok, r.reason
    assert r.reason == "end time reached"
    return r


# ------------------------------------------------------------------------------------------- L04: flyball governor


def flyball(c: Case) -> dt.Model:
    p = c.p
    rho, a, offset = p["rho"], np.radians(p["alpha_deg"]), p["hinge_offset"]
    m = dt.Model("flyball governor", gravity=(0, 0, -p["g"]))
    length, thick, _ = p["rod"]
    shaft = m.add_body("shaft", dt.Inertia.box(density=rho, size=(thick, thick, length)), position=(0, 0, length / 2))
    slider = m.add_body("slider", dt.Inertia.box(density=rho, size=3 * [p["slider"]]), position=(0, 0, p["s0"]))
    m.add_joint("spin", dt.Revolute("z"), m.ground, shaft, at=(0, 0, 0), v0=p["omega0"])
    m.add_joint("slide", dt.Prismatic("z"), shaft, slider)
    for side, name in ((1, "right"), (-1, "left")):
        hinge = np.array([side * offset, 0, 1.0])
        along = np.array([side * np.cos(a), 0, -np.sin(a)])
        rod = dt.Inertia.box(density=rho, size=p["rod"]) + dt.Inertia.point(p["point_mass"], com=(length / 2, 0, 0))
        turn = dt.Rotation.about("y", a if side > 0 else np.pi - a)
        m.add_body(name, rod, position=hinge + along * length / 2, rotation=turn)
        # beta, the angle below the horizontal, grows about +y on the right and about -y on the left
        m.add_joint(f"hinge {name}", dt.Revolute((0, side, 0)), shaft, name, at=hinge)
        m.add_marker(f"lug {name}", slider, position=(side * offset, 0, 0))
        m.add_force(f"spring {name}", dt.SpringDamper(f"lug {name}", name, p["K"], p["C"], p["l0"]))
    return m


@pytest.mark.full("absolute")
@pytest.mark.parametrize(
    ("solver", "coordinates"),
    [(RADAU, "relative"), (RADAU, "absolute"), (ALPHA, "relative"), (ALPHA, "absolute"), (dt.DOPRI5(), "relative")],
    ids=[
        "Radau-relative",
        "Radau-absolute",
        "GeneralisedAlpha-relative",
        "GeneralisedAlpha-absolute",
        "DOPRI5-relative",
    ],
)
def test_L04_flyball_governor(solver, coordinates):
    c = case("L04")
    table = c.table
    r = run(flyball(c), table["t"], solver, coordinates=coordinates)
    assert_near(r["slider.position"][:, 2], table["s"], 1e-5)  # "accept 1e-5 on s"
    assert_near(r["spin.rate"], table["omega"], 1e-5 * 2 * np.pi)  # the others relative to their size
    assert_near(r["slide.velocity"], table["s_dot"], 1e-5)
    for side in ("right", "left"):
        assert_near(np.pi / 6 + r[f"hinge {side}.angle"], table["beta"], 1e-5)
        assert_near(r[f"hinge {side}.rate"], table["beta_dot"], 1e-5)


# ------------------------------------------------------------------------------------------------- L06: car axis


def car_axis(c: Case) -> dt.Model:
    """Two masses in the plane; the road is a bar hinged at the left foot, its other end lifted as prescribed."""
    p = c.p
    m = dt.Model("car axis", gravity=(0, -p["g"], 0), parameters={"r": p["r"], "w": p["w"]})
    mass = p["M"] * p["eps"] ** 2 / 2
    point = dt.Inertia(mass, matrix=mass * np.eye(3))  # it does not turn; its moment of inertia is any
    road = m.add_body("road", dt.Inertia.box(1.0, size=(p["L"], 0.1, 0.1)), position=(p["L"] / 2, 0, 0))
    m.add_joint("hinge", dt.Revolute("z"), m.ground, road, at=(0, 0, 0))
    m.add_marker("left foot", road, position=(-p["L"] / 2, 0, 0))
    m.add_marker("right foot", road, position=(p["L"] / 2, 0, 0))
    m.add_constraint("bump", dt.MarkerMotion("right foot", (None, "r*sin(w*t)", None)))
    for name, x in (("left", 0.0), ("right", p["L"])):
        m.add_body(name, point, position=(x, p["L0"], 0))
        m.add_joint(f"to {name}", dt.Planar("z"), m.ground, name, v0=(-p["L0"] / p["L"], 0, 0))
        m.add_force(f"spring {name}", dt.SpringDamper(f"{name} foot", name, stiffness=1.0, rest_length=p["L0"]))
    m.add_constraint("axle", dt.Distance("left", "right", p["L"]))
    m.add_constraint("upright", dt.PointOnPlane("left foot", "left", normal="x"))
    return m


@pytest.mark.full("GeneralisedAlpha")
@pytest.mark.parametrize(
    ("solver", "coordinates"),
    [
        (RADAU, "relative"),
        (RADAU, "absolute"),
        (dt.GeneralisedAlpha(rtol=1e-9, atol=1e-11), "relative"),  # order 2: 8e5 steps for 1e-6 in the velocities
        (dt.DOPRI5(), "relative"),
        (dt.DOPRI5(), "absolute"),
    ],
    ids=["Radau-relative", "Radau-absolute", "GeneralisedAlpha-relative", "DOPRI5-relative", "DOPRI5-absolute"],
)
def test_L06_car_axis(solver, coordinates):
    c = case("L06")
    own = np.array(c.reference["own"])
    r = run(car_axis(c), own[:, 0], solver, coordinates=coordinates)
    q = np.column_stack([r[f"{name}.position"][:, :2] for name in ("left", "right")])
    v = np.column_stack([r[f"{name}.velocity"][:, :2] for name in ("left", "right")])
    published = np.array(c.reference["published_t3"])
    assert_near(q, own[:, 1:5], 1e-6)  # "accept 1e-6"
    assert_near(q[-1], published[:4], 1e-6)
    assert_near(v, own[:, 5:9], 1e-6)
    assert_near(v[-1], published[4:8], 1e-6)
    # the case's constraints are (xb, yb) . left = 0 and |left - right|² = L²: forces lam1 L and 2 lam2 L
    assert_near(r.multipliers("upright")[:, 0], own[:, 9] * c.p["L"], 1e-6)
    assert_near(r.multipliers("axle")[:, 0], 2 * own[:, 10] * c.p["L"], 1e-6)


# -------------------------------------------------------------------------------------- X02: boom with cylinder


def boom(c: Case) -> dt.Model:
    """The pressures are first-order states; the flow through an orifice has the sign of the pressure drop."""
    p = c.p
    m = dt.Model("boom", gravity=(0, -9.81, 0), parameters=p | {"L0": np.sqrt(2) * 0.25})
    beam = dt.Inertia(120.0, com=(0.5, 0, 0), matrix=np.diag([10.0, 10.0, 10.0]))
    m.add_body("boom", beam)
    m.add_joint("hinge", dt.Revolute("z"), m.ground, "boom", at=(0, 0, 0))
    m.add_marker("base", m.ground, position=(0, -0.25, 0))
    m.add_marker("lug", "boom", position=(0.25, 0, 0))
    length = "hypot(lug.position.x, lug.position.y + 0.25)"
    speed = f"((lug.position.x*lug.velocity.x + (lug.position.y + 0.25)*lug.velocity.y)/{length})"
    valve = f"(2*(0.1*(clip(1 - cos(pi*t), 0.5, 1.5) - 0.5) + L0 - {length}))"

    def root(x):
        return f"sign({x})*sqrt(abs({x}))"

    for k, opening in ((0, valve), (1, f"(-{valve})")):
        flow = f"{opening}*Qn*if({opening} >= 0, {root(f'ps - p{k}')}, {root(f'p{k} - pt')})"
        m.add_state(f"p{k}", f"K/V{k}*({'-A0' if k == 0 else 'A1'}*{speed} + {flow})", initial=2e6, unit="Pa")
    m.add_force("cylinder", dt.LineForce("base", "lug", "-p0*A0 + p1*A1 + d*speed"))
    return m


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize(
    ("solver", "tolerance"),
    [(RADAU, 1e-6), (ALPHA, 2e-3)],  # "own 1e-6", and what the case accepts, "0.2% on pressures"
    ids=["Radau", "GeneralisedAlpha"],
)
def test_X02_hydraulic_boom(solver, tolerance, coordinates):
    c = case("X02")
    table = c.table
    r = run(boom(c), table["t"], solver, coordinates=coordinates)
    assert_near(r["p0"] / table["p0"], 1, tolerance)
    assert_near(r["p1"] / table["p1"], 1, tolerance)
    assert_near(r["hinge.angle"], table["theta"], tolerance)
    assert_near(r["hinge.rate"], table["omega"], tolerance)
    assert_near(np.linalg.norm(r["lug.position"] - r["base.position"], axis=1), table["L"], tolerance)


# ---------------------------------------------------------------------------- X03: pendulum with friction at its tip


def rubbing_pendulum(c: Case) -> dt.Model:
    p = c.p
    m = dt.Model("pendulum", gravity=(0, -9.81, 0), parameters={"F": p["F"], "eps": p["eps"]})
    bar = m.add_body("bar", dt.Inertia.box(p["m"], size=(p["L"], p["d"], p["d"])), position=(p["L"] / 2, 0, 0))
    m.add_joint("hinge", dt.Revolute("z"), m.ground, bar, at=(0, 0, 0))
    m.add_marker("tip", bar, position=(p["L"] / 2, 0, 0))
    speed = "max(hypot(tip.velocity.x, tip.velocity.y), eps)"
    m.add_force("rubbing", dt.AppliedForce("tip", [f"-F*tip.velocity.x/{speed}", f"-F*tip.velocity.y/{speed}", 0]))
    return m


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize(
    "solver", [dt.Radau(rtol=1e-11, atol=1e-12), dt.DOP853(rtol=1e-11, atol=1e-12)], ids=["Radau", "DOP853"]
)
def test_X03_pendulum_with_friction_at_its_tip(solver, coordinates):
    c = case("X03")
    table = c.table
    r = run(rubbing_pendulum(c), table["t"], solver, coordinates=coordinates)
    assert_near(r["hinge.angle"], table["theta"], 1e-9)  # "1e-9"
    assert_near(r["hinge.rate"], table["omega"], 1e-9 * 5.6)  # of 5.6 rad/s


# ---------------------------------------------------------------------------------- X09: bar on a stiff planar spring


def hung_bar(c: Case, origin: float = 0.0) -> dt.Model:
    """Origin of the bar's frame: so far left of the centre of mass."""
    p = c.p
    m = dt.Model("bar", gravity=(0, -9.81, 0))
    bar = dt.Inertia(p["m"], com=(origin, 0, 0), matrix=np.eye(3))
    m.add_body("bar", bar, position=(-0.5 - origin, 1, 0))
    m.add_joint("plane", dt.Planar("z"), m.ground, "bar")
    m.add_marker("com", "bar", position=(origin, 0, 0))
    m.add_marker("end", "bar", position=(origin - p["L"] / 2, 0, 0))
    m.add_marker("nail", m.ground, position=(-1, 1, 0))
    k, d = p["k"], p["c"]
    m.add_force("spring", dt.Bushing("nail", "end", (k, k, 0, 0, 0, 0), (d, d, 0, 0, 0, 0)))
    return m


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize("origin", [0.0, 0.5], ids=["com", "end"])
@pytest.mark.parametrize(
    ("solver", "tolerance"),
    [(RADAU, 1e-8), (ALPHA, 1e-5)],  # "own 1e-8"; for a method of order 2, what the peer's step of 1 ms achieves
    ids=["Radau", "GeneralisedAlpha"],
)
def test_X09_bar_on_a_stiff_spring(solver, tolerance, origin, coordinates):
    c = case("X09")
    table = c.table
    r = run(hung_bar(c, origin), table["t"], solver, coordinates=coordinates)
    assert_near(r["com.position"][:, :2], np.column_stack([table["x_com"], table["y_com"]]), tolerance)
    assert_near(r["com.velocity"][:, :2], np.column_stack([table["vx"], table["vy"]]), tolerance)
    assert_near(r["plane.angle"], table["phi"], tolerance)
    assert_near(r["bar.angular_velocity"][:, 2], table["omega"], 5 * tolerance)  # of 5 rad/s
    value = 3 * (r["plane.angle"][-1] + np.linalg.norm(r["com.position"][-1]))
    assert_near(value, c.reference["own_test_value"], 10 * tolerance)


# ------------------------------------------------------------------------------------------------------ V01: bicycle

DOWN = np.diag([1.0, -1.0, -1.0])  # the case has z down, here it is up


def bicycle(c: Case, speed: float, roll_rate: float = 0.0) -> dt.Model:
    """Upright, rolling straight ahead along x, and falling to the right about the line of its track."""
    p = c.p
    m = dt.Model("bicycle", gravity=(0, 0, -p["g"]))

    def inertia(mass, moments):
        xx, zz, xz = moments
        # knife-edge wheels in a plane of symmetry: the moment about y of frame and fork has no influence on roll and
        # steer; any possible value serves
        return dt.Inertia(mass, matrix=DOWN @ np.array([[xx, 0, xz], [0, xx + zz, 0], [xz, 0, zz]]) @ DOWN)

    def wheel(mass, xx, yy):
        return dt.Inertia(mass, matrix=np.diag([xx, yy, xx]))

    rear, front = np.array([0, 0, p["rR"]]), np.array([p["w"], 0, p["rF"]])
    frame = m.add_body("frame", inertia(p["mB"], p["IB"]), position=(p["xB"], 0, -p["zB"]))
    fork = m.add_body("fork", inertia(p["mH"], p["IH"]), position=(p["xH"], 0, -p["zH"]))
    m.add_body("rear", wheel(p["mR"], p["IRxx"], p["IRyy"]), position=rear)
    m.add_body("front", wheel(p["mF"], p["IFxx"], p["IFyy"]), position=front)
    # the steering axis meets the ground at the trail before the front contact and is tilted back
    lean = np.array([-np.sin(p["lam"]), 0, np.cos(p["lam"])])
    rates = {"velocity": (speed, roll_rate * p["zB"], 0), "angular_velocity": (roll_rate, 0, 0)}
    m.add_joint("float", dt.Free(), m.ground, frame, v0=rates)
    m.add_joint("steer", dt.Revolute(-lean), frame, fork, at=(p["w"] + p["c"], 0, 0))
    m.add_joint("rear hub", dt.Revolute("y"), frame, "rear", at=rear, v0=speed / p["rR"])
    m.add_joint("front hub", dt.Revolute("y"), fork, "front", at=front, v0=speed / p["rF"])
    for name, radius in (("rear", p["rR"]), ("front", p["rF"])):
        m.add_marker(f"{name} axle", name, rotation=dt.Rotation.between((0, 0, 1), (0, 1, 0)))
        m.add_constraint(f"{name} rolls", dt.RollingDisc(f"{name} axle", radius))
    return m


@pytest.mark.parametrize("speed", range(11))
def test_V01_eigenvalues_of_the_bicycle(speed):
    """Of the whole model, linearised about straight rolling: four for roll and steer, all others zero."""
    c = case("V01")
    system = dt.compile(bicycle(c, float(speed)))
    q, v = system.initial_state()
    change = dt.analyses.forward_dynamics_derivatives(system, q, v)
    assert_near(change.a, 0, 1e-12)
    n = system.nv  # the frame does not turn, so that displacements change by the change of the rates
    values = list(np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [change.dq, change.dv]])))
    for re, im in c.reference["eigenvalues_re_im_by_speed"][str(speed)]:
        wanted = complex(re, im)
        nearest = min(values, key=lambda x: abs(x - wanted))
        # round-off; one near zero suffers from the chains of two zeros there
        assert_near(nearest, wanted, 1e-13 * max(1.0, abs(wanted)) / min(1.0, abs(wanted)) ** 2)
        values.remove(nearest)
    assert_near(values, 0, 1e-5)  # chains of two: the root of round-off


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_V01_bicycle_after_a_kick(coordinates):
    """Weave and capsize of the nonlinear model after a small roll rate, against the case's linear equations."""
    c = case("V01")
    speed, kick = 5.0, 1e-3
    times = np.linspace(0, 3, 31)
    r = run(bicycle(c, speed, kick), times, dt.Radau(rtol=1e-9, atol=1e-12), coordinates=coordinates)
    ref = {k: np.array(c.reference[k]) for k in ("M", "K0", "K2", "C1")}
    stiffness = c.p["g"] * ref["K0"] + speed**2 * ref["K2"]
    rates = -np.linalg.solve(ref["M"], np.hstack([stiffness, speed * ref["C1"]]))
    A = np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), rates])
    roll, steer, _, steer_rate = np.array([expm(A * t) @ [0, 0, kick, 0] for t in times]).T
    lean = np.array([np.arcsin(dt.Rotation(q).matrix[2, 1]) for q in r["frame.rotation"]])
    # the motion is odd in the kick: what is left out is of the third order, 1e-6 of the size
    assert_near(lean / np.max(np.abs(roll)), roll / np.max(np.abs(roll)), 1e-5)
    assert_near(r["steer.angle"] / np.max(np.abs(steer)), steer / np.max(np.abs(steer)), 1e-5)
    assert_near(r["steer.rate"] / np.max(np.abs(steer_rate)), steer_rate / np.max(np.abs(steer_rate)), 1e-5)
