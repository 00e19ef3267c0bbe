"""`simulate_batch`: each run is that of `simulate`, bit for bit, whatever the model and the number of workers."""

import threading
import time

import numpy as np
import pytest

import duoti as dt


def pendulum():
    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.3)
    m.add_force("damper", dt.JointDamping("A", damping=0.02))
    m.add_marker("tip", rod, position=(0, 0, -0.5))
    return m


def cart_pole():
    m = dt.Model("cart-pole")
    cart = m.add_body("cart", dt.Inertia.box(1.0, size=(0.2, 0.1, 0.1)))
    pole = m.add_body("pole", dt.Inertia.cylinder(0.1, radius=0.02, length=1.0, axis="z"), position=(0, 0, 0.5))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, cart, at=(0, 0, 0))
    m.add_joint("hinge", dt.Revolute("y"), cart, pole, at=(0, 0, 0), q0=0.1)
    return m


def four_bar():
    m = dt.Model("four-bar")
    crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.2, axis="z"), position=(0, 0, 0.1))
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=0.5, axis="x"), position=(0.25, 0, 0.2))
    rocker = m.add_body("rocker", dt.Inertia.rod(1.0, length=0.4, axis="z"), position=(0.5, 0, 0.0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0), v0=8.0)
    m.add_joint("B", dt.Revolute("y"), crank, rod, at=(0, 0, 0.2))
    m.add_joint("C", dt.Revolute("y"), rod, rocker, at=(0.5, 0, 0.2))
    m.add_joint("D", dt.Revolute("y"), m.ground, rocker, at=(0.5, 0, -0.2))
    return m


def bouncing_ball():
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.5))
    m.add_joint("J", dt.Prismatic("z"), m.ground, ball, at=(0, 0, 0.5))
    law = dt.RigidContact(restitution=0.7)
    m.add_contact("floor", law, m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


def stopped():
    m = pendulum()
    m.add_event("low", dt.Event("A.angle", direction="falling", terminal=True))
    return m


def jumping():
    m = pendulum()
    m.add_event("kick", dt.Event("A.angle", direction="falling", jump=lambda t, q, v, z: (q, 0.5 * v, z)))
    return m


def python_law():
    m = pendulum()
    m.add_force("drive", dt.JointTorque("A", dt.Function(lambda t: 0.2 * np.sin(t), ["t"])))
    return m


def stiff():
    m = dt.Model("stiff")
    a = m.add_body("a", dt.Inertia.point(1.0))
    m.add_joint("J", dt.Prismatic("x"), m.ground, a, q0=0.1)
    m.add_force("s", dt.JointSpring("J", stiffness=1e4))
    m.add_force("d", dt.JointDamping("J", damping=2e3))
    return m


def stops():
    m = pendulum()
    m.joints["A"].limits = (-0.2, 0.4)
    m.add_force("friction", dt.JointFriction("A", constant=0.05))
    return m


CASES = {
    "numbers": (pendulum, {"rod.mass": [0.5, 1.0, 2.0], "A.q0": [0.1, 0.2, -0.3], "damper.damping": [0.0, 0.1, 1]}, {}),
    "inertia": (pendulum, {"rod.inertia.yy": [0.1, 0.2], "rod.com.z": [0.01, -0.02]}, {}),
    "geometry": (pendulum, {"tip.position.x": [0.0, 0.1], "A.at.z": [0.0, 0.05]}, {}),
    "field": (pendulum, {"tip.position": [[0.0, 0.0, 0.1], [0.1, 0.0, 0.0]], "gravity.z": [-1.0, -9.81]}, {}),
    "fixed": (cart_pole, {"pole.mass": [0.1, 0.3], "hinge.v0": [1.0, -1.0]}, {"solver": dt.RK4(step=0.01)}),
    "symplectic": (cart_pole, {"gravity.z": [-9.8, -1.6]}, {"solver": dt.SemiImplicitEuler(step=0.01)}),
    "implicit": (cart_pole, {"gravity.z": [-9.8, -1.6]}, {"solver": dt.Radau()}),
    "loop": (four_bar, {"rod.mass": [1.0, 2.0], "A.v0": [8.0, 5.0]}, {}),
    "loop with a record": (four_bar, {"A.v0": [8.0, 5.0]}, {"solver": dt.GeneralisedAlpha(step=0.01)}),
    "absolute": (cart_pole, {"gravity.z": [-9.8, -1.6]}, {"coordinates": "absolute"}),
    "contact": (bouncing_ball, {"floor.restitution": [0.3, 0.8]}, {}),
    "time stepping": (bouncing_ball, {"floor.restitution": [0.3, 0.8]}, {"solver": dt.Moreau(step=0.01)}),
    "event": (stopped, {"A.q0": [0.3, 0.5]}, {}),
    "jump": (jumping, {"A.q0": [0.3, 0.5]}, {}),
    "python": (python_law, {"A.q0": [0.3, 0.5]}, {}),
    "stiff": (stiff, {"s.stiffness": [1e4, 2e4]}, {"solver": "auto"}),
    "stops": (stops, {"A.q0": [0.3, 0.1]}, {}),
}


@pytest.mark.parametrize("case", CASES)
def test_each_run_is_that_of_simulate_for_any_number_of_workers(case):
    build, parameters, options = CASES[case]
    m, duration = build(), 1.0
    system = dt.compile(m, options.get("coordinates", "relative"))
    batches = [
        dt.simulate_batch(m, duration, parameters, outputs=0.1, workers=n, **options)
        for n in ((1,) if case in ("jump", "python") else (1, 2, 3))
    ]
    for b in batches:
        assert b.ok.all(), b.reason
        np.testing.assert_array_equal(b.states, batches[0].states)
    b = batches[0]
    given = {name: value for name, value in options.items() if name != "coordinates"} | {"solver": b.solver}
    for k in range(len(b)):
        values = {name: each[k] for name, each in parameters.items()}
        r = dt.simulate(system.with_parameters(values), duration, outputs=0.1, **given)
        n = 0
        for i, t in enumerate(b.t):
            rows = np.flatnonzero(r.t == t)
            if not len(rows):
                assert np.isnan(b.states[k, i:]).all()  # an event ended the run
                break
            np.testing.assert_array_equal(b.states[k, i], r.states[rows[-1]])
            n += 1
        assert n > 1
        assert b.steps[k] == r.stats.steps
        assert b.reason[k] == r.reason
        for name in _channels(m):
            wanted = r[name][np.isin(r.t, b.t)]
            np.testing.assert_array_equal(b[name][k, :n], wanted[-n:] if case == "jump" else wanted[:n], err_msg=name)


def _channels(m):
    joint = next(iter(m.joints))
    body = next(iter(m.bodies))
    found = [f"{joint}.q", f"{joint}.v", f"{body}.position", f"{joint}.reaction_force", "energy.kinetic"]
    found += [f"{name}.normal_force" for name in m.contacts] + [f"{name}.position" for name in m.markers]
    return [*found, f"{body}.position.x"]


def test_shapes_and_names():
    b = dt.simulate_batch(pendulum(), 1.0, {"A.q0": np.linspace(0, 1, 5), "rod.mass": 2.0}, outputs=[0.0, 0.5, 1.0])
    assert b.t.tolist() == [0.0, 0.5, 1.0]
    assert len(b) == 5
    assert b["A.angle"].shape == (5, 3)
    assert b["tip.position"].shape == (5, 3, 3)
    assert b["tip.position.z"].shape == (5, 3)
    np.testing.assert_array_equal(b["A.angle"][:, 0], np.linspace(0, 1, 5))
    assert b.parameters["rod.mass"].tolist() == [2.0] * 5
    assert b.unit("A.angle") == "rad"
    assert "A.angle" in b
    assert "A.angel" not in b
    assert "A.angle" in b.channels
    assert b.result(-1)["A.angle"].tolist() == b["A.angle"][4].tolist()
    assert repr(b) == "<batch of 'pendulum': 5 runs, 5 ok; 3 outputs each>"
    with pytest.raises(dt.errors.ChannelError, match="angel"):
        b["A.angel"]
    with pytest.raises(IndexError, match="the runs 0 to 4"):
        b.result(5)


def test_small_swings_have_the_period_of_the_closed_form():
    # T = 2 pi sqrt(I / (m g s)); the amplitude 1e-3 adds 6e-8 of it (1 + a^2/16), the tolerance of the solver 1e-8
    g = np.array([1.0, 9.81, 25.0])
    m = pendulum()
    del m.forces["damper"]
    period = 2.0 * np.pi * np.sqrt((1.0 / 3.0) / (g * 0.5))
    for k, each in enumerate(period):
        b = dt.simulate_batch(m, each, {"gravity.z": -g, "A.q0": 1e-3}, outputs=[0.0, each])
        np.testing.assert_allclose(b["A.angle"][k, 1], 1e-3, rtol=1e-6)
        np.testing.assert_allclose(b["A.rate"][k, 1], 0.0, atol=1e-3 * 2.0 * np.pi / each * 1e-6)


def test_an_event_ends_a_run_and_the_rest_is_undefined():
    b = dt.simulate_batch(stopped(), 2.0, {"A.q0": [0.1, 0.3]}, outputs=0.1)
    assert b.ok.all()
    assert set(b.reason_code) == {"event"}
    ends = [int(np.argmax(np.isnan(row))) for row in b["A.angle"]]
    assert all(0 < each < len(b.t) for each in ends)
    assert all(np.isnan(row[end:]).all() for row, end in zip(b["tip.position"], ends, strict=True))
    assert b.result(0).events[0].name == "low"


def test_runs_that_fail_are_told_and_the_others_go_on():
    m = pendulum()
    m.add_force("singular", dt.JointTorque("A", "0.1*log(0.25 - A.angle)"))
    with pytest.warns(dt.errors.SimulationWarning, match="1 of 3 runs failed"):
        b = dt.simulate_batch(m, 1.0, {"A.q0": [0.1, 0.24, -0.2], "A.v0": [0.0, 5.0, 0.0]}, outputs=0.1)
    assert b.ok.tolist() == [True, False, True]
    assert "singular" in b.reason[1]
    assert b.reason[0] == "end time reached"
    assert np.isnan(b["A.angle"][1, -1])
    assert np.isfinite(b["A.angle"][[0, 2]]).all()


def test_values_that_a_model_cannot_have_fail_one_run_only():
    with pytest.warns(dt.errors.SimulationWarning, match="1 of 3 runs failed"):
        b = dt.simulate_batch(pendulum(), 1.0, {"rod.mass": [1.0, -1.0, 2.0]}, outputs=0.5)
    assert b.ok.tolist() == [True, False, True]
    assert "mass" in b.reason[1]
    assert np.isnan(b["A.angle"][1]).all()
    with pytest.raises(ValueError, match="run 1 has no outputs"):
        b.result(1)
    with pytest.raises(ValueError, match="mass"):  # none can begin
        dt.simulate_batch(pendulum(), 1.0, {"rod.mass": [-2.0, -1.0]}, outputs=0.5)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("rod.mass", -1.0, '"rod.mass": mass is -1'),
        ("A.q0", np.inf, 'joint "A": q0'),
        ("gravity.z", np.nan, "gravity.z"),
    ],
)
def test_errors_of_values_name_the_parameter(name, value, text):
    with pytest.warns(dt.errors.SimulationWarning, match=text):
        b = dt.simulate_batch(pendulum(), 0.1, {name: [1.0, value]}, outputs=0.1)
    assert text in b.reason[1]


def test_a_motion_that_is_not_to_be_believed_is_not_ok():
    m = cart_pole()
    m.add_force("spring", dt.JointSpring("rail", stiffness=100.0))
    with pytest.warns(dt.errors.SimulationWarning, match="failed"):
        b = dt.simulate_batch(m, 10.0, {"spring.stiffness": [10.0, 1e6]}, solver=dt.RK4(step=0.004), outputs=0.1)
    with pytest.warns(dt.errors.SimulationWarning):
        r = dt.simulate(dt.compile(m).with_parameters({"spring.stiffness": 1e6}), 10.0, 0.1, dt.RK4(step=0.004))
    assert b.ok.tolist() == [True, False]
    assert b.reason[1] == r.reason


@pytest.mark.parametrize(
    ("parameters", "options", "text"),
    [
        ({"rod.mass": [1, 2], "A.q0": [1, 2, 3]}, {}, '"rod.mass" 2, "A.q0" 3'),
        ({"rod.mas": [1, 2]}, {}, "rod.mass"),
        ({"rod.mass": ["a"], "A.q0": "b"}, {}, '"rod.mass".*"A.q0"'),
        ({}, {}, "no run is asked for"),
        ({"rod.mass": 1.0}, {}, "no run is asked for"),
        ({"rod.mass": []}, {}, "no run is asked for"),
        ({"rod.mass": [1.0]}, {"outputs": "steps"}, "other steps"),
        ({"rod.mass": [1.0]}, {"workers": 0}, "workers=0"),
        ({"rod.mass": np.broadcast_to(1.0, 10**9)}, {}, "1000000000 runs with 1001 outputs"),
    ],
)
def test_refusals(parameters, options, text):
    with pytest.raises(ValueError, match=text):
        dt.simulate_batch(pendulum(), 1.0, parameters, **options)


def test_functions_in_python_run_one_at_a_time_and_it_is_said():
    with pytest.warns(UserWarning, match='workers=2: one worker: force "drive" call'):
        b = dt.simulate_batch(python_law(), 0.1, {"A.q0": [0.1, 0.2]}, outputs=0.1, workers=2)
    assert b.workers == 1
    assert 'force "drive"' in b.notes[0]


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_what_is_done(workers):
    import _thread

    done = threading.Event()

    def interrupt():
        time.sleep(0.7)
        if not done.is_set():
            _thread.interrupt_main()

    m = pendulum()
    dt.simulate_batch(m, 1.0, {"A.q0": [0.1, 0.2]}, outputs=0.5, solver=dt.RK4(step=0.1))  # what is missing is compiled
    timer = threading.Thread(target=interrupt)
    timer.start()
    b = dt.simulate_batch(
        m, 100.0, {"A.q0": np.linspace(0.1, 1, 2000)}, outputs=1.0, solver=dt.RK4(step=1e-3), workers=workers
    )
    done.set()
    timer.join()
    finished = np.isfinite(b["A.angle"][:, -1])
    assert 0 < np.count_nonzero(b.ok) < 2000
    np.testing.assert_array_equal(finished, b.ok)
    assert set(b.reason_code[~b.ok]) == {"interrupted"}
    assert "were not done" in b.notes[-1]
