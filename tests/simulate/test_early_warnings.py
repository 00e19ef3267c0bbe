"""What a user must know before a long run is over: laws that chatter, outputs that fill the disk."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli import app
from duoti.formats import from_text

FILE = """\
duoti: 1
bodies:
  b: {inertia: {rod: {mass: 1, length: 1, axis: x}}, position: [0.5, 0, 0]}
joints:
  A: {type: revolute, axis: y, between: [ground, b], at: [0, 0, 0]}
forces:
  brake: {type: joint_torque, joint: A, value: -5*sign(A.rate)}
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "brake.yaml"
    path.write_text(FILE)
    return path


def test_the_command_names_a_law_that_chatters_while_it_runs(file, monkeypatch):
    """The summary comes after millions of steps."""
    monkeypatch.setattr("duoti.analyses.simulate.trust.chatter.FIRST_LOOK", 1000)
    monkeypatch.setattr("duoti.analyses.simulate.driver.SECONDS_PER_CALL", 1e-4)  # looks around often
    done = CliRunner().invoke(app, ["run", str(file), "--duration", "2e-5", "--no-picture"])
    assert '! brake: force "brake" chatters' in done.stderr
    assert "dt.JointFriction" in done.stderr


def test_many_outputs_are_said_and_too_many_refused(file, monkeypatch, tmp_path):
    free = from_text(FILE.split("forces:")[0])
    monkeypatch.setattr("duoti.analyses.simulate.outputs.LARGE", 1e5)
    with pytest.warns(
        dt.errors.SimulationWarning, match=r"outputs: 10001 outputs of 5 numbers take 400 kB in .*longer step"
    ):
        dt.simulate(free, 1.0, outputs=1e-4, out=tmp_path / "r.h5")
    with pytest.raises(ValueError, match=r"100000000001 outputs of 5 numbers take 4 TB.* would do"):
        dt.simulate(free, 100.0, outputs=1e-9)
    file.write_text(FILE.split("forces:")[0])
    done = CliRunner().invoke(app, ["run", str(file), "-d", "1", "--outputs", "1e-4", "--out", str(tmp_path / "s.h5")])
    assert "! outputs: 10001 outputs of 5 numbers take 400 kB" in done.stderr
