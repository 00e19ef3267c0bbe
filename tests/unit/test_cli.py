"""The `duoti` command: what it prints, what it writes, and its exit codes."""

import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli import app
from duoti.examples import all_examples

runner = CliRunner()


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_version():
    result = runner.invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.output.strip() == f"duoti {dt.__version__}"


def test_help_names_commands_and_exit_codes():
    result = runner.invoke(app, ["--help"])
    assert result.exit_code == 0
    for text in ("examples", "run", "Exit codes", "--version"):
        assert text in result.output


def test_without_arguments_it_shows_its_help():
    assert "Usage" in runner.invoke(app, []).output


def test_examples_are_listed_with_descriptions():
    result = runner.invoke(app, ["examples"])
    assert result.exit_code == 0
    for name, example in all_examples().items():
        assert f"{name} " in result.output
        assert example.description in result.output


def test_run_prints_a_summary_and_writes_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    result = runner.invoke(app, ["run", "double_pendulum", "--duration", "0.5"])
    assert result.exit_code == 0, result.output
    assert "2 degrees of freedom" in result.output
    assert "end time reached" in result.output
    picture = tmp_path / "double_pendulum.png"
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_double_pendulum_is_the_default_and_out_is_obeyed(tmp_path):
    pytest.importorskip("matplotlib")
    result = runner.invoke(app, ["run", "-d", "0.2", "--out", "here.png"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "here.png").exists()


def test_without_picture(tmp_path):
    result = runner.invoke(app, ["run", "heavy-top", "-d", "0.01", "--no-picture"])
    assert result.exit_code == 0, result.output
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_it_says_how_to_get_it_and_succeeds(monkeypatch):
    for name in [n for n in sys.modules if n.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = runner.invoke(app, ["run", "-d", "0.1"])
    assert result.exit_code == 0
    assert "end time reached" in result.output
    assert "duoti[plot]" in result.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "duble_pendulum"], "Did you mean 'double_pendulum'?"),
        (["run", "--duration", "-1"], "not a positive time"),
        (["run", "--out", "no/such/folder/x.png"], "no folder"),
        (["run", "--colour"], "No such option"),
        (["jump"], "No such command"),
    ],
)
def test_wrong_usage_exits_with_2(arguments, says):
    result = runner.invoke(app, arguments)
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())


def _example(monkeypatch, change):
    """Let `duoti run double_pendulum` build a changed model."""
    from dataclasses import replace

    from duoti import examples

    found = dict(all_examples())
    original = found["double_pendulum"]

    def build():
        model = original.build()
        change(model)
        return model

    found["double_pendulum"] = replace(original, build=build)
    monkeypatch.setattr(examples, "all_examples", lambda: found)


def test_wrong_model_exits_with_1_and_names_the_fault(monkeypatch):
    _example(monkeypatch, lambda m: m.add_body("stray", None))
    result = runner.invoke(app, ["run"])
    assert result.exit_code == 1
    assert 'body "stray" has no inertia' in result.output


def test_failed_run_exits_with_3_and_keeps_its_results(monkeypatch, tmp_path):
    pytest.importorskip("matplotlib")
    _example(monkeypatch, lambda m: m.add_force("boom", dt.JointTorque("A", "1/(0.2 - t)^2")))
    result = runner.invoke(app, ["run", "-d", "1"])
    assert result.exit_code == 3, result.output
    assert "FAILED" in result.output
    assert 'at joint "' in result.output
    assert (tmp_path / "double_pendulum.png").exists()


def test_the_installed_command_starts_fast():
    code = "import sys; sys.argv = ['duoti', '--help']; from duoti.cli import main; main()"
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    took = time.perf_counter() - began
    assert done.returncode == 0
    assert "Usage: duoti" in done.stdout
    assert "compiling" not in done.stderr
    assert took < 5.0  # 0.6 s on an idle machine; the bound only catches compilation at import
