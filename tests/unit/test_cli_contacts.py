"""The command line with rigid contacts: files of located impacts, analyses that refuse them."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli import app

BALL = """
duoti: 1
name: ball
bodies:
  b: {inertia: {sphere: {mass: 1.0, radius: 0.1}}, position: [0, 0, 0.5]}
joints:
  f: {type: free, between: [ground, b]}
contacts:
  floor: {type: rigid_contact, restitution: 0.5, between: [ground, b], shapes: [{plane: {}}, {sphere: {radius: 0.1}}]}
simulate: {duration: 0.5}
"""


@pytest.fixture
def called(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def call(text, *options):
        (tmp_path / "ball.yaml").write_text(text, encoding="utf-8")
        return CliRunner().invoke(app, ["run", "ball.yaml", "--no-picture", *options])

    return call


@pytest.mark.parametrize("options", [(), ("--solver", "moreau", "--step", "0.001")], ids=["located", "stepped"])
def test_a_run_goes_to_a_file(called, tmp_path, options):
    made = called(BALL, "--out", "ball.h5", *options)
    assert made.exit_code == 0, made.output
    kept = dt.open_result(tmp_path / "ball.h5")
    assert kept.ok
    assert kept["floor.gap"][0] == pytest.approx(0.4)


def test_an_analysis_that_knows_no_contacts_does_not_take_the_simulation_with_it(called):
    text = BALL + "analyses:\n  rest: {type: equilibrium}\n"
    made = called(text)
    assert made.exit_code == 1
    assert "end time reached" in made.output
    assert 'analysis "rest": dt.equilibrium knows no rigid contacts ("floor")' in made.output
    data = json.loads(called(text, "--json").output)
    assert data["ok"] is False
    assert 'analysis "rest"' in data["error"]


def test_natural_modes_know_no_contacts():
    m = dt.Model("beam on a stop", gravity=(0, 0, 0))
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
    beam = m.add_beam("b", dt.Beam(dt.Section.circle(radius=0.01), steel), start=(0, 0, 0), end=(1, 0, 0), elements=4)
    m.add_joint("clamp", dt.Fixed(), m.ground, beam.start)
    shapes = (dt.Shape.plane(), dt.Shape.sphere(0.01))
    m.add_contact("stop", dt.RigidContact(), m.ground, beam.end, shapes=shapes)
    with pytest.raises(NotImplementedError, match='knows no rigid contacts \\("stop"\\)'):
        dt.natural_modes(m)
