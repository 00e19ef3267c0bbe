"""`simulate`: outputs, initial states, refusals, failures that keep their results, conservation."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import duoti as dt

TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)


def slider(**options) -> dt.Model:
    """One block on a rail, at x = 1, without forces."""
    m = dt.Model("slide", gravity=(0, 0, 0), **options)
    m.add_body("block", dt.Inertia.point(1.0))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "block", q0=1.0)
    return m


def pendulum() -> dt.Model:
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    return m


# ----------------------------------------------------------------------------------------------------------- outputs


def test_default_outputs():
    r = dt.simulate(slider(), 2.0)
    np.testing.assert_allclose(r.t, np.linspace(0, 2, 1001), atol=1e-15)
    assert r.ok
    assert r.reason == "end time reached"
    assert len(r) == 1001


@pytest.mark.parametrize("times", [[0, 0.5, 2.0], [0.1], [2.0], [0.3, 0.3, 0.4], np.linspace(0.5, 1.5, 7)])
def test_outputs_as_times(times):
    r = dt.simulate(slider(), 2.0, outputs=times)
    np.testing.assert_array_equal(r.t, times)
    np.testing.assert_allclose(r["rail.position"], 1.0)


@pytest.mark.parametrize(
    ("duration", "step", "wanted"),
    [
        (0.3, 0.1, [0, 0.1, 0.2, 0.3]),  # 3 * 0.1 is more than 0.3 in floating point
        (1.0, 0.3, [0, 0.3, 0.6, 0.9, 1.0]),  # the end is always there
        (0.7, 0.1, np.linspace(0, 0.7, 8)),
        (1.0, 5.0, [0, 1.0]),
        (1, 1, [0, 1]),
    ],
)
def test_outputs_as_step(duration, step, wanted):
    r = dt.simulate(slider(), duration, outputs=step)
    np.testing.assert_allclose(r.t, wanted, atol=1e-15)
    assert r.t[-1] == duration


def test_outputs_at_steps():
    r = dt.simulate(pendulum(), 2.0, outputs="steps")
    assert len(r.t) == r.stats.steps + 1
    assert r.t[0] == 0
    assert r.t[-1] == 2.0
    assert np.all(np.diff(r.t) > 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"duration": 0}, "duration=0: give a positive time in seconds"),
        ({"duration": -1.0}, "duration=-1.0: give a positive time"),
        ({"duration": np.nan}, "duration=nan: give a positive time"),
        ({"duration": np.inf}, "duration=inf: give a positive time"),
        ({"duration": "2"}, "duration='2': give a positive time"),
        ({"duration": None}, "duration=None: give a positive time"),
        ({"outputs": "often"}, "outputs='often': give times, a step in seconds, or \"steps\""),
        ({"outputs": 0.0}, "outputs=0.0: a step between outputs must be positive"),
        ({"outputs": -0.1}, "outputs=-0.1: a step between outputs must be positive"),
        ({"outputs": []}, "outputs: give a list of finite times"),
        ({"outputs": [[0, 1]]}, "outputs: give a list of finite times"),
        ({"outputs": [0, np.nan]}, "outputs: give a list of finite times"),
        ({"outputs": [0, "x"]}, 'give times, a step in seconds, or "steps"'),
        ({"outputs": [1, 0.5]}, "outputs: the times must not decrease"),
        (
            {"outputs": [0, 3]},
            "outputs: times from 0 to 3 s reach beyond the simulation, which goes from 0 to 2 s",
        ),
        ({"outputs": [-1, 1]}, "times from -1 to 1 s reach beyond the simulation"),
        ({"t": np.nan}, "t=nan: give a finite time"),
        ({"rtol": -1e-3}, "solver DOPRI5: tolerances rtol=-0.001, atol=1e-10: give small positive numbers"),
        ({"rtol": 1e-17}, "rtol=1e-17 is beyond double precision"),
        ({"rtol": "low"}, "solver DOPRI5: rtol='low' is not a number"),
        ({"atol": np.nan}, "tolerances rtol=1e-08, atol=nan"),
        ({"solver": dt.RK4(step=0.1), "rtol": 1e-3}, "RK4 has a fixed step: rtol would have no effect"),
        (
            {"solver": dt.RK4(step=0.1), "rtol": 1e-3, "atol": 1e-3},
            "RK4 has a fixed step: rtol and atol would have no effect",
        ),
        ({"solver": dt.RK4(step=0)}, "solver RK4: step=0 must be a positive time in seconds"),
        ({"solver": dt.SemiImplicitEuler(step="1")}, "step='1' must be a positive time"),
        ({"solver": dt.DOPRI5(max_step=0)}, "solver DOPRI5: max_step=0 must be positive"),
        ({"solver": dt.DOPRI5(first_step=-1)}, "first_step=-1 must be positive"),
        ({"at": ([1.0, 2.0], [0.0])}, "state: q needs 1 numbers and v 1; got shapes (2,) and (1,)"),
        ({"at": ([np.nan], [0.0])}, "state: not all numbers are finite"),
        ({"at": 5}, "at=5: give what dt.equilibrium found"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        dt.simulate(slider(), **{"duration": 2.0, **arguments})


@pytest.mark.parametrize("solver", [dt.DOPRI5, 0.01])
def test_wrong_solver(solver):
    with pytest.raises(TypeError, match=r"is not a solver; give an object such as dt.RK4"):
        dt.simulate(slider(), 1.0, solver=solver)


def test_not_a_model():
    with pytest.raises(TypeError, match=r"'slide' is not a model; give a dt.Model"):
        dt.simulate("slide", 1.0)


# -------------------------------------------------------------------------------------------------- state and start


def test_state_and_start_time():
    """A run in two parts is the run in one, when the second starts where the first ended."""
    m = pendulum()
    m.add_force("drive", dt.JointTorque("A", "0.5*sin(3*t)"))
    system = dt.compile(m)
    whole = dt.simulate(system, 3.0, outputs=[1.0, 3.0], solver=TIGHT)
    first = dt.simulate(system, 1.0, outputs=[1.0], solver=TIGHT)
    second = dt.simulate(system, 2.0, outputs=[3.0], solver=TIGHT, at=(first.q[-1], first.v[-1]), t=1.0)
    np.testing.assert_allclose(second.t, [3.0])
    np.testing.assert_allclose(second.q[-1], whole.q[-1], atol=1e-10)  # two integrations at 1e-12
    np.testing.assert_allclose(second.v[-1], whole.v[-1], atol=1e-10)


def test_state_by_names():
    system = dt.compile(pendulum())
    r = dt.simulate(system, 1.0, at=system.state({"A": 0.3}, {"A": -2.0}))
    assert r["A.angle"][0] == 0.3
    assert r["A.rate"][0] == -2.0


def test_state_with_a_quaternion_that_is_not_unit():
    m = dt.Model("f")
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("float", dt.Free(), m.ground, "b")
    with pytest.raises(ValueError, match='state: the quaternion of joint "float" has length 2, not 1'):
        dt.simulate(m, 1.0, at=([0, 0, 0, 2, 0, 0, 0], np.zeros(6)))


def test_state_is_not_changed():
    q, v = np.array([0.5]), np.array([0.1])
    dt.simulate(pendulum(), 1.0, at=(q, v))
    assert (q[0], v[0]) == (0.5, 0.1)


# --------------------------------------------------------------------------------------------------------- interrupt


def test_ctrl_c_in_a_python_function_keeps_the_results():
    def law(t):
        if t > 0.5:
            raise KeyboardInterrupt
        return 1.0

    m = slider()
    m.add_force("law", dt.JointTorque("rail", law))
    r = dt.simulate(m, 2.0, outputs=0.1)
    assert not r.ok
    assert re.fullmatch(r"interrupted by the user at t = 0\.[45]\d* s", r.reason)
    assert 0.4 < r.t[-1] <= 0.5
    np.testing.assert_allclose(r["rail.position"], 1 + r.t**2 / 2, atol=1e-9)


LONG_RUN = """
import sys
import duoti as dt
m = dt.Model("long")
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
system = dt.compile(m)
dt.simulate(system, 0.1, solver=dt.RK4(step=1e-3), outputs={outputs})  # kernels are there now
print("go", flush=True)
r = dt.simulate(
    system, 1e5, outputs={outputs}, solver=dt.RK4(step=1e-3), watch=lambda r: print("at", float(r.t[-1]), flush=True)
)
print("end |", r.ok, "|", r.reason, "|", len(r.t), "|", float(r.t[-1]), "|", float(abs(r.energy.residual).max()))
"""


HEED_CTRL_C = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"


@pytest.mark.skipif(os.name == "nt", reason="SIGINT to one process only exists on POSIX systems")
@pytest.mark.parametrize("outputs", ["1.0", "'steps'"])
def test_ctrl_c_from_the_keyboard(outputs):
    """A real SIGINT to a run that would take minutes."""
    run = subprocess.Popen(
        # a shell that runs the tests in the background makes its children ignore SIGINT; the child minds it again
        [sys.executable, "-c", HEED_CTRL_C + LONG_RUN.format(outputs=outputs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert run.stdout.readline() == "go\n"
        while float(run.stdout.readline().removeprefix("at ")) < 20.0:
            pass
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=600)
    finally:
        run.kill()
        run.communicate()
    assert run.returncode == 0, err
    _, ok, reason, count, last, residual = (part.strip() for part in out.splitlines()[-1].split("|"))
    assert ok == "False"
    assert reason.startswith("interrupted by the user at t = ")
    assert int(count) > 10
    assert 10 < float(last) < 1e5
    assert float(residual) < 1e-5  # what there is, is sound


# ---------------------------------------------------------------------------------------------------------- failures


def failing(m: dt.Model, match: str, **options) -> dt.Result:
    with pytest.warns(dt.errors.SimulationWarning, match=match):
        r = dt.simulate(m, **{"duration": 2.0, **options})
    assert not r.ok
    assert np.all(np.isfinite(r.q))
    assert np.all(np.isfinite(r.v))
    assert len(r.t)
    return r


@pytest.mark.parametrize(
    "solver", [None, dt.DOP853(), dt.RKF45(), dt.RK4(step=0.01), dt.SemiImplicitEuler(step=0.01), dt.Verlet(0.01)]
)
@pytest.mark.parametrize("law", ["sqrt(0.5 - t)", "1/(t - 0.5)*0 + sqrt(0.5 - t)", "log(rail.position - 1.1) + 0*t"])
def test_force_that_becomes_undefined(law, solver):
    """The message names force, joint, body and time; what was computed before is kept."""
    m = slider()
    m.joints["rail"].q0, m.joints["rail"].v0 = 1.6, -1.0
    m.add_force("fine", dt.JointTorque("rail", "0*t"))
    m.add_force("broken", dt.JointTorque("rail", law))
    r = failing(m, "simulation of 'slide' failed: values became infinite or undefined after t = 0.[3-6]", solver=solver)
    assert re.fullmatch(
        r'values became infinite or undefined after t = 0\.\d+ s in force "broken", first seen at joint "rail" '
        r'\(body "block", rail\.(position|velocity)\)',
        r.reason,
    )
    assert 0.3 < r.t[-1] < 0.6
    assert len(r.t) > 100
    assert r.error is None
    assert r["block.position"].shape == (len(r.t), 3)


@pytest.mark.parametrize("law", ["sqrt(-1 - t)", "1/t", "0/t"])
@pytest.mark.parametrize("solver", [None, dt.RK4(step=0.01)])
def test_force_that_is_undefined_from_the_start(law, solver):
    m = slider()
    m.add_force("broken", dt.JointTorque("rail", law))
    r = failing(m, "after t = 0 s", solver=solver)
    assert 'in force "broken"' in r.reason
    np.testing.assert_array_equal(r.t, [0.0])


def test_python_force_that_raises():
    def sensor(t, q):
        if t > 0.5:
            raise RuntimeError("sensor lost")
        return -q

    m = slider()
    m.add_force("control", dt.JointTorque("rail", sensor))
    r = failing(m, "sensor lost")
    assert r.reason == (
        "values became infinite or undefined after t = 0.5 s in force "
        '"control" (its function raised RuntimeError: sensor lost), '
        'first seen at joint "rail" (body "block", rail.position)'
    )
    assert isinstance(r.error, RuntimeError)
    assert r.error.__traceback__ is None  # its frames would keep the run and its callers alive
    assert 'raise RuntimeError("sensor lost")' in r.error.__notes__[0]
    np.testing.assert_allclose(r["rail.position"], np.cos(r.t), atol=1e-7)


def test_python_force_that_returns_nonsense():
    m = slider()
    m.add_force("control", dt.JointTorque("rail", lambda t: "much"))
    r = failing(m, "could not convert string to float: 'much'")
    assert isinstance(r.error, ValueError)


def test_python_event_that_raises():
    def broken(t):
        raise ZeroDivisionError("no way")

    m = slider()
    m.add_event("watch", dt.Event(broken))
    r = failing(m, "no way")
    assert 'in event "watch" (its function raised ZeroDivisionError: no way)' in r.reason


def test_python_force_that_stumbles_only_in_trial_states():
    """A function may fail in a step that is then made smaller; that is no failure of the run."""
    calls = []

    def law(t, q):
        if q < -1e-3:
            raise ValueError("below the floor")
        calls.append(t)
        return 1e4 * np.exp(-200 * max(q, 0.0))

    m = slider()
    m.joints["rail"].v0 = -2.0
    m.add_force("floor", dt.JointTorque("rail", law))
    r = dt.simulate(m, 1.0, solver=dt.DOPRI5(first_step=0.9))
    assert r.ok
    assert r.error is None
    assert np.min(r["rail.position"]) > 0
    assert calls


def test_step_size_collapse():
    """A mass falls into the centre of an attraction 1/r² from r = 1: it arrives at t = pi / sqrt(8)."""
    m = slider()
    m.add_force("centre", dt.LineForce(m.ground, "block", "1/length^2"))
    r = failing(m, "the step became too small")
    assert r.reason == (
        'the step became too small at t = 1.11072 s at joint "rail" (body "block", rail.velocity): the motion changes '
        "too fast there for an explicit solver (an impact, a singularity or a stiff spring), or the tolerances are "
        'too tight; force "centre" changes most there'
    )
    assert r.t[-1] == pytest.approx(np.pi / np.sqrt(8), abs=1e-6)
    assert len(r.t) > 500
    assert 0 <= r["rail.position"][-1] < 1e-3


def test_fixed_step_that_blows_up():
    m = slider()
    m.add_force("spring", dt.JointSpring("rail", stiffness=1e12))
    r = failing(m, "values became infinite", solver=dt.RK4(step=0.01))
    assert r.reason.endswith("; try a smaller step or an adaptive solver, and look for forces that grow without bound")
    assert 'joint "rail" (body "block"' in r.reason


def test_one_joint_of_many_is_named():
    m = slider()
    m.add_body("other", dt.Inertia.point(1.0))
    m.add_joint("second", dt.Prismatic("y"), m.ground, "other")
    m.add_force("law", dt.JointTorque("second", "sqrt(1 - t)"))
    r = failing(m, "undefined")
    assert 'in force "law", first seen at joint "second" (body "other", second.' in r.reason


@pytest.mark.filterwarnings("ignore::duoti.errors.SimulationWarning")
def test_failure_in_absolute_coordinates():
    """The coordinates belong to no joint of the user's there, but to a body."""
    m = dt.Model("arm")
    m.add_body("arm", dt.Inertia.box(1.0, size=(1.0, 0.1, 0.1)), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "arm", at=(0, 0, 0))
    m.add_force("F", dt.AppliedForce("arm", ("sqrt(0.3 - t)", 0, 0)))
    r = dt.simulate(m, 1.0, coordinates="absolute")
    assert not r.ok
    assert 'in force "F", first seen at body "arm"' in r.reason
    assert len(r.t) > 1


def test_missing_inertia_is_refused():
    """A point on the axis of its hinge: nothing says how fast it turns."""
    m = dt.Model("m")
    m.add_body("ball", dt.Inertia.point(1.0))
    m.add_joint("pin", dt.Revolute("x"), m.ground, "ball")
    with pytest.raises(dt.ModelError) as caught:
        dt.simulate(m, 1.0)
    assert str(caught.value) == (
        'model "m" has 1 error\n'
        '✗ joint "pin": nothing resists turning about its axis in the initial state (pin.rate)\n'
        '    why:    body "ball" and what it carries have no inertia for it: its acceleration is undefined\n'
        '    remedy: give "ball" an inertia about this axis (a thin rod has none), or make the joint fixed'
    )


def test_missing_inertia_of_several_joints_is_reported_at_once():
    m = dt.Model("m")
    for i, joint in enumerate((dt.Spherical(), dt.Free())):
        m.add_body(f"ball{i}", dt.Inertia.point(1.0))
        m.add_joint(f"J{i}", joint, m.ground, f"ball{i}")
    with pytest.raises(dt.ModelError) as caught:
        dt.simulate(m, 1.0)
    assert {f.names[0] for f in caught.value.report.errors} == {"J0", "J1"}


def test_point_mass_off_the_axis_is_fine():
    m = dt.Model("m")
    m.add_body("ball", dt.Inertia.point(1.0), position=(0, 0, -1))
    m.add_joint("pin", dt.Revolute("x"), m.ground, "ball", at=(0, 0, 0), q0=0.1)
    r = dt.simulate(m, 1.0)
    assert r.ok
    # a pendulum of 1 m; the amplitude makes it slower by 0.1²/16, which is 2e-4 rad after 3 rad of phase
    assert r["pin.angle"][-1] == pytest.approx(0.1 * np.cos(np.sqrt(9.81)), abs=3e-4)


@pytest.mark.parametrize(
    "solver", [None, dt.DOP853(), dt.RK4(step=0.1), dt.SemiImplicitEuler(step=0.1), dt.Verlet(0.1)]
)
def test_structure_without_any_freedom(solver):
    """Nothing moves, but the reactions follow the load."""
    m = dt.Model("post", gravity=(0, 0, -10))
    m.add_body("beam", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("weld", dt.Fixed(), m.ground, "beam", at=(0, 0, 0))
    m.add_force("load", dt.AppliedForce("beam", ("3*t", 0, 0)))
    r = dt.simulate(m, 1.0, solver=solver)
    assert r.ok
    np.testing.assert_allclose(r["weld.reaction_force"], np.column_stack([-3 * r.t, 0 * r.t, 0 * r.t + 20]), atol=1e-12)
    np.testing.assert_allclose(r["weld.reaction_torque"][-1], [0, -10, 0], atol=1e-12)
    assert r.to_pandas().shape == (1001, 0)
    assert r.plot()


# ------------------------------------------------------------------------------------------------------ conservation


def flying_tree(rng: np.random.Generator, gravity=(0, 0, 0)) -> dt.Model:
    """A floating body with branches of all kinds of joints, springs inside."""
    m = dt.Model("flying tree", gravity=gravity)
    kinds = [dt.Revolute, dt.Prismatic, dt.Cylindrical, dt.Universal, dt.Spherical, dt.Planar, dt.Screw, dt.Composite]

    def inertia():
        size = rng.uniform(0.2, 0.6, size=3)
        return dt.Inertia.box(rng.uniform(0.5, 2.0), size=size, com=rng.normal(scale=0.1, size=3))

    m.add_body("root", inertia())
    m.add_joint("float", dt.Free(), m.ground, "root", v0=rng.normal(size=6))
    bodies = ["root"]
    for i, kind in enumerate(kinds):
        place = rng.normal(scale=0.5, size=3)
        name = m.add_body(f"b{i}", inertia(), position=place, rotation=dt.Rotation.from_vector(rng.normal(size=3))).name
        joint = kind.sample(rng)
        parent = bodies[rng.integers(len(bodies))]
        m.add_joint(
            f"J{i}", joint, parent, name, at=place + rng.normal(scale=0.2, size=3), v0=rng.normal(size=joint.nv)
        )
        m.add_force(f"s{i}", dt.SpringDamper(parent, name, stiffness=20.0, rest_length=0.4))
        bodies.append(name)
    return m


@pytest.mark.parametrize("seed", range(3))
def test_conservation_in_free_flight(seed):
    """Energy and both momenta are conserved to the tolerance of integration (1e-12 per step, some 500 steps)."""
    r = dt.simulate(flying_tree(np.random.default_rng(seed)), 2.0, solver=TIGHT)
    assert r.ok
    scale = np.max(r.energy.kinetic)
    assert np.max(np.abs(r.energy.residual)) < 1e-9 * scale
    assert np.max(np.abs(r.energy.total - r.energy.total[0])) < 1e-9 * scale
    p, L = r.linear_momentum, r.angular_momentum
    assert np.max(np.abs(p - p[0])) < 1e-9 * np.linalg.norm(p[0])
    assert np.max(np.abs(L - L[0])) < 1e-9 * np.linalg.norm(L[0])
    m = r.model.mass
    np.testing.assert_allclose(r.mass_centre, r.mass_centre[0] + np.outer(r.t, p[0] / m), atol=1e-9)
    assert np.ptp(r.energy.elastic) > 0.1  # it was a motion


def test_mass_centre_in_free_fall():
    g = np.array([0.3, -0.2, -9.81])
    r = dt.simulate(flying_tree(np.random.default_rng(5), gravity=g), 1.0, solver=TIGHT)
    drift = r.mass_centre - r.mass_centre[0] - np.outer(r.t, r.linear_momentum[0] / r.model.mass)
    np.testing.assert_allclose(drift, np.outer(r.t**2 / 2, g), atol=1e-9)
    np.testing.assert_allclose(r.angular_momentum, np.tile(r.angular_momentum[0], (len(r.t), 1)), atol=1e-8)


def test_balance_of_energy_with_drives_and_dampers():
    """Work supplied and energy dissipated are integrated with the motion; the balance closes to its error."""
    m = pendulum()
    m.add_marker("tip", "rod", position=(0.5, 0, 0))
    m.add_marker("post", m.ground, position=(1, 0, 1))
    m.add_force("drive", dt.JointTorque("A", "2*sin(5*t)"))
    m.add_force("damping", dt.JointDamping("A", 0.3))
    m.add_force("spring", dt.SpringDamper("tip", "post", stiffness=30, damping=0.5, rest_length=0.5))
    m.add_force("wind", dt.AppliedForce("tip", ("cos(t)", 0.0, lambda t: 0.1 * t)))
    r = dt.simulate(m, 5.0, solver=TIGHT)
    e = r.energy
    assert np.max(np.abs(e.residual)) < 1e-9  # of exchanges of 10 J
    assert e.dissipated[-1] > 1
    assert np.ptp(e.supplied) > 0.5
    assert np.all(np.diff(e.dissipated) >= -1e-12)
    np.testing.assert_allclose(e.total, e.kinetic + e.gravity + e.elastic)
    np.testing.assert_allclose(e.potential, e.gravity + e.elastic)


def test_residual_does_not_depend_on_when_outputs_begin():
    m = pendulum()
    m.add_force("damping", dt.JointDamping("A", 0.3))
    r = dt.simulate(m, 2.0, outputs=[1.0, 1.5, 2.0], solver=TIGHT)
    assert np.max(np.abs(r.energy.residual)) < 1e-10
    assert r.energy.dissipated[0] > 0.1


def test_default_tolerances_are_good_for_six_digits():
    r = dt.simulate(pendulum(), 10.0)
    assert np.max(np.abs(r.energy.residual)) < 1e-5 * np.ptp(r.energy.kinetic)


def test_semi_implicit_euler_does_not_drift():
    """Constant mass matrix: energy swings with the step but has no trend over 500 periods."""
    m = slider()
    m.add_force("spring", dt.JointSpring("rail", stiffness=4 * np.pi**2))
    r = dt.simulate(m, 500.0, outputs="steps", solver=dt.SemiImplicitEuler(step=0.005))
    e = r.energy.total
    early, late = e[: len(e) // 10], e[-len(e) // 10 :]
    assert np.ptp(e) > 0.1  # first order
    assert abs(np.mean(late) - np.mean(early)) < 1e-3 * np.mean(e)


def test_verlet_does_not_drift_and_has_the_frequency_of_the_leapfrog():
    """x'' = -ω² x in steps h: sin(ω_h h/2) = ω h/2 (Störmer 1907), energy swings by (ω h)²/4; up to ω h = 2."""
    m = slider()
    m.add_force("spring", dt.JointSpring("rail", stiffness=4 * np.pi**2))
    h = 0.01
    r = dt.simulate(m, 500.0, outputs="steps", solver=dt.Verlet(step=h))
    exact = 2 / h * np.arcsin(np.pi * h)
    x, e = r["rail.position"], r.energy.total
    amplitude = np.hypot(x[0], r["rail.velocity"][0] / (2 * np.pi * np.cos(exact * h / 2)))
    phase = np.arctan2(-r["rail.velocity"][0] / (2 * np.pi * np.cos(exact * h / 2)), x[0])
    np.testing.assert_allclose(x, amplitude * np.cos(exact * r.t + phase), atol=1e-9 * amplitude)  # 50 000 roundings
    assert np.ptp(e) < 1.01 * (2 * np.pi * h) ** 2 / 4 * np.max(e)
    assert r.stats.evaluations <= r.stats.steps + 2
    with pytest.warns(dt.errors.SimulationWarning, match="try a smaller step"):
        assert not dt.simulate(m, 50.0, solver=dt.Verlet(step=1.02 / np.pi)).ok


def test_verlet_is_of_second_order_with_damping_states_and_loops():
    """Errors fall by four with half the step: forces by velocities, a state, a time, a closed loop."""
    damped = slider()
    damped.add_state("z", "-3*z + rail.position", initial=1.0)
    damped.add_force("law", dt.JointTorque("rail", "-20*q - 1.5*v - 4*z + sin(3*t)"))
    for model, channel in ((damped, "rail.position"), (damped, "z"), (slider_crank(), "D.position")):
        wanted = dt.simulate(model, 1.0, outputs=[1.0], solver=dt.DOP853(rtol=1e-12, atol=1e-12))[channel][-1]
        errors = [
            abs(dt.simulate(model, 1.0, outputs=[1.0], solver=dt.Verlet(step=1 / n))[channel][-1] - wanted)
            for n in (200, 400, 800)
        ]
        ratios = np.array(errors[:-1]) / errors[1:]
        assert np.all(np.abs(ratios - 4.0) < 0.25), (channel, errors)  # the next term of the error halves with the step


def slider_crank() -> dt.Model:
    m = dt.Model("slider-crank", gravity=(0, 0, -9.81))
    crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="x"), position=(0.15, 0, 0))
    rod = m.add_body("rod", dt.Inertia.rod(2.0, length=0.8, axis="x"), position=(0.70, 0, 0))
    block = m.add_body("block", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)), position=(1.10, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0), q0=0.7, v0=3.0)
    m.add_joint("B", dt.Spherical(), crank, rod, at=(0.3, 0, 0))
    m.add_joint("C", dt.Cylindrical("y"), rod, block, at=(1.1, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, block, at=(1.1, 0, 0))
    return m


# -------------------------------------------------------------------------------------------------------- statistics


def test_statistics():
    r = dt.simulate(pendulum(), 200.0)
    s = r.stats
    assert s.solver == "DOPRI5(rtol=1e-08, atol=1e-10, max_step=inf, first_step=None)"
    assert s.steps > 1000
    assert 0 <= s.rejected < s.steps
    assert s.evaluations >= 6 * s.steps
    assert 0 < s.seconds < 60


def test_long_run_of_many_short_calls():
    """200 000 steps in one go: nothing is lost between the calls of the compiled loop."""
    r = dt.simulate(pendulum(), 2000.0, outputs=100.0, solver=dt.RK4(step=0.01))
    assert r.stats.steps == 200_000
    assert len(r.t) == 21
    assert r.stats.evaluations == 800_001


@pytest.mark.parametrize("progress", [True, False, None])
def test_progress_without_a_terminal(progress, capfd):
    r = dt.simulate(pendulum(), 5.0, progress=progress)
    assert r.t[-1] == 5.0
    assert capfd.readouterr() == ("", "")  # nothing to draw a bar on


def test_progress_bar_of_a_long_run(monkeypatch, capfd):
    monkeypatch.setattr("duoti.analyses.simulate.driver.SHOW_PROGRESS_AFTER", 0.0)
    r = dt.simulate(pendulum(), 1000.0, outputs=[1000.0], solver=dt.RK4(step=0.004), progress=True)
    assert r.ok
    assert capfd.readouterr().out == ""  # progress goes to the error stream
    r = dt.simulate(pendulum(), 1000.0, outputs=[1000.0], solver=dt.RK4(step=0.004), progress=False)
    assert capfd.readouterr() == ("", "")


def test_same_run_twice_is_the_same_to_the_bit():
    system = dt.compile(flying_tree(np.random.default_rng(1)))
    a, b = dt.simulate(system, 1.0), dt.simulate(system, 1.0)
    np.testing.assert_array_equal(a.q, b.q)
    np.testing.assert_array_equal(a.v, b.v)


def test_callable_object_is_the_users_own():
    """A controller with a memory is not copied: the user finds in it what happened."""

    class Controller:
        def __init__(self):
            self.log = []

        def torque(self, t, q):
            self.log.append(t)
            return -q

        def __call__(self, t, v):
            self.log.append(t)
            return -0.1 * v

    a, b, c = Controller(), Controller(), Controller()
    m = slider()
    m.add_force("a", dt.JointTorque("rail", a.torque))
    m.add_force("b", dt.JointTorque("rail", b))
    m.add_force("c", dt.JointTorque("rail", dt.Function(c, inputs=("t", "rail.velocity"))))
    dt.simulate(m, 1.0)
    assert a.log
    assert b.log
    assert c.log


@pytest.mark.parametrize("step", [1e-9, 1e-300, 5e-324])
def test_outputs_that_have_no_room_are_refused_at_once(tmp_path, step):
    """10 s in steps of 1 ns: 80 GB for the times alone."""
    from support.long_runs import pendulum

    for out in (None, tmp_path / "run.h5"):
        with pytest.raises(ValueError, match=r"outputs.*(outputs of \d+ numbers take|this would be .* outputs)"):
            dt.simulate(pendulum(), 10_000.0, outputs=step, out=out)
    assert not list(tmp_path.iterdir())
