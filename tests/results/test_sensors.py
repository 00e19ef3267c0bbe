"""Sensors against closed forms and other channels, their noise, delay and sampling, and what reads them."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.integrate.base import SolverLoop

G = 9.81
EXACT = 1e-12  # the same numbers by another way through rotation matrices


def pendulum(length=1.0, **sensors) -> dt.Model:
    """A point mass on a massless rod, horizontal at the start, with the marker "tip" at the mass."""
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia(2.0, com=(length / 2, 0, 0), matrix=1e-12 * np.eye(3)), position=(length / 2, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_marker("tip", "rod", position=(length / 2, 0, 0))
    for name, sensor in sensors.items():
        m.add_sensor(name, sensor)
    return m


def test_the_accelerometer_of_a_pendulum():
    """A point mass feels the rod alone: v²/l + g cos toward the pivot, nothing across; 3 g at the bottom.

    From rest at the horizontal, v² = 2 g l sin(angle): along the rod -3 g sin(angle) in its x axis.
    """
    r = dt.simulate(pendulum(imu=dt.Accelerometer("tip")), 1.2, rtol=1e-11, atol=1e-12)
    assert r["imu"].shape == (len(r.t), 3)
    assert r.unit("imu.x") == "m/s^2"
    assert np.allclose(r["imu.x"], -3.0 * G * np.sin(r["A.angle"]), atol=1e-8)  # rtol of the run times g
    assert np.max(np.abs(r["imu.y"])) < EXACT
    assert np.max(np.abs(r["imu.z"])) < 1e-8  # the moment of inertia 1e-12 is no point


def test_an_accelerometer_at_rest_reads_gravity_upward_and_in_free_fall_nothing():
    m = dt.Model("two")
    m.add_body("free", dt.Inertia.box(1.0, (0.1, 0.2, 0.3)), position=(0, 0, 5))
    m.add_joint("F", dt.Free(), m.ground, "free")
    R = dt.Rotation.from_vector((0.4, 0.3, -0.2))
    m.add_marker("desk", m.ground, position=(1, 2, 0), rotation=R)
    m.add_sensor("rest", dt.Accelerometer("desk", bias=(0.1, 0.0, 0.0)))
    m.add_sensor("fall", dt.Accelerometer("free"))
    r = dt.simulate(m, 0.5)
    assert np.allclose(r["rest"], R.matrix.T @ [0, 0, G] + [0.1, 0, 0], atol=EXACT)
    assert np.allclose(r["rest.ideal"], R.matrix.T @ [0, 0, G], atol=EXACT)
    assert np.max(np.abs(r["fall"])) < 1e-11


def test_the_gyroscope_of_a_spinning_top():
    """A free symmetric top: the spin along its axis is constant, the rest turns at (C - A)/A times it (Euler)."""
    A, C, spin, across = 0.02, 0.03, 30.0, 2.0
    m = dt.Model("top", gravity=(0, 0, 0))
    m.add_body("top", dt.Inertia(1.0, matrix=np.diag([A, A, C])), position=(0, 0, 0))
    m.add_joint("F", dt.Free(), m.ground, "top", v0=[0, 0, 0, across, 0, spin])
    m.add_sensor("gyro", dt.Gyroscope("top"))
    r = dt.simulate(m, 1.0, rtol=1e-11, atol=1e-12)
    rate = (C - A) / A * spin
    expected = np.column_stack([across * np.cos(rate * r.t), across * np.sin(rate * r.t), np.full(len(r.t), spin)])
    assert np.max(np.abs(r["gyro"] - expected)) < 1e-7


def hanging_tool() -> dt.Model:
    m = dt.Model("wrist")
    m.add_body("arm", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    turn = dt.Rotation.from_vector((0, 0, 0.7))
    m.add_body("tool", dt.Inertia.box(0.5, (0.1, 0.1, 0.2)), position=(1.0, 0, -0.1), rotation=turn)
    m.add_joint("A", dt.Revolute("y"), m.ground, "arm", at=(0, 0, 0))
    m.add_joint("wrist", dt.Fixed(), "arm", "tool", at=(1, 0, 0))
    m.add_constraint("hold", dt.JointMotion("A", 0.0))
    m.add_marker("flange", "arm", position=(0.4, 0, 0))
    return m


def test_the_force_torque_sensor_feels_the_weight_of_the_tool():
    m = hanging_tool()
    m.add_sensor("ft", dt.ForceTorque("wrist", "flange"))
    m.add_sensor("own", dt.ForceTorque("wrist", direction="parent_to_child"))
    r = dt.simulate(m, 0.1)
    weight = 0.5 * G
    assert np.allclose(r["ft.force"], [0, 0, -weight], atol=1e-9)
    assert np.allclose(r["ft.torque"], [0, 0.1 * weight, 0], atol=1e-9)  # the mass centre is 0.1 m beyond the flange
    assert np.allclose(r["own.force"], [0, 0, weight], atol=1e-9)
    assert r.unit("ft.force") == "N"


def test_the_force_torque_sensor_is_the_reaction_in_other_axes():
    m = hanging_tool()
    del m.constraints["hold"]
    m.add_sensor("ft", dt.ForceTorque("wrist"))
    r = dt.simulate(m, 1.0)
    R = np.array([dt.Rotation(q).matrix for q in r["tool.rotation"]])
    for what in ("force", "torque"):
        expected = -np.einsum("nji,nj->ni", R, r[f"wrist.reaction_{what}"])
        assert np.max(np.abs(r[f"ft.{what}"] - expected)) < 1e-10


def test_the_contact_sensor_feels_a_compliant_contact():
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.0999))
    m.add_joint("F", dt.Free(), m.ground, "ball")
    shapes = (dt.Shape.plane(), dt.Shape.sphere(0.1))
    m.add_contact("floor", dt.CompliantContact(1e5, damping=300.0), m.ground, "ball", shapes=shapes)
    m.add_sensor("touch", dt.ContactSensor("floor"))
    m.add_sensor("sampled", dt.ContactSensor("floor", period=0.01))
    r = dt.simulate(m, 1.0)
    assert np.array_equal(r["touch"], r["floor.normal_force"])
    assert r["touch"][-1] == pytest.approx(G, rel=1e-3)  # at rest
    assert r["sampled"][-1] == pytest.approx(G, rel=1e-3)


def test_delay_and_sampling_are_exact():
    """Rows at sample times show the true value of three samples before; in between it is held."""
    period, late = 0.01, 3
    sensors = {
        "now": dt.Encoder("A"),
        "held": dt.Encoder("A", period=period),
        "late": dt.Encoder("A", period=period, delay=late * period),
        "rough": dt.Encoder("A", period=period, resolution=0.05),
        "rate": dt.Tachometer("A", period=period),
    }
    m = pendulum(**sensors)
    r = dt.simulate(m, 1.0, outputs=0.0025)
    last = {round(t / period): k for k, t in enumerate(r.t) if abs(t / period - round(t / period)) < 1e-6}
    rows = [last[k] for k in range(101)]  # the last row at a sample time is the one after the sample
    true = r["now"][rows]
    assert np.array_equal(r["held"][rows], true)
    assert np.array_equal(r["late"][rows][late:], true[:-late])
    assert np.all(r["late"][rows][:late] == 0.0)
    assert np.allclose(r["rough"][rows], np.round(true / 0.05) * 0.05, atol=1e-15)
    assert np.array_equal(r["rate"][rows], r["A.rate"][rows])
    between = np.array([k for k, t in enumerate(r.t) if abs(t / period - round(t / period)) > 0.1])
    samples = np.floor(r.t[between] / period).astype(int)
    assert np.array_equal(r["held"][between], true[samples])


def test_noise_has_its_statistics_and_is_reproducible():
    m = dt.Model("desk")
    m.add_body("box", dt.Inertia.box(1.0, (0.1, 0.1, 0.1)))
    m.add_joint("P", dt.Prismatic("x"), m.ground, "box")
    m.add_sensor("imu", dt.Accelerometer("box", period=1e-3, noise=(0.1, 0.2, 0.3), bias=(0, 0, 1), seed=7))
    m.add_sensor("twin", dt.Accelerometer("box", period=1e-3, noise=(0.1, 0.2, 0.3), bias=(0, 0, 1), seed=7))
    r = dt.simulate(m, 4.0, outputs=1e-3)
    _, rows = np.unique(np.round(r.t[::-1] / 1e-3), return_index=True)
    x = r["imu"][::-1][rows]
    n = len(x)
    assert n == 4001
    # standard errors: sigma / sqrt(n) of a mean, sigma / sqrt(2 n) of a deviation; five of them in 1e6 draws
    sigma = np.array([0.1, 0.2, 0.3])
    assert np.all(np.abs(x.mean(0) - [0, 0, G + 1]) < 5 * sigma / n**0.5)
    assert np.all(np.abs(x.std(0) - sigma) < 5 * sigma / (2 * n) ** 0.5)
    white = np.corrcoef(x[1:, 0], x[:-1, 0])[0, 1]
    assert abs(white) < 5 / n**0.5
    assert abs(np.corrcoef(x[:, 0], r["twin.x"][::-1][rows])[0, 1]) < 5 / n**0.5  # another name, other noise
    again = dt.simulate(m, 4.0, outputs=1e-3)
    assert np.array_equal(again["imu"], r["imu"])
    half = dt.simulate(m, 4.0, outputs=2e-3, solver=dt.RK4(step=5e-4))  # other steps, the same samples
    assert half["imu.x"][-1] == r["imu.x"][-1]
    m.sensors["imu"].seed = 8
    assert dt.simulate(m, 4.0, outputs=1e-3)["imu.x"][-1] != r["imu.x"][-1]


def test_controllers_and_laws_read_them():
    """A sampled encoder with delay closes a loop; a controller reads an accelerometer that is not sampled."""
    m = pendulum(
        enc=dt.Encoder("A", period=0.01, delay=0.02), imu=dt.Accelerometer("tip"), fast=dt.Tachometer("A", period=0.01)
    )
    seen: list[tuple[float, ...]] = []

    def control(t, angle, x, rate):
        seen.append((t, angle, x, rate))
        return -5.0 * angle - 2.0 * rate

    m.add_controller("c", control, ["t", "enc", "imu.x", "fast"], {"u": 0.0}, period=0.01)
    m.add_force("motor", dt.JointTorque("A", "u"))
    m.add_force("friction", dt.JointTorque("A", "-0.5*fast"))
    assert dt.check(m).ok
    r = dt.simulate(m, 0.5, outputs=0.01)
    assert r.ok
    last = {round(t / 0.01): k for k, t in enumerate(r.t)}
    assert len(seen) == 51
    for t, angle, _, rate in seen:
        k = round(t / 0.01)
        assert rate == r["A.rate"][last[k]]  # sampled at the same instant, before the controller
        assert angle == (r["A.angle"][last[k - 2]] if k >= 2 else 0.0)
    # the controller saw the acceleration under the torque before its own sample
    before = {round(t / 0.01): k for k, t in reversed(list(enumerate(r.t)))}
    k = 30
    assert seen[k][2] == pytest.approx(r["imu.x"][before[k]], abs=1e-9)


@pytest.mark.parametrize("by", ["compiled loop", "Python"])
@pytest.mark.parametrize("kind", ["Python", "expression"])
@pytest.mark.parametrize(("sensor", "reading", "true"), [
    (dt.Tachometer("A", period=0.01), "s", "A.rate"),
    (dt.Accelerometer("tip", period=0.01), "s.x", "ideal.x"),
], ids=["tachometer", "accelerometer"])  # fmt: skip
def test_a_sensor_is_sampled_before_the_controllers_that_read_it(sensor, reading, true, kind, by, monkeypatch):
    """Events at the same time act in the order of the model, whoever makes their jumps."""
    monkeypatch.setattr(SolverLoop, "jumps_in_kernels", by == "compiled loop")
    m = pendulum(s=sensor, ideal=dt.Accelerometer("tip"))
    if kind == "expression":
        m.add_controller("first", {"u": f"2*{reading}"}, (), {"u": 0.0}, period=0.01)
        m.add_controller("second", {"w": "u + 1"}, (), {"w": 0.0}, period=0.01)
    else:
        m.add_controller("first", lambda x: 2.0 * x, (reading,), {"u": 0.0}, period=0.01)
        m.add_controller("second", lambda u: u + 1.0, ("u",), {"w": 0.0}, period=0.01)
    r = dt.simulate(m, 0.1, outputs=0.01)
    assert r.ok, r.reason
    last = {round(t / 0.01): k for k, t in enumerate(r.t)}
    rows = [last[k] for k in range(11)]
    assert np.ptp(r[true][rows]) > 0.1
    assert np.allclose(r[reading][rows], r[true][rows], rtol=0, atol=EXACT)
    assert np.array_equal(r["u"][rows], 2.0 * r[reading][rows])
    assert np.array_equal(r["w"][rows], r["u"][rows] + 1.0)


def test_model_files_submodels_and_resumed_results(tmp_path):
    m = pendulum(imu=dt.Accelerometer("tip", period=0.01, noise=0.1, delay=0.02), ft=dt.ForceTorque("A", "tip"))
    r = dt.simulate(m, 0.3)
    m.save(tmp_path / "m.yaml")
    text = (tmp_path / "m.yaml").read_text()
    assert "imu: {type: accelerometer, marker: tip, period: 0.01, noise: 0.1, delay: 0.02}" in text
    assert "next_sample" not in text
    assert np.array_equal(dt.simulate(dt.load(tmp_path / "m.yaml"), 0.3)["imu"], r["imu"])
    r.save(tmp_path / "r.h5")
    opened = dt.open_result(tmp_path / "r.h5")
    assert np.array_equal(opened["imu"], r["imu"])
    assert np.array_equal(opened["ft.torque"], r["ft.torque"])
    two = dt.Model("two")
    two.add_submodel("left", m)
    assert np.allclose(dt.simulate(two, 0.3)["left.ft.torque"], r["ft.torque"], atol=1e-9)
    system = dt.compile(m)
    assert np.array_equal(dt.simulate(dt.compile(system.model), 0.3)["imu"], r["imu"])  # a compiled model once more


def test_linearise_has_them_as_outputs():
    m = pendulum(imu=dt.Accelerometer("tip"))
    m.joints["A"].q0 = np.pi / 2
    lin = dt.linearise(m, inputs=["A"], outputs=["imu.z", "A.angle"])
    assert lin.outputs == ("imu.z", "A.angle")
    # hanging: the rod's z axis is horizontal; the torque u gives the tip the acceleration u/(m l), gravity shows l-free
    assert abs(lin.D[0, 0]) == pytest.approx(0.5, rel=1e-6)


FILE = """duoti: 1
name: faulty
bodies:
  rod: {inertia: {rod: {mass: 1, length: 1, axis: x}}, position: [0.5, 0, 0]}
joints:
  A: {type: revolute, axis: y, between: [ground, rod], at: [0, 0, 0]}
sensors:
"""


@pytest.mark.parametrize(("line", "says"), [
    ("s: {type: thermometer, marker: rod}", "type is 'thermometer'; it is one of accelerometer"),
    ("s: {type: gyroscope}", "needs its marker"),
    ("s: {type: encoder, joint: B}", "B"),
    ("s: {type: encoder, joint: A, noise: 0.1}", "noise needs a period"),
    ("s: {type: encoder, joint: A, period: 1 ms, delay: 2.5 ms}", "no whole number of periods of 0.001 s"),
    ("s: {type: accelerometer, marker: rod, bias: [1, 2]}", "bias has 2 numbers; the sensor has 3"),
    ("s: {type: contact_sensor, contact: floor}", 'there is no contact "floor"'),
    ("s: {type: encoder, joint: A, marker: rod}", "has no marker"),
    ("s: {type: encoder, joint: A, period: 0}", "period is 0"),
])  # fmt: skip
def test_faults_are_named(tmp_path, line, says):
    path = tmp_path / "faulty.yaml"
    path.write_text(FILE + "  " + line + "\n")
    with pytest.raises(dt.ModelError, match=r"faulty.yaml:8") as caught:
        dt.load(path)
    assert says in str(caught.value)


def test_accelerations_with_rigid_contacts_cannot_be_sampled():
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.2))
    m.add_joint("F", dt.Free(), m.ground, "ball")
    shapes = (dt.Shape.plane(), dt.Shape.sphere(0.1))
    m.add_contact("floor", dt.RigidContact(), m.ground, "ball", shapes=shapes)
    m.add_sensor("touch", dt.ContactSensor("floor"))
    r = dt.simulate(m, 1.0)
    assert r["touch"][-1] == pytest.approx(G, rel=1e-9)
    m.sensors["touch"] = dt.Accelerometer("ball", period=0.01)
    (error,) = dt.check(m).errors
    assert "cannot be sampled while contact floor is rigid" in str(error)
    m.sensors["touch"] = dt.Accelerometer("ball")
    m.add_controller("c", lambda x: x, ["touch.z"], {"u": 0.0}, period=0.01)
    with pytest.warns(dt.errors.SimulationWarning, match="cannot be sampled"):
        r = dt.simulate(m, 1.0)
    assert not r.ok
