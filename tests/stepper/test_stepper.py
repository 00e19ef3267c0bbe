"""Stepping by hand against `simulate`, bit for bit where the steps are the same."""

from __future__ import annotations

import pickle
import re
import signal

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.warnings import SimulationWarning
from duoti.examples import four_bar

H = 0.01


def spinning_top() -> dt.Model:
    """A free body, whose quaternion is brought back to unit length."""
    m = dt.Model("top", gravity=(0, 0, -9.81))
    m.add_body("top", dt.Inertia(2.0, matrix=np.diag([0.1, 0.2, 0.25])))
    m.add_joint("free", dt.Free(), m.ground, "top", v0=(3.0, 0.5, 5.0, 0.1, 0.0, 4.0))
    return m


def driven_pendulum() -> dt.Model:
    """A parameter, a first-order state, a law of time."""
    m = dt.Model("pendulum", parameters={"u": 0.5, "c": 0.3})
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=0.2)
    m.add_state("filtered", "10*(A.angle - filtered)", 0.0)
    m.add_force("motor", dt.JointTorque("A", "u - c*v + 0.1*sin(3*t) - filtered"))
    m.add_marker("tip", "rod", position=(0.5, 0, 0))
    return m


def ball() -> dt.Model:
    """Located impacts on an event."""
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(2.0, 0.1))
    m.add_joint("fall", dt.Prismatic("z"), m.ground, "ball", q0=0.1)
    m.add_event("floor", dt.Event("fall.position", direction="falling", jump=lambda t, q, v, z: (q, -0.8 * v, z)))
    return m


def box_on_floor(friction: float = 0.4) -> dt.Model:
    """A box that falls on an edge, slides and comes to rest."""
    m = dt.Model("box")
    m.add_body("box", dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)), position=(0, 0, 0.12))
    m.add_joint("free", dt.Free(), m.ground, "box", v0=(0.3, 1.0, 0, 0.5, 0, 0))
    m.add_contact("floor", dt.RigidContact(friction=friction), m.ground, "box",
                  shapes=(dt.Shape.plane(), dt.Shape.box((0.3, 0.2, 0.1))))  # fmt: skip
    return m


def states_after(s: dt.Stepper, h: float, count: int) -> np.ndarray:
    rows = [np.concatenate([s.q, s.v, s.z])]
    for _ in range(count):
        assert s.step(h), s.reason
        rows.append(np.concatenate([s.q, s.v, s.z]))
    return np.array(rows)


def simulated(r: dt.Result) -> np.ndarray:
    return np.hstack([r.q, r.v, r.z])


FIXED = [
    (spinning_top, dt.RK4(step=H)), (driven_pendulum, dt.RK4(step=H)), (driven_pendulum, dt.Verlet(step=H)),
    (driven_pendulum, dt.SemiImplicitEuler(step=H)), (driven_pendulum, dt.Radau(step=H)),
    (driven_pendulum, dt.GeneralisedAlpha(step=H)), (four_bar.build, dt.RK4(step=H)),
    (four_bar.build, dt.GeneralisedAlpha(step=H)), (box_on_floor, dt.Moreau(step=H)),
]  # fmt: skip


@pytest.mark.parametrize(("build", "solver"), FIXED, ids=lambda each: getattr(each, "__name__", repr(each)))
def test_constant_steps_are_those_of_simulate(build, solver):
    count = 50
    r = dt.simulate(build(), count * H, outputs=H, solver=solver)
    assert r.ok, r.reason
    s = dt.Stepper(build(), solver)
    rows = states_after(s, H, count)
    assert s.t == pytest.approx(count * H, abs=1e-15)
    assert np.array_equal(rows, simulated(r))


@pytest.mark.parametrize("solver", [dt.RK4(step=H / 4), dt.Radau(step=H / 4)], ids=repr)
def test_several_steps_of_the_solver_in_one(solver):
    r = dt.simulate(spinning_top(), 20 * H, outputs=H, solver=solver)
    assert np.array_equal(states_after(dt.Stepper(spinning_top(), solver), H, 20), simulated(r))


ADAPTIVE = [dt.DOPRI5(), dt.DOP853(), dt.Radau(), dt.Rodas(), dt.Auto()]  # they remember no steps that were rejected


@pytest.mark.parametrize("solver", ADAPTIVE, ids=repr)
def test_adaptive_steps_are_those_of_simulate_if_outputs_are_the_steps(solver):
    r = dt.simulate(driven_pendulum(), 2.0, outputs="steps", solver=solver)
    assert r.ok, r.reason
    s = dt.Stepper(driven_pendulum(), solver)
    rows = [np.concatenate([s.q, s.v, s.z])]
    for t in r.t[1:-2]:  # the last two are chosen for the end
        assert s.step_to(t)
        assert s.t == t
        rows.append(np.concatenate([s.q, s.v, s.z]))
    assert np.array_equal(rows, simulated(r)[:-2])


def test_exact_landing():
    """Many steps do not add up round-off of the time, and leave no slivers of steps."""
    s = dt.Stepper(driven_pendulum(), dt.RK4(step=1e-3))
    for _ in range(1000):
        s.step(1e-3)
    assert s.t == 1.0
    assert s.stats.steps == 1000
    s.step(2.5e-3)  # three equal steps
    assert s.t == 1.0 + 2.5e-3
    assert s.stats.steps == 1003
    s.step_to(1.1)
    assert s.t == 1.1


def test_an_adaptive_step_is_one_step_where_accuracy_allows():
    s = dt.Stepper(driven_pendulum())
    assert type(s.solver).__name__ == "DOPRI5"
    s.step(1e-3)
    before = s.stats.steps
    for _ in range(100):
        s.step(1e-3)
    assert s.stats.steps == before + 100


MIDDLES = [
    (box_on_floor, dt.Moreau(step=2e-3), 2e-3), (box_on_floor, dt.DOPRI5(), 2e-3), (box_on_floor, dt.Rodas(), 2e-3),
    (ball, dt.DOPRI5(), 3e-3), (four_bar.build, None, 5e-3), (driven_pendulum, dt.Auto(), 5e-3),
    (driven_pendulum, dt.Radau(), 5e-3), (spinning_top, None, 5e-3),
]  # fmt: skip


@pytest.mark.parametrize(("build", "solver", "h"), MIDDLES, ids=lambda each: getattr(each, "__name__", repr(each)))
def test_restored_states_go_on_bit_for_bit(build, solver, h):
    """Saved in the middle of contacts, and pickled for another stepper."""
    s = dt.Stepper(build(), solver)
    states_after(s, h, 60)
    kept = s.state
    first = states_after(s, h, 60)
    s.restore(kept)
    assert s.t == kept.t
    assert np.array_equal(states_after(s, h, 60), first)
    if build is not ball:
        other = dt.Stepper(build(), solver)
        other.restore(pickle.loads(pickle.dumps(kept)))
        assert np.array_equal(states_after(other, h, 60), first)
    s.reset()
    assert s.t == 0.0


def test_held_numbers_are_those_of_the_model():
    """Set before the first step, they give the same motion as a model that was built with them."""
    other = driven_pendulum()
    other.parameters["u"] = 2.0
    r = dt.simulate(other, 0.5, outputs=H, solver=dt.RK4(step=H))
    s = dt.Stepper(driven_pendulum(), dt.RK4(step=H))
    s.set(u=2.0)
    assert np.array_equal(states_after(s, H, 50), simulated(r))


def test_set_is_a_controller():
    """A sampled controller of the model, and the same function outside of it."""
    m = driven_pendulum()
    m.add_controller(
        "hold", lambda angle, rate: -3.0 * angle - 0.5 * rate, ["A.angle", "A.rate"], {"w": 0.0}, period=0.02
    )
    m.add_force("actuator", dt.JointTorque("A", "w"))
    r = dt.simulate(m, 0.4, outputs=0.02, solver=dt.RK4(step=H))
    outside = driven_pendulum()
    outside.add_force("actuator", dt.JointTorque("A", 0.0))
    s = dt.Stepper(outside, dt.RK4(step=H))
    rows = [s.q]
    for _ in range(20):
        s.set(actuator=-3.0 * s["A.angle"] - 0.5 * s["A.rate"])
        s.step(0.02)
        rows.append(s.q)
    at_samples = [r.q[np.flatnonzero(np.isclose(r.t, k * 0.02))[-1]] for k in range(21)]
    assert np.allclose(rows, at_samples, rtol=0, atol=1e-14)


NAMES = {
    "u": 1.5, "motor": 0.7, "A": 0.4, "rod.mass": 2.0, "gravity.z": -5.0, "A.at.x": 0.1, "c": 1.0,
    "tip.position.x": 0.7,
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_names_that_are_held(name):
    """Each changes the motion as a model built with it, from the same state."""
    s = dt.Stepper(driven_pendulum(), dt.RK4(step=H))
    for _ in range(10):
        s.step(H)
    q, v, z, t = s.q, s.v, s.z, s.t
    s.set({name: NAMES[name]})
    rows = states_after(s, H, 10)
    if name in ("motor", "A"):
        m = driven_pendulum()
        m.add_force("more", dt.JointTorque("A", NAMES[name]))
        system = dt.compile(m)
    else:
        system = dt.compile(driven_pendulum()).with_parameters({name: NAMES[name]})
    r = dt.simulate(system, 10 * H, outputs=H, solver=dt.RK4(step=H), at=(q, v, z), t=t)
    assert np.allclose(rows, simulated(r), rtol=0, atol=1e-13)


def test_inputs_that_change_leave_contacts_as_they_are():
    """In time stepping, an input of another body changes no bit of the motion of a body in contact."""
    m = box_on_floor()
    m.add_body("slider", dt.Inertia.point(1.0))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "slider")
    s = dt.Stepper(m, dt.Moreau(step=2e-3))
    u, box, runs = s.inputs(["slide"]), s.system.joints["free"].q, []
    for force in (0.0, 1.0):
        s.reset()
        rows = []
        for k in range(200):
            u[0] = force * (k % 5)
            assert s.step(2e-3)
            rows.append(s.q[box])
        runs.append(rows)
    assert s["slide.position"] > 0.1
    assert np.array_equal(*runs)


def test_the_name_of_a_torque():
    m = driven_pendulum()
    m.add_force("actuator", dt.JointTorque("A", 0.0))
    s = dt.Stepper(m)
    s.set({"actuator.torque": 3.0})
    assert s["actuator.torque"] == 3.0
    s.set(actuator=4.0)
    assert s["actuator.torque"] == 4.0
    u = s.inputs(["actuator"])
    u[0] = 5.0
    assert s["actuator.torque"] == 5.0
    s.step(H)
    s.reset()
    assert s["actuator.torque"] == 0.0
    u[0] = 1.0
    s.step(H)
    assert s["actuator.torque"] == 1.0


def test_arrays_of_inputs():
    """They stay valid when further numbers are held and after a reset; one that does not refuses to be written."""
    s = dt.Stepper(driven_pendulum())
    u = s.inputs(["u", "c"])
    assert np.array_equal(u, [0.5, 0.3])
    s.set({"rod.mass": 2.0})
    u[0] = 0.7
    s.step(H)
    assert s["u"] == 0.7
    s.reset()
    assert u[0] == 0.5
    s.reset(parameters={"A.q0": 0.3, "u": 0.1})
    assert u[0] == 0.1
    u[1] = 0.9
    s.step(H)
    assert s["c"] == 0.9
    other = s.inputs(["c", "u"])
    assert np.array_equal(other, [0.9, 0.1])
    with pytest.raises(ValueError, match="read-only"):
        u[0] = 1.0


def test_refusals():
    s = dt.Stepper(driven_pendulum())
    with pytest.raises(dt.errors.ParameterError, match="motor"):
        s.set({"motor.torque": 1.0})
    with pytest.raises(dt.errors.ParameterError, match="initial value"):
        s.set({"A.q0": 1.0})
    with pytest.raises(dt.errors.ParameterError, match="nosuch"):
        s.set(nosuch=1.0)
    with pytest.raises(dt.errors.ParameterError, match="finite"):
        s.set(u=np.nan)
    with pytest.raises(ValueError, match="positive time"):
        s.step(0.0)
    with pytest.raises(dt.errors.ChannelError, match="spring"):
        s.reader(["spring.tension"])
    with pytest.raises(ValueError, match="IDA"):
        dt.Stepper(driven_pendulum(), dt.IDA())
    u = s.inputs(["u"])
    u[0] = np.inf
    with pytest.raises(ValueError, match='"u" is held at inf'):
        s.step(H)
    u[0] = 0.0
    assert s.step(H)
    with pytest.raises(dt.errors.ParameterError, match="mass"):
        s.set({"rod.mass": -1.0})


def test_a_number_that_is_set_twice_is_refused():
    s = dt.Stepper(driven_pendulum())
    with pytest.raises(dt.errors.ParameterError, match="u: given twice"):
        s.set({"u": 1.0}, u=2.0)


def test_a_parameter_that_nothing_reads_is_told():
    m = driven_pendulum()
    m.parameters = {**m.parameters, "idle": 1.0}
    with pytest.warns(SimulationWarning, match='nothing in the model reads "idle"'):
        dt.Stepper(m).set(idle=2.0)


def test_a_name_of_two_elements_is_refused():
    m = driven_pendulum()
    m.add_force("A", dt.JointTorque("A", 0.0))
    s = dt.Stepper(m)
    with pytest.raises(dt.errors.ParameterError, match='write "A'):
        s.set(A=1.0)
    s.set({"A.value": 1.0, "A.v[0]": 2.0})
    assert s["A.value"] == 1.0


def test_parameters_of_a_reset():
    s = dt.Stepper(driven_pendulum(), dt.RK4(step=H))
    s.set(u=1.0)
    s.step(H)
    s.reset(parameters={"rod.mass": 3.0, "A.q0": 0.5, "u": 0.1})
    system = dt.compile(driven_pendulum()).with_parameters({"rod.mass": 3.0, "A.q0": 0.5, "u": 0.1})
    r = dt.simulate(system, 10 * H, outputs=H, solver=dt.RK4(step=H))
    assert np.array_equal(states_after(s, H, 10), simulated(r))
    s.reset({"A": -0.3}, t=1.0)
    assert (s.t, s["A.angle"], s["u"]) == (1.0, -0.3, 0.5)


def test_readers():
    s = dt.Stepper(driven_pendulum())
    read = s.reader(["A.angle", "tip.position", "filtered", "u*sin(A.angle)", "t"])
    assert read.names == (
        "A.angle",
        "tip.position.x",
        "tip.position.y",
        "tip.position.z",
        "filtered",
        "u*sin(A.angle)",
        "t",
    )
    for u in (0.5, 1.5):
        s.set(u=u)
        s.step(H)
        values = read()
        assert values[0] == s.q[0]
        assert np.array_equal(values[1:4], s["tip.position"])
        assert values[5] == pytest.approx(u * np.sin(s.q[0]), abs=1e-15)
        assert values[6] == s.t
    m = s.system
    r = dt.simulate(m, 1e-6, at=(s.q, s.v, s.z), t=s.t, outputs=1e-6)
    assert np.allclose(s["A.reaction_force"], r["A.reaction_force"][0], rtol=1e-12)
    assert s["energy.kinetic"] == pytest.approx(r.energy.kinetic[0], rel=1e-12)


def test_reading_a_model_without_forces():
    s = dt.Stepper(spinning_top())
    s.step(H)
    assert np.array_equal(s["top.position"], s.q[4:] if abs(s.q[0]) > 0.9 else s.q[:3])


def test_forces_of_contact_at_rest():
    """A box at rest bears its weight, whatever the engine."""
    for solver in (None, dt.DOPRI5()):
        s = dt.Stepper(box_on_floor(), solver)
        for _ in range(200):
            assert s.step(5e-3), s.reason
        assert s["floor.force"] == pytest.approx([0, 0, 9.81], abs=1e-5)
        assert s["floor.gap"] == pytest.approx(0.0, abs=1e-8)
        assert s["floor.normal_force"] == pytest.approx(s["floor.force.z"], abs=1e-9)
        assert s["floor.state"] == 1.0  # it sticks
        assert s.ok


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Moreau(step=0.01)], ids=repr)
def test_impacts_of_a_step(solver):
    s = dt.Stepper(box_on_floor(), solver)
    found = []
    while s.t < 0.295:
        s.step(0.01)
        for impact in s.impacts:
            assert s.t - 0.01 <= impact.time <= s.t
            found.append(impact.time)
    r = dt.simulate(box_on_floor(), 0.3, solver=solver)
    assert len(r.impacts) > 3
    assert found == pytest.approx([each.time for each in r.impacts], abs=1e-9)


def test_a_contact_that_is_pulled_open():
    """An input that jumps lifts a block off the floor at once, and frees one that friction holds."""
    for solver in (None, dt.DOPRI5()):
        m = dt.Model("block", parameters={"pull": 0.0, "push": 0.0})
        m.add_body("block", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1))
        m.add_joint("plane", dt.Planar("y"), m.ground, "block", at=(0, 0, 0.1))
        m.add_contact("floor", dt.RigidContact(friction=0.5), m.ground, "block",
                      shapes=(dt.Shape.plane(), dt.Shape.box((0.2, 0.2, 0.2))))  # fmt: skip
        m.add_force("rope", dt.AppliedForce("block", ("push", 0, "pull")))
        s = dt.Stepper(m, solver)
        s.step(0.1)
        assert np.allclose(s["block.position"], (0, 0, 0.1), atol=1e-9)
        s.set(push=3.0)
        s.step(0.1)
        assert np.allclose(s["block.position"], (0, 0, 0.1), atol=1e-9)  # it sticks
        s.set(push=9.81 * 0.5 + 2.0)
        s.step(0.1)
        assert s["block.position"][0] == pytest.approx(0.5 * 2.0 * 0.01, rel=0.02)
        s.set(push=0.0, pull=19.81)
        z, vz, before = s["block.position"][2], s["block.velocity"][2], s.t
        s.step(0.1)
        assert s["block.position"][2] - z == pytest.approx(0.5 * 10.0 * 0.01, rel=0.02)
        assert vz == pytest.approx(0.0, abs=1e-9)
        assert s.t > before


def test_a_stop_that_lets_go():
    """A joint at its limit, held by a torque, leaves when the torque changes its sign."""
    m = dt.Model("arm", gravity=(0, 0, 0), parameters={"u": 1.0})
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), limits=[(-1.0, 0.2)])
    m.add_force("motor", dt.JointTorque("A", "u"))
    s = dt.Stepper(m, dt.DOPRI5())
    s.step(1.0)
    assert s.q[0] == 0.2
    s.set(u=-1.0)
    s.step(0.1)
    assert s.q[0] == pytest.approx(0.2 - 0.5 * 3.0 * 0.01, rel=1e-9)


def test_a_drive_whose_speed_is_set():
    m = dt.Model("drive", parameters={"w": 1.0})
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_constraint("motion", dt.JointMotion("A", velocity="w"))
    s = dt.Stepper(m)
    s.step(0.1)
    assert s["A.angle"] == pytest.approx(0.1, abs=1e-9)
    s.set(w=-2.0)
    assert s["A.rate"] == pytest.approx(-2.0, abs=1e-9)
    s.step(0.1)
    assert s["A.angle"] == pytest.approx(-0.1, abs=1e-7)


def test_a_terminal_event_ends_the_motion():
    m = driven_pendulum()
    m.add_event("low", dt.Event("A.angle - 1", terminal=True))
    s = dt.Stepper(m)
    while s.step(0.05):
        assert s.t < 5.0
    assert s.ended
    assert s.ok
    assert s.q[0] == pytest.approx(1.0, abs=1e-9)
    assert s.events == ["low"]
    assert "low" in s.reason
    with pytest.raises(RuntimeError, match="ended"):
        s.step(0.05)
    s.reset()
    assert s.step(0.05)


def test_a_failure_keeps_the_state_up_to_it():
    m = driven_pendulum()
    m.add_force("wrong", dt.JointTorque("A", "sqrt(0.1 - t)"))
    s = dt.Stepper(m)
    assert s.step(0.09)
    with pytest.warns(SimulationWarning, match="failed"):
        assert not s.step(0.05)
    assert not s.ok
    assert 0.09 <= s.t <= 0.1
    assert np.all(np.isfinite(s.q))


def test_ctrl_c_within_a_function():
    m = driven_pendulum()

    def law(t):
        if t > 0.1:
            raise KeyboardInterrupt
        return 0.0

    m.add_force("mine", dt.JointTorque("A", law))
    s = dt.Stepper(m, dt.RK4(step=0.01))
    for _ in range(10):
        assert s.step(0.01)
    with pytest.raises(KeyboardInterrupt):
        s.step(0.01)
    assert np.all(np.isfinite(s.q))


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer that sends a signal")
def test_ctrl_c_within_a_long_step():
    """A step of 1e9 s would take minutes; afterwards steps go on from where it was stopped."""

    def stop(number, frame):
        raise KeyboardInterrupt

    s = dt.Stepper(driven_pendulum())
    s.step(0.1)
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            s.step(1e9)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    t = s.t
    assert s.ok
    assert 0.1 < t < 1e9
    assert s.step(0.01)
    assert s.t == t + 0.01


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("A.angel", "did you mean A.angle"),
        ("sin(A.angel) + u", "did you mean A.angle"),
        ("2*tip.position", 'has 3 components: write one of them, such as "tip.position.x"'),
        ("tip.acceleration.x^2", 'ask for it by stepper["tip.acceleration.x"]'),
    ],
)
def test_what_a_reader_cannot_read(name: str, part: str) -> None:
    m = dt.Model("m", parameters={"u": 0.0})
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod")
    m.add_force("motor", dt.JointTorque("A", "u"))
    m.add_marker("tip", "rod", position=(0.5, 0, 0))
    with pytest.raises(dt.errors.ChannelError, match=re.escape(part)):
        dt.Stepper(m).reader([name])


def test_names_of_a_reader_are_a_list():
    with pytest.raises(TypeError, match="give a list such as"):
        dt.Stepper(driven_pendulum()).reader("A.angle")


def test_functions_in_python_may_fail():
    m = driven_pendulum()

    def law(t):
        if t > 0.1:
            raise ValueError("no more")
        return 0.0

    m.add_force("mine", dt.JointTorque("A", law))
    s = dt.Stepper(m, dt.RK4(step=0.01))
    for _ in range(10):
        assert s.step(0.01)
    with pytest.warns(SimulationWarning, match="no more"):
        s.step(0.01)
    assert s.t == pytest.approx(0.1)


def pendulum_with_sensors() -> dt.Model:
    m = driven_pendulum()
    m.add_sensor("imu", dt.Accelerometer("tip", period=H, noise=0.05, bias=(0.1, 0, 0), seed=1))
    m.add_sensor("enc", dt.Encoder("A", period=H, delay=2 * H, noise=1e-3, seed=2))
    m.add_sensor("gyro", dt.Gyroscope("tip"))
    return m


def test_sensors_with_noise():
    """Noise depends on seed and number of the sample: that of `simulate`, and the same again after `restore`."""
    r = dt.simulate(pendulum_with_sensors(), 20 * H, outputs=H, solver=dt.RK4(step=H))
    s = dt.Stepper(pendulum_with_sensors(), dt.RK4(step=H))
    read, kept, rows = s.reader(["enc", "A.angle"]), None, []
    for k in range(1, 20):
        assert s.step(H), s.reason
        rows.append([*s["imu"], s["enc"]])
        assert read()[0] == s["enc"]
        if k == 10:
            kept = s.state
    last = [np.flatnonzero(np.isclose(r.t, k * H))[-1] for k in range(1, 20)]
    assert np.allclose(rows, np.column_stack([r["imu"], r["enc"]])[last], rtol=0, atol=1e-12)
    assert s["gyro"] == pytest.approx(r["gyro"][last[-1]], abs=1e-12)
    assert kept is not None
    s.restore(kept)
    again = []
    for _ in range(11, 20):
        s.step(H)
        again.append([*s["imu"], s["enc"]])
    assert np.array_equal(again, rows[10:])


def pendulum_with_readers_of_forces() -> dt.Model:
    """Sensors of accelerations, reactions and contact, and an event that reads the force of an element."""
    m = dt.Model("pendulum", parameters={"u": 0.0, "limit": 0.5})
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_body("tool", dt.Inertia.sphere(0.5, radius=0.1), position=(1.0, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=-0.3)
    m.add_joint("flange", dt.Fixed(), "rod", "tool", at=(1.0, 0, 0))
    m.add_force("motor", dt.JointTorque("A", "u"))
    m.add_force("spring", dt.JointSpring("A", stiffness=3.0))
    m.add_sensor("imu", dt.Accelerometer("tool", period=H, noise=0.05, seed=1))
    m.add_sensor("ft", dt.ForceTorque("flange", period=H))
    m.add_contact("touch", dt.CompliantContact(stiffness=500.0), m.ground, "tool",
                  shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))  # fmt: skip
    m.add_sensor("pad", dt.ContactSensor("touch", period=H))
    m.add_state("count", "0", 0.0)
    m.add_event("pull", dt.Event("spring.torque - limit", sets={"count": "count + 1"}))
    return m


@pytest.mark.parametrize(
    "changes", [{"u": 0.7}, {"rod.mass": 1.3, "gravity.z": -5.0}, {"spring.stiffness": 3.4}, {"limit": 0.45}]
)
def test_what_reads_forces_reads_them_with_the_numbers_that_are_set(changes):
    """Against a stepper of a model that has the numbers from the beginning; the loop is not made anew."""
    s = dt.Stepper(pendulum_with_readers_of_forces(), dt.RK4(step=H))
    s.set({name: 0.9 * value + 0.01 for name, value in changes.items()})
    loop = s._loop
    for _ in range(5):
        assert s.step(H), s.reason
    s.set(changes)
    other = dt.Stepper(dt.compile(pendulum_with_readers_of_forces()).with_parameters(changes), dt.RK4(step=H))
    other.reset((s.q, s.v, s.z), t=s.t)
    touched = 0.0
    for _ in range(40):
        assert s.step(H), s.reason
        assert other.step(H), other.reason
        for name in ("imu", "ft.force", "ft.torque", "pad", "count"):
            assert np.allclose(s[name], other[name], rtol=1e-12, atol=1e-12), name
        touched = max(touched, s["pad"])
    assert touched > 0.0
    assert s["count"] > 0.0
    assert (s._loop is loop) == ("limit" not in changes)  # which the event reads
    assert np.allclose(s.q, other.q, rtol=0, atol=1e-14)
