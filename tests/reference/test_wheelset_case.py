"""L07: a wheelset on a track (Test Set for IVP Solvers), as bodies, joints, wheels on rails and rolling contact."""

from __future__ import annotations

from math import cos, pi, sin, tan

import numpy as np
import pytest
from cases import Case, case
from near import assert_near
from scipy.optimize import brentq
from scipy.special import ellipe

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry

TIGHT = dt.DOP853(rtol=1e-10, atol=1e-12)


def axis_ratio(c: Case) -> float:
    """b / a of the ellipse of contact. Of the case's E, b / a and pi only E / (pi sqrt(b / a)) matters.

    Its E has five correct digits, pi eight: the ratio with that very number differs from its own one by 2e-5.
    """
    wanted = c.p["E"] / (3.1415926 * c.p["GG"] ** 0.5)
    return brentq(lambda g: ellipe(1.0 - g * g) / (pi * g**0.5) - wanted, 0.6, 0.8, xtol=1e-15)


def wheelset(c: Case, kinematics: str, lower: tuple[float, ...] = (0.0, 0.0)) -> dt.Model:
    """x forward, y to the left, z up; `lower`: how much the rails are lower than the case has them [m]."""
    p = c.p
    m = dt.Model("wheelset", gravity=(0, 0, -p["G"]))
    train = m.add_body("train", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("travel", dt.Prismatic("x"), m.ground, train, v0=[p["V"]])
    m.add_constraint("speed", dt.JointMotion("travel", f"{p['V']}*t"))
    axle = m.add_body("axle", dt.Inertia(p["MR"], matrix=np.diag([p["LI2"], p["LI1"], p["LI2"]])))
    x, y, z, yaw, roll = p["y0"][:5]
    six = dt.Composite.of_axes("yzx", "zxy")  # lateral, vertical, longitudinal; yaw, roll, rotation
    q0, v0 = [x, y, z, yaw, roll, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, p["V"] / p["RN0"]]
    m.add_joint("six", six, train, axle, q0=q0, v0=v0)
    m.add_force("cx", dt.JointSpring("six", stiffness=2 * p["CX"], coordinate=0))
    m.add_force("cz", dt.JointSpring("six", stiffness=2 * p["CZ"], coordinate=2))
    # the case's torque of the springs is vertical: it turns the rolled wheelset about its axle, too
    m.add_force("yaw", dt.AppliedTorque(axle, [0, 0, f"-{2 * p['XL'] ** 2 * p['CZ']!r}*six.q[3]"]))
    law = dt.RollingContact(
        p["MU"], p["GM"], p["SIGMA"], (p["C11"], p["C22"], p["C23"]), axis_ratio=axis_ratio(c), kinematics=kinematics
    )
    delta, R = p["DELTA0"], p["RS"]
    for name, side, less in (("left", 1, lower[0]), ("right", -1, lower[1])):
        limits = (0.1, 0.2) if side > 0 else (-0.2, -0.1)
        wheel = dt.Shape.revolution(f"{p['RN0']} + {tan(delta)!r}*({p['AR']} - abs(z))", limits, axis="y")
        place = (0, side * (p["AR"] + R * sin(delta)), -p["RN0"] - R * cos(delta) - less)
        rail = dt.Shape.extrusion(f"sqrt({R}^2 - x^2)", 10.0, (-0.04, 0.04), axis="x", position=place)
        m.add_contact(name, law, m.ground, axle, shapes=(rail, wheel))
    return m


def gaps(model: dt.Model) -> tuple[float, ...]:
    system = dt.compile(model)
    of = rigid_contacts(system)
    assert of is not None
    return tuple(ContactGeometry(system, of, biases=False).gaps(system.initial_state()[0]))


def states(c: Case, r: dt.Result) -> np.ndarray:
    """x, y, z, yaw, roll, their rates, and the rate of rotation less that of pure rolling."""
    return np.column_stack([r["six.q"][:, :5], r["six.v"][:, :5], r["six.v"][:, 5] - c.p["V"] / c.p["RN0"]])


@pytest.mark.full
def test_L07_wheelset_on_a_track():
    """All times of the case within the 2.8e-7 by which its two sources differ.

    The case's equations are exact in space but for the creepages, which it measures against the track. Its initial
    values have five digits, and its constraints are those of the velocities: gaps of 5e-10 m stay what they are. The
    rails are put there, so that nothing has to be moved at the start.
    """
    c = case("L07")
    own = np.array(c.reference["own"])
    lower = gaps(wheelset(c, "track"))
    assert np.max(np.abs(lower)) < 1e-9
    r = dt.simulate(wheelset(c, "track", tuple(-g for g in lower)), 10.0, solver=TIGHT, outputs=np.r_[0.0, own[:, 0]])
    assert r.ok, r.reason
    y = states(c, r)[1:]
    assert_near(y[:, :5], own[:, 1:6], 2.8e-7)
    assert_near(y[:, 5:], own[:, 6:], 2.8e-7)
    published = c.reference["published_t10"]
    assert_near(y[-1], published["p_v_betadot"], 2.8e-7)
    # a multiplier acts on g = f(x) - y, whose gradient is as long as 1 / cos(angle of contact); of the creep force, a
    # part of sin(yaw) sin(angle of contact) < 4e-4 is along the normal: it is counted with the normal force here
    slope = tan(c.p["DELTA0"] + y[-1, 4]), tan(c.p["DELTA0"] - y[-1, 4])
    for name, multiplier, g in zip(("left", "right"), published["lam"], slope, strict=True):
        force = -1e4 * multiplier * (1.0 + g * g) ** 0.5
        assert_near(r[f"{name}.normal_force"][-1], force, 4e-4 * c.p["MU"] * force + 1e-6 * force)


def test_L07_by_time_stepping():
    """Of first order: the error is proportional to the step, so that what two steps say together has little of it."""
    c = case("L07")
    own = np.array(c.reference["own"])[:3]
    m = wheelset(c, "track", tuple(-g for g in gaps(wheelset(c, "track"))))
    found = []
    for step in (5e-4, 2.5e-4):
        r = dt.simulate(m, 1.0, solver=dt.Moreau(step=step), outputs=np.r_[0.0, own[:, 0]])
        assert r.ok, r.reason
        found.append(states(c, r)[1:])
    errors = [np.max(np.abs(y - own[:, 1:])) for y in (*found, 2.0 * found[1] - found[0])]
    assert errors[1] < 0.01 * np.max(np.abs(own[:, 1:]))
    assert 1.8 < errors[0] / errors[1] < 2.2
    assert errors[2] < 0.1 * errors[1]


def test_L07_with_creepages_in_the_plane_of_contact():
    """What the case's angles leave out, by the size of its effect in the first second.

    The spin is sin(cone angle) of the rotation, not sin(cone angle ± roll): of the lateral force a share of c23 c
    roll / (r c22 yaw), 1e-3 at the start and less later; the yaw in the plane of contact, another one of
    (1 - cos(angle)) = 3e-4. Both change the growth of the hunting motion and its phase by about that, and the motion
    has grown to 0.35 rad/s and m/s.
    """
    c = case("L07")
    own = np.array(c.reference["own"])
    r = dt.simulate(wheelset(c, "spatial"), 1.0, solver=TIGHT, outputs=np.r_[0.0, own[:3, 0]])
    assert r.ok, r.reason
    y = states(c, r)[1:]
    assert np.max(np.abs(y[:, 3] - own[:3, 4])) < 1e-2 * np.max(np.abs(own[:3, 4]))
    difference = np.max(np.abs(y - own[:3, 1:]))
    assert 1e-4 < difference < 5e-3  # plainly not the same model, and not far from it
    assert np.max(np.abs(r.energy.residual)) < 1e-6 * np.ptp(r.energy.supplied + r.energy.dissipated)
