"""Commands about models and results: check, topology, plot, info, convert, new, examples, view."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli import app
from duoti.cli.new import templates
from duoti.examples import all_examples, find_example
from duoti.kernel import CHECK
from duoti.model.errors import AnalysisError

runner = CliRunner()


@pytest.fixture(autouse=True)
def _in_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")


def duoti(*arguments, code=0):
    result = runner.invoke(app, [str(a) for a in arguments])
    assert result.exit_code == code, result.output
    return result


@pytest.fixture
def run_file(tmp_path):
    path = tmp_path / "run.h5"
    dt.simulate(dt.load(find_example("pendulum").file), 2.0, outputs=0.1, out=path)
    return path


# ------------------------------------------------------------------------------------------------ check and topology


def test_check_of_an_example_with_a_warning():
    text = duoti("check", "four_bar").output
    assert "3 redundant closure equations" in text
    assert 'make "C" cylindrical and "D" spherical' in text
    assert duoti("check", "four_bar", "-q").output == ""
    data = json.loads(duoti("check", "four_bar", "--json").output)
    assert data["ok"]
    assert (data["errors"], data["warnings"]) == (0, 1)
    finding = data["findings"][0]
    assert (finding["severity"], finding["code"]) == ("warning", "redundant")
    assert finding["file"].endswith("four_bar.yaml")
    assert finding["line"] > 1


def test_topology_as_text_json_and_drawing(tmp_path):
    text = duoti("topology", "slider_crank", "--svg", "s.svg", "--matrices").output
    assert "cut joints" in text
    assert "incidence" in text
    assert "</svg>" in (tmp_path / "s.svg").read_text()
    data = json.loads(duoti("topology", "slider_crank", "--json").output)
    system = dt.compile(dt.load(find_example("slider_crank").file))
    assert data["cut_joints"] == [name for name, place in system.joints.items() if place.closure >= 0]
    assert data["labels"]["ground"] == 0
    assert data["loops"][0]["cut"] in data["why_cut"]
    every = json.loads(duoti("topology", "slider_crank", "--json", "--cut", "absolute").output)
    assert len(every["cut_joints"]) == 4


# ------------------------------------------------------------------------------------------------- results


def test_plot(run_file, tmp_path):
    pytest.importorskip("matplotlib")
    assert "run.png" in duoti("plot", "run.h5").output
    assert (tmp_path / "run.png").read_bytes()[:4] == b"\x89PNG"
    assert duoti("plot", "run.h5", "hinge.angle", "bob.position,energy", "-o", "x.svg", "-q").output == ""
    assert "<svg" in (tmp_path / "x.svg").read_text()
    wrong = duoti("plot", "run.h5", "hinge.angel", "energy", code=2)
    assert "Did you mean 'hinge.angle'" in wrong.output
    assert "must end in" in duoti("plot", "run.h5", "-o", "x.abc", code=2).output


def test_info(run_file):
    text = duoti("info", "run.h5").output
    for word in (
        "pendulum",
        "finished: end time reached",
        "0 to 2 s, 21 outputs",
        "DOPRI5",
        "lowest at",
        dt.__version__,
    ):
        assert word in text
    assert "hinge.angle" in duoti("info", "run.h5", "--channels").output
    data = json.loads(duoti("info", "run.h5", "--json").output)
    assert (data["status"], data["outputs"], data["end_time"]) == ("finished", 21, 2.0)
    assert ["hinge.angle", "rad"] in data["channels"]
    assert [event["name"] for event in data["events"]] == ["lowest", "lowest"]
    (run_file.parent / "model.yaml").write_text(duoti("info", "run.h5", "--model").output)
    assert dt.load("model.yaml").name == "pendulum"


@pytest.mark.parametrize("command", ["info", "plot"])
def test_a_file_that_is_no_result_is_said_so(command, tmp_path):
    (tmp_path / "x.h5").write_text("hello")
    assert "no result of duoti" in duoti(command, "x.h5", code=1).output


@pytest.mark.parametrize("ending", ["csv", "parquet", "mat", "h5"])
def test_convert_of_a_result(run_file, ending, tmp_path):
    if ending == "parquet":
        pytest.importorskip("pyarrow")
    target = tmp_path / f"copy.{ending}"
    duoti("convert", "run.h5", target)
    assert target.stat().st_size > 100
    assert "exists" in duoti("convert", "run.h5", target, code=2).output
    duoti("convert", "run.h5", target, "--force", "-q")


def test_convert_of_chosen_channels(run_file, tmp_path):
    duoti("convert", "run.h5", "x.csv", "-c", "hinge.angle", "-c", "bob.position.x")
    assert (tmp_path / "x.csv").read_text().splitlines()[0] == "t [s],hinge.angle [rad],bob.position.x [m]"
    assert "Did you mean" in duoti("convert", "run.h5", "y.csv", "-c", "hinge.angel", code=2).output
    assert "no parameters" in duoti("convert", "run.h5", "y.csv", "--set", "a=1", code=2).output
    assert "a result becomes" in duoti("convert", "run.h5", "y.yaml", code=2).output


def test_convert_of_a_model(tmp_path):
    duoti("convert", "pendulum", "p.yaml", "--set", "start=0.25")
    assert dt.load("p.yaml").joints["hinge"].q0 == 0.25


# ------------------------------------------------------------------------------------------------------- new, examples


@pytest.mark.parametrize("template", templates())
def test_a_new_model_runs_as_it_is(template, tmp_path):
    assert f"duoti run mine_{template}.yaml" in duoti("new", f"mine_{template}", "--template", template).output
    model = dt.load(f"mine_{template}.yaml")
    assert model.name == f"mine_{template}"
    report = dt.check(model)
    assert report.ok
    assert not report.warnings
    result = dt.analyses.run_tasks(model)["simulate"]
    assert result.ok
    assert abs(result.energy.residual).max() < 1e-4 * max(result.energy.kinetic.max(), 1.0)


def test_templates_are_listed_and_files_not_overwritten(tmp_path):
    text = duoti("new", "--list").output
    assert all(name in text for name in templates())
    duoti("new", "a b-c.yaml")
    assert dt.load("a b-c.yaml").name == "a b-c"
    duoti("new", "a b-c", code=2)
    duoti("new", "a b-c", "--force", "-q")


def test_examples_are_listed_with_descriptions():
    for text in (duoti("examples").output, duoti("examples", "list").output):
        for name, example in all_examples().items():
            assert f"{name} " in text
            assert example.description in text
    data = json.loads(duoti("examples", "list", "--json").output)
    assert [e["name"] for e in data] == list(all_examples())
    assert all(e["paragraph"] and e["files"] for e in data)
    assert all_examples()["stewart"].paragraph[:60] in duoti("examples", "list", "-v").output


@pytest.mark.parametrize("name", ["pendulum", "stewart", "urdf_arm"])
def test_an_example_is_copied_with_all_it_needs(name, tmp_path):
    duoti("examples", "copy", name, "there")
    files = sorted(p.relative_to(tmp_path / "there").as_posix() for p in (tmp_path / "there").rglob("*") if p.is_file())
    assert files == sorted(find_example(name).files)
    assert dt.check(dt.load(f"there/{name}.yaml")).ok
    assert "exists" in duoti("examples", "copy", name, "there", code=2).output
    duoti("examples", "copy", name, "there", "--force", "-q")


def test_examples_run_is_run(tmp_path):
    assert "end time reached" in duoti("examples", "run", "pendulum", "-d", "0.1", "--no-picture").output


# -------------------------------------------------------------------------------------------------------------- view


def test_view_hands_results_and_models_to_the_viewer(run_file, monkeypatch, tmp_path):
    shown = []
    monkeypatch.setattr("duoti.view.show", lambda *what, **options: shown.append((*map(type, what), options)))
    duoti("view", "run.h5", "run.h5", "--no-browser", "--port", "8123")
    assert "end time reached" in duoti("view", "pendulum", "-d", "0.1").output
    duoti("view", "pendulum", "--model")
    served = {"port": 0, "browser": True, "block": True}
    assert shown == [
        (dt.Result, dt.Result, {"port": 8123, "browser": False, "block": True}),
        (dt.Result, served),
        (dt.Model, served),
    ]
    duoti("view", "run.h5", "--html", "page.html")
    assert "pendulum" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "give its model" in duoti("view", "run.h5", "--set", "a=1", code=2).output
    assert "is a result" in duoti("view", "run.h5", "--model", code=2).output


def test_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "duoti.cli", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("duoti ")


@pytest.mark.parametrize("page", ["README.md", "README.zh.md"])
def test_the_commands_of_the_readme_work(page, tmp_path):
    text = (Path(__file__).parents[2] / page).read_text(encoding="utf-8")
    block = next(each for each in re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE) if "view" in each)
    commands = re.findall(r"^duoti (.*?)(?:\s+#.*)?$", block, re.MULTILINE)
    assert len(commands) == 4
    for command in commands:
        if not command.startswith("view"):
            duoti(*command.split())
    assert (tmp_path / "run.h5").exists()


def test_the_commands_of_the_documentation_exist(tmp_path):
    pages = [
        Path(__file__).parents[2] / "docs" / name
        for name in ("guide/files/command_line.md", "examples.md", "install.md")
    ]
    for page in pages:
        blocks = "".join(re.findall(r"^```sh\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE))
        for line in re.findall(r"^duoti ([^#\n]*)", blocks, re.MULTILINE):
            first, *rest = line.split()
            known = duoti(*([first, "copy"] if rest[:1] == ["copy"] else [first]), "--help").output
            for option in re.findall(r"(?<!\w)--[\w-]+", line):
                assert option in known, line


FAILING = """
duoti: 1
name: pendulum
bodies:
  rod: {inertia: {box: {mass: 1.0, size: [0.05, 0.05, 1.0]}}, position: [0, 0, -0.5]}
joints:
  A: {type: revolute, axis: y, between: [ground, rod], at: [0, 0, 0], q0: 0.3}
simulate: {duration: 0.2, outputs: 0.1}
plots: [A.angle]
analyses:
  bad: {type: required_forces, duration: 1.0, motions: {A: 1/(t-0.5)}, outputs: 0.1}
  flow: {type: energy_flow, result: bad}
  rest: {type: equilibrium}
"""


def test_an_analysis_that_fails_leaves_the_others_and_the_run(tmp_path):
    """Summary, plots and other analyses are there; the exit code is that of a failed run, in JSON too."""
    Path("p.yaml").write_text(FAILING, encoding="utf-8")
    made = duoti("run", "p.yaml", code=3)
    assert "end time reached" in made.output
    assert "equilibrium of 'pendulum': stable" in made.output
    assert 'analysis "bad"' in made.output
    assert 'analysis "flow": it needs "bad", which failed' in made.output
    assert Path("p_plot.png").exists()
    data = json.loads(duoti("run", "p.yaml", "--json", code=3).output)
    assert not data["ok"]
    assert data["failed"] == ["bad", "flow"]
    assert data["reason_code"] == "end-time"
    assert list(data["analyses"]) == ["rest"]
    with pytest.raises(AnalysisError) as raised:
        dt.analyses.run_tasks(dt.load("p.yaml"))
    assert raised.value.done["simulate"].ok
    assert list(raised.value.errors) == ["bad", "flow"]


def test_settings_of_the_file_that_are_refused_are_the_files_fault():
    """Given by an option they are wrong usage."""
    Path("p.yaml").write_text(FAILING.replace("duration: 0.2", "duration: 0.2, rtol: -1"), encoding="utf-8")
    duoti("run", "p.yaml", code=1)
    duoti("run", "p.yaml", "--rtol", "1", "--atol", "-1", code=2)


@pytest.mark.skipif(sys.platform != "linux" or CHECK, reason="exported are usual kernels, for Linux")
def test_export_writes_an_fmu_or_a_c_library(tmp_path):
    unit = tmp_path / "arm.fmu"
    arguments = ["export", "furuta", str(unit), "--fmi", "2.0", "-i", "friction", "-o", "axle.angle,hinge.angle"]
    done = runner.invoke(app, [*arguments, "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["outputs"] == ["axle.angle", "hinge.angle"]
    assert unit.stat().st_size > 0
    assert runner.invoke(app, arguments).exit_code == 2  # it is there
    done = runner.invoke(app, ["export", "four_bar", str(tmp_path / "c"), "--solver", "dopri5"])
    assert done.exit_code == 0, done.output
    assert {path.name for path in (tmp_path / "c").iterdir()} == {"four_bar.h", "libfour_bar.a", "main.c", "sources"}
    assert runner.invoke(app, ["export", "bouncing_ball", str(tmp_path / "ball.fmu")]).exit_code == 1
    assert runner.invoke(app, ["export", "furuta", str(tmp_path / "arm.fmi")]).exit_code == 2  # no ending of a folder
