"""Electric motors as first-order states, coupled both ways with the mechanism that they drive."""

from __future__ import annotations

import near
import numpy as np
import pytest
from cases import Case, case
from scipy.linalg import expm

import duoti as dt

TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)


def assert_near(got, wanted, tolerance):
    """Relative to the largest of the wanted numbers."""
    __tracebackhide__ = True
    near.assert_near(got, wanted, tolerance, relative=True)


def ball(J: float) -> dt.Inertia:
    """A rotor: only its moment about its axis matters."""
    return dt.Inertia(1.0, matrix=np.diag([J, J, J]))


def step_motor(c: Case) -> dt.Model:
    m = dt.Model("motor", gravity=(0, 0, 0), parameters=c.p)
    m.add_body("rotor", ball(c.p["J"]))
    m.add_joint("shaft", dt.Revolute("z"), m.ground, "rotor")
    m.add_state("i", "(U - R*i - K*shaft.rate)/L", unit="A")
    m.add_force("drive", dt.JointTorque("shaft", "K*i - T_L"))
    m.add_force("friction", dt.JointDamping("shaft", c.p["b"]))
    return m


@pytest.mark.parametrize(
    ("solver", "tolerance"),
    [
        (TIGHT, 1e-9),  # what the case's own two ways of computing agree to is 3e-9
        (dt.DOPRI5(), 1e-6),  # the defaults, a local error of 1e-8
        (dt.RKF45(), 1e-6),
        (dt.RK4(step=1e-3), 1e-6),  # (h * fastest pole)^4 is 6e-6 of what is left of a fast transient
    ],
    ids=["tight", "DOPRI5", "RKF45", "RK4"],
)
def test_M02_dc_motor_step(solver, tolerance):
    c = case("M02")
    r = dt.simulate(step_motor(c), 2.0, outputs=c.table["t"], solver=solver)
    assert r.ok
    assert_near(r["i"], c.table["i_A"], tolerance)
    assert_near(r["shaft.rate"], c.table["omega_rad_s"], tolerance)


def test_M02_against_the_matrix_exponential():
    """The same by the exact solution x = (1 - exp(A t)) x_steady, at many times."""
    c = case("M02")
    p = c.p
    A = np.array([[-p["R"] / p["L"], -p["K"] / p["L"]], [p["K"] / p["J"], -p["b"] / p["J"]]])
    assert sorted(np.linalg.eigvals(A)) == pytest.approx(sorted(x for x, _ in c.reference["poles"]))
    steady = np.linalg.solve(A, [-p["U"] / p["L"], p["T_L"] / p["J"]])
    assert steady == pytest.approx(c.reference["steady"])
    r = dt.simulate(step_motor(c), 2.0, outputs=0.02, solver=TIGHT)
    exact = np.array([steady - expm(A * t) @ steady for t in r.t])
    assert_near(r["i"], exact[:, 0], 1e-11)
    assert_near(r["shaft.rate"], exact[:, 1], 1e-11)
    assert_near(r["i.rate"], (exact @ A.T)[:, 0] + p["U"] / p["L"], 1e-11)


def test_M02_peak_current():
    c = case("M02")
    m = step_motor(c)
    m.add_event("peak", dt.Event("U - R*i - K*shaft.rate", direction="falling"))
    (peak,) = dt.simulate(m, 2.0, solver=TIGHT).events
    time, value = c.reference["peak_current_time_value"]
    # events are located on the dense output, of order 7 within a step; the current is flat there
    assert peak.t == pytest.approx(time, rel=1e-8)
    assert peak.z[0] == pytest.approx(value, rel=1e-10)


# --------------------------------------------------------------------------------------------- M03: reducer and link

RIGID = {"q": "hinge.q", "qd": "hinge.v", "i": "i"}
COMPLIANT = RIGID | {"theta_m": "shaft.q", "omega_m": "shaft.v"}
TRANSMITTED = "(k*(shaft.angle/N - hinge.angle) + c*(shaft.rate/N - hinge.rate))"


def link(c: Case, reflected: float = 0.0) -> dt.Model:
    """The link; `reflected` is the rotor's inertia as felt at the hinge."""
    p = c.p
    m = dt.Model("reducer", gravity=(0, -9.81, 0), parameters=p)
    about_com = p["Jl"] - p["m"] * p["lc"] ** 2 + reflected
    m.add_body("link", dt.Inertia(p["m"], com=(p["lc"], 0, 0), matrix=about_com * np.eye(3)))
    m.add_joint("hinge", dt.Revolute("z"), m.ground, "link", at=(0, 0, 0))
    return m


def link_and_rotor(c: Case) -> dt.Model:
    m = link(c)
    m.add_body("rotor", ball(c.p["J"]))
    m.add_joint("shaft", dt.Revolute("z"), m.ground, "rotor", at=(0, 0, 0))
    m.add_state("i", "(U - R*i - K*shaft.rate)/L", unit="A")
    m.add_force("drive", dt.JointTorque("shaft", "K*i"))
    m.add_force("friction", dt.JointDamping("shaft", c.p["b"]))
    return m


def assert_case(m: dt.Model, reference: dict, channels: dict[str, str], **options):
    """The case's own tolerance, 1e-9, for each quantity in proportion to its size."""
    table = dict(zip(reference["columns"], np.array(reference["values"]).T, strict=True))
    r = dt.simulate(m, 1.0, outputs=table["t"], solver=TIGHT, **options)
    assert r.ok
    for column, channel in channels.items():
        assert_near(r[channel], table[column], 1e-9)


def test_M03_rigid_reducer_as_one_inertia():
    c = case("M03")
    n = c.p["N"]
    m = link(c, reflected=n**2 * c.p["J"])
    m.add_state("i", "(U - R*i - K*N*hinge.rate)/L", unit="A")
    m.add_force("drive", dt.JointTorque("hinge", "N*K*i"))
    m.add_force("friction", dt.JointDamping("hinge", n**2 * c.p["b"]))
    assert_case(m, c.reference["rigid"], RIGID)


@pytest.mark.parametrize(
    "constraint_method", [dt.Projection(), dt.CoordinatePartitioning(), dt.NullSpace(), dt.Baumgarte()]
)
def test_M03_rigid_reducer_as_a_gear(constraint_method):
    """Two bodies with a constraint between them, with each of the ways to compute the rates."""
    c = case("M03")
    m = link_and_rotor(c)
    m.add_constraint("reducer", dt.Gear("hinge", "shaft", ratio=c.p["N"]))
    assert_case(m, c.reference["rigid"], RIGID, constraints=constraint_method)


def test_M03_compliant_reducer():
    c = case("M03")
    m = link_and_rotor(c)
    m.add_force("on link", dt.JointTorque("hinge", TRANSMITTED))
    m.add_force("on rotor", dt.JointTorque("shaft", f"-{TRANSMITTED}/N"))
    assert_case(m, c.reference["compliant"], COMPLIANT)


# ------------------------------------------------------------------------------------------- M01: robot with motors


def robot_with_motors(c: Case) -> dt.Model:
    """Column, upper arm and forearm, horizontal along x; motors on the previous link, rotors count as inertia."""
    p = c.p
    m = dt.Model("robot", parameters={name: p[name] for name in ("L", "R", "Kt", "U", "N")})
    column = np.diag([p["J1z"], p["J1z"], p["J1z"]])  # only its moment about z matters
    link = np.diag([p["Jyy"], p["Jxx"], p["Jzz"]])  # slender along x
    m.add_body("column", dt.Inertia(p["m"][0], matrix=column))
    m.add_body("arm", dt.Inertia(p["m"][1], matrix=link), position=(p["lc"], 0, p["l"][0]))
    m.add_body("forearm", dt.Inertia(p["m"][2], matrix=link), position=(p["l"][1] + p["lc"], 0, p["l"][0]))
    places = ((0, 0, 0), (0, 0, p["l"][0]), (p["l"][1], 0, p["l"][0]))
    chain = ("ground", "column", "arm", "forearm")
    for k, (axis, at) in enumerate(zip(("z", "-y", "-y"), places, strict=True), 1):
        rotor = p["Jr"] * p["N"] ** 2
        m.add_joint(f"q{k}", dt.Revolute(axis), chain[k - 1], chain[k], at=at, rotor_inertia=rotor)
        m.add_state(f"i{k}", f"(U - R*i{k} - Kt*N*q{k}.rate)/L", unit="A")
        m.add_force(f"motor{k}", dt.JointTorque(f"q{k}", f"N*Kt*i{k}"))
        m.add_force(f"friction{k}", dt.JointDamping(f"q{k}", p["b"] * p["N"] ** 2))
    return m


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_M01_robot_with_motors(coordinates):
    c = case("M01")
    columns = c.reference["columns"]
    table = dict(zip(columns, np.array(c.reference["cases"]["horizontal_relative"]["values"]).T, strict=True))
    times = np.concatenate([[0.0], table["t"]])
    r = dt.simulate(robot_with_motors(c), times[-1], outputs=times, solver=TIGHT, coordinates=coordinates)
    assert r.ok
    for k in (1, 2, 3):
        assert_near(r[f"i{k}"][1:], table[f"i{k}"], 1e-7)
        assert_near(r[f"q{k}.rate"][1:], table[f"qd{k}"], 1e-7)
        assert_near(r[f"q{k}.angle"][1:], table[f"q{k}"], 1e-7)
    for k in (2, 3):
        force = np.linalg.norm(r[f"q{k}.reaction_force"], axis=1)[1:]
        assert_near(force, table[f"F_joint{k}_N"], 1e-7)
