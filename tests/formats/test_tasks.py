"""What model files ask for: solvers and constraint methods by name, faults with lines, and the results."""

import pytest

import duoti as dt
from duoti.analyses.study import tasks
from duoti.formats import from_text, to_text
from duoti.formats.yaml import sections as schema
from duoti.model.constructor_schema import fields_of
from support.model_files import EVERYTHING

PENDULUM = """\
duoti: 1
parameters: {T: 0.2}
bodies:
  a: {inertia: {sphere: {mass: 1, radius: 0.1}}, position: [1, 0, 0]}
joints:
  A: {type: revolute, axis: y, between: [ground, a], at: [0, 0, 0]}
simulate:
  duration: =T
  outputs: 100 ms
  solver: {type: generalised_alpha, step: 1 ms, rho: 0.9}
"""


def messages(text):
    return [(f.place.line, f.what) for f in dt.check(from_text(text, name="m.yaml")).errors]


def test_the_tasks_of_files_and_of_the_program_are_the_same():
    assert set(schema.TASKS) == {*tasks.TASKS, *tasks.CHANNELS, tasks.FURTHER, tasks.STUDY}


def test_all_solvers_and_constraint_methods_have_names():
    assert {
        "dop853": dt.DOP853, "dopri5": dt.DOPRI5, "hht": dt.HHT, "ida": dt.IDA, "rk4": dt.RK4, "rkf45": dt.RKF45,
        "auto": dt.Auto, "generalised_alpha": dt.GeneralisedAlpha, "newmark": dt.Newmark, "radau": dt.Radau,
        "semi_implicit_euler": dt.SemiImplicitEuler, "verlet": dt.Verlet, "moreau": dt.Moreau, "rodas": dt.Rodas,
    } == tasks.SOLVERS  # fmt: skip
    assert {
        "augmented_lagrangian": dt.AugmentedLagrangian, "baumgarte": dt.Baumgarte, "null_space": dt.NullSpace,
        "coordinate_partitioning": dt.CoordinatePartitioning, "penalty": dt.Penalty, "projection": dt.Projection,
    } == tasks.CONSTRAINT_METHODS  # fmt: skip


def test_simulate():
    model = from_text(PENDULUM)
    assert model.tasks["simulate"] == {"duration": 0.2, "outputs": 0.1,
                                       "solver": {"type": "generalised_alpha", "step": 0.001, "rho": 0.9}}  # fmt: skip
    assert tasks.task_settings(model, "simulate")["solver"] == dt.GeneralisedAlpha(step=0.001, rho=0.9)
    assert tasks.task_settings(model, "compare_solvers") == {}
    result = tasks.run_tasks(model)["simulate"]
    assert result.t.tolist() == [0.0, 0.1, 0.2]
    assert "GeneralisedAlpha" in result.stats.solver
    longer = tasks.run_tasks(model, duration=0.3, solver=dt.DOPRI5())["simulate"]
    assert longer.t[-1] == 0.3
    assert "duration: =T" in to_text(model)
    assert "outputs: 100 ms" in to_text(model)
    assert from_text(to_text(model)).tasks == model.tasks


def test_comparisons():
    text = PENDULUM.split("simulate:")[0] + "compare_solvers: {duration: 0.1, solvers: [dopri5], tolerances: [1e-4]}\n"
    found = tasks.run_tasks(from_text(text))
    assert list(found) == ["compare_solvers"]
    assert [run.solver for run in found["compare_solvers"].runs] == ["DOPRI5"]


def test_check_and_topology():
    found = tasks.run_tasks(from_text(PENDULUM.split("simulate:")[0] + "check:\ntopology: {cut: absolute}\n"))
    assert found["check"].ok
    assert list(found["topology"].cut_joints) == ["A"]
    text = PENDULUM.split("simulate:")[0] + "topology: {cut: some, force_cut: [B], forbid_cut: A}\n"
    assert [what for _, what in messages(text)] == [
        "topology.cut: 'some' is none of auto, weights, cheapest, absolute",
        "topology.force_cut: there is no joint 'B'. There are: A.",
        "topology.forbid_cut: 'A', but a list of joints is needed",
    ]


def test_everything_is_understood():
    model = from_text(EVERYTHING)
    settings = tasks.task_settings(model, "compare_solvers")
    assert settings["solvers"] == [dt.DOPRI5(), dt.Radau()]
    assert tasks.task_settings(model, "simulate")["constraints"] == dt.Baumgarte()


def test_faults_have_lines():
    assert messages(PENDULUM.replace("generalised_alpha", "generalized_alpha")) == [
        (10, "simulate.solver.type: there is no solver 'generalized_alpha'. Did you mean 'generalised_alpha'?"),
    ]
    assert messages(PENDULUM.replace("rho: 0.9", "rh: 0.9")) == [
        (10, "simulate.solver.rh: unknown key 'rh' of generalised_alpha. Did you mean 'rho'?"),
    ]
    assert messages(PENDULUM.replace("rho: 0.9", "rho: big")) == [(10, "simulate.solver.rho: 'big' is not a number")]
    assert messages(PENDULUM.replace("  duration: =T\n", "")) == [
        (7, "simulate: 'duration' is missing: simulate needs it [s]"),
    ]
    assert messages(PENDULUM.replace("outputs:", "output:")) == [
        (9, "simulate.output: unknown key 'output' of simulate. Did you mean 'outputs'?"),
    ]
    (fault,) = messages(PENDULUM.replace("{type: generalised_alpha, step: 1 ms, rho: 0.9}", "{rtol: 1}"))
    assert fault[1].startswith("simulate.solver: 'type' is missing. There are: ")
    ((line, text),) = messages(
        PENDULUM.replace("{type: generalised_alpha, step: 1 ms, rho: 0.9}", "{type: rk4, step: -1}")
    )
    assert (line, text) == (10, "simulate.solver: step=-1 must be a positive time in seconds")
    assert messages(PENDULUM + "  constraints: baumgart\n  coordinates: both\nplots: [A.angel]\noutputs: 3\n") == [
        (11, "simulate.constraints: there is no constraints 'baumgart'. Did you mean 'baumgarte'?"),
        (12, "simulate.coordinates: 'both' is none of relative, absolute"),
        (14, "outputs: 3, but a list of channels such as [A.angle, tip.position] is needed"),
        (13, 'plots: there is no quantity "A.angel". "A" has: angle, rate, q, v, a, reaction_force, reaction_torque.'),
    ]
    with pytest.raises(dt.ModelError, match=r"m\.yaml:8"):
        tasks.run_tasks(from_text(PENDULUM.replace("=T", "soon"), name="m.yaml"))


def test_tasks_of_other_kinds_are_refused():
    model = from_text(PENDULUM)
    model.tasks["simulat"] = {}
    assert [f.what for f in dt.check(model).errors] == ["simulat: there is no task 'simulat'. Did you mean 'simulate'?"]


def test_settings_of_all_solvers_can_be_read():
    for cls in (*tasks.SOLVERS.values(), *tasks.CONSTRAINT_METHODS.values()):
        for field in fields_of(cls).values():
            assert field.kind in ("number", "whole number", "text", "true or false"), (cls, field)
    text = PENDULUM.replace("type: generalised_alpha", "type: moreau").replace("rho: 0.9", "implicit: true")
    assert tasks.task_settings(from_text(text), "simulate")["solver"] == dt.Moreau(1e-3, implicit=True)


ANALYSED = """\
duoti: 1
name: arm
parameters: {load: 0}
bodies:
  a: {inertia: {rod: {mass: 1, length: 1, axis: x}}, position: [0.5, 0, 0]}
joints:
  A: {type: revolute, axis: y, between: [ground, a], at: [0, 0, 0]}
forces:
  push: {type: joint_torque, joint: A, value: load}
analyses:
  rest: {type: equilibrium, start: {A: 1.2}}
  modes: {type: linearise, at: rest, inputs: [load], outputs: [a.position.x]}
  both: {type: equilibria, starts: 4}
"""


def test_further_analyses_by_name():
    model = from_text(ANALYSED)
    made = tasks.run_tasks(model)["analyses"]
    assert list(made) == ["rest", "modes", "both"]
    assert made["rest"]["A.angle"] == pytest.approx(1.5707963267948966)
    assert made["modes"].frequencies == pytest.approx([(1.5 * 9.81) ** 0.5 / 6.283185307179586])
    assert made["modes"].outputs == ("a.position.x",)
    assert [e.stable for e in made["both"]] == [True, False]
    assert from_text(to_text(model)).tasks == model.tasks


def test_faults_of_further_analyses_have_lines():
    text = ANALYSED.replace("at: rest", "at: rset").replace("type: equilibria, starts", "type: root_locs, stats")
    found = messages(text.replace("start: {", "strt: {"))
    assert found == [
        (11, "analyses.rest.strt: unknown key 'strt' of equilibrium. There are: at, friction, rates, stable, t."),
        (12, "analyses.modes.at: there is no 'rset' further up. Did you mean 'rest'?"),
        (13, "analyses.both: there is no analysis 'root_locs'. Did you mean 'root_locus'?"),
    ]


def test_run_writes_a_picture_of_each_analysis(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    from typer.testing import CliRunner

    from duoti.cli.app import app

    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.yaml").write_text(ANALYSED)
    done = CliRunner().invoke(app, ["run", "arm.yaml"])
    assert done.exit_code == 0, done.output
    assert "equilibrium of 'arm': stable" in done.output
    assert {p.name for p in tmp_path.glob("*.png")} == {"arm_rest.png", "arm_modes.png", "arm_both.png"}


WHOLE_PLOTS = (
    PENDULUM + "plots: [energy, [A.angle, energy], 'A.*', reactions, {reactions: [A]}, {phase: [A.angle, A.rate]}]\n"
)


def test_plots_of_whole_runs_are_those_of_the_result():
    pytest.importorskip("matplotlib")
    from duoti.results.plot.plots import draw_asked

    model = from_text(WHOLE_PLOTS)
    assert dt.check(model).ok
    assert from_text(to_text(model)).tasks["plots"] == model.tasks["plots"]
    result = tasks.run_tasks(model)["simulate"]
    drawn = [draw_asked(result, asked) for asked in model.tasks["plots"]]
    labels = [[axis.get_ylabel() for axis in figure.axes] for figure in drawn]
    same = (result.plot("energy"), result.plot("A.angle", "energy"), result.plot("A.*"), result.plot_reactions(),
            result.plot_reactions("A"), result.plot_phase(("A.angle", "A.rate")))  # fmt: skip
    assert labels == [[axis.get_ylabel() for axis in figure.axes] for figure in same]
    assert result.energy.total.tolist() in [line.get_ydata().tolist() for line in drawn[0].axes[0].lines]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ("enrgy", 'plots: there is no quantity "enrgy"'),
        ("'B.*'", 'no channel is of the form "B.*"'),
        ("[A.angle, reactions]", "It is a plot of its own: write it alone."),
        ("{reactions: [B]}", "there is no joint 'B'"),
        ("{reactions: A}", "a list such as [A, B], joints, is needed"),
        ("{phase: [A.angle]}", "two channels are needed"),
        ("{phase: [A.angle, A.rte]}", 'there is no quantity "A.rte"'),
        ("{fase: [A.angle, A.rate]}", "is no plot"),
        ("3", "3 is no channel"),
    ],
)
def test_wrong_plots_are_told_before_a_run(asked, message):
    (found,) = messages(PENDULUM + f"plots: [energy, {asked}]\n")
    assert found[0] == 11
    assert message in found[1]


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ("a.mass: {normal: [1000 mm, 50 g]}", "'1000 mm' is a length [m], but a mass [kg] is needed here"),
        ("a.position.x: [1 m, 2 kg]", "'2 kg' is a mass [kg], but a length [m] is needed here"),
        ("A.q0: [10 deg, 3 kg]", "'3 kg' is a mass [kg]"),
    ],
)
def test_values_of_a_study_have_the_units_of_their_parameter(values, part):
    study = f"study:\n  duration: 1 s\n  parameters:\n    {values}\n  measures: {{e: final(A.angle)}}\n"
    with pytest.raises(dt.errors.DuotiError) as caught:
        from_text(PENDULUM + study, name="m.yaml")
    assert part in str(caught.value)
