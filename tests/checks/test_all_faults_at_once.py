"""A file with faults in several places, tasks included; words of the command line."""

import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli.app import app

FILE = """\
duoti: 1
bodies:
  rod: {{inertia: {{rod: {{mass: 1, length: 1, axis: x}}}}{body}}}
joints:
  A: {{type: revolute, axis: y, between: [ground, rod]{joint}}}
{more}
"""


def write(tmp_path, more="", body="", joint=""):
    path = tmp_path / "model.yaml"
    path.write_text(FILE.format(more=more, body=body, joint=joint))
    return path


def test_faults_of_elements_and_tasks_together(tmp_path):
    path = write(tmp_path, "simulate: {duraton: 0.5, solver: radua}", ", positon: [0, 0, 0]", ", q00: 1")
    with pytest.raises(dt.errors.ModelFileError) as caught:
        dt.load(path)
    said = str(caught.value)
    for part in ("'positon' of a body", "'q00' of revolute", "'duraton' of simulate", "no solver 'radua'"):
        assert part in said
    assert {f.place.line for f in caught.value.report.errors} == {3, 5, 6}
    assert "'duration' is missing" in said


def test_channels_of_faulty_elements_are_no_further_faults(tmp_path):
    path = write(tmp_path, "simulate: {duration: 0.5}\nplots: [A.angle]", joint=", q00: 1")
    with pytest.raises(dt.errors.ModelFileError) as caught:
        dt.load(path)
    assert len(caught.value.report.errors) == 1


@pytest.mark.parametrize("command", [["run"], ["check"]])
def test_a_misspelt_duration_is_named(command, tmp_path):
    said = CliRunner().invoke(app, [*command, str(write(tmp_path, "simulate: {duraton: 0.5}"))])
    assert said.exit_code == 1
    assert "unknown key 'duraton' of simulate. Did you mean 'duration'?" in said.output
    assert "model.yaml:6" in said.output


def test_a_model_without_a_duration_is_told_so(tmp_path):
    said = CliRunner().invoke(app, ["run", str(write(tmp_path, "simulate: {outputs: 0.5}"))])
    assert "does not say how long" in said.output


@pytest.mark.parametrize(
    ("kind", "said", "unsaid"),
    [
        ("friction", "Dry friction in a joint is joint_friction", "attraction"),
        ("contact", "Contacts stand in a section of their own", "Did you mean"),
        ("spring_dampr", "Did you mean 'spring_damper'?", "There are"),
        ("zzz", "There are: ", "yet"),
    ],
)
def test_types_that_are_not_there(kind, said, unsaid, tmp_path):
    path = write(tmp_path, f"forces:\n  f: {{type: {kind}, joint: A}}")
    with pytest.raises(dt.errors.ModelFileError) as caught:
        dt.load(path)
    (fault,) = caught.value.report.errors
    assert said in fault.what
    assert unsaid not in fault.what.partition("There are")[0] or unsaid == "There are"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--duration", "abc"], "'abc' is not a time in seconds, such as 2.5 or 500ms"),
        (["--duration", "3 kg"], "is a mass [kg], but a time [s] is needed"),
        (["--rtol", "small"], "'small' is not a number, such as 1e-6"),
        (["--duration", "-1"], "-1.0 is not a positive time in seconds"),
    ],
)
def test_numbers_of_the_command_line(words, said):
    result = CliRunner().invoke(app, ["run", "pendulum", *words], env={"COLUMNS": "200"})
    assert result.exit_code == 2
    assert said in " ".join(result.output.split())


def test_times_of_the_command_line_have_units(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["run", "pendulum", "-d", "200ms", "--outputs", "10 ms", "--no-picture", "--json"])
    assert result.exit_code == 0, result.output
    assert '"end_time": 0.2' in result.stdout
    assert '"outputs": 21' in result.stdout
