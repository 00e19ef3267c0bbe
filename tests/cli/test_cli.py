"""The `duoti` command: what it prints, what it writes, and its exit codes."""

import json
import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli import app
from duoti.examples import all_examples

runner = CliRunner()

PENDULUM = """\
duoti: 1
name: swing
parameters: {length: 1.0}
bodies:
  rod: {inertia: {rod: {mass: 1.0, length: =length, axis: z}}, position: [0, 0, =-length/2]}
joints:
  A: {type: revolute, axis: y, between: [ground, rod], at: [0, 0, 0], q0: 0.5}
simulate: {duration: 0.5}
"""


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture
def swing(tmp_path):
    path = tmp_path / "swing.yaml"
    path.write_text(PENDULUM)
    return path


def duoti(*arguments, code=0):
    result = runner.invoke(app, [str(a) for a in arguments])
    assert result.exit_code == code, result.output
    return result


def words(result):
    return " ".join(result.output.split())


# ------------------------------------------------------------------------------------------------------ the program


def test_version():
    assert duoti("--version").output.strip() == f"duoti {dt.__version__}"


def test_help_names_commands_and_exit_codes():
    text = duoti("--help").output
    for word in ("run", "check", "topology", "plot", "view", "convert", "new", "schema", "examples", "info"):
        assert f"\n  {word} " in text
    assert "Exit codes" in text
    assert "--install-completion" in text
    assert "duoti run double_pendulum" in text


def test_without_arguments_it_shows_its_help():
    assert "Usage" in runner.invoke(app, []).output


@pytest.mark.parametrize(
    "command", ["run", "check", "topology", "plot", "view", "convert", "new", "schema", "examples", "info"]
)
def test_help_of_every_command_has_an_example(command):
    text = duoti(command, "--help").output
    assert f"  duoti {command}" in text.split("\n\n", 1)[1]  # below the line "Usage"


def test_help_compiles_nothing():
    code = "import sys; sys.argv = ['duoti', '--help']; from duoti.cli import main; main()"
    told = {name: value for name, value in os.environ.items() if name != "DUOTI_QUIET"}  # else it compiles in silence
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=told)
    assert done.returncode == 0
    assert "Usage: duoti" in done.stdout
    assert "compiling" not in done.stderr


def test_help_imports_no_plots_no_files_no_terminal_pictures():
    code = (
        "import sys, io, contextlib; sys.argv = ['duoti', '--help']\n"
        "from duoti.cli import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit): main()\n"
        "print([m for m in ('matplotlib', 'h5py', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_completion_offers_files_examples_and_solvers(tmp_path, swing):
    from duoti.cli import options

    (tmp_path / "sub").mkdir()
    (tmp_path / "run.h5").touch()
    assert options.complete_model("") == ["sub/", "swing.yaml", *all_examples()]
    assert options.complete_model("s")[:2] == ["sub/", "swing.yaml"]
    assert options.complete_result("r") == ["run.h5"]
    assert options.complete_example("double") == ["double_pendulum"]
    assert options.complete_solver("rad") == ["radau"]
    assert options.complete_model("nowhere/x") == []


# -------------------------------------------------------------------------------------------------------------- run


def test_run_prints_a_summary_and_writes_a_picture(tmp_path):
    pytest.importorskip("matplotlib")
    result = duoti("run", "double_pendulum", "--duration", "0.5")
    assert "2 degrees of freedom" in result.output
    assert "end time reached" in result.output
    assert "A.angle" in result.output
    picture = tmp_path / "double_pendulum.png"
    assert picture.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


def test_double_pendulum_is_the_default_and_picture_is_obeyed(tmp_path):
    pytest.importorskip("matplotlib")
    duoti("run", "-d", "0.2", "--picture", "here.png")
    assert [p.name for p in tmp_path.iterdir()] == ["here.png"]


def test_without_picture(tmp_path):
    duoti("run", "heavy-top", "-d", "0.01", "--no-picture")
    assert not list(tmp_path.iterdir())


def test_without_matplotlib_it_says_how_to_get_it_and_succeeds(monkeypatch, swing):
    for name in [n for n in sys.modules if n.split(".")[0] == "matplotlib"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    result = duoti("run", "-d", "0.1")
    assert "end time reached" in result.output
    assert "duoti[plot]" in result.output
    asked = duoti("run", swing, "--plot", "A.angle", code=2)  # what was asked for is missing
    assert "duoti[plot]" in asked.output


def test_run_of_a_file_writes_nothing_that_was_not_asked_for(swing, tmp_path):
    result = duoti("run", swing)
    assert "swing: 1 body, 1 joint, 1 degree of freedom" in result.output
    assert [p.name for p in tmp_path.iterdir()] == ["swing.yaml"]


def test_parameters_are_set_with_units_and_expressions(swing):
    def least(*settings):
        data = json.loads(duoti("run", swing, "--json", *settings).output)
        return data["channels"]["A.angle"]["least"]

    default = least()
    assert least("--set", "length=1") == default
    assert least("--set", "length=500 mm") == least("-s", "length=0.5") == least("-s", "length=1/2") != default
    assert least("--set", "A.q0=0.3") != default
    assert "Did you mean 'A.q0'?" in duoti("run", swing, "--set", "A.qo=0.3", code=2).output


def test_run_as_json(swing):
    data = json.loads(duoti("run", swing, "--json", "-o", "run.h5").output)
    assert data["ok"]
    assert (data["model"], data["reason"], data["end_time"]) == ("swing", "end time reached", 0.5)
    assert data["outputs"] == 1001
    assert data["energy_residual"] < 1e-6
    assert data["channels"]["A.angle"]["start"] == 0.5
    assert data["files"] == {"result": "run.h5"}


def test_quiet_run_prints_nothing(swing):
    assert duoti("run", swing, "-q").output == ""


def test_verbose_run_checks_too(swing):
    assert 'model "swing" is all right' in duoti("run", swing, "-v").output


@pytest.mark.parametrize("name", ["run.h5", "run.csv", "run.parquet", "run.mat"])
def test_run_writes_results(swing, tmp_path, name):
    if name.endswith("parquet"):
        pytest.importorskip("pyarrow")
    duoti("run", swing, "--out", name, "--outputs", "0.1")
    assert (tmp_path / name).stat().st_size > 100
    if name.endswith("h5"):
        assert len(dt.open_result(tmp_path / name)) == 6


def test_solver_step_and_tolerances(swing):
    def solver(*options):
        return json.loads(duoti("run", swing, "--json", *options).output)["solver"]

    assert solver("--solver", "rk4", "--step", "0.01").startswith("RK4(step=0.01")
    assert "rtol=1e-05" in solver("--rtol", "1e-5")
    assert solver("--solver", "DOP853", "--atol", "1e-9").startswith("DOP853(")


def test_a_file_may_name_its_solver_outputs_and_plots(tmp_path, swing):
    pytest.importorskip("matplotlib")
    more = "simulate: {duration: 0.5, solver: {type: rk4, step: 0.01}}\n"
    more += "outputs: [A.angle]\nplots: [A.angle, [A.rate, A.angle]]\n"
    swing.write_text(PENDULUM.replace("simulate: {duration: 0.5}\n", more))
    result = duoti("run", swing, "-o", "run.csv")
    assert "RK4" in result.output
    assert (tmp_path / "run.csv").read_text().splitlines()[0] == "t [s],A.angle [rad]"
    assert (tmp_path / "swing_plot1.png").exists()
    assert (tmp_path / "swing_plot2.png").exists()
    duoti("run", swing, "--solver", "dopri5", "-d", "0.1", "-q")  # options win


def test_plots_on_request(swing, tmp_path):
    pytest.importorskip("matplotlib")
    duoti("run", swing, "--plot", "A.angle,A.rate", "-p", "energy", "--plot-file", "out.svg")
    assert "<svg" in (tmp_path / "out.svg").read_text()


def test_further_analyses_of_a_file_are_done(swing):
    swing.write_text(PENDULUM + "compare_solvers: {duration: 0.1, solvers: [dopri5, rkf45]}\n")
    result = duoti("run", swing)
    assert "end time reached" in result.output
    assert "compare_solvers" in result.output
    assert "RKF45" in result.output.upper()


def test_resume_goes_on_where_a_run_was_left(swing, tmp_path):
    duoti("run", swing, "-o", "run.h5", "--resume", "-q")  # nothing there yet: it starts
    longer = json.loads(duoti("run", swing, "-o", "run.h5", "--resume", "-d", "1.0", "--json").output)
    assert longer["end_time"] == 1.0
    whole = json.loads(duoti("run", swing, "-d", "1.0", "--json").output)
    assert abs(longer["channels"]["A.angle"]["end"] - whole["channels"]["A.angle"]["end"]) < 1e-7
    other = swing.with_name("other.yaml")
    other.write_text(PENDULUM.replace("mass: 1.0", "mass: 2.0"))
    refused = duoti("run", other, "-o", "run.h5", "--resume", "-d", "2.0", code=1)
    assert "not that of the file" in refused.output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "duble_pendulum"], "Did you mean 'double_pendulum'"),
        (["run", "swnig.yaml"], "there is no file swnig.yaml. Did you mean 'swing.yaml'"),
        (["run", "nowhere/x.yaml"], "there is no file nowhere/x.yaml"),
        (["run", "."], "is a folder"),
        (["run", "program.py"], "python program.py"),
        (["run", "--duration", "-1"], "not a positive time"),
        (["run", "--duration", "nan"], "not a positive time"),
        (["run", "--rtol", "0"], "not a positive number"),
        (["run", "--out", "no/such/folder/x.h5"], "no folder"),
        (["run", "--out", "x.png"], "--picture"),
        (["run", "--out", "."], "must end in"),
        (["run", "--picture", "x.png", "--no-picture"], "exclude each other"),
        (["run", "--colour"], "No such option"),
        (["run", "--solver", "radao"], "Did you mean 'radau' or 'rodas'?"),
        (["run", "--solver", "rk4"], "'step' is missing"),
        (["run", "--step", "0.1"], "--solver rk4"),
        (["run", "--solver", "rk4", "--step", "0.1", "--rtol", "1e-3", "--no-picture"], "rtol would have no effect"),
        (["run", "--plot", "A.angel"], "there is no quantity"),
        (["run", "--plot-file", "x.png"], "nothing to plot"),
        (["run", "--plot", "A.angle", "--plot-file", "x.abc", "--no-picture"], "x.abc: the name must end in"),
        (["run", "--picture", "x.yaml"], "x.yaml: the name must end in"),
        (["run", "plots.yaml"], "does not say how long"),
        (["run", "--resume"], "--out"),
        (["run", "swing.yaml", "--set", "length"], "NAME=VALUE"),
        (["run", "swing.yaml", "--set", "lenght=1"], "Did you mean 'length'?"),
        (["run", "swing.yaml", "--set", "length=1", "--set", "length=2"], "twice"),
        (["run", "swing.yaml", "--set", "length=1 kk"], "length=1 kk"),
        (["run", "swing.yaml", "--set", "length=1/0"], "length=1/0"),
        (["run", "swing.yaml", "--set", "length=2*x"], "x is not known here"),
        (["run", "swing.yaml", "--set", "length=import os"], "length=import os"),
        (["jump"], "No such command"),
        (["check"], "Usage"),
        (["check", "nothing.yaml"], "there is no file"),
        (["topology", "swing.yaml", "--cut", "none"], "none"),
        (["plot", "nothing.h5"], "there is no file"),
        (["info", "."], "is a folder"),
        (["convert", "swing.yaml", "x.csv"], "a model becomes"),
        (["convert", "swing.yaml", "swing.yaml"], "--force"),
        (["convert", "swing.yaml", "no/x.yaml"], "no folder"),
        (["convert", "swing.yaml", "x.yaml", "-c", "A.angle"], "no channels"),
        (["new"], "Usage"),
        (["new", "x", "-t", "mecanism"], "Did you mean 'mechanism'?"),
        (["new", "a/b"], "no folder"),
        (["new", "swing"], "exists"),
        (["new", "sw;ing"], "no good name"),
        (["examples", "copy", "stuart"], "Did you mean 'stewart'"),
        (["view", "nothing.h5"], "there is no file"),
        (["view", "run.h5", "--model"], "is a result"),
    ],
    ids=lambda x: " ".join(x) if isinstance(x, list) else "",
)
def test_wrong_usage_exits_with_2(arguments, says, swing, tmp_path):
    (tmp_path / "program.py").touch()
    (tmp_path / "plots.yaml").write_text(PENDULUM.replace("simulate: {duration: 0.5}", "plots: [A.angle]"))
    (tmp_path / "free.yaml").write_text(PENDULUM.replace("simulate: {duration: 0.5}\n", ""))
    before = sorted(tmp_path.iterdir())
    result = runner.invoke(app, arguments)
    assert result.exit_code == 2, result.output
    assert says in words(result)
    assert "Traceback" not in result.output
    assert sorted(tmp_path.iterdir()) == before


def test_a_model_file_cannot_choose_what_is_written(swing, tmp_path):
    swing.write_text(PENDULUM.replace("{duration: 0.5}", "{duration: 0.5, out: written.h5}"))
    assert "unknown key 'out'" in duoti("run", swing, code=1).output
    assert not (tmp_path / "written.h5").exists()


@pytest.mark.parametrize("options", [["-d", "0.1"], ["--model"], []])
def test_view_writes_a_page_of_the_motion_or_of_the_model(options, swing, tmp_path):
    swing.write_text(PENDULUM.replace("simulate: {duration: 0.5}\n", ""))
    duoti("view", swing, "--html", tmp_path / "page.html", *options)
    assert "swing" in (tmp_path / "page.html").read_text()


def test_a_file_without_a_duration_is_told_what_to_do(swing):
    swing.write_text(PENDULUM.replace("simulate: {duration: 0.5}\n", ""))
    assert 'write "simulate: {duration: 2.0}" into it' in words(duoti("run", swing, code=2))
    duoti("run", swing, "-d", "0.1")


WRONG = (
    PENDULUM.replace("mass: 1.0", "mas: 1.0").replace("ground, rod]", "ground, rood]").replace("=length,", "=lenght,")
)


@pytest.mark.parametrize("command", ["run", "check", "topology", "view"])
def test_wrong_model_exits_with_1_and_names_all_faults_with_lines(command, swing):
    swing.write_text(WRONG)
    result = duoti(command, "swing.yaml", code=1)
    assert "swing.yaml:5" in result.output
    assert "Did you mean 'mass'?" in result.output
    assert "length" in result.output


def test_wrong_model_as_json(swing):
    swing.write_text(WRONG)
    for command in ("check", "run", "topology"):
        data = json.loads(duoti(command, "swing.yaml", "--json", code=1).output)
        assert not data["ok"]
        assert data["errors"] == len(data["findings"]) >= 2
        assert {(f["file"], f["line"]) for f in data["findings"]} >= {("swing.yaml", 5)}


@pytest.mark.parametrize("text", ["", "\0\1\2", "[1, 2", "duoti: 2\n", "a: " * 3000, "*x", "\xff"])
def test_rubbish_exits_with_1_and_a_message(text, tmp_path):
    (tmp_path / "x.yaml").write_bytes(text.encode("latin-1"))
    result = duoti("check", "x.yaml", code=1)
    assert "x.yaml" in result.output
    assert "Traceback" not in result.output


def test_failed_run_exits_with_3_and_keeps_its_results(swing, tmp_path):
    boom = 'forces:\n  boom: {type: joint_torque, joint: A, value: "1/(0.2 - t)^2"}\n'
    swing.write_text(PENDULUM + boom)
    result = duoti("run", swing, "-o", "run.h5", code=3)
    assert "FAILED" in result.output
    assert 'at joint "' in result.output
    assert dt.open_result(tmp_path / "run.h5").status == "failed"
    assert not json.loads(duoti("run", swing, "--json", code=3).output)["ok"]


def test_an_error_in_duoti_itself_is_short_unless_verbose(swing, monkeypatch):
    def broken(model):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("duoti.analyses.check.check", broken)
    short = duoti("check", swing, code=70)
    assert "ZeroDivisionError: oh" in short.output
    assert "--verbose" in short.output
    assert "Traceback" not in short.output
    assert "Traceback" in duoti("check", swing, "--verbose", code=70).output
    assert "ZeroDivisionError" in json.loads(duoti("check", swing, "--json", code=70).output)["error"]


def test_ctrl_c_outside_a_simulation_exits_with_130(swing, monkeypatch):
    def interrupted(model):
        raise KeyboardInterrupt

    monkeypatch.setattr("duoti.analyses.check.check", interrupted)
    assert "interrupted" in duoti("check", swing, code=130).output


def test_a_ball_joint_and_a_free_body_show_something():
    """Neither has a coordinate that is one number: the summary tells what their bodies do."""
    from duoti.cli.summary import table
    from duoti.examples import heavy_top, rolling_coin

    for example, row in ((heavy_top, "top.angular_velocity z"), (rolling_coin, "coin.position x")):
        assert row in table(dt.simulate(example.build(), 0.01))


def test_a_figure_shows_itself_in_a_notebook():
    pytest.importorskip("matplotlib")
    from duoti.examples import pendulum

    figure = dt.simulate(pendulum.build(), 0.1).plot()
    assert figure._repr_png_().startswith(b"\x89PNG")
