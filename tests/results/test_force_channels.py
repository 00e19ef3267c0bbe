"""Channels of forces, constraints and energies: against formulas, and the balance of powers."""

from __future__ import annotations

import csv

import numpy as np
import pytest

import duoti as dt
from duoti.model.errors import ChannelError

STIFF, DAMP, REST = 80.0, 3.0, 0.4


def swing() -> dt.Model:
    m = dt.Model("swing")
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_body("disc", dt.Inertia.sphere(1.0, radius=0.1), position=(1.0, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=0.3)
    m.add_joint("B", dt.Revolute("y"), "rod", "disc", at=(1, 0, 0), v0=5.0)
    m.add_joint("W", dt.Fixed(), "rod", m.add_body("tag", dt.Inertia.point(0.1), position=(0.2, 0, 0.1)))
    m.add_marker("hook", m.ground, (0.3, 0.2, 0.5))
    m.add_marker("eye", "rod", (0.2, 0, 0))
    m.add_force("spring", dt.SpringDamper("hook", "eye", STIFF, DAMP, REST))
    m.add_force("back", dt.SpringDamper("eye", "hook", STIFF))
    m.add_force("inner", dt.SpringDamper("eye", "tag", 10.0))
    m.add_force("motor", dt.JointMotor("B", stall_torque=2.0, no_load_speed=30.0, command="sin(3*t)"))
    m.add_force("drag", dt.JointDamping("A", 0.7))
    m.add_force("wind", dt.AppliedForce("eye", ["2*t", 0, 1.0], frame="marker"))
    m.add_force("bush", dt.Bushing("hook", "eye", stiffness=(5, 6, 7, 1, 2, 3)))
    return m


@pytest.fixture(scope="module")
def run():
    return dt.simulate(swing(), duration=1.0, outputs=0.02, solver=dt.DOPRI5(rtol=1e-9))


def test_line_elements(run) -> None:
    d = run["eye.position"] - run["hook.position"]
    length = np.linalg.norm(d, axis=1)
    np.testing.assert_allclose(run["spring.length"], length, rtol=1e-14)
    speed = np.sum(d * run["eye.velocity"], axis=1) / length
    np.testing.assert_allclose(run["spring.speed"], speed, atol=1e-12)
    np.testing.assert_allclose(run["spring.tension"], STIFF * (length - REST) + DAMP * speed, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(run["back.tension"], STIFF * length, rtol=1e-11)
    assert (run.unit("spring.tension"), run.unit("spring.length"), run.unit("spring.speed")) == ("N", "m", "m/s")


def test_between_welded_bodies(run) -> None:
    np.testing.assert_allclose(run["inner.tension"], 10.0 * np.hypot(0.5, 0.1), rtol=1e-11)  # eye at 0.7, tag at 0.2


def test_joint_elements(run) -> None:
    np.testing.assert_allclose(run["motor.torque"], 2.0 * (np.sin(3 * run.t) - run["B.rate"] / 30.0), atol=1e-12)
    np.testing.assert_allclose(run["motor.torque"] * run["B.rate"], run["motor.power"], atol=1e-11)
    np.testing.assert_allclose(run["drag.torque"], -0.7 * run["A.rate"], atol=1e-12)
    assert run.unit("motor.torque") == "N m"


def test_vectors(run) -> None:
    R = dt.Rotation.from_quaternion
    expected = [R(p).matrix @ (2 * t, 0.0, 1.0) for p, t in zip(run["rod.rotation"], run.t, strict=True)]
    np.testing.assert_allclose(run["wind.force"], expected, atol=1e-12)
    np.testing.assert_allclose(run["wind.force.z"], np.array(expected)[:, 2], atol=1e-12)
    d = run["eye.position"] - run["hook.position"]
    np.testing.assert_allclose(run["bush.force"], -d * (5, 6, 7), atol=1e-11)
    angle = run["A.angle"]
    np.testing.assert_allclose(run["bush.torque"][:, 1], -2.0 * angle, atol=1e-11)


def test_energies(run) -> None:
    np.testing.assert_array_equal(run["energy.kinetic"], run.energy.kinetic)
    np.testing.assert_array_equal(run["energy.residual"], run.energy.residual)
    assert run.unit("energy.total") == "J"
    assert "energy.supplied" in run.channels


def test_drives() -> None:
    """What a prescribed motion needs, by hand: inertia, weight and damper; its power is the rate of work supplied."""
    m = dt.Model("driven")
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_force("drag", dt.JointDamping("A", 0.7))
    m.add_constraint("drive", dt.JointMotion("A", "0.5*sin(4*t)"))
    r = dt.simulate(m, duration=1.0, outputs=0.01, solver=dt.DOPRI5(rtol=1e-9))
    angle, rate, acceleration = 0.5 * np.sin(4 * r.t), 2.0 * np.cos(4 * r.t), -8.0 * np.sin(4 * r.t)
    torque = 2.0 / 3.0 * acceleration + 0.7 * rate - 2.0 * 9.81 * 0.5 * np.cos(angle)
    np.testing.assert_allclose(r["drive.torque"], torque, atol=1e-6)
    np.testing.assert_allclose(r["drive.multipliers"], torque, atol=1e-6)
    np.testing.assert_allclose(r["drive.power"], torque * rate, atol=1e-5)
    work = np.concatenate([[0], np.cumsum(0.5 * (r["drive.power"][1:] + r["drive.power"][:-1]) * np.diff(r.t))])
    np.testing.assert_allclose(r["energy.supplied"], work, atol=5e-3)  # the trapezoidal rule's error
    assert r.unit("drive.torque") == r.unit("drive.multipliers") == "N m"


def test_constraints_between_markers() -> None:
    """A mass on a massless rod: the reaction is the force that keeps it on its circle."""
    m = dt.Model("bob")
    m.add_body("bob", dt.Inertia.point(1.5), position=(1, 0, 0))
    m.add_joint("P", dt.Planar("y"), m.ground, "bob", at=(1, 0, 0))
    m.add_constraint("rod", dt.Distance(m.ground, "bob", length=1.0))
    m.bodies["bob"].inertia = dt.Inertia.sphere(1.5, 0.01)
    r = dt.simulate(m, duration=1.0, outputs=0.05, solver=dt.DOPRI5(rtol=1e-9))
    needed = 1.5 * (r["bob.acceleration"] + (0, 0, 9.81))
    np.testing.assert_allclose(r["rod.reaction_force"], needed, atol=1e-8)
    np.testing.assert_allclose(r["rod.power"], 0.0)


def test_patterns_tables_and_files(run, tmp_path) -> None:
    run.to_csv(tmp_path / "run.csv", ["spring.*", "energy.*", "wind.force"])
    with (tmp_path / "run.csv").open() as file:
        rows = list(csv.reader(file))
    assert "spring.tension [N]" in rows[0]
    assert "energy.residual [J]" in rows[0]
    assert "wind.force.x [N]" in rows[0]
    _, y = dt.formats.read_table(tmp_path / "run.csv", columns=("t", "spring.tension"))  # and back as a table
    np.testing.assert_array_equal(y, run["spring.tension"])
    run.save(tmp_path / "run.h5")
    again = dt.open_result(tmp_path / "run.h5")
    np.testing.assert_array_equal(again["spring.tension"], run["spring.tension"])
    assert run.plot("*.tension", "energy.t*").axes
    with pytest.raises(ChannelError, match="no channel is of the form"):
        run.to_csv(tmp_path / "none.csv", ["spring.*x"])


def test_command_line(run, tmp_path) -> None:
    from typer.testing import CliRunner

    from duoti.cli.app import app

    run.save(tmp_path / "run.h5")
    told = CliRunner().invoke(app, ["info", str(tmp_path / "run.h5"), "--channels"])
    assert "spring.tension" in told.output
    made = CliRunner().invoke(
        app, ["convert", str(tmp_path / "run.h5"), str(tmp_path / "run.csv"), "-c", "motor.torque,energy.*"]
    )
    assert made.exit_code == 0, made.output
    assert (tmp_path / "run.csv").read_text().startswith("t [s],motor.torque [N m],energy.kinetic [J]")
    plotted = CliRunner().invoke(app, ["plot", str(tmp_path / "run.h5"), "spring.*", "-o", str(tmp_path / "run.png")])
    assert plotted.exit_code == 0, plotted.output


def test_names_give_way(run) -> None:
    m = swing()
    m.add_state("motor.power", "0*t", 1.0)
    m.add_body("energy", dt.Inertia.point(1.0), position=(0, 0, 0))
    m.add_joint("E", dt.Prismatic("x"), m.ground, "energy")
    r = dt.simulate(m, duration=0.1)
    np.testing.assert_allclose(r["motor.power"], 1.0)
    assert r["force:motor.power"][-1] != 1.0
    assert r["energy.kinetic"].shape == r.t.shape
    assert r["energy.position"].shape == (len(r.t), 3)


def test_both_ends_on_one_body() -> None:
    m = swing()
    m.add_force("idle", dt.SpringDamper("eye", "rod", 10.0))
    r = dt.simulate(m, duration=0.05)
    with pytest.raises(ChannelError, match="two points of body"):
        r["idle.tension"]


@pytest.mark.parametrize(
    "drive",
    [
        dt.JointMotion("A", velocity="cos(t)"),
        dt.Equation("2*A.rate - 2*cos(t)"),
        dt.Equation("A.angle - sin(t)"),
        dt.JointMotion("A", velocity="sqrt(1 - A.angle^2)"),
        dt.Equation("A.rate - wheel.axis_x.x - cos(t) + cos(A.angle)"),
    ],
    ids=lambda drive: f"{type(drive).__name__}",
)
def test_power_of_equations(drive) -> None:
    """A wheel that follows sin(t) takes J w' w, whatever the equation is written like; it was told as 0."""
    m = dt.Model("driven", gravity=(0, 0, 0))
    m.add_body("wheel", dt.Inertia(1.0, matrix=(0.3, 0.3, 0.5)))
    m.add_joint("A", dt.Revolute("z"), m.ground, "wheel", v0=1.0)
    m.add_constraint("drive", drive)
    r = dt.simulate(m, duration=1.0, outputs=0.1, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(r["drive.power"], -0.5 * np.sin(r.t) * np.cos(r.t), atol=1e-8)
