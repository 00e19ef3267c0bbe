"""Discs and ends of cylinders that slap flat on a plane in event-driven runs: closed forms, and time stepping."""

import math

import numpy as np
import pytest

import duoti as dt

G = 9.81


def _on_rim(shape: dt.Shape, inertia: dt.Inertia, half: float, tilt: float, friction: float, restitution: float = 0.0):
    """A body of revolution about z that stands on its rim, inclined about an axis of its base, and falls back on it."""
    m = dt.Model("on its rim")
    up = dt.Rotation.from_vector((tilt, 0, 0))
    m.add_body("b", inertia, position=up.matrix @ (0, 0.1, half) - (0, 0.1, 0), rotation=up, shapes=[shape])
    m.ground.shapes.append(dt.Shape.plane())
    m.add_joint("free", dt.Free(), m.ground, "b")
    m.add_contact("floor", dt.RigidContact(friction=friction, restitution=restitution), m.ground, "b")
    return m


@pytest.mark.parametrize("mass_ratio", [0.9, 1.3])
def test_a_tall_cylinder_rocks_from_rim_to_rim(mass_ratio: float) -> None:
    """Angular momentum about the new edge is kept where the body turns over it without slip (Housner 1963):

    w' / w = (J + m h² - m r²) / (J + m h² + m r²),    w² = 2 m g drop / (J + m h² + m r²).
    """
    r, h, tilt = 0.1, 0.4, 0.1
    inertia = dt.Inertia(2.0, matrix=np.diag([mass_ratio * 0.1, mass_ratio * 0.1, 0.01]))
    model = _on_rim(dt.Shape.cylinder(r, 2 * h), inertia, h, tilt, friction=5.0)
    run = dt.simulate(model, 0.6, solver=dt.DOPRI5(rtol=1e-9, atol=1e-11), outputs=1e-4)
    assert run.ok, run.reason
    about_edge = mass_ratio * 0.1 + 2.0 * (h * h + r * r)
    drop = h * math.cos(tilt) + r * math.sin(tilt) - h
    before = math.sqrt(2 * 2.0 * G * drop / about_edge)
    after = before * (about_edge - 2 * 2.0 * r * r) / about_edge
    first = run.impacts[0].time
    # outputs 1e-4 s from the impact, in which gravity changes w by 2 g r dt / J_edge ~ 6e-4 rad/s
    late = np.flatnonzero(run.t > first)[0] + 1
    w = -run["b.angular_velocity.x"].ravel()
    assert w[late - 3] == pytest.approx(before, abs=2e-3)
    assert w[late] == pytest.approx(after, abs=2e-3)
    assert max(abs(run.energy.residual)) < 1e-7
    peak = run["b.position.z"].ravel()[run.t > first].max() - h  # the same energy, as height on the other rim
    assert peak == pytest.approx(0.5 * about_edge * after**2 / (2.0 * G), rel=1e-4)  # outputs miss its top by 1e-9 m


@pytest.mark.parametrize("friction", [0.0, 0.4])
@pytest.mark.parametrize("shape", [dt.Shape.disc(0.1), dt.Shape.cylinder(0.1, 0.02, position=(0, 0, 0.01))])
def test_a_flat_body_slaps_and_lies(shape: dt.Shape, friction: float) -> None:
    """A disc turns about its rim with J + m r² (sticking) and loses all in the slap; it lies still after it."""
    tilt, r = 0.3, 0.1
    inertia = dt.Inertia(1.0, matrix=np.diag([0.0025, 0.0025, 0.005]))
    model = _on_rim(shape, inertia, 0.0, tilt, friction=friction)
    run = dt.simulate(model, 0.4, solver=dt.DOPRI5(), outputs=1e-3)
    assert run.ok, run.reason
    drop = r * math.sin(tilt)
    lost = sum(impact.energy_lost for impact in run.impacts)
    assert lost + (run["floor.energy_lost"][-1].item() - lost) == pytest.approx(1.0 * G * drop, rel=1e-4)
    if friction == 0.0:  # all of it in the impact, but for the tolerance of the run
        assert lost == pytest.approx(1.0 * G * drop, rel=1e-5)
    assert run["b.position.z"][-1].item() == pytest.approx(0.0, abs=1e-9)
    assert abs(run["b.angular_velocity.x"][-1].item()) < 1e-9
    assert max(abs(run.energy.residual)) < 1e-6


def test_time_stepping_comes_to_rebounds_of_a_disc() -> None:
    """Newton's law at all points that meet, e = 0.5: the same motion as with short steps, which are of first order."""
    inertia = dt.Inertia(1.0, matrix=np.diag([0.0025, 0.0025, 0.005]))
    model = _on_rim(dt.Shape.disc(0.1), inertia, 0.0, 0.3, friction=0.0, restitution=0.5)
    event_driven = dt.simulate(model, 0.16, solver=dt.DOPRI5(), outputs=0.01)
    assert event_driven.ok, event_driven.reason
    for step in (1e-4, 2.5e-5):
        time_stepping = dt.simulate(model, 0.16, solver=dt.Moreau(step), outputs=0.01)
        error = np.max(np.abs(time_stepping["b.position.z"] - event_driven["b.position.z"]))
        assert error < step * 1.0  # m: an impact is at most a step late, at speeds below 1 m/s
