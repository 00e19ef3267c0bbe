"""Models as FMUs and C libraries: the same motion as `simulate`, in tools that know neither duoti nor Python."""

from __future__ import annotations

import subprocess
import sys
import zipfile

import numpy as np
import pytest

import duoti as dt
from duoti.errors import ExportError
from duoti.examples import find_example
from duoti.kernel import CHECK, JIT

fmpy = pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or CHECK or not JIT, reason="exported are usual kernels, for Linux"
)

TIGHT = dt.DOPRI5(rtol=1e-11, atol=1e-12)
H, N = 0.01, 50


def driven_pendulum() -> dt.Model:
    """A double pendulum with an input torque and a tunable damping."""
    m = dt.Model("driven pendulum", parameters={"u": 0.2, "c": 0.05})
    one = m.add_body("one", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    two = m.add_body("two", dt.Inertia.rod(0.5, length=0.8, axis="x"), position=(1.4, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, one, at=(0, 0, 0), q0=0.3)
    m.add_joint("B", dt.Revolute("y"), one, two, at=(1, 0, 0))
    m.add_force("motor", dt.JointTorque("A", "u - c * A.rate"))
    m.add_marker("tip", two, (1.8, 0, 0))
    return m


OUTPUTS = ["A.angle", "B.rate", "tip.position"]


@pytest.fixture(scope="module", params=["2.0", "3.0"])
def pendulum(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("fmu") / "pendulum.fmu"
    made = dt.export_fmu(
        driven_pendulum(), path, request.param, inputs=["u"], outputs=OUTPUTS, parameters=["c", "one.mass", "A.q0"],
        solver=TIGHT,
    )  # fmt: skip
    return request.param, made


def simulated(fmu, kind, duration=N * H, tolerance=1e-11, **options):
    return fmpy.simulate_fmu(
        str(fmu.path), fmi_type=kind, stop_time=duration, output_interval=H, relative_tolerance=tolerance,
        solver="CVode", **options,
    )  # fmt: skip


def differences(result, r, names):
    """Largest difference of each output from a result with the same times, relative to its size where above one."""
    return {name: np.max(np.abs(result[name] - r[name])) / max(1.0, np.max(np.abs(r[name]))) for name in names}


def test_validation_finds_nothing(pendulum):
    from fmpy.validation import validate_fmu

    assert validate_fmu(str(pendulum[1].path)) == []


def description_of(path):
    with zipfile.ZipFile(path) as file:
        return file.read("modelDescription.xml").decode()


def test_the_description_says_what_importers_ask_for(pendulum, tmp_path):
    description = fmpy.read_model_description(str(pendulum[1].path))
    outputs = {each.variable.name: each.dependencies for each in description.outputs}
    assert [v.name for v in outputs["A.angle"]] == ["state.A.angle"]
    assert len(outputs["tip.position.x"]) == 4  # all states, and no input
    assert float(description.defaultExperiment.tolerance) == 1e-11
    assert "reinit" not in description_of(pendulum[1].path)
    loop = dt.export_fmu(dt.load(find_example("four_bar").file), tmp_path / "m.fmu", pendulum[0])
    assert description_of(loop.path).count('reinit="true"') == len(loop.states)  # it closes loops at events
    description = fmpy.read_model_description(str(loop.path))
    assert float(description.defaultExperiment.stopTime) > 0.0


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_a_tree_moves_as_in_simulate(pendulum, kind):
    r = dt.simulate(driven_pendulum(), N * H, solver=TIGHT, outputs=H)
    found = simulated(pendulum[1], kind)
    assert max(differences(found, r, pendulum[1].outputs).values()) < 1e-8


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_start_values_are_those_of_the_model_with_these_parameters(pendulum, kind):
    values = {"u": -0.4, "c": 0.3, "one.mass": 2.5, "A.q0": 0.7}
    system = dt.compile(driven_pendulum()).with_parameters(values)
    r = dt.simulate(system, N * H, solver=TIGHT, outputs=H)
    found = simulated(pendulum[1], kind, start_values=values, apply_default_start_values=True)
    assert max(differences(found, r, pendulum[1].outputs).values()) < 1e-8


def pieces(changes):
    """The run with inputs that change at times: one simulation after the other."""
    state, t, rows = None, 0.0, []
    for values, steps in changes:
        system = dt.compile(driven_pendulum()).with_parameters(values)
        r = dt.simulate(system, steps * H, solver=TIGHT, outputs=H, at=state, t=t)
        rows.append(np.asarray(r["A.angle"])[(1 if rows else 0) :])
        state, t = (r.q[-1], r.v[-1]), t + steps * H
    return np.concatenate(rows)


class Instance:
    """An FMU in co-simulation, for both versions of the standard."""

    def __init__(self, pendulum, folder, name="one"):
        version, made = pendulum
        description = fmpy.read_model_description(str(made.path))
        self.numbers = {v.name: v.valueReference for v in description.modelVariables}
        kind = fmpy.fmi2.FMU2Slave if version == "2.0" else fmpy.fmi3.FMU3Slave
        self.fmu = kind(
            guid=description.guid, unzipDirectory=str(folder), instanceName=name,
            modelIdentifier=description.coSimulation.modelIdentifier,
        )  # fmt: skip
        self.fmu.instantiate()
        self.two = version == "2.0"
        if self.two:
            self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.t = 0.0

    def set(self, **values):
        put = self.fmu.setReal if self.two else self.fmu.setFloat64
        put([self.numbers[name] for name in values], list(values.values()))

    def get(self, name="A.angle"):
        return (self.fmu.getReal if self.two else self.fmu.getFloat64)([self.numbers[name]])[0]

    def run(self, steps=1):
        found = []
        for _ in range(steps):
            self.fmu.doStep(self.t, H)
            self.t += H
            found.append(self.get())
        return found


@pytest.fixture
def instances(pendulum, tmp_path):
    folder = fmpy.extract(str(pendulum[1].path), str(tmp_path))
    made = []

    def make():
        made.append(Instance(pendulum, folder, f"i{len(made)}"))
        return made[-1]

    yield make
    for each in made:
        each.fmu.terminate()
        each.fmu.fmi2FreeInstance(each.fmu.component) if each.two else each.fmu.fmi3FreeInstance(each.fmu.component)


def test_inputs_and_parameters_change_during_a_run(instances):
    one = instances()
    found = [one.get(), *one.run(20)]
    one.set(u=3.0)
    found += one.run(15)
    one.set(u=-1.0, c=0.5)
    found += one.run(15)
    wanted = pieces([({"u": 0.2, "c": 0.05}, 20), ({"u": 3.0, "c": 0.05}, 15), ({"u": -1.0, "c": 0.5}, 15)])
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-8)


def test_initial_values_cannot_change_during_a_run(instances):
    one = instances()
    one.run(1)
    with pytest.raises(Exception, match=r"fmi.Set"):
        one.set(**{"A.q0": 1.0})


def test_two_instances_at_once_do_not_meet(instances):
    one, two = instances(), instances()
    two.set(u=2.0)
    a, b = [], []
    for _ in range(20):
        a += one.run()
        b += two.run()
    alone, other = instances(), instances()
    other.set(u=2.0)
    assert a == alone.run(20)
    assert b == other.run(20)
    assert a != b


def test_a_state_is_restored_bit_for_bit(instances):
    one, two = instances(), instances()
    one.set(u=0.7)
    one.run(13)
    one.set(u=-0.2)
    t, get = one.t, one.fmu.getFMUstate if one.two else one.fmu.getFMUState
    state = get()
    data = (one.fmu.serializeFMUstate if one.two else one.fmu.serializeFMUState)(state)
    after = one.run(20)
    (one.fmu.setFMUstate if one.two else one.fmu.setFMUState)(state)
    one.t = t
    assert one.run(20) == after
    other = (two.fmu.deSerializeFMUstate if one.two else two.fmu.deserializeFMUState)(data)
    (two.fmu.setFMUstate if one.two else two.fmu.setFMUState)(other)
    two.t = t
    assert two.run(20) == after


def test_the_library_needs_libc_and_libm_only(pendulum, tmp_path):
    with zipfile.ZipFile(pendulum[1].path) as file:
        (name,) = (each for each in file.namelist() if each.endswith(".so"))
        file.extract(name, tmp_path)
        assert {"sources/core.h", "sources/kernels.s", "sources/model.h"} <= {*file.namelist()}
    needed = subprocess.run(["ldd", str(tmp_path / name)], capture_output=True, text=True, check=True).stdout
    libraries = {line.split()[0].rpartition("/")[2] for line in needed.splitlines()}
    assert libraries <= {"linux-vdso.so.1", "libm.so.6", "libc.so.6", "ld-linux-x86-64.so.2"}
    assert pendulum[1].size < 1_000_000


MASTER = """
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#define F(type, name, ...) type (*name)(__VA_ARGS__) = (type (*)(__VA_ARGS__))dlsym(so, "fmi2" #name)
int main(int n, char **a) {
    void *so = dlopen(a[1], RTLD_NOW);
    if (!so || getenv("PATH") || getenv("HOME")) return 1;
    F(void *, Instantiate, const char *, int, const char *, const char *, void *, int, int);
    F(int, SetupExperiment, void *, int, double, double, int, double);
    F(int, EnterInitializationMode, void *);
    F(int, ExitInitializationMode, void *);
    F(int, DoStep, void *, double, double, int);
    F(int, GetReal, void *, const unsigned *, size_t, double *);
    void *callbacks[5] = {0}, *c = Instantiate("one", 1, a[2], "", callbacks, 0, 0);
    unsigned number = (unsigned)atoi(a[3]);
    double angle;
    if (!c || SetupExperiment(c, 0, 0, 0, 0, 0) || EnterInitializationMode(c) || ExitInitializationMode(c)) return 2;
    for (int k = 0; k < 50; k++)
        if (DoStep(c, 0.01 * k, 0.01, 1)) return 3;
    if (GetReal(c, &number, 1, &angle)) return 4;
    printf("%.17g", angle);
    return n != 4;
}
"""


def test_it_runs_in_a_program_without_an_environment(pendulum, tmp_path):
    version, made = pendulum
    if version != "2.0":
        pytest.skip("the program is for FMI 2.0")
    description = fmpy.read_model_description(str(made.path))
    number = next(v.valueReference for v in description.modelVariables if v.name == "A.angle")
    with zipfile.ZipFile(made.path) as file:
        (name,) = (each for each in file.namelist() if each.endswith(".so"))
        library = file.extract(name, tmp_path)
    (tmp_path / "master.c").write_text(MASTER)
    subprocess.run(["cc", "master.c", "-ldl", "-o", "master"], cwd=tmp_path, check=True)
    command = ["env", "-i", str(tmp_path / "master"), library, description.guid, str(number)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    r = dt.simulate(driven_pendulum(), N * H, solver=TIGHT, outputs=H)
    assert float(done.stdout) == pytest.approx(r["A.angle"][-1], abs=1e-9)


def test_without_a_compiler_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("duoti.analyses.export.linking.find_spec", lambda name: None)
    with pytest.raises(ExportError, match=r'gcc or clang, or pip install "duoti\[export\]"'):
        dt.export_fmu(driven_pendulum(), tmp_path / "m.fmu")
    assert not list(tmp_path.iterdir())


def test_ziglang_stands_in_for_a_compiler(monkeypatch, tmp_path):
    pytest.importorskip("ziglang")
    monkeypatch.setenv("PATH", "")
    fmu = dt.export_fmu(driven_pendulum(), tmp_path / "m.fmu", solver=TIGHT)
    assert "ziglang" in fmu.compiler
    r = dt.simulate(driven_pendulum(), N * H, solver=TIGHT, outputs=H)
    found = simulated(fmu, "CoSimulation")
    assert max(differences(found, r, fmu.outputs).values()) < 1e-8
    assert "ziglang" in dt.export_c(driven_pendulum(), tmp_path / "c").compiler


@pytest.mark.parametrize(
    ("name", "solver", "bound"),
    [
        ("four_bar", TIGHT, 1e-8),  # a closed loop
        ("heavy_top", TIGHT, 1e-8),  # a quaternion
        ("suspension", TIGHT, 1e-8),  # springs and parameters
        ("hoist", dt.Rodas(rtol=1e-9, atol=1e-10), 1e-8),  # a bond graph with algebra of its own, stiff
        ("suspension", dt.Radau(rtol=1e-10, atol=1e-11), 1e-8),
        ("six_bar", dt.GeneralisedAlpha(step=0.001), 1e-8),
        ("four_bar", dt.RK4(step=0.001), 1e-10),
        ("four_bar", dt.Moreau(step=0.001), 1e-10),
        ("heavy_top", dt.Moreau(step=0.001, implicit=True), 1e-10),
        ("diving_board", dt.Rodas(rtol=1e-9, atol=1e-11), 1e-8),
        ("flexible_crank", dt.Radau(rtol=1e-10, atol=1e-11), 1e-8),
    ],
)
def test_other_models_in_co_simulation(name, solver, bound, tmp_path):
    model = dt.load(find_example(name).file)
    fmu = dt.export_fmu(model, tmp_path / "model.fmu", solver=solver)
    names = [each for each in fmu.outputs if "momentum" not in each]
    r = dt.simulate(model, N * H, solver=solver, outputs=H)
    found = simulated(fmu, "CoSimulation", tolerance=None)
    assert max(differences(found, r, [each for each in names if each in r]).values()) < bound


def stiff_pendulum() -> dt.Model:
    """A joint with a spring and a damper whose time constants are microseconds."""
    m = driven_pendulum()
    m.add_force("spring", dt.JointSpring("B", 1e6))
    m.add_force("damper", dt.JointDamping("B", 1e4))
    return m


def switched_hoist(folder) -> dt.Model:
    """The bundled bond graph with a drum and a load, whose supply goes off and on at two heights."""
    text = find_example("hoist").file.read_text().replace("value: 48.0", "value: 48 * on")
    text += """
states: {on: {initial: 1.0}}
events:
  top: {value: lift.position - 0.1, direction: rising, sets: {on: 0}}
  low: {value: lift.position - 0.099, direction: falling, sets: {on: 1}}
"""
    (folder / "hoist.yaml").write_text(text)
    return dt.load(folder / "hoist.yaml")


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
@pytest.mark.parametrize(
    ("build", "solver", "duration", "interval", "tolerance"),
    [
        (lambda folder: driven_pendulum(), TIGHT, 0.5, 0.01, 1e-12),
        (lambda folder: dt.load(find_example("four_bar").file), TIGHT, 0.5, 0.01, 1e-12),
        (lambda folder: stiff_pendulum(), dt.Radau(rtol=1e-11, atol=1e-12), 0.5, 0.01, 1e-12),
        (switched_hoist, dt.Radau(rtol=1e-11, atol=1e-12), 1.0, 0.01, 1e-12),
        # errors of CVode add up to 1600 times its tolerance; it takes at most 500 steps for an output
        (
            lambda folder: dt.load(find_example("diving_board").file),
            dt.Radau(rtol=1e-10, atol=1e-11),
            0.2,
            0.001,
            1e-12,
        ),
    ],
    ids=["tree", "loop", "stiff", "bond graph with events", "beam"],
)
def test_five_kinds_of_models_move_as_in_simulate(build, solver, duration, interval, tolerance, kind, tmp_path):
    model = build(tmp_path)
    fmu = dt.export_fmu(model, tmp_path / "model.fmu", solver=solver)
    r = dt.simulate(model, duration, solver=solver, outputs=interval)
    found = fmpy.simulate_fmu(
        str(fmu.path), fmi_type=kind, stop_time=duration, output_interval=interval, relative_tolerance=tolerance
    )
    rows = rows_at(found["time"], r.t)
    assert max(differences(found[rows], r, [each for each in fmu.outputs if each in r]).values()) < 1e-8


def rows_at(found, times):
    """Rows of these times; of two rows at an event the second."""
    rows = np.searchsorted(found, np.asarray(times) + 1e-9) - 1
    np.testing.assert_allclose(found[rows], times, rtol=0, atol=1e-9)
    return rows


def test_compliant_contacts_in_co_simulation(tmp_path):
    m = dt.Model("bouncing ball")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.2))
    m.add_joint("motion", dt.Free(), m.ground, ball, at=(0, 0, 0.2), v0=[0, 3, 0, 0.2, 0, 0])
    rubber = dt.CompliantContact(1e5, exponent=1.5, damping=0.2, damping_law="hunt_crossley", friction=0.5)
    m.add_contact("floor", rubber, m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    solver = dt.DOPRI5(rtol=1e-12, atol=1e-13)  # steps differ where the law has a kink
    fmu = dt.export_fmu(m, tmp_path / "ball.fmu", outputs=["ball.position", "ball.velocity"], solver=solver)
    r = dt.simulate(m, N * H, solver=solver, outputs=H)
    assert np.max(r["ball.velocity.z"]) > 0.5  # it has bounced
    found = simulated(fmu, "CoSimulation", tolerance=None)
    assert max(differences(found, r, fmu.outputs).values()) < 1e-8


def test_tables_go_out(tmp_path):
    m = driven_pendulum()
    m.add_table("T", [-2, 0, 1, 2], [1, 0, 5, 3])
    m.add_force("spring", dt.JointTorque("A", "T(A.angle) - 2*A.angle"))
    fmu = dt.export_fmu(m, tmp_path / "m.fmu", solver=dt.DOPRI5(rtol=1e-12, atol=1e-13))
    assert fmu.parameters == ("u", "c")
    r = dt.simulate(m, N * H, solver=fmu.solver, outputs=H)
    assert max(differences(simulated(fmu, "CoSimulation"), r, fmu.outputs).values()) < 1e-8


def test_sampled_sensors_are_refused_by_name(tmp_path):
    m = driven_pendulum()
    m.add_sensor("gyro", dt.Gyroscope("one", noise=0.01, period=0.01))
    with pytest.raises(ExportError, match="sensor 'gyro': Python takes its samples"):
        dt.export_fmu(m, tmp_path / "m.fmu")


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_elastic_stops_of_joints(kind, tmp_path):
    m = dt.Model("pendulum between stops")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), limits=[(-1.0, 0.8)])
    m.add_force("stop", dt.JointStop("A", stiffness=1e4, damping=0.1))
    m.add_state("count")
    m.add_event("passage", dt.Event("A.angle - 0.5", direction="rising", sets={"count": "count + 1"}))
    solver = dt.DOPRI5(rtol=1e-12, atol=1e-13)
    fmu = dt.export_fmu(m, tmp_path / "stops.fmu", solver=solver)
    r = dt.simulate(m, 1.0, solver=solver, outputs=H)
    assert r["count"][-1] >= 2  # it has been thrown back
    found = simulated(fmu, kind, duration=1.0, tolerance=1e-12)
    assert max(differences(found[rows_at(found["time"], r.t)], r, fmu.outputs).values()) < 1e-8


def test_robots_with_soft_contacts_stay_small(tmp_path):
    from duoti.examples.robots import robots

    m = dt.formats.load_mjcf(robots()["hound"], contacts="world", soft=True)
    fmu = dt.export_fmu(m, tmp_path / "hound.fmu")
    assert fmu.size < 1_000_000
    assert fmu.derivatives


def test_rigid_contacts_are_refused(tmp_path):
    with pytest.raises(ExportError, match="rigid contacts"):
        dt.export_fmu(dt.load(find_example("bouncing_ball").file), tmp_path / "m.fmu")


def falling(terminal: bool) -> dt.Model:
    m = dt.Model("falling")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("z", dt.Prismatic("z"), m.ground, ball, q0=1.0)
    m.add_event("ground", dt.Event("z.position", terminal=terminal, direction="falling"))
    return m


@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_events_set_states(version, kind, tmp_path):
    """A switch with hysteresis that drives a mass back and forth, and counts."""
    m = dt.Model("switch")
    slider = m.add_body("slider", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("x", dt.Prismatic("x"), m.ground, slider, v0=0.2)
    m.add_state("on", initial=1.0)
    m.add_state("count")
    m.add_force("motor", dt.JointTorque("x", "5 * (2 * on - 1) - 0.1 * x.velocity"))
    m.add_event("high", dt.Event("x.position - 0.1", direction="rising", sets={"on": 0, "count": "count + 1"}))
    m.add_event("low", dt.Event("x.position + 0.1", direction="falling", sets={"on": 1, "count": "count + 1"}))
    fmu = dt.export_fmu(m, tmp_path / "switch.fmu", version, outputs=["x.position", "on", "count"], solver=TIGHT)
    r = dt.simulate(m, 2.0, solver=TIGHT, outputs=H)
    assert r["count"][-1] >= 3
    found = simulated(fmu, kind, duration=2.0)
    rows = rows_at(found["time"], r.t)
    np.testing.assert_allclose(found["x.position"][rows], r["x.position"], rtol=0, atol=1e-8)
    np.testing.assert_array_equal(found["count"][rows], r["count"])


@pytest.mark.parametrize("kind", ["CoSimulation", "ModelExchange"])
def test_sampled_controllers_by_expressions(kind, tmp_path):
    m = dt.Model("controlled pendulum", parameters={"target": 0.5})
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    m.add_controller("control", {"u": "60*(target - pivot.angle) - 6*pivot.rate"}, outputs={"u": 0.0}, period=0.02)
    m.add_force("motor", dt.JointTorque("pivot", "u"))
    fmu = dt.export_fmu(m, tmp_path / "controlled.fmu", inputs=["target"], outputs=["pivot.angle", "u"], solver=TIGHT)
    r = dt.simulate(dt.compile(m).with_parameters({"target": 0.8}), 0.51, solver=TIGHT, outputs=0.03)
    found = fmpy.simulate_fmu(
        str(fmu.path), fmi_type=kind, stop_time=0.51, output_interval=0.03, relative_tolerance=1e-11,
        start_values={"target": 0.8},
    )  # fmt: skip
    keep = [k for k, t in enumerate(r.t) if np.min(np.abs(found["time"] - t)) < 1e-9 and round(t / 0.03) % 2]
    rows = [int(np.argmin(np.abs(found["time"] - r.t[k]))) for k in keep]
    assert len(keep) >= 5  # times between samples
    np.testing.assert_allclose(found["pivot.angle"][rows], r["pivot.angle"][keep], rtol=0, atol=1e-8)
    np.testing.assert_allclose(found["u"][rows], r["u"][keep], rtol=0, atol=1e-6)  # gains of 60 and 6


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_a_terminal_event_ends_the_run(version, tmp_path):
    fmu = dt.export_fmu(falling(True), tmp_path / "falling.fmu", version, solver=TIGHT)
    end = np.sqrt(2.0 / -falling(True).gravity[2])
    found = simulated(fmu, "ModelExchange", duration=1.0)
    assert found["time"][-1] == pytest.approx(end, abs=1e-6)  # as fmpy locates zeros
    found = simulated(fmu, "CoSimulation", duration=1.0, tolerance=None)
    assert found["time"][-1] == pytest.approx(end, abs=H)


def test_what_cannot_go_out_is_refused_all_at_once(tmp_path):
    m = driven_pendulum()
    m.add_force("python", dt.JointTorque("B", wave))
    m.add_event("kick", dt.Event("A.angle", jump=lambda t, q, v, z: (q, -v, z)))
    with pytest.raises(ExportError) as error:
        dt.export_fmu(m, tmp_path / "m.fmu")
    assert "'python'" in str(error.value)
    assert "'kick'" in str(error.value)


def wave(t):
    return 0.1 * t


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"inputs": ["nothing"]}, "nothing"),
        ({"outputs": ["A.reaction_force.z"]}, "reaction_force"),
        ({"outputs": ["energy.kinetic"]}, "energy.kinetic"),
        ({"inputs": ["A.q0"]}, "initial value"),
        ({"inputs": ["u"], "parameters": ["u"]}, "both"),
        ({"parameters": ["tip.position.x"]}, "tip.position.x"),
        ({"solver": dt.Auto()}, "Radau"),
    ],
)
def test_wrong_names_are_refused(options, text, tmp_path):
    with pytest.raises(ValueError, match=text):
        dt.export_fmu(driven_pendulum(), tmp_path / "m.fmu", **options)


def test_the_c_example_runs_without_an_environment(tmp_path):
    m = driven_pendulum()
    solver = dt.RK4(step=0.001)
    made = dt.export_c(m, tmp_path, inputs=["u"], outputs=OUTPUTS, solver=solver)
    assert made.path == tmp_path
    build = ["cc", "-Wall", "-Wextra", "-Werror", "main.c", "libdriven_pendulum.a", "-lm", "-o", "main"]
    subprocess.run(build, cwd=tmp_path, check=True)
    done = subprocess.run(["env", "-i", "./main"], cwd=tmp_path, capture_output=True, text=True, check=True)
    first, *rows = done.stdout.splitlines()
    assert first == "time,A.angle,B.rate,tip.position.x,tip.position.y,tip.position.z"
    found = np.array([[float(x) for x in row.split(",")] for row in rows])
    r = dt.simulate(m, 1.0, solver=solver, outputs=0.01)
    np.testing.assert_allclose(found[:, 1], r["A.angle"], rtol=0, atol=1e-10)  # equal steps, sums in another order


COUNTING = """
#include <stdio.h>
#include <stdlib.h>
#include "driven_pendulum.h"
static int count;
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void *malloc(size_t n) { count++; return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { count++; return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { count++; return __libc_realloc(p, n); }
int main(void) {
    void *memory = aligned_alloc(64, (driven_pendulum_bytes() + 63) / 64 * 64);
    void *bytes = malloc(driven_pendulum_saved_bytes());
    count = 0;
    driven_pendulum *m = driven_pendulum_make(memory);
    if (driven_pendulum_start(m, 0.0)) return 2;
    for (int k = 0; k < 100; k++) {
        driven_pendulum_set(m, DRIVEN_PENDULUM_SET_u, 0.01 * k);
        if (driven_pendulum_step(m, 0.01) || !driven_pendulum_outputs(m)) return 3;
    }
    driven_pendulum_save(m, bytes);
    driven_pendulum_restore(m, bytes);
    return count;
}
"""


@pytest.mark.parametrize("solver", [dt.RK4(step=0.001), dt.DOPRI5(), dt.Radau()], ids=["RK4", "DOPRI5", "Radau"])
def test_c_libraries_allocate_nothing(solver, tmp_path):
    dt.export_c(driven_pendulum(), tmp_path, inputs=["u"], outputs=OUTPUTS, solver=solver)
    (tmp_path / "counting.c").write_text(COUNTING)
    build = ["cc", "counting.c", "libdriven_pendulum.a", "-lm", "-o", "counting"]
    subprocess.run(build, cwd=tmp_path, check=True)
    assert subprocess.run([str(tmp_path / "counting")], check=False).returncode == 0


def test_two_c_libraries_in_one_program(tmp_path):
    for name in ("left", "right"):
        m = driven_pendulum()
        m.name = name
        dt.export_c(m, tmp_path, inputs=["u"], outputs=["A.angle"], solver=dt.RK4(step=0.001))
    (tmp_path / "both.c").write_text(
        '#include <stdio.h>\n#include "left.h"\n#include "right.h"\nint main(void) {\n'
        "left *a = left_new(); right *b = right_new(); right_set(b, RIGHT_SET_u, 2.0);\n"
        "left_start(a, 0.0); right_start(b, 0.0); left_step(a, 0.5); right_step(b, 0.5);\n"
        'printf("%.15g %.15g", left_outputs(a)[0], right_outputs(b)[0]); return 0; }\n'
    )
    subprocess.run(["cc", "both.c", "libleft.a", "libright.a", "-lm", "-o", "both"], cwd=tmp_path, check=True)
    done = subprocess.run([str(tmp_path / "both")], capture_output=True, text=True, check=True)
    a, b = map(float, done.stdout.split())
    solver = dt.RK4(step=0.001)
    wanted = [
        dt.simulate(dt.compile(driven_pendulum()).with_parameters({"u": u}), 0.5, solver=solver, outputs=0.5)["A.angle"]
        for u in (0.2, 2.0)
    ]
    assert a == pytest.approx(wanted[0][-1], abs=1e-10)
    assert b == pytest.approx(wanted[1][-1], abs=1e-10)


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere; make it first"):
        dt.export_fmu(driven_pendulum(), tmp_path / "nowhere" / "model.fmu")
