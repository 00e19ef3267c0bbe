"""Forces and constraints that events switch, states that events set, and functions called at sampled times."""

import numpy as np
import pytest

import duoti as dt
from duoti.formats import from_text, to_text

FINE = dt.DOP853(rtol=1e-10, atol=1e-12)
SOLVERS = [FINE, dt.Radau(rtol=1e-9, atol=1e-11), dt.GeneralisedAlpha(rtol=1e-7, atol=1e-9), dt.RK4(1e-3)]
NEAR = {"DOP853": 1e-8, "Radau": 1e-7, "GeneralisedAlpha": 1e-5, "RK4": 1e-8}
by_name = pytest.mark.parametrize("solver", SOLVERS, ids=lambda solver: type(solver).__name__)


def run(model, duration, solver=FINE, **options):
    r = dt.simulate(model, duration, solver=solver, **{"outputs": duration / 100, **options})
    assert r.ok, r.reason
    return r


def two_discs(v0=(10.0, 0.0)):
    """Two rotors side by side, 2 and 3 kg m² about x."""
    m = dt.Model("clutch", gravity=(0, 0, 0))
    for name, moment, at, rate in (("one", 2.0, 0.0, v0[0]), ("two", 3.0, 1.0, v0[1])):
        m.add_body(name, dt.Inertia(1.0, matrix=(moment, moment, moment)), position=(at, 0, 0))
        m.add_joint(name[0].upper() + name[1:], dt.Revolute("x"), m.ground, name, v0=rate)
    return m


@by_name
def test_clutch(solver):
    """Closed at 0.5 s: the momentum is shared, a third of the energy is lost; opened at 1.5 s: each goes on alone."""
    m = two_discs()
    m.add_constraint("clutch", dt.Equation("One.rate - Two.rate"))
    m.add_force("motor", dt.JointTorque("Two", 6.0))
    m.add_state("closed", initial=0.0, switches=["clutch"])
    m.add_event("close", dt.Event("t - 0.5", sets={"closed": 1}))
    m.add_event("open", dt.Event("t - 1.5", sets={"closed": 0}))
    r = run(m, 2.0, solver)
    t, near = r.t, NEAR[type(solver).__name__]
    w2 = np.where(t <= 0.5, 2 * t, 0.0)
    common = (2 * 10.0 + 3 * 1.0) / 5
    shared = common + 6 / 5 * (t - 0.5)
    end = common + 6 / 5
    w1 = np.where(t < 0.5, 10.0, np.where(t < 1.5, shared, end))
    w2 = np.where(t < 0.5, 2 * t, np.where(t < 1.5, shared, end + 2 * (t - 1.5)))
    away = (np.abs(t - 0.5) > 1e-9) & (np.abs(t - 1.5) > 1e-9)  # at these instants there are two outputs
    assert np.max(np.abs(r["One.rate"] - w1)[away]) < 10 * near
    assert np.max(np.abs(r["Two.rate"] - w2)[away]) < 10 * near
    before, after = 0.5 * 2 * 100 + 0.5 * 3 * 1, 0.5 * 5 * common**2
    assert abs(r.energy.dissipated[-1] - (before - after)) < 100 * near * before
    assert np.max(np.abs(r.energy.residual)) < 100 * near * before
    torque = r.multipliers("clutch")[:, 0]
    closed = (t > 0.5 + 1e-9) & (t < 1.5 - 1e-9)
    assert np.max(np.abs(torque[closed] - 2 * 6 / 5)) < 1000 * near
    assert np.max(np.abs(torque[~closed & away])) < 1e-9


@pytest.mark.parametrize("constraints", [dt.NullSpace(), dt.CoordinatePartitioning(), dt.Baumgarte(20.0)])
def test_clutch_with_other_constraint_methods(constraints):
    m = two_discs()
    m.add_constraint("clutch", dt.Equation("One.rate - Two.rate"))
    m.add_state("closed", initial=0.0, switches=["constraint:clutch"])
    m.add_event("close", dt.Event("t - 0.5", sets={"closed": 1}))
    r = run(m, 1.0, constraints=constraints)
    assert abs(r["One.rate"][-1] - 4.0) < 1e-7
    assert abs(r["Two.rate"][-1] - 4.0) < 1e-7


@by_name
def test_release_of_a_held_pendulum(solver):
    """Held by a weld until 0.3 s, then it swings: as a pendulum that starts there."""

    def pendulum(held):
        m = dt.Model("release")
        m.add_body("rod", dt.Inertia.box(1.0, (1.0, 0.1, 0.1)), position=(0.5, 0, 0))
        m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
        if held:
            m.add_marker("here", m.ground, (1, 0, 0))
            m.add_marker("end", "rod", (0.5, 0, 0))
            m.add_constraint("hook", dt.PointOnPlane("here", "end", normal="z"))
            m.add_state("hooked", initial=1.0, switches=["hook"])
            m.add_event("release", dt.Event("t - 0.3", sets={"hooked": 0}))
        return m

    held, free = run(pendulum(True), 1.3, solver, outputs=[0.0, 0.2, 0.3, 1.3]), run(pendulum(False), 1.0)
    assert np.max(np.abs(held["A.angle"][held.t < 0.31])) < 1e-11
    assert abs(held["A.angle"][-1] - free["A.angle"][-1]) < 100 * NEAR[type(solver).__name__]
    assert abs(held.multipliers("hook")[1, 0] - 9.81 / 2) < 1e-6
    assert abs(held.multipliers("hook")[-1, 0]) < 1e-12


def test_force_that_is_switched():
    """A spring that lets go at its rest length: the mass goes on at sqrt(k/m) x."""
    m = dt.Model("catapult", gravity=(0, 0, 0))
    m.add_body("stone", dt.Inertia.point(2.0))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "stone", q0=-0.5)
    m.add_force("spring", dt.JointSpring("X", stiffness=50.0))
    m.add_state("hooked", initial=1.0, switches=["spring"])
    m.add_event("gone", dt.Event("X.position", direction="rising", sets={"hooked": 0}))
    r = run(m, 1.0, outputs=0.01)
    speed, quarter = 0.5 * 5.0, np.pi / 2 / 5.0
    later = r.t > quarter
    assert np.max(np.abs(r["X.position"][later] - speed * (r.t[later] - quarter))) < 1e-8
    assert np.max(np.abs(r["spring.energy"][later])) == 0.0
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_events_set_states_by_expressions_and_functions():
    m = two_discs()
    m.add_state("count")
    m.add_state("a")
    m.add_state("b")
    pair = dt.Function(lambda n, w: (n + 1, w), ("count", "One.rate"))
    m.add_event("turn", dt.Event("sin(One.angle)", sets={"count": "count + 1", ("a", "b"): pair}))
    r = run(m, 1.0)
    turns = int(10.0 / np.pi)
    assert r["count"][-1] == turns
    assert (r["a"][-1], round(r["b"][-1], 9)) == (turns, 10.0)


def sampled(function, period=0.05, **options):
    m = dt.Model("servo")
    m.add_body("rod", dt.Inertia.rod(1.0, 1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=0.5)
    m.add_force("motor", dt.JointTorque("A", "u"))
    m.add_controller("pd", function, ("t", "A.angle", "A.rate"), {"u": 0.0}, period, **options)
    return m


@by_name
def test_digital_controller(solver):
    """Against the same computed interval by interval: constant torque from sample to sample."""
    calls = []

    def pd(t, q, w):
        calls.append(t)
        return -8.0 * q - 1.5 * w

    r = run(sampled(pd), 1.0, solver, outputs=[0.0, 0.975, 1.0])
    near = NEAR[type(solver).__name__]
    assert np.max(np.abs(np.array(calls) - 0.05 * np.arange(len(calls)))) < 1e-12
    assert len(calls) in (20, 21)  # the one at the end may or may not count
    q, v = np.array([0.5]), np.array([0.0])
    plain = sampled(pd)
    for name in ("pd",):
        del plain.events[name]
    system = dt.compile(plain)
    for k in range(20):
        z = np.array([-8.0 * q[0] - 1.5 * v[0], 0.0])
        part = dt.simulate(system, 0.05 if k < 19 else 0.025, solver=FINE, at=(q, v, z), t=0.05 * k)
        q, v = part.q[-1], part.v[-1]
    assert abs(r["A.angle"][1] - q[0]) < 100 * near
    assert abs(r["A.rate"][1] - v[0]) < 1000 * near


def test_controller_with_memory_is_resumed(tmp_path):
    def integrating(t, q, total):
        total = total + 0.1 * q
        return -5.0 * q - total, total

    def model():
        m = dt.Model("servo")
        m.add_body("rod", dt.Inertia.rod(1.0, 1.0, axis="z"), position=(0, 0, -0.5))
        m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=0.5)
        m.add_force("motor", dt.JointTorque("A", "u"))
        m.add_controller("pi", integrating, ("t", "A.angle", "total"), {"u": 0.0, "total": 0.0}, 0.1, start=0.2)
        return m

    whole = run(model(), 2.0, outputs=0.05)
    assert np.all(whole["u"][whole.t < 0.19] == 0.0)
    dt.simulate(model(), 1.0, solver=FINE, outputs=0.05, out=tmp_path / "run.h5")
    longer = dt.resume(tmp_path / "run.h5", model(), duration=2.0)
    assert abs(longer["A.angle"][-1] - whole["A.angle"][-1]) < 1e-9
    assert abs(longer["total"][-1] - whole["total"][-1]) < 1e-12


def test_controller_without_python():
    """The same in a file: a state for the clock, an event that sets it and the output."""
    text = """
duoti: 1
bodies:
  rod: {inertia: {rod: {mass: 1, length: 1, axis: z}}, position: [0, 0, -0.5]}
joints:
  A: {type: revolute, axis: y, between: [ground, rod], at: [0, 0, 0], q0: 0.5}
forces:
  motor: {type: joint_torque, joint: A, value: u}
  brake: {type: joint_damping, joint: A, damping: 1}
states:
  u: {}
  next: {}
  braking: {switches: [brake]}
events:
  sample: {value: t - next, direction: rising, at_start: true, sets: {u: -8*A.angle - 1.5*A.rate, next: next + 0.05}}
"""
    m = from_text(text)
    again = from_text(to_text(m))
    assert again.events["sample"].sets == m.events["sample"].sets
    assert list(again.states["braking"].switches) == ["brake"]
    r = run(again, 1.0)
    other = run(sampled(lambda t, q, w: -8.0 * q - 1.5 * w), 1.0)
    assert abs(r["A.angle"][-1] - other["A.angle"][-1]) < 1e-9


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda m: m.add_event("e", dt.Event("t - 1", sets={"nothing": 1})), "it sets 'nothing', which is no state"),
        (lambda m: m.add_event("e", dt.Event("t - 1", sets={"s": "1 +"})), "it sets s: "),
        (lambda m: m.add_event("e", dt.Event("t - 1", terminal=True, sets={"s": 1})), "a terminal event ends"),
        (lambda m: m.add_event("e", dt.Event("t - 1", at_start=True)), "at_start has no effect"),
        (lambda m: m.add_state("w", "One.rate", switches=["f"]), "only events may change it"),
        (lambda m: m.add_state("w", switches=["g"]), "it switches 'g', which is neither a force nor a constraint"),
        (lambda m: m.add_state("w", switches="f"), "give a list of names"),
    ],
)
def test_wrong_switches(change, text):
    m = two_discs()
    m.add_force("f", dt.JointTorque("One", 1.0))
    m.add_state("s", switches=["f"])
    change(m)
    assert any(text in str(error) for error in dt.check(m).errors), dt.check(m)


def test_a_constraint_that_does_not_hold_cannot_be_switched_on():
    m = two_discs()
    m.add_constraint("stop", dt.JointMotion("One", 0.0))
    m.add_state("s", switches=["stop"])
    m.add_event("e", dt.Event("t - 0.5", sets={"s": 1}))
    with pytest.raises(dt.ModelError, match='opens constraint "stop" by 5 rad'):
        dt.simulate(m, 1.0)
