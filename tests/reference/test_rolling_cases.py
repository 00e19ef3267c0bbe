"""Rolling without slip with known motion, built from the public interface as a user would build it.

The numbers are in `data/`, with their source and the tolerance that they deserve. The cases' discs have their axis
along x of the body; `RollingDisc` wants it along z of a marker.
"""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near

import duoti as dt

TIGHT = dt.DOP853(rtol=1e-11, atol=1e-12)


def coin(mass, radius, position, rotation, v0=None) -> dt.Model:
    """A thin disc; v0: velocity and angular velocity in world axes."""
    m = dt.Model("coin")
    inertia = dt.Inertia(mass, matrix=mass * radius**2 * np.diag([0.5, 0.25, 0.25]))
    disc = m.add_body("disc", inertia, position=position, rotation=rotation)
    m.add_marker("hub", disc, rotation=dt.Rotation.between((0, 0, 1), (1, 0, 0)))
    m.add_joint("F", dt.Free(), m.ground, disc, v0=v0)
    m.add_constraint("roll", dt.RollingDisc("hub", radius))
    return m


def run(model, times, **options):
    r = dt.simulate(model, duration=times[-1], outputs=times, solver=TIGHT, **options)
    assert r.ok, r.reason
    return r


def compared(r, table, radius, tolerance, force_tolerance):
    """Centre, axis, angular velocity and contact force against the columns that a case has."""
    normal = np.array([0.0, 0.0, 1.0])
    axis = np.array([dt.Rotation(q).matrix[:, 0] for q in r["disc.rotation"]])
    push, fx, fy = r.multipliers("roll").T
    up = normal - axis[:, 2:] * axis
    contact = r["disc.position"] - radius * up / np.linalg.norm(up, axis=1)[:, None]
    weight = -9.81 * r.model.mass
    found = {
        "c": r["disc.position"], "n": axis, "W": r["disc.angular_velocity"], "p": contact,
        "F": np.column_stack([fx, fy, push]),
    }  # fmt: skip
    for letter, values in found.items():
        if f"{letter}x" in table:
            wanted = np.column_stack([table[f"{letter}{a}"] for a in "xyz"])
            assert_near(values, wanted, force_tolerance if letter == "F" else tolerance)
    # the multipliers are the contact force: momentum balance of the disc
    assert_near(found["F"] + [0, 0, weight], r.model.mass * r["disc.acceleration"], 1e-9 * abs(weight))
    if "E" in table:
        # the cases count the height from the plane
        assert_near(r.energy.total, table["E"], tolerance)
    # projected to 1e-12 after each step, interpolated between: far below the solver's error
    assert_near(contact[:, 2], 0.0, 1e-10)
    assert np.max(np.abs(r.energy.residual)) < 1e-9 * np.max(r.energy.kinetic)


def test_R05_steady_rolling():
    c = case("R05")
    p, table = c.p, c.table
    beta = p["beta_rad"]
    axis = np.array([np.cos(beta), 0, np.sin(beta)])
    W = np.array([0, 0, p["Om"]]) + c.reference["spin_s"] * axis
    assert_near(W, c.reference["W0"], 1e-14)
    m = coin(
        p["m"], p["r"], (0, 0, c.reference["height"]), dt.Rotation.about("y", -beta), [*c.reference["v_centre0"], *W]
    )
    r = run(m, table["t"])
    compared(r, table, p["r"], 1e-6, 1e-6)  # "accept 1e-6"
    assert_near(r["disc.position"][:, 2], c.reference["height"], 1e-9)  # steady; the solver's error over 4 s
    centre = (c.reference["radius_of_centre_path"], 0)
    assert_near(np.hypot(*(r["disc.position"][:, :2] - centre).T), centre[0], 1e-9)


def test_R05b_general_motion():
    c = case("R05b")
    p, table = c.p, c.table
    R = np.array(p["R0"])
    lowest = np.array([0, 0, 1]) - R[2, 0] * R[:, 0]
    height = p["r"] * lowest[2] / np.linalg.norm(lowest)
    W = R @ p["w0_body"]
    velocity = np.cross(W, p["r"] * lowest / np.linalg.norm(lowest))
    r = run(coin(p["m"], p["r"], (0, 0, height), R, [*velocity, *W]), table["t"])
    compared(r, table, p["r"], 1e-6, 1e-6)  # "self-convergence 2e-10; accept 1e-6"


def test_X14_exudyn_rolling_coin():
    c = case("X14")
    p, table = c.p, c.table
    phi, radius = np.radians(p["phi0_deg"]), p["r"]
    W = np.array(p["omega0"])
    arm = radius * np.array([np.sin(phi), 0, np.cos(phi)])
    m = coin(p["m"], radius, arm, dt.Rotation.about("y", phi), [*np.cross(W, arm), *W])
    r = run(m, table["t"])
    compared(r, table, radius, 1e-11, 1e-10)  # "own 1e-11"; forces of 10 N, relative to that
    x = r["disc.position"][2, 0] - radius * _up(r["disc.rotation"][2])[0]
    assert r.t[2] == 0.5
    assert_near(x, c.reference["exudyn_contact_x_at_0p5"], 2e-6)  # Exudyn's step of 5e-4 s gives 8.5e-7


def _up(quaternion):
    n = dt.Rotation(quaternion).matrix[:, 0]
    up = np.array([0, 0, 1]) - n[2] * n
    return up / np.linalg.norm(up)


def test_rates_that_slip_are_mended_or_refused():
    """Rates that are given are held: a spin without the velocity of the centre that belongs to it is an error."""
    m = coin(0.5, 0.3, (0, 0, 0.3), dt.Rotation.identity(), v0=[0, 0, 0, 5.0, 0, 0])
    with pytest.raises(dt.ModelError) as raised:
        dt.simulate(m, 1.0)
    (error,) = raised.value.report.errors
    assert error.what == 'the initial velocities tear constraint "roll" apart at 1.5 m/s'
    assert error.why == "it works on joints F; v0 given for F"
    assert error.names == ("roll", "F")
