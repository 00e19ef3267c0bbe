"""Gear meshes with backlash against closed forms of an oscillator with play."""

import numpy as np
import pytest

import duoti as dt

INERTIA_A, INERTIA_B = 2e-3, 8e-3  # kg m²
RADIUS_A, RADIUS_B, STIFFNESS = 0.03, 0.06, 2e6  # m, m, N/m


def wheels(internal=False, **mesh):
    model = dt.Model("gears", gravity=(0, 0, 0))
    for name, inertia, x in (("a", INERTIA_A, 0.0), ("b", INERTIA_B, 0.09)):
        model.add_body(f"wheel_{name}", dt.Inertia(1.0, matrix=np.diag([inertia] * 3)), position=(x, 0, 0))
        model.add_joint(name, dt.Revolute("z"), model.ground, f"wheel_{name}", at=(x, 0, 0))
    model.add_force("mesh", dt.GearMesh("a", "b", RADIUS_A, RADIUS_B, STIFFNESS, internal=internal, **mesh))
    return model


@pytest.mark.parametrize("internal", [False, True])
def test_a_steady_torque_goes_through(internal):
    """Torque T on a: both flanks' play is taken up, the force is T/r_a less the inertia's share."""
    model = wheels(internal, damping=1.0, backlash=1e-4)
    model.add_force("motor", dt.JointTorque("a", 3.0))
    model.add_force("brake_a", dt.JointDamping("a", 0.5))
    model.add_force("brake_b", dt.JointDamping("b", 2.0))
    r = dt.simulate(model, 1.0)
    assert r.ok, r.reason
    # steady: w_b = -+ w_a r_a/r_b, T = 0.5 w_a + F r_a, F r_b = 2 |w_b|: time constants below 10 ms
    ratio = RADIUS_A / RADIUS_B
    w_a = 3.0 / (0.5 + 2.0 * ratio**2)
    np.testing.assert_allclose(r["a.rate"][-1], w_a, rtol=1e-6)
    np.testing.assert_allclose(r["b.rate"][-1], w_a * ratio * (1 if internal else -1), rtol=1e-6)
    force = 2.0 * w_a * ratio / RADIUS_B
    np.testing.assert_allclose(r["mesh.force"][-1], force, rtol=1e-6)
    np.testing.assert_allclose(r["mesh.play"][-1], 0.5e-4 + force / STIFFNESS, rtol=1e-6)


def test_free_flight_and_elastic_blows():
    """Within the play nothing acts; a blow takes half a period of the oscillator and reverses the relative speed."""
    play, speed = 2e-4, 1.0
    model = wheels(backlash=play)
    model.joints["a"].v0 = speed
    effective = 1 / (RADIUS_A**2 / INERTIA_A + RADIUS_B**2 / INERTIA_B)
    blow = np.pi * np.sqrt(effective / STIFFNESS)
    approach = RADIUS_A * speed
    first = 0.5 * play / approach  # from the middle of the play
    end = first + blow + 0.5 * play / approach
    r = dt.simulate(model, end, outputs=np.linspace(0, end, 4001), rtol=1e-10, atol=1e-12)
    free = r.t < first - 1e-6
    np.testing.assert_allclose(r["a.rate"][free], speed, rtol=1e-12)
    assert np.all(r["mesh.force"][free] == 0.0)
    relative = RADIUS_A * r["a.rate"] + RADIUS_B * r["b.rate"]
    np.testing.assert_allclose(relative[-1], -approach, rtol=1e-7)
    np.testing.assert_allclose(r["mesh.play"][-1], 0.0, atol=1e-9)  # back in the middle
    np.testing.assert_allclose(r["mesh.force"].max(), STIFFNESS * approach * np.sqrt(effective / STIFFNESS), rtol=1e-4)
    assert np.abs(r.energy.residual).max() < 1e-9 * r.energy.kinetic[0]


@pytest.mark.parametrize(("amplitude", "rattles"), [(0.8, False), (1.2, True)])
def test_rattle_begins_where_the_inertia_beats_the_drag(amplitude, rattles):
    """The driven wheel leaves the flank where its inertia times its acceleration exceeds its drag torque."""
    drag, frequency = 0.5, 2 * np.pi * 20
    threshold = drag / INERTIA_B * RADIUS_B / RADIUS_A / frequency  # of the drive's rate [rad/s]
    swing = amplitude * threshold
    model = wheels(damping=200.0, backlash=1e-4)
    start = 0.5e-4 / RADIUS_A
    model.add_constraint("drive", dt.JointMotion("a", f"{start} + 50*t + {swing / frequency}*(1 - cos({frequency}*t))"))
    model.joints["a"].q0, model.joints["a"].v0 = start, 50.0
    model.joints["b"].v0 = -50.0 * RADIUS_A / RADIUS_B
    model.add_force("drag", dt.JointTorque("b", drag))
    r = dt.simulate(model, 0.5, outputs=2e-4)
    assert r.ok, r.reason
    late = r.t > 0.1
    assert np.any(r["mesh.force"][late] == 0.0) == rattles


def test_faults():
    assert "stiffness is 0" in str(dt.check(_changed(stiffness=0.0)))
    assert "backlash is -1" in str(dt.check(_changed(backlash=-1.0)))


def _changed(**numbers):
    model = wheels()
    for name, value in numbers.items():
        setattr(model.forces["mesh"], name, value)
    return model
