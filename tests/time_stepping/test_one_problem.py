"""Contacts, friction and stops of joints and rolling friction of a step are one problem, and islands are apart."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots

G = 9.81
PLANE = dt.Shape.plane()


def drawer(friction: float) -> dt.Model:
    """Pulled at a corner: friction loads its own guide, and jams from 0.5 on."""
    m = dt.Model("drawer")
    m.add_body("drawer", dt.Inertia.box(2.0, size=(0.4, 0.4, 0.1)), position=(0, 0.1, 0))
    m.add_joint("guide", dt.Prismatic("x"), m.ground, "drawer", at=(0, 0, 0), v0=0.1)
    m.add_force("rub", dt.JointFriction("guide", friction=friction, overlap=0.1))
    m.add_force("pull", dt.AppliedForce("drawer", (30, 0, 0)))
    return m


@pytest.mark.parametrize("friction", [0.2, 0.4, 0.44, 0.45, 0.46, 0.47, 0.48, 0.49])
def test_friction_that_loads_its_own_guide(friction):
    """The acceleration is constant, so that one step is exact; plain iteration of the load was off by 8e-3 m/s."""
    end = [0.0, 1e-3]
    by_steps = dt.simulate(drawer(friction), 1e-3, outputs=end, solver=dt.Moreau(step=1e-3))
    event_driven = dt.simulate(drawer(friction), 1e-3, outputs=end, solver=dt.DOPRI5())
    assert by_steps.ok
    assert not by_steps.stats.notes
    assert by_steps["guide.velocity"][-1] == pytest.approx(event_driven["guide.velocity"][-1], abs=1e-11)


def test_a_jam_is_no_silent_stop():
    with pytest.warns(dt.errors.SimulationWarning):
        r = dt.simulate(drawer(0.6), 1e-2, solver=dt.Moreau(step=1e-3))
    assert not r.ok
    assert 'joint "guide"' in r.reason
    assert "jams" in r.reason


@pytest.mark.parametrize("friction", [0.5, 0.6, 2.0])
@pytest.mark.parametrize("pull", [1.0, 15.0, 30.0])
def test_a_drawer_at_rest_locks_itself(friction, pull):
    """Above the critical coefficient friction holds any pull, as event-driven; extrapolated loads let it go."""
    m = drawer(friction)
    m.joints["guide"].v0 = 0.0
    m.forces["pull"].value = (pull, 0, 0)
    r = dt.simulate(m, 0.1, outputs=0.05, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert not r.stats.notes
    assert np.all(r["guide.position"] == 0.0)
    assert r["rub.force"][-1] == pytest.approx(-pull, rel=1e-12)
    assert r.stats.contacts["kept"] + r.stats.contacts["newton"] == r.stats.contacts["steps"] == 100


def ball(far: str) -> dt.Model:
    """A ball that lands and slides, and things a hundred metres away."""
    m = dt.Model("far away")
    m.ground.shapes.append(PLANE)

    def add(name: str, shape: dt.Shape, inertia: dt.Inertia, position: tuple[float, float, float], v: list[float]):
        body = m.add_body(name, inertia, position=position)
        body.shapes.append(shape)
        m.add_joint(f"{name} free", dt.Free(), m.ground, body, v0=v)

    add("ball", dt.Shape.sphere(0.1), dt.Inertia.sphere(1.0, radius=0.1), (0, 0, 0.1), [1.0, 0, -0.3, 0, 0, 0])
    for k in range(2 if far == "stack" else 0):
        box = dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2))
        add(f"box{k}", dt.Shape.box((0.2, 0.2, 0.2)), box, (100, 0, 0.1 + 0.2 * k), [0.0] * 6)
    if far == "fast":
        add("shot", dt.Shape.sphere(0.1), dt.Inertia.sphere(9.0, radius=0.1), (100, 0, 0.1), [300.0, 0, -5.0, 0, 0, 0])
    m.add_contact("all", dt.RigidContact(friction=0.3, restitution=0.3), "all", "all")
    return m


def test_what_is_far_away_changes_nothing():
    """A stack switched other rules on for every contact, and a fast body allowed all others larger errors."""
    runs = [dt.simulate(ball(far), 0.06, outputs=0.02, solver=dt.Moreau(step=2e-3)) for far in ("", "stack", "fast")]
    for r in runs:
        assert r.ok
    for r in runs[1:]:
        assert np.max(np.abs(r["ball.position"] - runs[0]["ball.position"])) < 1e-13


@pytest.mark.parametrize("step", [1e-3, 1e-4])
@pytest.mark.parametrize("force", ["spring", "damper", "motor"])
def test_energy_of_bodies_that_overlap_at_the_start(step, force):
    """What pushes them apart is no motion: dampers take nothing by it, springs what they store.

    It was 0.5 J of the spring, and 5 J (1 ms) to 50 J (0.1 ms) of the damper.
    """
    m = dt.Model("pressed in")
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.09))
    m.add_joint("rail", dt.Prismatic("z"), m.ground, b)
    if force == "motor":
        m.add_force("motor", dt.JointTorque("rail", "-20 - 1000*q"))
    else:
        numbers = {"stiffness": 1e4} if force == "spring" else {"damping": 100.0}
        m.add_marker("above", m.ground, position=(0, 0, 1.0))
        m.add_force("element", dt.SpringDamper("above", b, rest_length=0.91, **numbers))
    m.add_contact("floor", dt.RigidContact(), m.ground, b, shapes=(PLANE, dt.Shape.sphere(0.1)))
    r = dt.simulate(m, 0.02, solver=dt.Moreau(step=step))
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(0.1, abs=1e-9)
    assert np.max(np.abs(r.energy.residual)) < (1e-9 if force != "motor" else 1e-9 + 20.0 * 1e-3 * 0.01)


@pytest.mark.parametrize("step", [2e-3, 1e-3])
def test_implicit_forces_beside_friction_and_stops(step):
    """Damping of 400/s, unstable in explicit steps of more than 5 ms, then stiffness of (2000/s)², beside friction.

    The body comes to rest where friction holds it, or at its stop, as by event-driven steps of DOPRI5.
    """
    for stiffness, push in ((4e6, 0.0), (10.0, 60.0)):
        m = dt.Model("stiff")
        m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
        m.add_joint("x", dt.Prismatic("x"), m.ground, "b", q0=0.05, limits=(-1.0, 0.06))
        m.add_force("spring", dt.JointSpring("x", stiffness=stiffness, damping=4000.0))
        m.add_force("rub", dt.JointFriction("x", constant=5.0))
        m.add_force("push", dt.JointTorque("x", push))
        wanted = dt.simulate(m, 0.5, outputs=[0.0, 0.5], solver=dt.DOPRI5())
        r = dt.simulate(m, 0.5, outputs=[0.0, 0.5], solver=dt.Moreau(step=step, implicit=True))
        assert r.ok, r.reason
        assert not r.stats.notes
        # friction holds it anywhere within friction / stiffness of where springs and stops would
        near = 2.0 * 5.0 / stiffness if push == 0.0 else 2e-3
        assert abs(r["x.position"][-1] - wanted["x.position"][-1]) < near
        assert r["x.velocity"][-1] == (0.0 if push == 0.0 else pytest.approx(wanted["x.velocity"][-1], abs=2e-3))


def test_a_robot_stands():
    """The quadruped that comes with the package, with friction and limits in its joints: forces sum to its weight."""
    m = dt.formats.load_mjcf(robots()["hound"], contacts=True, keyframe=0)
    r = dt.simulate(m, 3.0, outputs=1.0, solver=dt.Moreau(step=2e-3, implicit=True))
    assert r.ok, r.reason
    assert not r.stats.notes
    weight = sum(b.inertia.mass for b in m.bodies.values() if b.inertia is not None) * G
    force = sum(r[f"{name}.force"][-1, 2] for name in m.contacts if name.startswith("floor"))
    assert force == pytest.approx(weight, rel=1e-3)  # it still sways by some 1e-3 m/s
    feet = [r[f"floor {leg}_foot.state"][-1] for leg in ("FL", "FR", "RL", "RR")]
    assert feet == [1.0] * 4  # they stick
