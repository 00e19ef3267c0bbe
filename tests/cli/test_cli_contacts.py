"""The command line with rigid contacts: files of event-driven impacts, analyses that refuse them."""

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


@pytest.mark.parametrize(
    "options", [(), ("--solver", "moreau", "--step", "0.001")], ids=["event-driven", "time-stepping"]
)
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


def test_impacts_are_summed_up_and_plots_of_whole_runs_drawn(called, tmp_path):
    """It falls by 0.4 m: the first impact takes 3/4 of m g h (restitution 0.5)."""
    pytest.importorskip("matplotlib")
    text = BALL.replace("[{plane: {}}, ", "[plane, ") + 'plots: [energy, reactions, "floor.*_force"]\n'
    made = called(text.replace("duration: 0.5", "duration: 0.4"))
    assert made.exit_code == 0, made.output
    assert f"impacts  1, at 0.285569 s; {0.75 * 9.81 * 0.4:.5g} J lost" in made.output  # sqrt(2 0.4/9.81) s
    assert "angular_velocity" not in made.output, "what does not move is left out"
    assert all((tmp_path / f"ball_plot{k}.png").exists() for k in (1, 2, 3))
    data = json.loads(called(text, "--json").output)
    assert [each["contact"] for each in data["impacts"]] == ["floor"]
    assert "impacts  none" in called(BALL.replace("0.5}", "0.1}").replace("[0, 0, 0.1]", "[0, 0, 0.5]")).output


def test_a_step_that_is_missing_is_asked_for(called):
    said = " ".join(called(BALL, "--solver", "moreau").output.split())
    assert "give it with --step" in said


def test_types_and_shapes_of_contacts_are_explained(tmp_path):
    text = (
        BALL.replace("type: rigid_contact", "type: rigid").replace("{plane: {}}", "box").replace("[ground, b]", "all")
    )
    (tmp_path / "m.yaml").write_text(text)
    with pytest.raises(dt.errors.ModelFileError) as caught:
        dt.load(tmp_path / "m.yaml")
    said = str(caught.value)
    for part in ("Did you mean 'rigid_contact'?", "'size' is missing: box needs", "[ground, ball], or [all, all]"):
        assert part in said, said
