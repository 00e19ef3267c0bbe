"""First-order states: against exact solutions, coupled with mechanisms, in results, and refused when wrong."""

from __future__ import annotations

import copy
import math
import pickle
import re

import numba
import numpy as np
import pytest
from scipy.linalg import expm

import duoti as dt
from duoti.dynamics.tree.forward import force_state, forward_dynamics
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import run_entry

TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)
TINY = 1e-30  # complex step: exact to round-off


def block(**options) -> dt.Model:
    """One block of 2 kg on a rail without gravity, from x = 1."""
    m = dt.Model("block", gravity=(0, 0, 0), **options)
    m.add_body("block", dt.Inertia.point(2.0))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "block", q0=1.0)
    return m


def pendulum() -> dt.Model:
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.box(1.0, size=(1.0, 0.1, 0.1)), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), v0=0.7)
    m.add_marker("tip", "rod", position=(0.5, 0, 0))
    return m


def four_bar() -> dt.Model:
    """A crank of 0.2 m drives a rocker of 0.5 m through a rod of 0.6 m; drawn with the crank up."""
    m = dt.Model("four-bar")
    points = {"A": (0, 0), "B": (0, 0.2), "C": (0.5, 0.5), "D": (0.5, 0)}
    for name, (a, b) in {"crank": "AB", "coupler": "BC", "rocker": "CD"}.items():
        p, q = np.array(points[a]), np.array(points[b])
        centre, angle = (p + q) / 2, math.atan2(q[1] - p[1], q[0] - p[0])
        inertia = dt.Inertia.rod(1.0, length=float(np.linalg.norm(q - p)), axis="x")
        m.add_body(name, inertia, position=(*centre, 0), rotation=dt.Rotation.from_vector((0, 0, angle)))
    for name, (a, b) in {"A": ("ground", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker"),
                         "D": ("rocker", "ground")}.items():  # fmt: skip
        m.add_joint(name, dt.Revolute("z"), a, b, at=(*points[name], 0), v0=5.0 if name == "A" else None)
    return m


# --------------------------------------------------------------------------------------------------- exact solutions


def test_circuit_against_its_exponential():
    """Coil and resistor at a voltage, beside a body that cannot move: i = U/R (1 - exp(-R t/L))."""
    m = dt.Model("circuit", parameters={"U": 12.0, "R": 3.0, "L": 0.5})
    m.add_body("box", dt.Inertia.point(1.0))
    m.add_joint("fix", dt.Fixed(), m.ground, "box")
    m.add_state("i", "(U - R*i)/L", unit="A")
    r = dt.simulate(m, 2.0, solver=TIGHT)
    np.testing.assert_allclose(r["i"], 4.0 * -np.expm1(-6.0 * r.t), atol=1e-11)  # 1e-12 a step
    np.testing.assert_allclose(r["i.rate"], 24.0 * np.exp(-6.0 * r.t), atol=1e-10)
    assert r.unit("i") == "A"
    assert r.unit("i.rate") == "A/s"


def pi_controlled(kp=30.0, ki=20.0, kd=6.0) -> tuple[dt.Model, np.ndarray]:
    """A block held at zero by a controller with an integral, and the matrix of (x, v, integral)."""
    m = block(parameters={"kp": kp, "ki": ki, "kd": kd})
    m.add_state("integral", "rail.position", initial=0.3, unit="m s")
    m.add_force("control", dt.JointTorque("rail", "-kp*q - kd*v - ki*integral"))
    return m, np.array([[0, 1, 0], [-kp / 2, -kd / 2, -ki / 2], [1, 0, 0]])


def test_controlled_block_against_the_matrix_exponential():
    m, A = pi_controlled()
    r = dt.simulate(m, 3.0, outputs=0.1, solver=TIGHT)
    exact = np.array([expm(A * t) @ [1.0, 0.0, 0.3] for t in r.t])
    got = np.column_stack([r["rail.position"], r["rail.velocity"], r["integral"]])
    np.testing.assert_allclose(got, exact, atol=1e-11)
    np.testing.assert_allclose(r["integral.rate"], r["rail.position"], atol=1e-15)


def chain(A: np.ndarray, x0: np.ndarray) -> dt.Model:
    m = pendulum()
    for i, row in enumerate(A):
        m.add_state(f"x{i}", " + ".join(f"({a!r})*x{j}" for j, a in enumerate(row.tolist())), initial=x0[i])
    return m


@pytest.mark.parametrize("solver", [TIGHT, dt.DOPRI5(rtol=1e-11, atol=1e-11), dt.RKF45(rtol=1e-11, atol=1e-11)])
def test_linear_chain_against_the_matrix_exponential(solver):
    """Dense output and steps: six states that all read each other, beside a pendulum that they do not touch."""
    rng = np.random.default_rng(0)
    A, x0 = rng.normal(size=(6, 6)), rng.normal(size=6)
    r = dt.simulate(chain(A, x0), 2.0, outputs=0.05, solver=solver)
    exact = np.array([expm(A * t) @ x0 for t in r.t])
    assert np.max(np.abs(r.z - exact)) < 1e-8 * np.max(np.abs(exact))  # 1e-11 a step, times growth
    np.testing.assert_allclose(np.column_stack([r[f"x{i}.rate"] for i in range(6)]), r.z @ A.T, rtol=1e-12, atol=1e-12)


def test_order_of_rk4():
    m, A = pi_controlled()
    exact = expm(A) @ [1.0, 0.0, 0.3]
    errors = []
    for n in (80, 160, 320):
        r = dt.simulate(m, 1.0, outputs=[1.0], solver=dt.RK4(step=1 / n))
        errors.append(np.abs([r["rail.position"][0], r["rail.velocity"][0], r["integral"][0]] - exact))
    rates = np.log2(np.array(errors[:-1]) / errors[1:])
    assert np.all(np.abs(rates - 4) < 0.15), rates  # the next term of the error halves with the step


def test_semi_implicit_euler_takes_states_explicitly():
    m = block()
    m.add_state("z", "-z + rail.position", initial=1.0)
    m.add_force("push", dt.JointTorque("rail", "-2*z"))
    r = dt.simulate(m, 1.0, outputs="steps", solver=dt.SemiImplicitEuler(step=0.01))
    x, v, z = 1.0, 0.0, 1.0
    for k in range(len(r.t)):
        assert [r["rail.q"][k], r["rail.v"][k], r["z"][k]] == pytest.approx([x, v, z], abs=1e-13)
        v, z_new = v - 0.01 * z, z + 0.01 * (x - z)
        x, z = x + 0.01 * v, z_new


def test_error_control_sees_the_states():
    """The block rests; only the states swing, and the steps must follow them."""
    m = dt.Model("rest", gravity=(0, 0, 0))
    m.add_body("block", dt.Inertia.point(1.0))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "block")
    calm = dt.simulate(m, 5.0).stats.steps
    m.add_state("a", "20*b")
    m.add_state("b", "-20*a", initial=1.0)
    r = dt.simulate(m, 5.0)
    assert r.stats.steps > 20 * calm
    np.testing.assert_allclose(r["a"], np.sin(20 * r.t), atol=1e-6)  # 1e-8 a step, some hundred steps
    np.testing.assert_allclose(r["b"], np.cos(20 * r.t), atol=1e-6)


# --------------------------------------------------------------------------------------------- coupled with mechanisms


def test_power_balance_of_a_motor():
    """Electrical energy in = heat + magnetic energy + mechanical work, and the work is that of the mechanism."""
    m = pendulum()
    m.parameters.update(L=0.05, R=2.0, K=1.5)
    m.add_state("i", "(12*sin(5*t) - R*i - K*A.rate)/L", unit="A")
    m.add_state("electrical", "12*sin(5*t)*i", unit="J")
    m.add_state("heat", "R*i^2", unit="J")
    m.add_force("motor", dt.JointTorque("A", "K*i"))
    r = dt.simulate(m, 3.0, solver=TIGHT)
    magnetic = 0.5 * 0.05 * r["i"] ** 2
    assert np.max(r["heat"]) > 10  # J: there is something to balance
    np.testing.assert_allclose(r["electrical"], r["heat"] + magnetic + r.energy.supplied, atol=1e-10)
    np.testing.assert_allclose(r.energy.residual, 0, atol=1e-10)
    # and at each instant
    power = 12 * np.sin(5 * r.t) * r["i"]
    stored = 0.05 * r["i"] * r["i.rate"]
    np.testing.assert_allclose(power, 2.0 * r["i"] ** 2 + stored + 1.5 * r["i"] * r["A.rate"], atol=1e-11 * power.max())


INTEGRALS = {  # rate -> channel that the state must follow, but for its value at the start
    "tip.velocity.x": "tip.position.x",
    "tip.velocity.z": "tip.position.z",
    "rod.velocity.z": "rod.position.z",
    "tip.angular_velocity.y": "A.angle",
    "A.rate": "A.angle",
}


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
@pytest.mark.parametrize("with_force", [False, True])
def test_states_read_markers_and_joints(coordinates, with_force):
    """In a tree with and without forces, and with closures: poses and velocities are those of the instant."""
    m = pendulum()
    rates = {k: c for k, c in INTEGRALS.items() if coordinates == "relative" or not k.startswith("A")}
    for n, rate in enumerate(rates):
        m.add_state(f"s{n}", rate)
    if with_force:
        m.add_force("wind", dt.AppliedForce("tip", ("sin(t)", 0, 0)))
    r = dt.simulate(m, 1.0, solver=TIGHT, coordinates=coordinates)
    for n, (rate, channel) in enumerate(rates.items()):
        np.testing.assert_allclose(r[f"s{n}"], r[channel] - r[channel][0], atol=1e-10)
        np.testing.assert_allclose(r[f"s{n}.rate"], r[rate], atol=1e-12)


@pytest.mark.parametrize(
    "constraint_method", [dt.Projection(), dt.CoordinatePartitioning(), dt.NullSpace(), dt.Penalty()]
)
def test_states_of_a_loop(constraint_method):
    m = four_bar()
    m.add_state("turned", "D.rate")
    m.add_state("height", "coupler.velocity.y")
    r = dt.simulate(m, 0.5, solver=TIGHT, constraints=constraint_method)
    assert r.ok
    assert "D" not in r.system.topology.cut_joints  # the state needs its coordinate
    np.testing.assert_allclose(r["turned"], r["D.angle"] - r["D.angle"][0], atol=1e-9)
    np.testing.assert_allclose(r["height"], r["coupler.position.y"] - r["coupler.position.y"][0], atol=1e-9)


def test_a_cut_joint_that_a_state_reads_keeps_its_coordinates():
    m = four_bar()
    m.add_state("turned", "D.rate")
    r = dt.simulate(dt.compile(m, force_cut=["D"]), 0.5, solver=TIGHT)
    assert r.system.topology.cut_joints == ("D",)
    np.testing.assert_allclose(r["turned"], r["D.angle"] - r["D.angle"][0], atol=1e-9)


def law_function(t, i, u):
    return math.cos(t) - 2 * i * u


FORMS = {
    "expression": "cos(t) - 2*i*u",
    "python": law_function,
    "numba": numba.njit(law_function),
    "named": dt.Function(lambda a, b, c: math.cos(c) - 2 * a * b, inputs=("u", "i", "t")),
}


@pytest.mark.parametrize("form", FORMS)
def test_all_forms_of_a_law(form):
    m = pendulum()
    m.add_state("u", 0.5, initial=0.25)
    m.add_state("i", FORMS[form])
    m.add_state("plain", "cos(t) - 2*plain*(0.25 + 0.5*t)")
    r = dt.simulate(m, 2.0, solver=TIGHT)
    np.testing.assert_allclose(r["u"], 0.25 + 0.5 * r.t, rtol=1e-13)
    np.testing.assert_allclose(r["i"], r["plain"], atol=1e-11)


def test_every_element_with_a_law_reads_states():
    """A state that stays at 1 in place of the number 1."""
    runs = []
    for one in ("1", "one"):
        m = pendulum()
        m.add_state("one", 0.0, initial=1.0)
        m.add_force("torque", dt.JointTorque("A", f"0.3*{one}"))
        m.add_force("motor", dt.JointMotor("A", 0.5, 10.0, command=one))
        m.add_force("line", dt.LineForce(m.ground, "tip", f"2*{one} + 0.1*length"))
        m.add_force("push", dt.AppliedForce("tip", (one, 0, f"2*{one}")))
        m.add_force("turn", dt.AppliedTorque("rod", dt.Function(lambda x: (0, x, 0), inputs=(one,)) if one == "one"
                                             else (0, 1, 0)))  # fmt: skip
        runs.append(dt.simulate(m, 1.0))
    np.testing.assert_allclose(runs[1].q, runs[0].q, atol=1e-13)
    np.testing.assert_allclose(runs[1].energy.supplied, runs[0].energy.supplied, atol=1e-13)
    np.testing.assert_allclose(runs[1]["A.reaction_force"], runs[0]["A.reaction_force"], atol=1e-12)
    np.testing.assert_allclose(runs[1]["tip.acceleration"], runs[0]["tip.acceleration"], atol=1e-12)


def test_events_read_states():
    m = block()
    m.add_state("charge", "1 - charge", initial=0.0)
    m.add_event("quarter", dt.Event("charge - 0.25"))
    m.add_event("half", dt.Event("charge - 0.5", terminal=True))
    r = dt.simulate(m, 10.0, solver=TIGHT)
    assert [e.t for e in r.events] == pytest.approx([math.log(4 / 3), math.log(2)], rel=1e-10)
    assert [e.z.tolist() for e in r.events] == [pytest.approx([0.25]), pytest.approx([0.5])]
    assert r["charge"][-1] == pytest.approx(0.5, rel=1e-12)


@pytest.mark.parametrize("form", FORMS)
def test_complex_step_goes_through_the_rates(form):
    """d(rate)/d(state) and d(force)/d(state) by complex steps; exact but for functions, which are differenced."""
    m = pendulum()
    m.add_state("u", "sin(A.angle)*i + tip.velocity.x", initial=0.3)
    m.add_state("i", FORMS[form], initial=0.8)
    m.add_force("drive", dt.JointTorque("A", "u^2*i"))
    system = dt.compile(m)
    q, v = np.array([0.4]), np.array([-1.1])
    w = new_workspace(system, complex, fill=np.nan)
    w.y[2] += 1j * TINY
    force_state(system.tree, system.loads, w, 0.2, q.astype(complex), v.astype(complex))
    run_entry(w.calls[0].states, w.at[0].system)
    exact = form == "expression"
    assert w.tau[0].imag / TINY == pytest.approx(2 * 0.3 * 0.8, rel=1e-14)
    assert w.ydot[3].imag / TINY == pytest.approx(-2 * 0.8, rel=1e-14 if exact else 1e-9)
    np.testing.assert_allclose(w.ydot[2:4].real, dt.analyses.state_rates(system, q, v, t=0.2), rtol=1e-14)
    w = new_workspace(system, complex, fill=np.nan)
    force_state(system.tree, system.loads, w, 0.2, q + 1j * TINY * v, v.astype(complex))
    run_entry(w.calls[0].states, w.at[0].system)
    # rate of the pendulum's velocity: x = cos(angle), dx/dt = -sin(angle) v
    slope = v[0] * (math.cos(0.4) * 0.8 - math.cos(0.4) * v[0])
    assert w.ydot[2].imag / TINY == pytest.approx(slope, rel=1e-13)


# ---------------------------------------------------------------------------------------------- states at an instant


@pytest.mark.parametrize("loop", [False, True])
def test_functions_of_an_instant_take_states(loop):
    m = four_bar() if loop else pendulum()
    m.add_state("current", "3*u - A.rate", initial=2.0)
    m.add_state("u", "t")
    m.add_force("motor", dt.JointTorque("A", "0.5*current"))
    bare = four_bar() if loop else pendulum()
    bare.add_force("motor", dt.JointTorque("A", 1.0))
    system, other = dt.compile(m), dt.compile(bare)
    assert system.nz == 2
    assert system.state_names == ("current", "u")
    np.testing.assert_array_equal(system.initial_z(), [2.0, 0.0])
    if loop:
        r = dt.simulate(other, 0.1)
        q, v = r.q[-1], r.v[-1]
    else:
        q, v = other.state({"A": 0.3}, rates={"A": -0.4})
    (j,) = system.joints["A"].v
    np.testing.assert_allclose(dt.accelerations(system, q, v), dt.accelerations(other, q, v), rtol=1e-12)
    np.testing.assert_allclose(dt.analyses.generalised_forces(system, q, v)[j], 1.0, rtol=1e-9)
    np.testing.assert_allclose(dt.analyses.generalised_forces(system, q, v, z=(6.0, 0.0))[j], 3.0, rtol=1e-9)
    assert dt.energies(system, q, v).supplied_power == pytest.approx(v[j])
    assert dt.energies(system, q, v, z=(6.0, 0.0)).supplied_power == pytest.approx(3 * v[j])
    np.testing.assert_allclose(dt.analyses.state_rates(system, q, v, t=0.7, z=(0, 5)), [15.0 - v[j], 0.7], rtol=1e-14)
    a = dt.accelerations(system, q, v, z=(6.0, 0.0))
    assert not np.allclose(a, dt.accelerations(system, q, v))
    if not loop:
        np.testing.assert_allclose(dt.inverse_dynamics(system, q, v, a, z=(6.0, 0.0)), 0, atol=1e-12)
    with pytest.raises(ValueError, match=re.escape("z needs 2 numbers, got an array of shape (1,)")):
        dt.accelerations(system, q, v, z=[1.0])


def test_workspaces_start_with_the_initial_states():
    m = pendulum()
    m.add_state("u", 0.0, initial=4.0)
    m.add_force("motor", dt.JointTorque("A", "u"))
    system = dt.compile(m)
    q, v = system.initial_state()
    a = np.zeros(1)
    forward_dynamics(system.tree, system.loads, new_workspace(system, fill=np.nan), 0.0, q, v, a)
    np.testing.assert_array_equal(a, dt.accelerations(system, q, v))


# ------------------------------------------------------------------------------------------------------------- starts


def test_a_run_goes_on_from_another():
    m, _ = pi_controlled()
    whole = dt.simulate(m, 2.0, outputs=[1.0, 2.0], solver=TIGHT)
    system = dt.compile(m)
    second = dt.simulate(system, 1.0, outputs=[2.0], t=1.0, at=(whole.q[0], whole.v[0], whole.z[0]),
                         solver=TIGHT)  # fmt: skip
    np.testing.assert_allclose(second.z[-1], whole.z[-1], atol=1e-12)
    np.testing.assert_allclose(second.q[-1], whole.q[-1], atol=1e-12)
    fresh = dt.simulate(system, 1.0, at=([2.0], [0.0]))
    assert fresh["integral"][0] == 0.3
    assert fresh["rail.position"][0] == 2.0


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (([1.0], [0.0], [1.0, 2.0]), "state: z needs 1 finite numbers, got [1.0, 2.0]"),
        (([1.0], [0.0], [math.nan]), "state: z needs 1 finite numbers, got [nan]"),
        (([1.0],), "a state (q, v) or (q, v, z); system.state(...) makes one"),
        (([1.0], [0.0], [1.0], [1.0]), "a state (q, v) or (q, v, z); system.state(...) makes one"),
    ],
)
def test_wrong_initial_states(state, message):
    m, _ = pi_controlled()
    with pytest.raises(ValueError, match=re.escape(message)):
        dt.simulate(m, 1.0, at=state)


# ------------------------------------------------------------------------------------------------------------ results


@pytest.fixture(scope="module")
def result():
    m = pendulum()
    m.add_state("i", "-i + A.rate", initial=1.0, unit="A")
    m.add_state("count", 2.0)
    return dt.simulate(m, 1.0, outputs=0.25)


def test_channels(result):
    assert result.channels[-4:] == ["i", "i.rate", "count", "count.rate"]
    assert [result.unit(name) for name in result.channels[-4:]] == ["A", "A/s", "", "1/s"]
    assert result.z.shape == (5, 2)
    np.testing.assert_array_equal(result["i"], result.z[:, 0])
    np.testing.assert_array_equal(result["state:i"], result.z[:, 0])
    np.testing.assert_allclose(result["i.rate"], result["A.rate"] - result["i"], atol=1e-15)
    np.testing.assert_array_equal(result["state:count.rate"], np.full(5, 2.0))
    assert "i" in result
    assert "i.x" not in result
    with pytest.raises(ValueError, match="read-only"):
        result["i"][0] = 1.0


@pytest.mark.parametrize(
    ("unit", "rate"),
    [("", "1/s"), ("A", "A/s"), ("m/s", "m/s^2"), ("m/s^2", "m/s^3"), ("N m", "N m/s"), ("V/step", "V/step/s")],
)
def test_unit_of_the_rate(unit, rate):
    assert dt.State("z", 0.0, unit=unit).rate_unit == rate


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("i.rte", 'there is no quantity "i.rte". State "i" has the channels "i" and "i.rate".'),
        ("i[0]", 'there is no quantity "i[0]".'),
        ("cuont", "there is no quantity \"cuont\". Did you mean 'count'?"),
    ],
)
def test_unknown_channels(result, name, message):
    with pytest.raises(dt.errors.ChannelError, match=re.escape(message)):
        result[name]


def test_tables_plots_and_summary(result):
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    table = result.to_pandas()
    assert list(table.columns) == ["A.q", "A.v", "i", "count"]
    np.testing.assert_array_equal(table["i"], result["i"])
    assert [axis.get_ylabel() for axis in result.plot().axes] == ["rad", "A", ""]
    assert result.summary().startswith("pendulum: 1 body, 1 joint, 1 degree of freedom, 2 states (i, count)\n")


def test_models_say_what_they_have():
    m = pendulum()
    state = m.add_state("i", "-i", unit="A")
    assert m.states == {"i": state}
    assert repr(state) == "<state 'i' [A]>"
    assert repr(dt.State("z", 0.0)) == "<state 'z'>"
    assert "0 forces, 1 state, gravity" in repr(m)
    assert str(dt.check(m)).startswith('model "pendulum" is all right')


def test_copies_of_models():
    m, _ = pi_controlled()
    wanted = dt.simulate(m, 1.0).z
    for other in (copy.deepcopy(m), pickle.loads(pickle.dumps(m))):
        np.testing.assert_array_equal(dt.simulate(other, 1.0).z, wanted)


def test_a_system_keeps_its_states_when_the_model_changes():
    m, _ = pi_controlled()
    system = dt.compile(m)
    m.states["integral"].initial = 7.0
    assert system.initial_z() == 0.3


# ----------------------------------------------------------------------------------------------------------- failures


@pytest.mark.parametrize("solver", [None, dt.RK4(step=0.01)], ids=["adaptive", "fixed"])
@pytest.mark.filterwarnings("ignore::duoti.errors.SimulationWarning")
def test_state_that_becomes_undefined(solver):
    m = block()
    m.add_state("fine", 1.0)
    m.add_state("bad", "sqrt(0.5 - t)")
    r = dt.simulate(m, 1.0, solver=solver)
    assert not r.ok
    assert r.t[-1] == pytest.approx(0.5, abs=0.02)
    assert re.fullmatch(r'.* t = 0\.\d+ s in the rate of state "bad".*', r.reason), r.reason


@pytest.mark.filterwarnings("ignore::duoti.errors.SimulationWarning")
def test_state_that_grows_without_bound():
    m = block()
    m.add_state("z", "z^2", initial=1.0)  # 1/(1 - t)
    r = dt.simulate(m, 2.0)
    assert not r.ok
    assert r.t[-1] == pytest.approx(1.0, abs=1e-6)
    assert 'state "z"' in r.reason
    assert "joint" not in r.reason


@pytest.mark.filterwarnings("ignore::duoti.errors.SimulationWarning")
def test_python_rate_that_raises():
    def rate(t):
        if t > 0.5:
            raise RuntimeError("no more")
        return 1.0

    m = block()
    m.add_state("z", rate)
    r = dt.simulate(m, 1.0)
    assert not r.ok
    assert 'state "z" (its function raised RuntimeError: no more)' in r.reason
    assert isinstance(r.error, RuntimeError)


def add(*arguments, **options):
    return lambda m: m.add_state(*arguments, **options)


FAULTS = {
    "unknown name": (
        add("z", "2*curent"),
        ('state "z": its rate: fault in an expression:', 'unknown name "curent"; did you mean current?'),
    ),
    "rate of a state": (add("z", "current.rate"), ('state "z": its rate', 'unknown name "current.rate"')),
    "acceleration": (add("z", "A.a"), ('"A.a" is an acceleration',)),
    "no law": (add("z", None), ('state "z": its rate: None is not a number, an expression or a function',)),
    "infinite rate": (add("z", math.inf), ('state "z": its rate: the value is inf',)),
    "function": (add("z", lambda x: x), ("asks for 'x'; its parameters must be names of quantities",)),
    "initial": (add("z", 0.0, initial="1"), ("state \"z\": initial is '1'; give a finite number",)),
    "nan": (add("z", 0.0, initial=math.nan), ('state "z": initial is nan; give a finite number',)),
    "unit": (add("z", 0.0, unit=3), ('state "z": unit is 3; give a text such as "A"',)),
    "twice": (add("current", 0.0), ('there is more than one state named "current"',)),
    "time": (add("t", 0.0), ('state "t": this name is kept for the time',)),
    "q": (add("q", 0.0), ('state "q": this name is kept for the coordinate of a joint in its own forces',)),
    "v": (add("v", 0.0), ('state "v": this name is kept for the rate of a joint in its own forces',)),
    "length": (add("length", 0.0), ('state "length": this name is kept for the length of a line in its own force',)),
    "speed": (add("speed", 0.0), ('state "speed": this name is kept for the speed of a line in its own force',)),
    "energy": (add("energy", 0.0), ('state "energy": this name is kept for the energies in plots',)),
    "word": (add("sin", 0.0), ('state "sin": this name is kept for expressions',)),
    "constant": (add("pi", 0.0), ('state "pi": this name is kept for expressions',)),
    "parameter": (add("k", 0.0), ('state "k" has the name of a parameter', "a name must mean one thing")),
    "joint": (add("A", 0.0), ('state "A" has the name of a joint',)),
    "body": (add("rod", 0.0), ('state "rod" has the name of a body',)),
    "ground": (add("ground", 0.0), ('state "ground" has the name of a body',)),
    "marker": (add("tip", 0.0), ('state "tip" has the name of a marker',)),
    "two words": (
        add("motor current", 0.0),
        ("a state has the name 'motor current'", "one word of letters", 'give it a name such as "motor_current"'),
    ),
    "digit": (add("2nd", 0.0), ("a state has the name '2nd'", 'give it a name such as "z2nd"')),
    "dot": (add("motor.", 0.0), ("a state has the name 'motor.'", 'give it a name such as "motor"')),
    "quantity": (add("A.angle", 0.0), ('state "A.angle" has the name of a quantity of joint "A"',)),
    "component": (add("tip.position.x", 0.0), ('state "tip.position.x" has the name of a quantity of marker "tip"',)),
    "rate": (add("current.rate", 0.0), ('state "current.rate" has the name of a quantity of state "current"',)),
    "no name": (add("", 0.0), ("a state has the name ''", 'give it a name such as "z"')),
    "no text": (add(None, 0.0), ("a state has the name None",)),
    "prescribed motion": (
        lambda m: m.add_constraint("drive", dt.JointMotion("A", "2*current + t")),
        (
            'constraint "drive": its value reads the state "current"',
            "the value of a constraint is a function of the time t alone",
            "let a force depend on the state instead, e.g. dt.JointTorque",
        ),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults(fault):
    m = pendulum()
    m.parameters["k"] = 2.0
    m.add_state("current", "-current - A.rate")
    spoil, texts = FAULTS[fault]
    spoil(m)
    report = dt.check(m)
    assert len(report.errors) == 1, report
    for text in texts:
        assert text in str(report.errors[0])
    with pytest.raises(dt.ModelError):
        dt.simulate(m, 1.0)


def test_all_faults_are_reported_at_once():
    m = pendulum()
    m.add_state("a", "x + y", initial=math.nan)
    m.add_state("t", "b.rate")
    m.add_force("F", dt.JointTorque("A", "aa"))
    report = dt.check(m)
    assert [f.code for f in report.errors] == ["bad-law", "bad-state", "bad-law", "reserved-name", "bad-law"]
    assert "2 faults in an expression" in str(report)


def test_vector_states():
    """A rotation of three numbers in closed form: by expressions, by a function, and with a quantity of the model."""
    expressions = ["-2*x[1]", "2*x[0]", "x[0]*0 + 1"]
    calls = []

    def turn(t, x):
        calls.append(t)
        return -2 * x[1], 2 * x[0], 1.0

    runs = []
    for rates in (expressions, turn):
        m = dt.Model("turn")
        m.add_body("b", dt.Inertia.point(1.0))
        m.add_joint("J", dt.Prismatic("x"), m.ground, "b", v0=1.0)
        assert m.add_vector_state("x", rates, (1.0, 0.0, 0.5), unit="V") == ["x[0]", "x[1]", "x[2]"]
        runs.append(dt.simulate(m, duration=3.0, outputs=0.1, rtol=1e-10, atol=1e-12))
        r = runs[-1]
        exact = np.column_stack([np.cos(2 * r.t), np.sin(2 * r.t), 0.5 + r.t])
        assert np.allclose(r["x"], exact, rtol=0, atol=1e-9)  # a hundred steps of errors of 1e-12
        assert r.unit("x") == "V"
    assert len(calls) < 1.2 * runs[1].stats.evaluations + 50  # once for all components
    m = dt.Model("wrong")
    with pytest.raises(ValueError, match="give 2 rates"):
        m.add_vector_state("x", ["1"], (0.0, 0.0))
    with pytest.raises(ValueError, match="list of numbers"):
        m.add_vector_state("x", ["1"], 0.0)
