"""Forces of contacts that controllers and sensors read: weights at rest, Newton's law, and the channels of results."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import duoti as dt

G = 9.81
SOLVERS = {"event-driven": None, "time stepping": dt.Moreau(step=1e-3)}
LAWS = {"event-driven": dt.RigidContact(friction=0.5), "time stepping": dt.RigidContact(friction=0.5),
        "compliant": dt.CompliantContact(stiffness=1e5, damping=1e3, friction=0.5)}  # fmt: skip


def run(m, duration, kind, **options):
    solver = SOLVERS.get(kind)
    return dt.simulate(m, duration, **options, **({"solver": solver} if solver else {}))


def pressed_ball(kind: str, height=0.0) -> dt.Model:
    """A ball of 2 kg on a floor, pressed down by a force that rises as 10 t, on a slide."""
    m = dt.Model("pressed")
    m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, 0.1 + height))
    m.add_joint("A", dt.Prismatic("z"), m.ground, "ball")
    m.add_force("push", dt.JointTorque("A", "-10*t"))
    m.add_contact("floor", LAWS[kind], m.ground, "ball", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


@pytest.mark.parametrize("kind", LAWS)
def test_a_controller_reads_what_the_result_has(kind):
    """At a sample the reading is the force there; of time stepping the mean over the step before: half a step late."""
    m = pressed_ball(kind)
    m.add_controller("c", lambda f: f, ["floor.normal_force"], {"seen": 0.0}, period=0.05)
    m.add_controller("d", {"up": "floor.force.z"}, (), {"up": 0.0}, period=0.05)
    r = run(m, 1.0, kind, outputs=0.05)
    assert r.ok, r.reason
    after = np.append(np.diff(r.t) > 0.0, True)  # of two outputs at a sample the second
    t, seen = r.t[after][1:], r["seen"][after][1:]
    late = 0.5e-3 if kind == "time stepping" else 0.0
    # round-off; overlaps that steps correct; the damping lets a force that rises by 10 N/s be c/k * 10 = 0.1 N late
    near = {"event-driven": 1e-9, "time stepping": 1e-6, "compliant": 0.2}[kind]
    settled = t > 0.2
    assert np.max(np.abs(seen - 2.0 * G - 10.0 * (t - late))[settled]) < near
    np.testing.assert_array_equal(seen, r["up"][after][1:])
    before = np.insert(np.diff(r.t) > 0.0, 0, True)
    channel = r["floor.normal_force"][before][1:]
    assert np.max(np.abs(channel - seen)) < 1e-9
    assert r["seen"][0] == 0.0  # nothing has been solved for at the start, and the compliant floor only touches


@pytest.mark.parametrize("kind", LAWS)
def test_sensors_sample_contacts(kind):
    m = pressed_ball(kind)
    m.add_sensor("touch", dt.ContactSensor("floor", period=0.1))
    m.add_sensor("late", dt.ContactSensor(["floor"], period=0.1, delay=0.1, bias=3.0))
    m.add_sensor("now", dt.ContactSensor("floor"))
    m.add_controller("c", lambda a, b: a - b, ["touch", "now"], {"difference": 1.0}, period=0.1)
    r = run(m, 1.0, kind, outputs=0.1)
    assert r.ok, r.reason
    assert np.max(np.abs(r["difference"])) < 1e-12  # of one instant
    after = np.append(np.diff(r.t) > 0.0, True)
    before = np.insert(np.diff(r.t) > 0.0, 0, True)
    np.testing.assert_allclose(r["late"][after][2:], r["touch"][after][1:-1] + 3.0, rtol=1e-15)
    np.testing.assert_allclose(r["touch"][after][1:], r["now"][before][1:], rtol=0, atol=1e-9)
    assert r["touch"][-1] == pytest.approx(2.0 * G + 10.0, abs=1.0 if kind == "compliant" else 0.01)


@pytest.mark.parametrize("kind", LAWS)
def test_an_open_contact_reads_zero(kind):
    m = pressed_ball(kind, height=1.0)
    m.forces["push"].value = 0.0
    m.add_controller("c", lambda f: f, ["floor.normal_force"], {"seen": 1.0}, period=0.01)
    r = run(m, 0.2, kind)
    assert np.all(r["seen"][r.t > 0.011] == 0.0)


@pytest.mark.parametrize("kind", ["event-driven", "time stepping"])
def test_a_step_by_hand_equals_the_run(kind):
    """Stepper and simulate sample the same numbers; a saved state brings them back, bit for bit."""
    m = pressed_ball(kind, height=0.02)
    m.add_controller("c", lambda f: 0.1 * f, ["floor.normal_force"], {"u": 0.0}, period=0.01)
    m.add_force("brake", dt.JointTorque("A", "u"))
    s = dt.Stepper(m, SOLVERS[kind] or dt.DOPRI5())
    saved, seen = None, []
    for k in range(60):
        if k == 30:
            saved = s.state
        assert s.step(0.005), s.reason
        seen.append((s["u"], s["A.position"]))
    assert max(u for u, _ in seen) > 1.0
    s.restore(saved)
    again = []
    for _ in range(30):
        s.step(0.005)
        again.append((s["u"], s["A.position"]))
    assert again == seen[30:]
    r = run(m, 0.3, kind, outputs=0.005)
    after = np.append(np.diff(r.t) > 0.0, True)
    # time stepping makes the same steps, but for the last bit of their lengths: forces are impulses by 1e-3 s;
    # event-driven, those by hand end where those of the run do not, and differ by its tolerances
    near = 1e-11 if kind == "time stepping" else 1e-5
    assert np.max(np.abs(r["u"][after][1:] - [u for u, _ in seen])) < near
    assert np.max(np.abs(r["A.position"][after][1:] - [x for _, x in seen])) < near


def stance(kind: str) -> dt.Model:
    """A legged robot on four feet: a trunk on legs that servos hold, with a touch sensor in each foot."""
    m = dt.Model("stance")
    m.add_body("trunk", dt.Inertia.box(8.0, (0.5, 0.3, 0.1)), position=(0, 0, 0.4))
    m.add_joint("base", dt.Free(), m.ground, "trunk")
    for name, x, y in (("fl", 0.2, 0.15), ("fr", 0.2, -0.15), ("hl", -0.2, 0.15), ("hr", -0.2, -0.15)):
        leg = m.add_body(name, dt.Inertia.rod(0.5, length=0.36, axis="z"), position=(x, y, 0.22))
        m.add_joint(f"hip_{name}", dt.Revolute("y"), "trunk", leg, at=(x, y, 0.4))
        m.add_force(f"servo_{name}", dt.JointTorque(f"hip_{name}", "-200*q - 8*v"))
        shapes = dt.Shape.plane(), dt.Shape.sphere(0.04).moved(dt.spatial.Pose(position=(0, 0, -0.18)))
        m.add_contact(f"foot_{name}", LAWS[kind], m.ground, leg, shapes=shapes)
        m.add_sensor(f"touch_{name}", dt.ContactSensor(f"foot_{name}", period=0.01))
    m.add_sensor("all", dt.ContactSensor([f"foot_{leg}" for leg in LEGS], period=0.01))
    m.add_controller("weigh", lambda *f: sum(f), [f"touch_{leg}" for leg in LEGS], {"weight": 0.0}, period=0.01)
    return m


LEGS = ("fl", "fr", "hl", "hr")


@pytest.mark.parametrize("kind", ["time stepping", "compliant"])
def test_a_legged_robot_feels_its_weight(kind):
    """Standing, the forces of the feet sum to the weight: sensors, their sum, the controller, the environment."""
    m = stance(kind)
    weight = G * (8.0 + 4 * 0.5)
    r = run(m, 2.0, kind, outputs=0.01)
    assert r.ok, r.reason
    # the first motion has decayed to less; friction may hold forces between the legs, not their sum
    assert r["weight"][-1] == pytest.approx(weight, rel=1e-6)
    assert r["all"][-1] == pytest.approx(weight, rel=1e-6)
    assert sum(r[f"touch_{leg}"][-1] for leg in LEGS) == pytest.approx(weight, rel=1e-6)
    assert all(r[f"touch_{leg}"][-1] > 0.1 * weight for leg in LEGS)


@pytest.mark.parametrize("kind", ["time stepping", "compliant"])
def test_an_environment_observes_contact_forces(kind):
    pytest.importorskip("gymnasium")
    m = stance(kind)
    observed = ["weight", "all", *(f"foot_{leg}.normal_force" for leg in LEGS)]
    env = dt.gym_env(
        m, ["servo_fl"], observed, "all", 0.02, 2.0, **({"solver": SOLVERS[kind]} if kind in SOLVERS else {})
    )
    env.reset(seed=1)
    for _ in range(100):
        seen, reward, *_ = env.step(np.zeros(1))
    assert seen[0] == seen[1] == reward
    assert np.sum(seen[2:]) == pytest.approx(seen[0], rel=1e-3)  # one leg is free now, so that the robot may still move


def test_resumed_runs_read_the_same(tmp_path):
    m = pressed_ball("time stepping", height=0.02)
    m.add_controller("c", {"u": "0.1*floor.normal_force"}, (), {"u": 0.0}, period=0.01)
    m.add_force("brake", dt.JointTorque("A", "u"))
    whole = dt.simulate(m, 0.4, outputs=0.01, solver=SOLVERS["time stepping"])
    dt.simulate(m, 0.2, outputs=0.01, solver=SOLVERS["time stepping"], out=tmp_path / "r.h5", progress=False)
    more = dt.resume(tmp_path / "r.h5", m, duration=0.4, progress=False)
    np.testing.assert_array_equal(np.asarray(more["u"]), whole["u"])


def test_laws_and_values_of_events_do_not_read_them():
    m = pressed_ball("time stepping")
    m.add_force("spring", dt.JointTorque("A", "0.1*floor.normal_force"))
    m.add_event("heavy", dt.Event("floor.normal_force - 25"))
    texts = [str(each) for each in dt.check(m).errors]
    assert len(texts) == 2
    assert all("controllers, what events set and sensors with a period read it" in text for text in texts)
    m.forces.pop("spring"), m.events.pop("heavy")
    m.add_controller("c", lambda g: g, ["floor.gap"], {"u": 0.0}, period=0.1)
    assert "for a gap write what it follows from" in str(dt.check(m).errors[0])


MJCF = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/>
  <body name="foot" pos="0 0 0.1"><freejoint/><geom name="sole" type="sphere" size="0.1" mass="2"/>
    <site name="pad" pos="0 0 -0.1" size="0.05"/></body></worldbody>
  <sensor><touch name="press" site="pad"/></sensor></mujoco>"""


def test_touch_sensors_of_mjcf(tmp_path):
    path = tmp_path / "foot.xml"
    path.write_text(MJCF)
    m = dt.formats.load_mjcf(path, contacts=True)
    r = dt.simulate(m, 0.5)
    assert r["press"][-1] == pytest.approx(2.0 * G, rel=1e-6)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        without = dt.formats.load_mjcf(path)
    assert "press" not in without.sensors
    assert any(
        "touch sensor" in str(each.message) or "touch sensor" in str(without.import_notes) for each in told
    ) or any("touch sensor" in str(note) for note in without.import_notes)
    mujoco = pytest.importorskip("mujoco")
    peer = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(peer)
    for _ in range(1000):
        mujoco.mj_step(peer, data)
    assert data.sensordata[0] == pytest.approx(r["press"][-1], rel=1e-3)  # it rests on a soft floor there


def test_readings_in_sub_models_and_compiled_again():
    """Names of contacts get the prefix; a compiled model can be compiled once more, and have its numbers changed."""
    two = dt.Model("two")
    part = pressed_ball("time stepping")
    part.add_sensor("touch", dt.ContactSensor(["floor"], period=0.05))
    part.add_controller("c", lambda f: f, ["floor.normal_force"], {"seen": 0.0}, period=0.05)
    two.add_submodel("left", part)
    solver = SOLVERS["time stepping"]
    r = dt.simulate(two, 0.2, solver=solver)
    assert r["left.touch"][-1] == r["left.seen"][-1] == pytest.approx(2.0 * G + 2.0, abs=0.01)
    system = dt.compile(two)
    np.testing.assert_array_equal(dt.simulate(dt.compile(system.model), 0.2, solver=solver).states, r.states)
    heavier = dt.simulate(system.with_parameters({"left.ball.mass": 3.0}), 0.2, solver=solver)
    assert heavier["left.seen"][-1] == pytest.approx(3.0 * G + 2.0, abs=0.01)
