"""`required_forces`: forward dynamics gives the motion back; driven simulations, closed forms and least norms agree."""

from __future__ import annotations

import copy
import time

import numpy as np
import pytest
import scipy.optimize

import duoti as dt
from duoti.analyses.kinematics.required_forces import NotPossibleError, bounded_least_norm, least_norm
from duoti.examples import all_examples
from support.random_forces import add_random_forces
from support.random_models import random_model

TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)
PLAIN = ("revolute", "prismatic", "cylindrical", "universal", "planar", "screw")
FORCES = ("joint_damping", "joint_spring", "spring_damper", "applied_force")


def shake(rng, start, size):
    """A smooth motion from a value, as an expression."""
    amplitude, speed, phase = size * rng.uniform(0.5, 1.0), rng.uniform(1.0, 4.0), rng.uniform(0, 6)
    return f"{start} + {amplitude}*(sin({speed}*t + {phase}) - sin({phase}))"


def random_case(seed):
    """A random tree, on odd seeds closed to a loop by a ball joint to ground, and motions of all that is free."""
    rng = np.random.default_rng(seed)
    meant = random_model(rng, 4 + seed % 3, PLAIN, gravity=(0, 0, -9.81))
    model = meant.model
    add_random_forces(rng, meant, FORCES)
    last = list(model.bodies)[-1]
    if seed % 2:
        model.add_joint("closing", dt.Spherical(), "ground", last, at=meant.bodies[last].position)
    system = dt.compile(model)
    q, _ = system.state()
    free = dt.analyses.constraint_jacobian(system, q).free_names
    motions: dict[str, list[str | None]] = {}
    for name, layout in system.joints.items():
        for i, rate in enumerate(layout.v):
            if system.rate_names[rate] in free:
                each = motions.setdefault(name, [None] * len(layout.v))
                each[i] = shake(rng, float(q[layout.q[i]]), 0.03 if seed % 2 else 0.5)
    return model, motions


def forward_error(model, motions):
    r = dt.required_forces(model, 0.2, motions, outputs=np.linspace(0, 0.2, 201))
    assert r.ok
    forward = dt.simulate(r.system, 0.2, outputs=r.t, at=(r.q[0], r.v[0]), solver=TIGHT)
    return float(np.max(np.abs(forward.q - r.q)))


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", range(12))
def test_forward_of_required_forces_is_the_motion(seed):
    """Trees and loops with springs, dampers and applied forces. Torques between outputs are splines: 1 ms apart."""
    assert forward_error(*random_case(seed)) < 1e-9


@pytest.mark.campaign
def test_forward_of_required_forces_is_the_motion_200_times():
    errors = [forward_error(*random_case(seed)) for seed in range(200)]
    assert max(errors) < 1e-9


def slider_crank(q0=None) -> dt.Model:
    m = dt.Model("slider-crank")
    for name, mass, length, x in (("crank", 1.0, 0.3, 0.15), ("rod", 2.0, 0.8, 0.7), ("slider", 0.5, 0.1, 1.1)):
        m.add_body(name, dt.Inertia.box(mass, size=(length, 0.05, 0.05)), position=(x, 0, 0))
    m.add_joint("A", dt.Revolute("-y"), m.ground, "crank", at=(0, 0, 0), q0=q0)
    m.add_joint("B", dt.Revolute("-y"), "crank", "rod", at=(0.3, 0, 0))
    m.add_joint("C", dt.Revolute("-y"), "rod", "slider", at=(1.1, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=(1.1, 0, 0))
    return m


def test_loops_agree_with_the_driven_simulation():
    """The drive is the multiplier of a simulation in which the motion is a constraint; reactions agree, too."""
    m = slider_crank()
    r = dt.required_forces(m, 1.0, {"A": "0.3 + 5*t + 0.2*sin(4*t)"}, outputs=0.01)
    driven = copy.deepcopy(m)
    driven.add_constraint("motion", dt.JointMotion("A", "0.3 + 5*t + 0.2*sin(4*t)"))
    s = dt.simulate(driven, 1.0, outputs=0.01, solver=TIGHT)
    largest = np.max(np.abs(r["A.drive"]))
    assert np.max(np.abs(s.multipliers("motion")[:, 0] - r["A.drive"])) < 1e-9 * largest
    for joint in "ABCD":
        for what in ("force", "torque"):
            one, other = (each[f"{joint}.reaction_{what}"] for each in (r, s))
            assert np.max(np.abs(one - other)) < 1e-8 * max(np.max(np.abs(other)), 1.0)
    assert np.max(np.abs(r.energy.residual)) < 1e-5  # of 5 J: splines through powers every 10 ms, (5 * 10 ms)^4
    assert "A.drive" in r.channels
    assert r.unit("A.drive") == "N m"


def test_slider_crank_in_closed_form():
    """At constant speed w without gravity: torque by the kinetic energy T(angle), M = dT/dangle, with exact kinematics.

    x = r cos p + sqrt(l² - r² sin² p), the rod's centre in the middle, b = asin(r/l sin p) its angle. The usual table
    of inertia forces, m r w² (cos p + r/l cos 2p), is its beginning in powers of r/l.
    """
    m = slider_crank()
    m.gravity = (0.0, 0.0, 0.0)
    w, radius, length = 20.0, 0.3, 0.8
    r = dt.required_forces(m, 0.4, {"A": f"{w}*t"}, outputs=0.002)
    rod = m.bodies["rod"].inertia

    def energy(p):
        s = radius / length * np.sin(p)
        cos_b = np.sqrt(1 - s * s)
        b_rate = radius / length * np.cos(p) / cos_b
        x_rate = -radius * np.sin(p) - length * s * b_rate  # of the slider
        cx, cz = -radius * np.sin(p) - 0.5 * length * s * b_rate, radius * np.cos(p) - 0.5 * length * cos_b * b_rate
        return w**2 * 0.5 * (0.5 * x_rate**2 + 2.0 * (cx**2 + cz**2) + rod.matrix[1, 1] * b_rate**2)

    torque = np.array([energy(p + 1e-30j).imag / 1e-30 for p in w * r.t])
    assert np.max(np.abs(torque - r["A.drive"])) < 1e-10 * np.max(np.abs(torque))  # loops are closed to 1e-12
    slide = -radius * w**2 * (np.cos(w * r.t) + radius / length * np.cos(2 * w * r.t))
    assert np.max(np.abs(r["slider.acceleration"][:, 0] - slide)) < 0.06 * radius * w**2  # terms of (r/l)^3


def test_coupler_point_by_a_motor():
    """A point of a two-link arm on a circle: torques of its motors, and the same from its joint motion."""
    m = dt.Model("arm")
    for i in range(2):
        m.add_body(f"link{i}", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(i + 0.5, 0, 0))
        m.add_joint(f"J{i}", dt.Revolute("-y"), m.ground if not i else "link0", f"link{i}", at=(i, 0, 0), q0=0.5 + i)
    m.add_marker("tool", "link1", position=(0.5, 0, 0))
    path = ("1.2 + 0.2*cos(3*t)", None, "0.6 + 0.2*sin(3*t)")
    r = dt.required_forces(m, 1.0, {"tool": path}, outputs=0.01, actuators=["J0", "J1"])
    assert np.allclose(r["tool.position"][:, 0], 1.2 + 0.2 * np.cos(3 * r.t), atol=1e-11)
    again = dt.required_forces(m, 1.0, {"J0": r, "J1": r}, outputs=0.01)
    for joint in ("J0", "J1"):
        assert np.allclose(again[f"{joint}.drive"], r[f"{joint}.drive"], rtol=0, atol=1e-9)
    pushed = dt.required_forces(m, 1.0, {"tool": path}, outputs=0.01)  # by a force at the tool
    power = np.einsum("ni,ni->n", pushed["tool.drive"], pushed["tool.velocity"][:, [0, 2]])
    motors = sum(r[f"J{i}.drive"] * r[f"J{i}.rate"] for i in range(2))
    assert np.allclose(power, motors, atol=1e-9)
    assert np.all(r["J1.angle"] > 0)  # the branch of the initial values


def test_tables_and_splines():
    """A table and a spline of the same motion give the torque of its expression, up to their own error."""
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("-y"), m.ground, "rod", at=(0, 0, 0))
    t = np.linspace(0, 2, 401)
    exact = dt.required_forces(m, 2.0, {"A": "sin(2*t)"}, outputs=0.01)["A.drive"]
    formula = (-4 * np.sin(2 * np.arange(201) * 0.01)) / 3 + 0.5 * 9.81 * np.cos(np.sin(2 * np.arange(201) * 0.01))
    assert np.allclose(exact, formula, atol=1e-12)
    table = dt.required_forces(m, 2.0, {"A": (t, np.sin(2 * t))}, outputs=0.01)["A.drive"]
    assert np.max(np.abs(table - exact)) < 1e-6  # fifth degree: (2 * 5 ms)^4
    m.add_table("sway", t.tolist(), np.sin(2 * t).tolist(), kind="cubic", extrapolation="linear")
    by_name = dt.required_forces(m, 2.0, {"A": "sway(t)"}, outputs=0.01)["A.drive"]
    assert np.max(np.abs(by_name - exact)[5:-5]) < 1e-4


def test_redundant_actuators():
    """A driven four-bar with motors in three joints: least norm, weights, bounds; all produce the motion."""
    m = slider_crank()
    m.gravity = (0, 0, -9.81)
    motion, motors = {"A": "0.3 + 3*t"}, ["A", "B", "D"]
    alone = dt.required_forces(m, 1.0, motion, outputs=0.05)
    r = dt.required_forces(m, 1.0, motion, outputs=0.05, actuators=motors)
    power = lambda x, names: sum(x[f"{n}.drive"] * x[f"{n}.v"] for n in names)  # noqa: E731
    assert np.allclose(power(r, motors), power(alone, ["A"]), atol=1e-9)
    size = lambda x: sum(x[f"{n}.drive"] ** 2 for n in motors)  # noqa: E731
    assert np.all(size(r) <= alone["A.drive"] ** 2 + 1e-12)
    heavy = dt.required_forces(m, 1.0, motion, outputs=0.05, actuators=motors, weights={"A": 1e8})
    assert np.max(np.abs(heavy["A.drive"])) < 1e-3 * np.max(np.abs(r["A.drive"]))
    limit = 0.8 * float(np.max(np.abs(r["D.drive"])))
    bounded = dt.required_forces(m, 1.0, motion, outputs=0.05, actuators=motors, bounds={"D": (-limit, limit)})
    assert np.max(np.abs(bounded["D.drive"])) <= limit * (1 + 1e-12)
    assert np.allclose(power(bounded, motors), power(alone, ["A"]), atol=1e-9)
    assert np.all(size(bounded) >= size(r) - 1e-12)
    with pytest.raises(ValueError, match=r"bounds.*A at t = 0 s; A would be beyond its bounds by [\d.]+ N m\. "):
        dt.required_forces(m, 1.0, motion, outputs=0.05, bounds={"A": (-0.01, 0.01)})


def test_least_norm_against_a_general_solver():
    """Bounded problems against SLSQP; what no forces do is refused."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        A, weights = rng.normal(size=(2, 5)), rng.uniform(0.5, 2.0, size=5)
        inside = rng.uniform(-1, 1, size=5)
        low, high, b = np.full(5, -1.0), np.full(5, 1.0), A @ inside
        u = bounded_least_norm(A, b, weights, low, high, 1.0, 1e-9)
        best = scipy.optimize.minimize(
            lambda x, w=weights: w @ x**2, inside, jac=lambda x, w=weights: 2 * w * x, bounds=[(-1, 1)] * 5,
            constraints={"type": "eq", "fun": lambda x, A=A, b=b: A @ x - b}, method="SLSQP", options={"ftol": 1e-14},
        )  # fmt: skip
        assert np.allclose(A @ u, b, atol=1e-9)
        assert weights @ u**2 <= best.fun * (1 + 1e-6)
    with pytest.raises(NotPossibleError):
        bounded_least_norm(np.eye(2), np.array([2.0, 0.0]), np.ones(2), -np.ones(2), np.ones(2), 1.0, 1e-9)
    with pytest.raises(NotPossibleError):
        least_norm(np.array([[1.0], [0.0]]), np.array([1.0, 1.0]), np.ones(1), 1.0, 1e-9)


def test_freedoms_that_move_by_themselves():
    """A crane: the trolley's motion is given, the load swings; force by the driven simulation. With a state as well."""
    m = dt.Model("crane")
    m.add_body("trolley", dt.Inertia.box(10.0, size=(0.2, 0.2, 0.2)))
    m.add_body("load", dt.Inertia.box(5.0, size=(0.1, 0.1, 0.1)), position=(0, 0, -2))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "trolley", at=(0, 0, 0))
    m.add_joint("rope", dt.Revolute("y"), "trolley", "load", at=(0, 0, 0))
    motion = "0.5*t^2*(3 - t)/2"
    r = dt.required_forces(m, 2.0, {"rail": motion}, outputs=0.02)
    driven = copy.deepcopy(m)
    driven.add_constraint("motion", dt.JointMotion("rail", motion))
    s = dt.simulate(driven, 2.0, outputs=0.02, solver=TIGHT)
    assert np.max(np.abs(s.multipliers("motion")[:, 0] - r["rail.drive"])) < 1e-6
    m.add_state("heat", "abs(rail.velocity)", unit="J")
    assert dt.required_forces(m, 2.0, {"rail": motion}, outputs=0.02)["heat"][-1] == pytest.approx(1.0, abs=1e-6)


def test_a_motion_that_ends_at_a_dead_point():
    """The slider is asked beyond its reach: the result says where and why, and keeps what it has."""
    m = slider_crank(q0=0.8)
    r = dt.required_forces(m, 1.0, {"D": "-0.05 + 0.2*t"}, outputs=0.01, actuators=["A"])
    assert not r.ok
    assert r.reason_code == "no-convergence"
    assert r.t[-1] == pytest.approx(0.25, abs=0.011)
    assert "t = 0.2" in r.reason


def test_refusals():
    """All that is wrong with the motions at once, and what cannot be done."""
    m = slider_crank()
    with pytest.raises(ValueError, match=r'(?s)"AA".*motion of "B": .*unknown name'):
        dt.required_forces(m, 1.0, {"AA": "t", "B": "tt"})
    with pytest.raises(ValueError, match=r"cannot begin at t = 0 s.*dead point"):
        dt.required_forces(m, 1.0, {"D": "-0.05 + 0.2*t"})
    with pytest.raises(TypeError, match="mapping"):
        dt.required_forces(m, 1.0, "A")
    with pytest.raises(ValueError, match="without derivatives"):
        dt.required_forces(m, 1.0, {"A": lambda t: t})
    with pytest.raises(ValueError, match="no effect"):
        dt.required_forces(m, 1.0, {"A": "t"}, solver=dt.DOPRI5())
    with pytest.raises(dt.errors.ChannelError, match='joint "X"'):
        dt.required_forces(m, 1.0, {"A": "t"}, actuators=["X"])
    with pytest.raises(ValueError, match="no actuator"):
        dt.required_forces(m, 1.0, {"A": "t"}, weights={"B": 2.0})
    with pytest.raises(dt.errors.ChannelError, match=r"A\.drive"):
        dt.required_forces(m, 0.1, {"A": "t"}, outputs=0.05)["B.drive"]


def test_a_whole_result_is_followed():
    """Forces of all joints of a tumbling arm with ball joints, whose motors are recovered from its own motion."""
    m = dt.Model("ball arm")
    for i in range(2):
        m.add_body(f"link{i}", dt.Inertia.box(1.0, size=(1.0, 0.2, 0.1)), position=(i + 0.5, 0, 0))
        m.add_joint(f"J{i}", dt.Spherical(), m.ground if not i else "link0", f"link{i}", at=(i, 0, 0))
    bare = copy.deepcopy(m)
    for i in range(2):
        for c in range(3):
            m.add_force(f"motor{i}{c}", dt.JointTorque(f"J{i}", f"{3 - i}*sin({c + 1}*t + {i})", c))
    r = dt.simulate(m, 1.0, outputs=0.01, solver=TIGHT)
    back = dt.required_forces(bare, 1.0, r)
    for i in range(2):
        expected = np.array([(3 - i) * np.sin((c + 1) * r.t + i) for c in range(3)]).T
        assert np.max(np.abs(back[f"J{i}.drive"] - expected)) < 1e-10
    part = dt.required_forces(bare, 1.0, r, outputs=0.1)
    assert np.array_equal(part["J1.drive"], back["J1.drive"][::10])
    with pytest.raises(ValueError, match="its own times"):
        dt.required_forces(bare, 1.0, r, outputs=0.015)
    with pytest.raises(ValueError, match=r" N m along J1.v\[\d\] are lacking"):
        dt.required_forces(bare, 1.0, r, actuators=["J0"])


def test_stewart_platform():
    """Pushes of six legs: from their own lengths, and from the motion of three points of the platform (nine equations
    for six freedoms), are the multipliers of the simulation in which the lengths were prescribed."""
    driven = all_examples()["stewart"].build()
    r = dt.simulate(driven, 1.0, outputs=0.05, solver=TIGHT)
    free = all_examples()["stewart"].build()
    free.constraints.clear()
    legs = [f"leg{k}.slide" for k in range(1, 7)]
    expected = np.array([r.multipliers(f"leg{k}.drive")[:, 0] for k in range(1, 7)])
    by_length = dt.required_forces(free, 1.0, dict.fromkeys(legs, r), outputs=0.05)
    found = np.array([by_length[f"{leg}.drive"] for leg in legs])
    assert np.max(np.abs(found - expected)) < 1e-8 * np.max(np.abs(expected))
    corners = {"p": (0.5, 0, 0), "q": (0, 0.5, 0), "s": (0, 0, 0.5)}
    for model in (driven, free):
        for name, at in corners.items():
            model.add_marker(name, "platform", position=at)
    seen = dt.simulate(driven, 1.0, outputs=0.05, solver=TIGHT)
    by_points = dt.required_forces(free, 1.0, dict.fromkeys(corners, seen), outputs=0.05, actuators=legs)
    found = np.array([by_points[f"{leg}.drive"] for leg in legs])
    assert np.max(np.abs(found - expected)) < 1e-7 * np.max(np.abs(expected))


def _arm(limits=None) -> dt.Model:
    m = dt.Model("arm")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x", com=(0.5, 0, 0)))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", limits=limits)
    return m


@pytest.mark.parametrize(
    ("motion", "text"),
    [
        ("if(t < 0.53, 0, 0.3)", r'"A": the position jumps at t = 0.53 s from 0 to 0.3'),
        ("if(t < 0.5, 0, 0.3)", r"position jumps at t = 0.5 s"),  # at the time of an output
        ("0.2*abs(t - 0.37)", r"velocity jumps at t = 0.37 s from -0.2 to"),
        ("t + 1e-4*abs(t - 0.37)", r"velocity jumps at t = 0.37 s"),
        ("0.5*sin(t)*sign(t - 0.71)", r"position jumps at t = 0.71 s"),
    ],
)
def test_a_motion_that_jumps_is_refused(motion, text):
    with pytest.raises(ValueError, match=text):
        dt.required_forces(_arm(), 1.0, {"A": motion}, 0.05)


def test_motions_of_the_model_that_jump_are_refused():
    m = _arm()
    m.add_body("tool", dt.Inertia.point(0.2), position=(1, 0, 0))
    m.add_joint("B", dt.Prismatic("x"), "rod", "tool", at=(1, 0, 0))
    m.add_constraint("extend", dt.JointMotion("B", "0.1*max(0, t - 0.4)"))
    with pytest.raises(ValueError, match=r'"extend": the velocity jumps at t = 0.4 s from 0 to 0.1'):
        dt.required_forces(m, 1.0, {"A": "0.1*t"}, 0.05)


@pytest.mark.parametrize(
    "motion",
    [
        "0.3*tanh(1000*(t - 0.5))",  # steep, but smooth
        "sin(500*t)",
        "if(t < 0.5, 0, (t - 0.5)^2)",  # only the acceleration jumps: a finite force
        "step(t, 0.2, 0, 0.8, 1)",
        ([0.0, 0.4, 0.6, 1.0], [0.0, 0.0, 0.3, 0.3]),
        0.0,
    ],
)
def test_motions_that_do_not_jump_are_not_refused(motion):
    assert dt.required_forces(_arm(), 1.0, {"A": motion}, 0.05).ok


def test_a_result_with_an_impact_is_not_followed_through_it():
    m = _arm(limits=[(-1.0, 0.4)])
    r = dt.simulate(m, 1.0)  # it falls onto its stop after 0.234 s
    assert r.ok
    with pytest.raises(ValueError, match=r'the velocity A\.rate jumps at t = 0\.2337.* \("A\.stop"\) from 3\.3'):
        dt.required_forces(m, 1.0, r)
    assert dt.required_forces(m, 0.2, r).ok


def test_stops_leave_a_prescribed_motion_to_the_constraints():
    """States of stops were taken for first-order states, so that the motion was integrated; a whole result raised."""
    m = _arm(limits=[(-1.0, 1.0)])
    r = dt.required_forces(m, 1.0, {"A": "0.5*sin(t)"}, 0.1)
    assert r.ok
    assert "by the constraints" in r.stats.solver
    free = dt.required_forces(_arm(), 1.0, {"A": "0.5*sin(t)"}, 0.1)
    np.testing.assert_allclose(r["A.drive"], free["A.drive"], rtol=1e-12)
    again = dt.required_forces(m, 1.0, r)
    np.testing.assert_allclose(again["A.drive"], r["A.drive"], rtol=1e-9)
    beyond = dt.required_forces(m, 2.0, {"A": "0.8*t"}, 0.1)
    assert not beyond.ok
    assert 'passes the stops of "A"' in beyond.why_ended.text


def test_required_forces_of_the_delta_are_quick():
    """Rods spin freely about their axes; 51 outputs in some tenths of a second, without the wait for compilation."""
    from duoti.examples.robots import robots
    from duoti.formats.mjcf import load_mjcf

    m = load_mjcf(robots()["delta"])
    circle = {"platform": ("0.1*(cos(6*t) - 1)", "0.1*sin(6*t)", "0.53186827646")}
    motors = [f"motor_{i}" for i in (1, 2, 3)]
    dt.required_forces(m, 0.04, circle, 0.02, actuators=motors)  # compiles
    began = time.process_time()
    r = dt.required_forces(m, 1.0, circle, 0.02, actuators=motors)
    assert r.ok
    assert time.process_time() - began < 5.0  # 0.2 s, on a machine that is not busy
