"""Directional derivatives of FMUs: against differences of the FMU itself, and against `dt.linearise`."""

from __future__ import annotations

import sys
import zipfile

import numpy as np
import pytest

import duoti as dt
from duoti.examples import find_example
from duoti.kernel import CHECK, JIT, helper
from duoti.model.forces.base import Force

fmpy = pytest.importorskip("fmpy")
pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or CHECK or not JIT, reason="exported are usual kernels, for Linux"
)


class Running:
    """An FMU in continuous-time mode, at the initial state."""

    def __init__(self, path, folder):
        description = fmpy.read_model_description(str(path))
        self.two = description.fmiVersion == "2.0"
        kind = fmpy.fmi2.FMU2Model if self.two else fmpy.fmi3.FMU3Model
        self.fmu = kind(
            guid=description.guid, unzipDirectory=fmpy.extract(str(path), str(folder)), instanceName="one",
            modelIdentifier=description.modelExchange.modelIdentifier,
        )  # fmt: skip
        self.description = description
        self.fmu.instantiate()
        if self.two:
            self.fmu.setupExperiment(startTime=0.0)
        self.fmu.enterInitializationMode()
        self.fmu.exitInitializationMode()
        self.fmu.enterContinuousTimeMode()
        variables = description.modelVariables
        self.numbers = {v.name: v.valueReference for v in variables}
        self.states = [v.name for v in variables if v.name.startswith("state.")]
        self.settable = [
            v.name for v in variables
            if v.causality == "input" or (v.causality == "parameter" and v.variability == "tunable")
        ]  # fmt: skip
        self.rates = [f"der({name})" for name in self.states]
        self.outputs = [v.name for v in variables if v.causality == "output"]

    def get(self, names):
        return np.array((self.fmu.getReal if self.two else self.fmu.getFloat64)([self.numbers[n] for n in names]))

    def set(self, name, value):
        (self.fmu.setReal if self.two else self.fmu.setFloat64)([self.numbers[name]], [value])

    def along(self, unknowns, knowns, seed):
        numbers = self.numbers
        return np.array(
            self.fmu.getDirectionalDerivative([numbers[n] for n in unknowns], [numbers[n] for n in knowns], list(seed))
        )

    def matrix(self, unknowns, knowns):
        return np.array([self.along(unknowns, [name], [1.0]) for name in knowns]).T

    def differences(self, unknowns, knowns):
        """The same by differences of fourth order."""
        columns = []
        for name in knowns:
            x = self.get([name])[0]
            h, found = 1e-4 * max(1.0, abs(x)), []
            for k in (-2, -1, 1, 2):
                self.set(name, x + k * h)
                found.append(self.get(unknowns))
            self.set(name, x)
            columns.append((found[0] - 8 * found[1] + 8 * found[2] - found[3]) / (12 * h))
        return np.array(columns).T


@pytest.fixture
def running(tmp_path):
    made = []

    def start(model, version="3.0", **options):
        fmu = dt.export_fmu(model, tmp_path / f"{len(made)}.fmu", version, **options)
        assert fmu.derivatives, fmu.no_derivatives
        made.append(Running(fmu.path, tmp_path / f"{len(made)}"))
        return made[-1]

    yield start
    for each in made:
        each.fmu.fmi2FreeInstance(each.fmu.component) if each.two else each.fmu.fmi3FreeInstance(each.fmu.component)


def driven_pendulum() -> dt.Model:
    m = dt.Model("driven pendulum", parameters={"u": 0.2, "c": 0.05})
    one = m.add_body("one", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    two = m.add_body("two", dt.Inertia.rod(0.5, length=0.8, axis="x"), position=(1.4, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, one, at=(0, 0, 0), q0=0.3, v0=1.0)
    m.add_joint("B", dt.Revolute("y"), one, two, at=(1, 0, 0), v0=-2.0)
    m.add_force("motor", dt.JointTorque("A", "u * cos(A.angle) - c * A.rate**3"))
    m.add_marker("tip", two, (1.8, 0, 0))
    return m


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_they_are_the_matrices_of_linearise(version, running):
    outputs = ["tip.position", "tip.velocity"]
    it = running(driven_pendulum(), version, inputs=["u"], outputs=outputs)
    lin = dt.linearise(driven_pendulum(), inputs=["u"], outputs=it.outputs)
    assert [f"state.{name}" for name in lin.states] == it.states
    for unknowns, knowns, wanted in (
        (it.rates, it.states, lin.A),
        (it.rates, ["u"], lin.B),
        (it.outputs, it.states, lin.C),
        (it.outputs, ["u"], lin.D),
    ):
        np.testing.assert_allclose(it.matrix(unknowns, knowns), wanted, rtol=0, atol=1e-11)


def test_a_loop_has_the_same_along_its_motion(running):
    m = dt.load(find_example("four_bar").file)
    it = running(m)
    lin = dt.linearise(m, outputs=[name.removeprefix("state.") for name in it.states])
    independent = [f"der(state.{name})" for name in lin.states]
    found = np.array([it.along(independent, it.states, lin.C[:, k]) for k in range(lin.A.shape[1])]).T
    np.testing.assert_allclose(found, lin.A, rtol=1e-10, atol=1e-10)


def ball_on_rubber() -> dt.Model:
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.098))
    m.add_joint("motion", dt.Free(), m.ground, ball, at=(0, 0, 0.098), v0=[0, 3, 0, 0.2, 0, -0.1])
    rubber = dt.CompliantContact(1e5, exponent=1.5, damping=0.2, damping_law="hunt_crossley", friction=0.5)
    m.add_contact("floor", rubber, m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


def example(name):
    return lambda: dt.load(find_example(name).file)


@pytest.mark.parametrize(
    ("build", "options"),
    [
        (driven_pendulum, {"inputs": ["u"], "parameters": ["c", "one.mass", "gravity.z"], "outputs": ["tip.velocity"]}),
        (example("four_bar"), {"inputs": ["gravity.x"]}),  # redundant equations of its loop
        (example("stewart"), {}),
        (example("heavy_top"), {"inputs": ["gravity.z"]}),  # a quaternion
        (example("rolling_coin"), {}),  # equations of velocities
        (example("hoist"), {}),  # a bond graph
        (example("gear_rattle"), {}),
        (example("suspension"), {}),
        (ball_on_rubber, {"outputs": ["ball.position", "ball.velocity"]}),
    ],
    ids=["tree", "four_bar", "stewart", "heavy_top", "rolling_coin", "hoist", "gear_rattle", "suspension", "contact"],
)
def test_they_are_those_of_the_fmu_itself(build, options, running):
    it = running(build(), **options)
    unknowns, knowns = [*it.rates, *it.outputs], [*it.states, *it.settable]
    found, wanted = it.matrix(unknowns, knowns), it.differences(unknowns, knowns)
    size = np.maximum(1.0, np.abs(wanted).max(axis=1, keepdims=True))
    assert np.max(np.abs(found - wanted) / size) < 1e-6  # of the differences
    if it.settable and it.outputs:  # outputs are functions of the states, as the description says
        assert not np.any(it.matrix(it.outputs, it.settable))


def test_flexible_bodies_have_them(running):
    m = example("flexible_crank")()
    it = running(m)
    lin = dt.linearise(m, outputs=[name.removeprefix("state.") for name in it.states])
    independent = [f"der(state.{name})" for name in lin.states]
    found = np.array([it.along(independent, it.states, lin.C[:, k]) for k in range(lin.A.shape[1])]).T
    scale = np.abs(lin.A).max()
    np.testing.assert_allclose(found, lin.A, rtol=1e-8, atol=1e-12 * scale)


def test_adjoint_derivatives_are_the_transposed_products(running):
    it = running(driven_pendulum(), inputs=["u"], outputs=["tip.position"])
    unknowns, knowns = [*it.rates, *it.outputs], [*it.states, "u"]
    J, seed = it.matrix(unknowns, knowns), np.linspace(-1.0, 2.0, len(unknowns))
    numbers = it.numbers
    found = it.fmu.getAdjointDerivative(
        [numbers[n] for n in unknowns], [numbers[n] for n in knowns], seed.tolist(), len(knowns)
    )
    np.testing.assert_allclose(found, seed @ J, rtol=1e-13, atol=1e-13)


def test_they_follow_the_state_and_the_values(running):
    it = running(driven_pendulum(), inputs=["u"])
    before = it.along(["der(state.A.rate)"], ["u"], [1.0])
    it.set("state.A.angle", 1.2)
    it.set("state.B.angle", -0.7)
    after = it.along(["der(state.A.rate)"], ["u"], [2.0])
    assert after == pytest.approx(2.0 * it.differences(["der(state.A.rate)"], ["u"])[:, 0], rel=1e-8)
    assert abs(after / 2.0 - before) > 0.1


def test_time_and_unknown_variables_are_refused(running):
    it = running(driven_pendulum(), inputs=["u"])
    for unknowns, knowns in ((["der(state.A.rate)"], ["time"]), (["u"], ["state.A.angle"])):
        with pytest.raises(Exception, match="GetDirectionalDerivative"):
            it.along(unknowns, knowns, [1.0])
    assert it.along(["der(state.A.angle)"], ["state.A.rate"], [1.0]) == 1.0


def test_initial_values_count_before_the_start_only(tmp_path):
    fmu = dt.export_fmu(driven_pendulum(), tmp_path / "m.fmu", "2.0", parameters=["A.q0"], outputs=["tip.position"])
    description = fmpy.read_model_description(str(fmu.path))
    numbers = {v.name: v.valueReference for v in description.modelVariables}
    it = fmpy.fmi2.FMU2Slave(
        guid=description.guid, unzipDirectory=fmpy.extract(str(fmu.path), str(tmp_path)), instanceName="one",
        modelIdentifier=description.coSimulation.modelIdentifier,
    )  # fmt: skip
    it.instantiate()
    it.setupExperiment(startTime=0.0)
    it.enterInitializationMode()
    pair = [numbers["tip.position.z"]], [numbers["A.q0"]], [1.0]
    # the tip is 3.2 m from A, both rods along a line that is 0.3 rad below the horizontal
    assert it.getDirectionalDerivative(*pair)[0] == pytest.approx(-3.2 * np.cos(0.3), rel=1e-12)
    it.exitInitializationMode()
    assert it.getDirectionalDerivative(*pair)[0] == 0.0
    it.fmi2FreeInstance(it.component)


@pytest.mark.parametrize("version", ["2.0", "3.0"])
def test_the_description_tells_of_them(version, tmp_path):
    fmu = dt.export_fmu(driven_pendulum(), tmp_path / "m.fmu", version)
    with zipfile.ZipFile(fmu.path) as file:
        text = file.read("modelDescription.xml").decode()
    flags = ["providesDirectionalDerivative"] if version == "2.0" else [
        "providesDirectionalDerivatives", "providesAdjointDerivatives"
    ]  # fmt: skip
    for flag in flags:
        assert text.count(f'{flag}="true"') == 2  # both kinds


@helper
def _law(f, t, q, v, loads, w):
    w.tau[0] -= max(q[0], 0.0)  # complex numbers have no order
    return 0.0, 0.0, 0.0


@helper
def _tangent(f, t, q, v, tree, loads, w, tan, path):
    tan.K[0, 0] += 1.0 if q[0] > 0.0 else 0.0


class RealOnly(Force):
    kind, INTEGERS, REALS = "real_only", ("unused",), ("unused_too",)
    law, tangent = staticmethod(_law), staticmethod(_tangent)

    def __init__(self, joint):
        self.joint = joint

    def joints(self):
        return (("joint", self.joint),)

    def integers(self, compiler):
        return {"unused": 0}

    def reals(self):
        return {"unused_too": 0.0}


@pytest.mark.filterwarnings("ignore")  # of Numba
def test_where_there_are_none_the_description_says_so(tmp_path):
    m = driven_pendulum()
    m.add_force("own", RealOnly("A"))
    fmu = dt.export_fmu(m, tmp_path / "m.fmu")
    assert not fmu.derivatives
    assert "RealOnly" in str(fmu)
    with zipfile.ZipFile(fmu.path) as file:
        assert "providesDirectional" not in file.read("modelDescription.xml").decode()
    it = Running(fmu.path, tmp_path / "one")
    with pytest.raises(Exception, match="GetDirectionalDerivative"):
        it.along(["der(state.A.rate)"], ["state.A.angle"], [1.0])
    it.fmu.fmi3FreeInstance(it.fmu.component)
