"""What events may read: forces of elements whose laws give them, and what these follow from; not energies."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

W = np.sqrt(70.0)  # [1/s] of a mass of 1 kg on springs of 50 and 20 N/m


def hanging(event: object, **more: object) -> dt.Model:
    m = dt.Model("hanging")
    m.parameters["k"] = 20.0
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "b")
    m.add_force("spring", dt.JointSpring("J", stiffness=50.0))
    m.add_marker("top", m.ground, position=(0, 0, 1))
    m.add_marker("hook", "b")
    m.add_force("line", dt.LineForce("top", "hook", "k*(length - 1)"))
    m.add_force("push", dt.JointTorque("J", "0*t"))
    m.add_event("ev", dt.Event(event, **{"terminal": True, **more}))
    return m


def when(drop: float) -> float:
    """z = -(g/w²) (1 - cos(w t)): the instant at which z = -drop."""
    return float(np.arccos(1.0 - drop * W**2 / 9.81) / W)


@pytest.mark.parametrize("name", ["line.power", "line.energy", "energy.kinetic"])
def test_energies_and_powers_are_no_quantities_that_events_read(name):
    found = dt.check(hanging(f"{name} - 1"))
    assert not found.ok
    assert "is a channel of results" in str(found)
    assert "no law or event reads it" in str(found)
    with pytest.raises(dt.ModelError, match="channel of results"):
        dt.simulate(hanging(f"{name} - 1"), 0.1)


@pytest.mark.parametrize(
    ("event", "drop"),
    [
        ("spring.force - 5", 0.1),
        ("line.tension - 3", 0.15),
        ("line.length - 1.1", 0.1),
        ("line.tension + J.position - 2.85", 0.15),  # beside another quantity
        (dt.Function(lambda tension, t: tension - 3.0 + 0.0 * t, inputs=("line.tension", "t")), 0.15),
    ],
)
@pytest.mark.parametrize("solver", [None, "radau", "rk4"])
def test_events_read_what_the_law_of_an_element_gives(event, drop, solver):
    """The instant is that of the closed form; tolerance: that of the solvers (RK4: (w h)^4 = 5e-9 per radian)."""
    given = {} if solver == "rk4" else {"rtol": 1e-10, "atol": 1e-12}
    chosen = dt.RK4(step=1e-3) if solver == "rk4" else solver
    more = {"solver": chosen} if chosen else {}
    r = dt.simulate(hanging(event), 2.0, **more, **given)
    assert r.ok, r.reason
    assert r.events[0].t == pytest.approx(when(drop), rel=1e-7)


def test_a_changed_parameter_reaches_the_event():
    """A system with other parameters reads the force of its own elements: with k = 40 N/m, w² = 90 1/s²."""
    system = dt.compile(hanging("line.tension - 3"))
    r = dt.simulate(system.with_parameters(k=40.0), 2.0, rtol=1e-10, atol=1e-12)
    w = np.sqrt(90.0)
    assert r.events[0].t == pytest.approx(np.arccos(1.0 - 3.0 / 40.0 * w**2 / 9.81) / w, rel=1e-8)


def test_what_an_event_sets_reads_forces_too():
    m = hanging("J.velocity", terminal=False, direction="rising", sets={"peak": "line.tension"})
    m.add_state("peak", 0.0, 0.0)
    r = dt.simulate(m, 1.0, rtol=1e-10, atol=1e-12)
    assert r.ok, r.reason
    assert r["peak"][-1].item() == pytest.approx(20.0 * 2.0 * 9.81 / W**2, rel=1e-8)  # at the lowest point


def test_laws_of_forces_do_not_read_forces():
    m = hanging("t - 1")
    m.add_force("more", dt.JointTorque("J", "line.tension"))
    found = dt.check(m)
    assert not found.ok
    assert "laws of forces and states do not" in str(found)


def test_a_wrong_name_is_told_what_there_is():
    assert 'of force "line" events read line.length, line.speed, line.tension' in str(dt.check(hanging("line.force")))


def test_friction_and_rigid_stops_are_no_laws_of_the_state():
    m = hanging("rub.force - 1")
    m.add_force("rub", dt.JointFriction("J", constant=1.0))
    found = dt.check(m)
    assert not found.ok
    assert "no law or event reads it" in str(found)


def test_a_force_with_components_needs_one():
    m = hanging("bush.force - 1")
    m.add_force("bush", dt.Bushing("top", "hook", stiffness=(0, 0, 1e-9, 0, 0, 0)))
    assert "has 3 components" in str(dt.check(m))
    m.events["ev"] = dt.Event("bush.force.z + 1", terminal=True)
    assert dt.check(m).ok


def test_the_law_of_an_element_is_read():
    """The spring bears 5 N where z = -0.1 m."""
    r = dt.simulate(hanging("-50*J.position - 5"), 2.0, rtol=1e-10, atol=1e-12)
    assert r.events[0].t == pytest.approx(when(0.1), rel=1e-8)


def test_events_of_submodels_read_their_own_forces():
    m = dt.Model("whole")
    m.add_submodel("part", hanging("line.tension + J.position - 2.85"))
    r = dt.simulate(m, 2.0, rtol=1e-10, atol=1e-12)
    assert r.events[0].t == pytest.approx(when(0.15), rel=1e-8)


def test_a_force_between_welded_bodies_is_read():
    """A force of 10 N/s x t inside a rigid body moves nothing, and is 2 N at t = 0.2 s."""
    m = hanging("inside.tension - 2")
    m.add_body("c", dt.Inertia.point(1.0), position=(0, 0, -0.5))
    m.add_joint("weld", dt.Fixed(), "b", "c", at=(0, 0, -0.5))
    m.add_force("inside", dt.LineForce("b", "c", "10*t"))
    r = dt.simulate(m, 2.0)
    assert r.ok, r.reason
    assert r.events[0].t == pytest.approx(0.2, rel=1e-9)


@pytest.mark.parametrize("channel", ["gap", "state", "force"])
def test_what_no_event_or_controller_reads_of_a_contact(channel: str) -> None:
    """It is refused by name, with what can be read; the force is also in a joint that bears the contact."""

    def on_a_plate(law: dt.CompliantContact | dt.RigidContact, reads: str) -> dt.Model:
        m = dt.Model("ball on a plate")
        plate = m.add_body("plate", dt.Inertia.box(1.0, size=(1.0, 1.0, 0.01)))
        m.add_joint("cell", dt.Fixed(), m.ground, plate)
        ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
        m.add_joint("free", dt.Free(), m.ground, ball)
        m.add_contact("touch", law, plate, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
        m.add_controller("logger", lambda x: x, inputs=[reads], outputs={"u": 0.0}, period=0.01)
        return m

    says = "write one of them" if channel == "force" else "controllers and what events set may read force, normal_force"
    soft = dt.CompliantContact(stiffness=1e5, damping=100.0)
    for law in (dt.RigidContact(), soft):
        with pytest.raises(dt.errors.ModelError, match=f'controller "logger".*"touch.{channel}".*{says}'):
            dt.compile(on_a_plate(law, f"touch.{channel}"))
    r = dt.simulate(on_a_plate(soft, "cell.reaction_force.z"), 0.1, outputs=0.01)
    # two outputs at the instant of each sample: before it and after it
    assert r["u"][2::2] == pytest.approx(r["touch.normal_force"][1::2] + 9.81, rel=1e-6)
