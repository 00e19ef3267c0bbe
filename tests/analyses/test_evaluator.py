"""`dt.Evaluator` and the plain functions of an instant: same numbers, many states, models, inputs, aliasing, errors."""

from __future__ import annotations

import copy
import pickle
import re
import threading

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states import special_cases as cases
from duoti.examples import pendulum, slider_crank
from duoti.kernel import JIT
from support.random_forces import add_random_forces
from support.random_models import random_model, random_state

SEEDS = range(12 if JIT else 2)
# Both sides run the same recursions; the compiler may fuse a multiplication and an addition in one of them only.
SAME = 1e-12


def tree(seed: int, n: int = 6) -> tuple[dt.System, list[np.ndarray]]:
    rng = np.random.default_rng(seed)
    meant = random_model(rng, n)
    add_random_forces(rng, meant)
    system = dt.compile(meant.model)
    states = [random_state(rng, system) for _ in range(3)]
    q, v = (np.array([state[k] for state in states]) for k in range(2))
    return system, [q, v, rng.normal(size=v.shape)]


def two_links() -> dt.Model:
    m = dt.Model("two links")
    m.parameters["k"] = 3.0
    parent = m.ground
    for i in range(2):
        link = m.add_body(f"link{i}", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(i + 0.5, 0, 0))
        m.add_joint(f"J{i}", dt.Revolute("y"), parent, link, at=(i, 0, 0))
        parent = link
    m.add_marker("tool", parent, position=(0.5, 0, 0))
    m.add_force("motor", dt.JointTorque("J0", "5*cos(t)"))
    m.add_force("spring", dt.JointTorque("J1", "-k*J1.angle"))
    return m


def near(x: object, y: object, limit: float = SAME) -> bool:
    x, y = np.asarray(x, float), np.asarray(y, float)
    return x.shape == y.shape and bool(
        np.max(np.abs(x - y), initial=0.0) <= limit * (1.0 + np.max(np.abs(y), initial=0))
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_evaluator_agrees_with_functions_that_use_a_new_workspace(seed):
    system, (Q, V, A) = tree(seed)
    e = dt.Evaluator(system)
    for q, v, a in zip(Q, V, A, strict=True):
        for t in (0.0, 0.7):
            assert near(e.mass_matrix(q), cases.mass_matrix(system, q))
            assert near(e.inverse_dynamics(q, v, a, t), cases.inverse_dynamics(system, q, v, a, t))
            assert near(e.generalised_forces(q, v, t), cases.generalised_forces(system, q, v, t))
            # condition numbers of mass matrices are up to 1e6
            assert near(e.accelerations(q, v, t), cases.accelerations(system, q, v, t), 1e-9)
            M, h = e.mass_matrix(q), e.bias_forces(q, v)
            assert near(M @ a + h - e.generalised_forces(q, v, t), e.inverse_dynamics(q, v, a, t), 1e-10)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_regressor_is_linear_in_the_numbers_of_the_bodies(seed):
    system, (Q, V, A) = tree(seed)
    e = dt.Evaluator(system)
    for q, v, a in zip(Q, V, A, strict=True):
        exact = e.mass_matrix(q) @ a + e.bias_forces(q, v)
        assert near(e.inertial_regressor(q, v, a) @ e.parameters, exact, 1e-11)
    names = dict(zip(e.parameter_names, e.inertial_regressor(q, v, a).T, strict=True))
    body = next(iter(system.model.bodies))
    inertia = system.model.bodies[body].inertia
    changed = copy.deepcopy(system.model)  # a column is the change by its number: more mass at the origin of the body
    mass = inertia.mass + 1.0
    com, at_origin = inertia.com * inertia.mass / mass, inertia.spatial()
    about = np.array([[at_origin[4], at_origin[5], at_origin[7]], [at_origin[5], at_origin[6], at_origin[8]],
                      [at_origin[7], at_origin[8], at_origin[9]]])  # fmt: skip
    about -= mass * (com @ com * np.eye(3) - np.outer(com, com))
    changed.bodies[body].inertia = dt.Inertia.as_given(mass, com, about)
    other = dt.Evaluator(dt.compile(changed))
    after = other.mass_matrix(q) @ a + other.bias_forces(q, v)
    assert near(after - (e.mass_matrix(q) @ a + e.bias_forces(q, v)), names[f"{body}.mass"], 1e-10)


def test_rotors_and_welded_bodies_have_columns_of_their_own():
    m = two_links()
    m.add_body("load", dt.Inertia.box(2.0, (0.1, 0.2, 0.3)), position=(2.0, 0.0, 0.1))
    m.add_joint("weld", dt.Fixed(), "link1", "load")
    m.joints["J1"].rotor_inertia = 0.3
    system = dt.compile(m)
    e = dt.Evaluator(system)
    q, v, a = np.array([0.3, -0.8]), np.array([1.0, 2.0]), np.array([0.5, -1.5])
    exact = e.mass_matrix(q) @ a + e.bias_forces(q, v)
    assert "J1.rotor" in e.parameter_names
    assert "load.mass" in e.parameter_names
    assert near(e.inertial_regressor(q, v, a) @ e.parameters, exact)
    r = dt.identification.inertial_regressor(m, np.array([q, q]), v, a)  # a model, two states
    assert r.matrix.shape == (2, 2, len(r.names))
    assert near(r.matrix[1] @ r.values, exact)


def singles_and_many(system: dt.System, Q, V, A) -> None:
    """Every plain function: N states at once are those one by one."""
    marker = next(iter(system.model.bodies))
    calls = {
        "mass_matrix": lambda q, v, a: dt.mass_matrix(system, q),
        "inverse_dynamics": lambda q, v, a: dt.inverse_dynamics(system, q, v, a, 0.2),
        "accelerations": lambda q, v, a: dt.accelerations(system, q, v, 0.2),
        "generalised_forces": lambda q, v, a: dt.analyses.generalised_forces(system, q, v, 0.2),
        "jacobian": lambda q, v, a: dt.jacobian(system, marker, q),
        "energies": lambda q, v, a: dt.energies(system, q, v, 0.2),
        "momentum": lambda q, v, a: dt.momentum(system, q, v),
        "state_rates": lambda q, v, a: dt.analyses.state_rates(system, q, v, 0.2),
        "forward_dynamics_derivatives": lambda q, v, a: dt.analyses.forward_dynamics_derivatives(system, q, v, 0.2),
        "marker_derivatives": lambda q, v, a: dt.analyses.marker_derivatives(system, marker, q, v, a),
        "displace": lambda q, v, a: dt.analyses.displace(system, q, a),
    }
    if not system.closures.rows:
        calls["inverse_dynamics_derivatives"] = lambda q, v, a: dt.analyses.inverse_dynamics_derivatives(
            system, q, v, a, 0.2
        )
        calls["inertial_regressor"] = lambda q, v, a: dt.identification.inertial_regressor(system, q, v, a).matrix
    for name, call in calls.items():
        many, singles = call(Q, V, A), [call(*each) for each in zip(Q, V, A, strict=True)]
        if isinstance(many, tuple):
            for k, field in enumerate(many):
                assert np.array_equal(field, np.array([single[k] for single in singles])), name
        else:
            assert np.array_equal(many, np.array(singles)), name


@pytest.mark.parametrize("seed", range(3 if JIT else 1))
def test_many_states_are_those_one_by_one(seed):
    system, states = tree(seed)
    singles_and_many(system, *states)


def test_many_states_of_a_closed_loop():
    system = dt.compile(slider_crank.build())
    states = [system.state({"main": x}, rates={"main": 3.0}) for x in (0.2, 0.9, 2.1)]
    Q, V = (np.array([state[k] for state in states]) for k in range(2))
    A = dt.accelerations(system, Q, V, 0.2)
    singles_and_many(system, Q, V, A + np.array([dt.analyses.constraint_jacobian(system, q).free @ [1.0] for q in Q]))
    found = dt.analyses.constraint_jacobian(system, Q, V)
    assert len(found) == 3
    assert np.array_equal(found[2].matrix, dt.analyses.constraint_jacobian(system, Q[2], V[2]).matrix)
    assert np.array_equal(dt.kane(system, Q, V)[1].mass_matrix, dt.kane(system, Q[1], V[1]).mass_matrix)


def test_energies_and_momentum_are_those_of_a_run():
    system = dt.compile(two_links())
    r = dt.simulate(system, 0.5, outputs=[0.0, 0.2, 0.5])
    Q, V = (np.stack([r[f"J{i}.{what}"] for i in range(2)], axis=1) for what in ("angle", "rate"))
    found, run = dt.energies(system, Q, V, r.t), r.energy
    assert near(found.kinetic, run.kinetic)
    assert near(found.gravity, run.gravity)
    assert near(found.kinetic[2], 0.5 * V[2] @ dt.mass_matrix(system, Q[2]) @ V[2])
    moved = dt.momentum(system, Q, V)
    h = 1e-6
    centres = [dt.momentum(system, Q[1] + side * V[1], V[1]).mass_centre for side in (h, -h)]
    assert near(moved.linear[1], 2.0 * (centres[0] - centres[1]) / (2.0 * h), 1e-8)  # two bodies of 1 kg


def test_a_closed_loop_does_not_depend_on_what_was_asked_before():
    system = dt.compile(slider_crank.build())
    e = dt.Evaluator(system)
    states = [system.state({"main": x}, rates={"main": x - 1.0}) for x in (0.2, 0.9, 2.1, 3.0)]
    first = [e.accelerations(q, v, copy=True) for q, v in states]
    for k in (2, 0, 3, 1):
        assert np.array_equal(e.accelerations(*states[k]), first[k])
        assert near(first[k], cases.accelerations(system, *states[k]), 1e-9)
        assert np.array_equal(dt.accelerations(system, *states[k]), first[k])
        d = e.forward_dynamics_derivatives(*states[k])
        assert near(d.a, first[k], 1e-12)
        faster = first[k] + dt.analyses.constraint_jacobian(system, states[k][0]).free @ [2.0]
        tau = cases.inverse_dynamics(system, *states[k], faster)
        assert np.max(np.abs(tau)) > 1e-3
        assert near(e.inverse_dynamics(*states[k], faster), tau, 1e-9)
    with pytest.raises(ValueError, match="tear"):
        e.inverse_dynamics(*states[0], first[0] + np.arange(1.0, system.nv + 1.0))
    with pytest.raises(ValueError, match="is open by"):
        e.accelerations(states[0][0] + 0.1, states[0][1])
    assert np.isfinite(e.accelerations(states[0][0] + 0.1, states[0][1], must_close=False)).all()


def test_results_are_arrays_of_the_evaluator_until_the_same_method_is_called_again():
    system = dt.compile(two_links())
    e = dt.Evaluator(system)
    q, v, a = np.array([0.3, -0.8]), np.array([1.0, 2.0]), np.array([0.5, -1.5])
    M = e.mass_matrix(q)
    kept, before = e.mass_matrix(q, copy=True), M.copy()
    tau = e.inverse_dynamics(q, v, a)
    others = [
        e.bias_forces(q, v),
        e.accelerations(q, v),
        e.jacobian("tool", q),
        *e.inverse_dynamics_derivatives(q, v, a),
    ]
    copies = [x.copy() for x in others]
    e.generalised_forces(2.0 * q, v)
    e.forward_dynamics_derivatives(2.0 * q, v)
    e.inertial_regressor(2.0 * q, v, a)
    e.energies(2.0 * q, v)
    assert np.array_equal(M, before)  # other methods leave it
    assert all(np.array_equal(x, y) for x, y in zip(others, copies, strict=True))
    assert e.mass_matrix(2.0 * q) is M
    assert not np.array_equal(M, before)
    assert np.array_equal(kept, before)
    assert e.inverse_dynamics(q, v, a) is tau
    tool = e.frames(q, v)["tool"]
    at = tool.position.copy()
    e.frames(2.0 * q)
    assert not np.array_equal(tool.position, at)
    assert np.array_equal(e.frames(q, v)["tool"].position, at)
    d = e.forward_dynamics_derivatives(q, v)
    assert e.forward_dynamics_derivatives(q, 2.0 * v).dq is d.dq
    plain = dt.mass_matrix(system, q)
    dt.mass_matrix(system, 2.0 * q)
    assert np.array_equal(plain, before)  # plain functions return copies
    d = dt.analyses.forward_dynamics_derivatives(system, q, v)
    before = d.dq.copy()
    dt.analyses.forward_dynamics_derivatives(system, 2.0 * q, v)
    assert np.array_equal(d.dq, before)


def test_frames_are_those_of_a_run_and_velocities_those_of_the_jacobian():
    system = dt.compile(two_links())
    e = dt.Evaluator(system)
    r = dt.simulate(system, 0.5, outputs=[0.0, 0.5])
    q, v = (np.array([r[f"J{i}.{what}"][-1] for i in range(2)]) for what in ("angle", "rate"))
    tool = e.frame("tool", q, v)
    assert near(tool.position, r["tool.position"][-1])
    assert near(tool.velocity, r["tool.velocity"][-1])
    J = e.jacobian("tool", q)
    assert near(J[:3] @ v, tool.angular_velocity)
    assert near(J[3:] @ v, tool.velocity)
    many = e.frames(np.array([q, 2.0 * q]))
    assert many["tool"].rotation.shape == (2, 3, 3)
    assert near(many["tool"].rotation[0], tool.rotation)
    assert not many["tool"].velocity.any()
    with pytest.raises(dt.errors.ChannelError, match="no marker or body"):
        e.frame("tol", q)


def test_inputs_and_states_by_name():
    m = two_links()
    system = dt.compile(m)
    e = dt.Evaluator(m)
    q, v, a = np.array([0.3, -0.8]), np.array([1.0, 2.0]), np.array([0.5, -1.5])
    M = e.mass_matrix(q, copy=True)
    assert near(e.mass_matrix({"J0": 0.3, "J1": -0.8}), M)
    assert near(dt.kane(m, {"J0": 0.3, "J1": -0.8}, v).mass_matrix, M)
    plain = e.accelerations(q, v, copy=True)
    by = dt.accelerations(system, q, v, inputs={"J1": 2.0}) - plain
    assert near(M @ by, [0.0, 2.0], 1e-10)
    by = dt.accelerations(system, q, v, inputs={"motor": 2.0, "k": 3.5}) - plain
    assert near(M @ by, [2.0, 0.5 * 0.8], 1e-10)
    assert near(dt.analyses.generalised_forces(system, q, v, inputs={"k": 4.0}), [5.0, 3.2])
    assert near(e.inverse_dynamics(q, v, a, inputs={"J0": 1.5}), e.inverse_dynamics(q, v, a) - [1.5, 0.0])
    assert near(
        dt.analyses.inverse_dynamics_derivatives(m, q, v, a, inputs={"k": 4.0}).dq,
        dt.analyses.inverse_dynamics_derivatives(system.with_parameters(k=4.0), q, v, a).dq,
    )
    many = dt.accelerations(system, np.array([q, q]), v, inputs={"J1": np.array([0.0, 2.0])})
    assert near(many[0], plain)
    assert near(M @ (many[1] - many[0]), [0.0, 2.0], 1e-10)
    with pytest.raises(dt.errors.ChannelError, match=r'no input "J7"'):
        dt.accelerations(system, q, v, inputs={"J7": 1.0})


def test_first_order_states_are_the_initial_ones_unless_given():
    m = two_links()
    m.add_state("w", "J0.rate - w", 0.5)
    m.add_force("by state", dt.JointTorque("J0", "10*w"))
    e = dt.Evaluator(m)
    q, v = np.zeros(2), np.zeros(2)
    first = e.generalised_forces(q, v, copy=True)
    assert near(e.generalised_forces(q, v, z=[1.0]) - first, [5.0, 0.0])
    assert near(e.generalised_forces(q, v), first)
    assert near(e.state_rates(q, v, z=[2.0]), [-2.0])
    assert near(e.state_rates(q, v, z=[[1.0], [2.0]]), [[-1.0], [-2.0]])
    assert near(e.generalised_forces(q, v, t=[0.0, 0.0], z=[[0.5], [1.0]])[1] - first, [5.0, 0.0])


BAD = {
    "a count": (lambda f: f(np.zeros(3), np.zeros(2)), "q needs 2 numbers, got an array of shape (3,)"),
    "a column": (lambda f: f(np.zeros((4, 3)), np.zeros(2)), "q needs 2 numbers for each of 4 states"),
    "a number": (lambda f: f(0.5, np.zeros(2)), "q needs 2 numbers, got an array of shape (1,)"),
    "one for all": (lambda f: f(np.zeros(2), np.zeros(1)), "v needs 2 numbers, got an array of shape (1,)"),
    "NaN": (lambda f: f(np.zeros(2), np.array([0.0, np.nan])), "v has values that are not finite: [0.0, nan]"),
    "infinity": (lambda f: f([np.inf, 0.0], np.zeros(2)), "q has values that are not finite: [inf, 0.0]"),
    "NaN of many": (lambda f: f(np.zeros((2, 2)), [[0, 0], [np.nan, 0]]), "v[1] has values that are not finite"),
    "complex": (lambda f: f(np.zeros(2) + 1j, np.zeros(2)), "q is complex: give real numbers"),
    "many counts": (lambda f: f(np.zeros((3, 2)), np.zeros((4, 2))), "differ in their number: {'q': 3, 'v': 4}"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_arguments_are_named(what):
    system = dt.compile(two_links())
    call, words = BAD[what]
    e = dt.Evaluator(system)
    for function in (
        e.accelerations, e.generalised_forces, e.bias_forces, e.forward_dynamics_derivatives, e.frames, e.energies,
        lambda q, v: dt.accelerations(system, q, v), lambda q, v: dt.momentum(system, q, v),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=re.escape(words)):
            call(function)
    q, v = np.array([0.1, 0.2]), np.zeros(2)  # and the next call is right
    assert near(e.accelerations(q, v), cases.accelerations(system, q, v))


def test_what_is_no_model_is_refused():
    with pytest.raises(TypeError, match="not a compiled model"):
        dt.mass_matrix(3.0, [0.0])
    with pytest.raises(TypeError, match="'q' is missing"):
        dt.mass_matrix(dt.compile(two_links()))


def test_a_model_without_masses_is_refused():
    m = dt.Model("massless")
    m.add_body("rod", dt.Inertia(0.0, (0.0, 0.0, 0.0), np.zeros((3, 3))))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod")
    e = dt.Evaluator(m)
    for call in (lambda: e.mass_matrix([0.0]), lambda: e.accelerations([0.0], [0.0])):
        with pytest.raises(dt.ModelError):
            call()
    assert e.jacobian("rod", [0.3]).shape == (6, 1)


@pytest.mark.skipif(not JIT, reason="slow in plain Python")
def test_a_law_may_ask_about_the_same_system():
    """A law in Python that calls a plain function in the midst of another; an evaluator says that it cannot."""
    found = []

    def law(angle: float) -> float:
        found.append(dt.mass_matrix(system, [angle])[0, 0])
        return -found[-1]

    m = pendulum.build()
    joint = next(iter(m.joints))
    m.add_force("law", dt.JointTorque(joint, dt.Function(law, [f"{joint}.angle"])))
    system = dt.compile(m)
    before = dt.mass_matrix(system, [0.0])[0, 0]
    assert near(dt.analyses.generalised_forces(system, [0.4], [0.0])[0], -before)
    assert near(found[-1], before)
    e = dt.Evaluator(system)
    raised = []

    def again(angle: float) -> float:
        try:
            e2.mass_matrix([angle])
        except RuntimeError as error:
            raised.append(str(error))
        return 0.0

    m2 = pendulum.build()
    m2.add_force("law", dt.JointTorque(joint, dt.Function(again, [f"{joint}.angle"])))
    e2 = dt.Evaluator(m2)
    e2.accelerations([0.1], [0.0])
    assert raised
    assert "an evaluator of its own" in raised[0]
    assert near(e.mass_matrix([0.1])[0, 0], before)


def test_copies_and_threads_have_arrays_of_their_own():
    system = dt.compile(two_links())
    e = dt.Evaluator(system)
    q = np.array([0.3, -0.8])
    M = e.mass_matrix(q)
    for other in (copy.deepcopy(e), copy.copy(e)):
        assert other.mass_matrix(q) is not M
        assert near(other.mass_matrix(q), M)
    assert dt.mass_matrix(copy.deepcopy(system), q) == pytest.approx(M)
    wrong = []

    def work(k: int) -> None:
        mine = np.array([0.1 * k, 0.3 * k])
        right = cases.mass_matrix(system, mine)
        for _ in range(300 if JIT else 3):
            if not np.array_equal(dt.mass_matrix(system, mine), right):
                wrong.append(k)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    assert near(pickle.loads(pickle.dumps(e)).mass_matrix(q), M)


def test_a_system_is_not_kept_alive_by_what_was_asked_about_it():
    import gc
    import weakref

    system = dt.compile(two_links())
    dt.accelerations(system, [0.0, 0.0], [0.0, 0.0], inputs={"J0": 1.0})
    gone = weakref.ref(system)
    del system
    gc.collect()
    assert gone() is None


def with_friction() -> dt.Model:
    m = two_links()
    m.add_force("friction", dt.JointFriction("J1", constant=0.4))
    return m


def test_friction_in_joints_goes_the_careful_way():
    """What friction does depends on accelerations; one state and many, and nothing is left of a state before."""
    system = dt.compile(with_friction())
    e = dt.Evaluator(system)
    Q, V, A = np.array([[0.3, -0.8], [0.1, 0.4]]), np.array([[1.0, 2.0], [0.5, -1.0]]), np.ones((2, 2))
    for what, arguments in (("accelerations", (Q, V)), ("inverse_dynamics", (Q, V, A)), ("generalised_forces", (Q, V))):
        careful, many = getattr(cases, what), getattr(e, what)(*arguments)
        singles = np.array([careful(system, *each) for each in zip(*arguments, strict=True)])
        assert np.array_equal(many, singles), what
        function = getattr(dt if what in dt.__all__ else dt.analyses, what)
        assert np.array_equal(function(system, *(x[1] for x in arguments)), singles[1])
    rubbed = e.generalised_forces(Q, V) - dt.analyses.generalised_forces(dt.compile(two_links()), Q, V)
    assert near(rubbed, [[0.0, -0.4], [0.0, 0.4]])
    first = e.forward_dynamics_derivatives(Q[0], V[0], copy=True)
    memory = len(e._blocks)
    e.forward_dynamics_derivatives(Q[1], V[1])
    assert len(e._blocks) == memory
    for x, y in zip(first, e.forward_dynamics_derivatives(Q[0], V[0]), strict=True):
        assert np.array_equal(x, y)
    loaded = two_links()
    loaded.add_force("friction", dt.JointFriction("J1", friction=0.2, radius=0.1))
    with pytest.raises(ValueError, match='joint "J1" slides with friction from its load'):
        dt.Evaluator(loaded).forward_dynamics_derivatives(Q[0], V[0])


def test_rigid_contacts_that_touch_are_refused_by_name():
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, 0.1), position=(0, 0, 0.1))
    m.add_joint("free", dt.Free(), m.ground, "ball")
    shapes = (dt.Shape.plane(), dt.Shape.sphere(0.1))
    m.add_contact("floor", dt.RigidContact(restitution=0.5), m.ground, "ball", shapes=shapes)
    e = dt.Evaluator(m)
    q, v = e.system.initial_state()
    calls = [lambda: e.accelerations(q, v), lambda: e.inverse_dynamics(q, v, v)]
    calls += [lambda: e.forward_dynamics_derivatives(q, v), lambda: e.accelerations(np.array([q, q]), v)]
    for call in calls:
        with pytest.raises(NotImplementedError, match="touch here: floor"):
            call()
    above = q.copy()
    above[2] = 1.0
    assert near(e.accelerations(above, v)[:3], [0.0, 0.0, -9.81])
    assert near(e.mass_matrix(q)[:3, :3], np.eye(3))


def limited_arm() -> dt.Model:
    m = dt.Model("arm")
    inboard = m.ground
    for i in range(3):
        body = m.add_body(f"b{i}", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5 + i, 0, 0))
        m.add_joint(f"J{i}", dt.Revolute("y" if i else "z"), inboard, body, at=(i, 0, 0), limits=[(-1.0, 1.5)])
        inboard = body
    m.add_force("motor", dt.JointTorque("J1", "0.3*t"))
    return m


def test_inside_limits_a_stop_costs_nothing() -> None:
    """Strictly inside, the quick way gives what the way with stops gives; at a limit and beyond, the stop acts."""
    from duoti.analyses.states import special_cases as cases

    e = dt.Evaluator(limited_arm())
    assert e._without_stops is not None
    pick = np.random.default_rng(3)
    for _ in range(10):
        q, v, a = pick.uniform(-0.99, 1.49, 3), pick.normal(size=3), pick.normal(size=3)
        assert e._inside_limits(q) is not None
        # round-off of sums in another order, times the condition of M
        np.testing.assert_allclose(e.accelerations(q, v, 0.7), cases.accelerations(e.system, q, v, 0.7), rtol=1e-9)
        found = e.inverse_dynamics(q, v, a, 0.7)
        np.testing.assert_allclose(found, cases.inverse_dynamics(e.system, q, v, a, 0.7), rtol=1e-11, atol=1e-11)
    at_rest = np.zeros(3)
    at_limit = np.array([0.0, 1.5, 0.0])  # y is down for positive angles: the weight pushes into the stop
    assert e._inside_limits(at_limit) is None
    assert e.accelerations(at_limit, at_rest)[1] == pytest.approx(0.0, abs=1e-9)
    inside = np.array([0.0, 1.5 - 1e-9, 0.0])
    assert e.accelerations(inside, at_rest)[1] > 0.5


def test_friction_beside_limits_is_not_left_out() -> None:
    m = limited_arm()
    m.add_force("rub", dt.JointFriction("J2", friction=0.5, preload=10.0, radius=0.1))
    e = dt.Evaluator(m)
    assert e._without_stops is None
    v = np.array([0.0, 0.0, 1.0])
    bare = dt.Evaluator(limited_arm()).accelerations(np.zeros(3), v, copy=True)
    assert abs(e.accelerations(np.zeros(3), v)[2] - bare[2]) > 0.1
