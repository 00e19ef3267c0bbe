"""Whether rigid contacts leave one motion, several, or none; and runs that meet such a state."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots

PLANE = dt.Shape.plane()


def rod(mu, degrees, omega, speed=1.0, restitution=0.0):
    """A slender rod of half length 1 m with its tip on the ground, which slides at `speed` along x; and its state."""
    phi = np.radians(degrees)
    m = dt.Model("rod")
    R = np.array([[np.cos(phi), 0, np.sin(phi)], [0, 1, 0], [-np.sin(phi), 0, np.cos(phi)]])
    inertia = dt.Inertia(1.0, matrix=np.diag([1e-9, 1 / 3, 1 / 3]))
    body = m.add_body("rod", inertia, position=(0, 0, np.sin(phi)), rotation=R)
    m.add_joint("plane", dt.Planar("y", first_axis="x"), m.ground, body)
    m.add_marker("tip", body, position=(1, 0, 0))
    law = dt.RigidContact(friction=mu, restitution=restitution)
    m.add_contact("ground", law, m.ground, "tip", shapes=(PLANE, dt.Shape.point()))
    # the joint's axes are x and y x x = -z
    centre = np.array([speed, 0, 0]) - np.cross([0, omega, 0], [np.cos(phi), 0, -np.sin(phi)])
    return dt.compile(m), np.zeros(3), np.array([centre[0], -centre[2], omega])


def test_a_box_on_its_corners():
    m = dt.Model("box")
    body = m.add_body("box", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.02)), position=(0, 0, 0.01))
    m.add_joint("free", dt.Free(), m.ground, body)
    shapes = (PLANE, dt.Shape.box((0.2, 0.2, 0.02)))
    m.add_contact("floor", dt.RigidContact(), m.ground, body, shapes=shapes)
    found = dt.contact_problem(m)
    assert found.consistent
    assert found.unique
    assert not found.forces_unique
    assert found.contacts == ("floor",) * 4
    assert sum(found.solutions[0].normal_force) == pytest.approx(2.0 * 9.81, rel=1e-9)


def test_what_falls_has_no_problem():
    system, q, v = rod(0.3, 60, 0.0)
    found = dt.contact_problem(system, q, v + np.array([0.0, 0.5, 0.0]))
    assert found.contacts == ()
    assert found.approaching == ("ground",)
    with pytest.raises(ValueError, match="no rigid contacts"):
        dt.contact_problem(_bare())


def _bare():
    m = dt.Model("bare")
    body = m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("z", dt.Prismatic("z"), m.ground, body)
    return m


def test_a_run_goes_on_through_an_impact_without_collision():
    """Inconsistent at the start: the slip ends at once, energy is lost, and the run goes on."""
    system, q, v = rod(1.4, 60, 0.0)
    assert not dt.contact_problem(system, q, v).consistent
    r = dt.simulate(system, 0.05, at=(q, v))
    assert r.ok, r.reason
    assert any("impact without collision" in note for note in r.stats.notes)
    first = r.impacts[0]
    assert first.time == 0.0
    assert first.normal_speed[0] == pytest.approx(0.0, abs=1e-12)
    assert first.energy_lost > 0.0
    # it slides until it stops, then sticks until nothing approaches: both velocities of the tip are zero after it
    W = np.array([[1.75, 3 * np.sqrt(3) / 4], [3 * np.sqrt(3) / 4, 3.25]])
    normal, tangential = np.linalg.solve(W, [0.0, -1.0])
    assert first.impulse == pytest.approx([tangential, 0, normal], rel=1e-9, abs=1e-12)
    assert np.min(r["ground.gap"]) > -1e-9
    assert np.max(np.abs(r.energy.residual)) < 1e-9
    with pytest.warns(dt.errors.SimulationWarning):
        stopped = dt.simulate(system, 0.05, at=(q, v), painleve="stop")
    assert not stopped.ok
    assert stopped.reason_code == "contact-unsolved"
    assert '"ground"' in stopped.reason


def test_several_motions_are_noted():
    system, q, v = rod(1.4, 60, 4.0)
    found = dt.contact_problem(system, q, v)
    assert [s.states for s in found.solutions] == [("open",), ("slide",)]
    r = dt.simulate(system, 0.02, at=(q, v))
    assert r.ok
    assert any("not unique" in note for note in r.stats.notes)
    with pytest.warns(dt.errors.SimulationWarning):
        stopped = dt.simulate(system, 0.02, at=(q, v), painleve="stop")
    assert stopped.reason_code == "contact-unsolved"
    assert "not unique" in stopped.reason


def test_solvers_that_cannot_are_refused():
    system, q, v = rod(0.3, 60, 0.0)
    for wrong in ({"solver": dt.Radau()}, {"painleve": "go on"}, {"constraints": "baumgarte"}):
        with pytest.raises(ValueError, match=r"rigid contacts|painleve"):
            dt.simulate(system, 0.1, at=(q, v), **wrong)


def test_runs_that_nobody_chose_a_solver_for_come_to_their_end():
    """Boxes thrown on a floor, impacts on edges and corners: located, or time stepping with a note; energy closes."""
    chosen = set()
    for seed, law in ((0, "poisson"), (5, "stronge"), (4, "newton")):
        rng = np.random.default_rng(seed)
        m = dt.Model("box")
        m.add_body("b", dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)), position=(0, 0, 0.5))
        speeds = {"velocity": rng.normal(size=3), "angular_velocity": 3 * rng.normal(size=3)}
        m.add_joint("f", dt.Free(), m.ground, "b", v0=speeds)
        shapes = (dt.Shape.plane(), dt.Shape.box((0.3, 0.2, 0.1)))
        m.add_contact("c", dt.RigidContact(friction=0.4, restitution=0.4, impact=law), m.ground, "b", shapes=shapes)
        r = dt.simulate(m, 2.0)
        assert r.ok, r.reason
        chosen.add(r.stats.solver.split("(")[0])
        if chosen == {"Moreau"}:
            assert "time stepping instead" in r.stats.notes[0]
        # time stepping is of order one: steps of 1e-4 s of a motion of 5 J
        assert np.abs(r.energy.residual).max() < 1e-3
        assert np.abs(r["b.velocity"][-1]).max() < 1e-9  # it lies
    assert "DOPRI5" in chosen


def test_what_stuck_before_an_impact_may_slide_after_it():
    """A rolling ball hits one at rest: the energy that the second one's slip then takes is counted."""
    m = dt.Model("two balls")
    for k, x in enumerate((0.0, 0.5)):
        m.add_body(f"s{k}", dt.Inertia.sphere(1.0, radius=0.1), position=(x, 0, 0.1))
        m.add_joint(f"f{k}", dt.Free(), m.ground, f"s{k}", v0={"velocity": (1.0 - k, 0, 0)})
        floor = (dt.Shape.plane(), dt.Shape.sphere(0.1))
        m.add_contact(f"p{k}", dt.RigidContact(friction=0.2, restitution=0.5), m.ground, f"s{k}", shapes=floor)
    balls = (dt.Shape.sphere(0.1), dt.Shape.sphere(0.1))
    m.add_contact("hit", dt.RigidContact(friction=0.1, restitution=0.9), "s0", "s1", shapes=balls)
    r = dt.simulate(m, 0.6)
    assert r.ok
    assert np.abs(r.energy.residual).max() < 1e-8
    # sliding from v = 1 to rolling at 5/7; the impulse of the blow by hand from the laws, friction 0.1 at the ball
    blow = next(each for each in r.impacts if each.contact == "hit")
    assert np.isclose(blow.impulse[2], -0.1 * blow.impulse[0])


def test_of_a_robot_on_its_feet() -> None:
    """The quadruped of the package: shapes whose points come and go, joint friction, torsional friction; it stands."""
    m = dt.formats.load_mjcf(robots()["hound"], contacts=True, keyframe=0)
    system = dt.compile(m)
    r = dt.simulate(system, 0.5, outputs=[0.5], solver=dt.Moreau(step=2e-3, implicit=True))
    found = dt.contact_problem(system, r.q[-1], 0.0 * r.v[-1], touching=1e-4)
    assert found.consistent
    assert [name for name in found.contacts if name.endswith("foot")] == list(found.contacts)
    assert len(found.contacts) == 4
    assert np.all(found.solutions[0].normal_force > 0.0)
