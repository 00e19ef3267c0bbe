"""`dt.equilibrium` and its kin against closed forms and independent computations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from cases import case
from scipy.optimize import brentq
from test_loop_cases import squeezer

import duoti as dt
from support.random_models import random_model

G = 9.81


# ------------------------------------------------------------------------------------------------------ hanging chain


def hanging_chain(links: int, span: float, mass: float = 0.1, length: float = 0.05) -> dt.Model:
    """Rods between two hinges at the same height, drawn as a zigzag that reaches the second hinge."""
    m = dt.Model("hanging chain")
    half = np.arccos(span / (links * length))  # angle of the zigzag
    at, last = np.zeros(3), m.ground
    for i in range(links):
        way = length * np.array([np.cos(half), 0, -np.sin(half) * (1 if i % 2 == 0 else -1)])
        turn = dt.Rotation.between((1, 0, 0), way)
        body = m.add_body(f"l{i}", dt.Inertia.rod(mass, length=length, axis="x"), position=at + way / 2, rotation=turn)
        m.add_joint(f"J{i}", dt.Revolute("y"), last, body, at=at)
        at, last = at + way, body
    m.add_joint("end", dt.Revolute("y"), m.ground, last, at=at)
    return m


def exact_chain(links: int, span: float, mass: float, length: float) -> np.ndarray:
    """Angles of uniform rods by statics: tan a_i = (weight left to carry beside rod i) / H, with H from the span."""
    carried = mass * G * (links / 2 - 0.5 - np.arange(links))  # vertical force in the middle of rod i

    def reach(H):
        return np.sum(length / np.sqrt(1 + (carried / H) ** 2)) - span

    H = brentq(reach, 1e-6, 1e4, xtol=1e-15, rtol=1e-15)
    return np.arctan2(carried, H)


def test_a_hanging_chain_of_fifty_links():
    links, span = 50, 1.5
    m = hanging_chain(links, span)
    e = dt.equilibrium(m, stable=True)
    assert e.ok, e.reason
    assert e.stable
    exact = exact_chain(links, span, 0.1, 0.05)
    ends = np.cumsum(0.05 * np.column_stack([np.cos(exact), -np.sin(exact)]), axis=0)
    middles = ends - 0.025 * np.column_stack([np.cos(exact), -np.sin(exact)])
    found = np.array([e[f"l{i}.position"][[0, 2]] for i in range(links)])
    assert np.abs(found - middles).max() < 1e-11
    pull = e["J0.reaction_force"]
    assert pull[2] == pytest.approx(0.5 * links * 0.1 * G, rel=1e-10)  # half the weight on either side
    assert pull[0] == pytest.approx(-0.1 * G * (links / 2 - 0.5) / np.tan(exact[0]), rel=1e-9)


# ---------------------------------------------------------------------------------------------- Andrews' mechanism


@pytest.mark.full
def test_both_equilibria_of_the_squeezing_mechanism():
    """With 5 mN m; the crank's balance by virtual work on the geometry of the case, written out here by itself."""
    c = case("L02")
    p = {**c.p, "mom": 0.005}
    m = squeezer(replace(c, p=p))
    C, B = np.array([p["xc"], p["yc"]]), np.array([p["xb"], p["yb"]])

    def energy(beta, sign):
        P = p["rr"] * np.array([np.cos(beta), np.sin(beta)])
        d = B - P  # F is 28 mm from P and 35 mm from B
        n = np.linalg.norm(d)
        x = (p["d"] ** 2 - p["ss"] ** 2 + n**2) / (2 * n)
        F = P + x * d / n + sign * np.sqrt(p["d"] ** 2 - x**2) * np.array([-d[1], d[0]]) / n
        s, minus_c = (F - B) / p["ss"]  # n(gamma) = (sin, -cos)
        e, normal = np.array([-minus_c, s]), np.array([s, minus_c])
        D = B + p["sd"] * e + p["sc"] * normal
        return 0.5 * p["c0"] * (np.linalg.norm(D - C) - p["l0"]) ** 2 - p["mom"] * beta

    found = dt.equilibria(m, starts=12, seed=1)
    assert len(found) >= 2
    assert {e.stable for e in found} == {True, False}
    h = 1e-5
    for e in found:
        beta = e["beta.angle"] + p["q0"][0]
        slopes = [abs(energy(beta + h, s) - energy(beta - h, s)) / (2 * h) for s in (1, -1)]
        assert min(slopes) < 1e-7
    rates = {e.stable: float(np.min((-(e.linear.eigenvalues**2)).real)) for e in found}
    assert rates[False] == pytest.approx(-2.2e5, rel=0.05)
    assert rates[True] == pytest.approx(1.8e5, rel=0.05)


# -------------------------------------------------------------------------------------------------------- governor


def test_speed_and_angle_of_a_governor():
    """The arms of the bundled governor, driven at constant speeds, against the closed form of its own text."""
    from duoti.examples import governor

    for speed in (16.5, 19.0, 25.0, 40.0):
        m = governor.build()
        del m.forces["engine"]
        m.add_constraint("drive", dt.JointMotion("spindle", f"{speed}*t"))
        m.joints["spindle"].v0 = None
        e = dt.equilibrium(m)
        assert e.ok, e.reason
        assert e.stable
        assert e["spindle.rate"] == pytest.approx(speed, rel=1e-12)
        ball = e["ball.position"]
        angle = np.arctan2(np.hypot(ball[0], ball[1]), -ball[2])
        assert angle == pytest.approx(governor.steady_angle(speed), abs=1e-10)


def test_below_its_critical_speed_a_governor_hangs():
    """A point on an arm without mass: cos a = g / w² l above sqrt(g/l), zero below; both are equilibria above."""
    m = dt.Model("ball on a shaft", parameters={"w": 6.0})
    shaft = m.add_body("shaft", dt.Inertia.sphere(1.0, 0.1))
    ball = m.add_body("ball", dt.Inertia.point(0.5), position=(0, 0, -0.5))
    m.add_joint("spin", dt.Revolute("z"), m.ground, shaft)
    m.add_joint("arm", dt.Revolute("y"), shaft, ball, at=(0, 0, 0))
    m.add_constraint("drive", dt.JointMotion("spin", "w*t"))
    e = dt.equilibrium(m, {"arm": 0.4})
    assert abs(e["arm.angle"]) == pytest.approx(np.arccos(G / (36 * 0.5)), abs=1e-12)
    assert e.stable
    hanging = dt.equilibrium(m)
    assert hanging["arm.angle"] == 0.0
    assert not hanging.stable
    assert not hanging.indifferent  # the shaft is driven
    lin = dt.linearise(m, e)
    wanted = 6.0 * np.sin(e["arm.angle"])  # small oscillations about the inclined position
    assert lin.frequencies == pytest.approx([abs(wanted) / (2 * np.pi)], rel=1e-10)


# ------------------------------------------------------------------------------------------------------------ others


def test_a_free_crank_is_indifferent_and_falling_is_no_equilibrium():
    m = dt.Model("wheel and pendulum")
    wheel = m.add_body("wheel", dt.Inertia.cylinder(1.0, 0.2, 0.02, axis="y"))
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z", com=(0, 0, -0.5)))
    m.add_joint("W", dt.Revolute("y"), m.ground, wheel)
    m.add_joint("P", dt.Revolute("y"), m.ground, rod, q0=0.3)
    e = dt.equilibrium(m)
    assert e.ok
    assert e.indifferent == ("W.rate",)
    assert e.stable
    assert "indifferent: W.rate" in str(e)
    m.add_body("stone", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("F", dt.Free(), m.ground, "stone")
    e = dt.equilibrium(m)
    assert not e.ok
    assert "F.v[2] is pushed by -9.81 N" in e.reason


def test_preloaded_springs_and_reactions():
    """A lever on two preloaded springs against its own moment balance, solved by scipy."""
    m = dt.Model("lever")
    m.add_body("lever", dt.Inertia.rod(2.0, length=1.0, axis="x", com=(0.5, 0, 0)))
    m.add_joint("A", dt.Revolute("y"), m.ground, "lever", at=(0, 0, 0))
    for name, x, k, rest in (("s1", 0.4, 300.0, 0.2), ("s2", 0.9, 150.0, 0.45)):
        m.add_marker(f"{name} foot", m.ground, position=(x, 0, -0.3))
        m.add_marker(f"{name} head", "lever", position=(x, 0, 0))
        m.add_force(name, dt.SpringDamper(f"{name} foot", f"{name} head", stiffness=k, rest_length=rest))
    e = dt.equilibrium(m)

    def moment(angle):
        c, s = np.cos(angle), np.sin(angle)
        total = 2.0 * G * 0.5 * c
        for x, k, rest in ((0.4, 300.0, 0.2), (0.9, 150.0, 0.45)):
            head, foot = np.array([x * c, -x * s]), np.array([x, -0.3])
            d = head - foot
            pull = -k * (np.linalg.norm(d) - rest) * d / np.linalg.norm(d)
            total += head[1] * pull[0] - head[0] * pull[1]
        return total

    assert e["A.angle"] == pytest.approx(brentq(moment, e["A.angle"] - 0.1, e["A.angle"] + 0.1, xtol=1e-14), abs=1e-10)
    r = dt.simulate(m, 0.5, at=e.state)
    assert np.ptp(r["A.angle"]) < 1e-10
    forces = e["A.reaction_force"]
    assert forces == pytest.approx(r["A.reaction_force"][-1], abs=1e-7)


def test_first_order_states_come_to_rest():
    """A motor with a position controller lifts a bar: the integral holds the torque m g l cos(a)."""
    m = dt.Model("servo")
    m.add_body("bar", dt.Inertia.rod(1.0, length=1.0, axis="x", com=(0.5, 0, 0)))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bar", at=(0, 0, 0))
    m.add_state("integral", "0.5 + A.angle")
    m.add_state("torque", "20*(-40*(0.5 + A.angle) - 8*A.rate - 30*integral - torque)")
    m.add_force("motor", dt.JointTorque("A", "torque"))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    assert e["A.angle"] == pytest.approx(-0.5, abs=1e-12)
    assert e["torque"] == pytest.approx(-1.0 * G * 0.5 * np.cos(0.5), rel=1e-11)
    assert e["integral"] == pytest.approx(1.0 * G * 0.5 * np.cos(0.5) / 30, rel=1e-11)
    assert e.stable


@pytest.mark.parametrize("seed", range(15))
def test_random_trees_on_springs_come_to_rest(seed):
    """From wherever they are drawn to a stable equilibrium, in which nothing accelerates."""
    rng = np.random.default_rng(seed)
    m = random_model(rng, 5, kinds=("revolute", "universal", "spherical", "prismatic", "cylindrical")).model
    for k, body in enumerate(list(m.bodies)):
        m.add_marker(f"g{k}", m.ground, position=rng.uniform(-1, 1, 3))
        m.add_marker(f"h{k}", body, position=rng.uniform(-0.3, 0.3, 3))
        stiffness, rest = rng.uniform(50, 500), rng.uniform(0.1, 1)
        m.add_force(f"s{k}", dt.SpringDamper(f"g{k}", f"h{k}", stiffness=stiffness, damping=1.0, rest_length=rest))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    assert e.stable
    assert np.abs(dt.accelerations(e.system, e.q, e.v)).max() < 1e-8


def test_a_state_that_nothing_changes_stays():
    """A torque that a controller holds: the bar goes to where its weight balances it, not the other way round."""
    m = dt.Model("held")
    m.add_body("bar", dt.Inertia.rod(1.0, length=1.0, axis="x", com=(0.5, 0, 0)))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bar", at=(0, 0, 0))
    m.add_state("torque", 0.0, initial=-2.0)
    m.add_force("motor", dt.JointTorque("A", "torque"))
    e = dt.equilibrium(m)
    assert e.ok
    assert e["torque"] == -2.0
    assert 1.0 * G * 0.5 * np.cos(e["A.angle"]) == pytest.approx(2.0, rel=1e-10)


def test_a_car_on_a_steady_turn():
    """A wheel rolls around a circle at the end of a driven arm: it turns at R W / r, the body sinks by m g / k."""
    m = dt.Model("car")
    m.add_body("arm", dt.Inertia(1.0, matrix=np.eye(3)))
    m.add_body("car", dt.Inertia(800.0, matrix=np.diag([300.0, 1000.0, 1100.0])), position=(20, 0, 0.5))
    m.add_body("wheel", dt.Inertia.cylinder(15.0, 0.3, 0.2, axis="x"), position=(20, 0, 0.3))
    m.add_joint("turn", dt.Revolute("z"), m.ground, "arm", at=(0, 0, 0))
    m.add_joint("heave", dt.Prismatic("z"), "arm", "car")
    m.add_joint("axle", dt.Revolute("x"), "arm", "wheel")
    m.add_force("springs", dt.JointSpring("heave", stiffness=6e4))
    m.add_constraint("drive", dt.JointMotion("turn", "0.4*t"))
    m.add_marker("hub", "wheel", rotation=dt.Rotation.about("y", np.pi / 2))
    m.add_constraint("roll", dt.RollingDisc("hub", radius=0.3))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    assert e["axle.rate"] == pytest.approx(-20 * 0.4 / 0.3, rel=1e-12)
    assert e["heave.position"] == pytest.approx(-800 * G / 6e4, rel=1e-12)
    lin = dt.linearise(m, e)
    assert lin.steady
    assert lin.frequencies == pytest.approx([np.sqrt(6e4 / 800) / (2 * np.pi)], rel=1e-9)


def test_from_anywhere():
    """The squeezing mechanism without a load: from each of thirty closed positions to some equilibrium."""
    c = case("L02")
    system = dt.compile(squeezer(replace(c, p={**c.p, "mom": 0.005})))
    rng = np.random.default_rng(7)
    ok = 0
    for _ in range(30):
        q = system.state(guess={name: rng.uniform(-0.5, 0.5) for name, at in system.joints.items() if len(at.q)})[0]
        ok += dt.equilibrium(system, q).ok
    assert ok == 30


# ------------------------------------------------------------------------------------------------------- snap-through

LENGTH, STIFFNESS, RISE = 0.4, 900.0, 0.5


def toggle() -> dt.Model:
    """Two bars that push a slider against a spring, drawn at the angle RISE where the spring is relaxed; load P
    down.
    """
    m = dt.Model("toggle", gravity=(0, 0, 0), parameters={"P": 0.0})
    c, s = LENGTH * np.cos(RISE), LENGTH * np.sin(RISE)
    for name, x, tilt in (("left", c / 2, -RISE), ("right", 1.5 * c, RISE)):
        rod = dt.Inertia.rod(0.2, length=LENGTH, axis="x")
        m.add_body(name, rod, position=(x, 0, s / 2), rotation=dt.Rotation.about("y", tilt))
    m.add_body("slider", dt.Inertia.box(0.3, size=(0.1, 0.1, 0.1)), position=(2 * c, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "left", at=(0, 0, 0))
    m.add_joint("knee", dt.Revolute("y"), "left", "right", at=(c, 0, s))
    m.add_joint("C", dt.Revolute("y"), "right", "slider", at=(2 * c, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=(2 * c, 0, 0))
    m.add_force("spring", dt.JointSpring("D", stiffness=STIFFNESS))
    m.add_marker("top", "left", position=(LENGTH / 2, 0, 0))
    m.add_force("load", dt.AppliedForce("top", (0, 0, "-P")))
    return m


def load_of(angle):
    """P = 4 k l tan(a) (cos a - cos a0), by virtual work."""
    return 4 * STIFFNESS * LENGTH * np.tan(angle) * (np.cos(angle) - np.cos(RISE))


def test_a_toggle_snaps_through(tmp_path):
    critical = np.arccos(np.cos(RISE) ** (1 / 3))
    highest = load_of(critical)
    path = dt.equilibrium_path(toggle(), "P", to=1.5 * highest)
    assert path.ok, path.reason
    top = path["top.position"]
    angle = np.arctan2(top[:, 2], top[:, 0])
    assert np.abs(path.values - load_of(angle)).max() < 1e-8 * highest
    assert path.values[-1] == 1.5 * highest
    assert angle[0] == pytest.approx(RISE, abs=1e-9)
    assert angle[-1] < -RISE
    first, second = path.turning_points
    assert path.values[[first, second]] == pytest.approx([highest, -highest], rel=1e-10)
    stable = np.abs(angle) > critical
    beside = np.abs(np.abs(angle) - critical) > 0.02
    assert np.array_equal(path.stable[beside], stable[beside])
    both = dt.equilibria(path.at(0), starts=8)  # bistable without a load
    assert sorted(round(float(np.arctan2(*e["top.position"][[2, 0]])), 6) for e in both if e.stable) == [-RISE, RISE]
    path.plot().savefig(tmp_path / "toggle.png")
