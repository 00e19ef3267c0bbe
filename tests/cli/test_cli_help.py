"""The commands that the help of the command line shows work as they stand there."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli.app import app
from duoti.cli.commands import COMMANDS
from duoti.examples import find_example

WITHOUT = ("view",)  # opens a browser


STUDY = """
study:
  duration: 0.05 s
  samples: 3
  parameters: {gravity.z: {uniform: [-10, -9]}}
  measures: {peak: max(abs(bob.position.z))}
"""


def lines_of(command: str) -> list[str]:
    text = CliRunner().invoke(app, [command, "--help"], terminal_width=200).output
    return [line.strip() for line in re.findall(r"^ *(duoti \w.*)$", text, re.MULTILINE)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the help speaks of: a model, a robot, a result."""
    where = tmp_path_factory.mktemp("help")
    example = find_example("slider_crank")
    for each in example.files:
        (where / each).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(example.file.parent / each, where / each)
    shutil.copytree(find_example("urdf_arm").file.parent / "robots" / "arm6", where / "arm6")
    shutil.copytree(where / "arm6", where, dirs_exist_ok=True)
    (where / "arm6.urdf").rename(where / "robot.urdf")
    pendulum = find_example("pendulum").file.read_text(encoding="utf-8").partition("simulate:")[0]
    (where / "model.yaml").write_text(pendulum + STUDY, encoding="utf-8")
    model = dt.load(where / "slider_crank.yaml")
    for name in ("run.h5", "stiff.h5", "soft.h5"):
        dt.simulate(model, 0.2, out=where / name)
    return where


@pytest.mark.sample(2)
@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in WITHOUT])
def test_lines_of_the_help_work(command, folder, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(folder)
    lines = lines_of(command)
    assert lines or command in ("compile", "schema"), f"no line to try in the help of {command}"
    for line in lines:
        words = shlex.split(line.partition(" > ")[0])[1:]
        if words[0] in WITHOUT or words[:2] == ["compile", "--all"]:
            continue
        if "--duration" in words:
            words[words.index("--duration") + 1] = "0.3"  # seconds of a test
        if words[0] == "convert":
            Path(words[2]).unlink(missing_ok=True)
        said = CliRunner().invoke(app, words)
        assert said.exit_code == 0, f"{line}\n{said.output}"
