"""Solvers of one's own: one file each, outside the package, as a user's would be.

`BogackiShampine` is a Runge-Kutta tableau (no kernel is compiled). `DriftKickDrift` has a step of its own, one entry
that is compiled alone. Both run in Python as they are, and by name in a model file after one registration.
"""

import importlib.util
import sys

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.named_options import SOLVERS
from duoti.formats.yaml.file import from_text

TABLEAU = '''
from dataclasses import dataclass

from duoti.integrate import Adaptive
from duoti.integrate.explicit.tableau import runge_kutta


@dataclass(frozen=True)
class BogackiShampine(Adaptive):
    """Order 3 with an estimate of order 2 (Bogacki & Shampine 1989, Appl. Math. Lett. 2, 321-325)."""

    @staticmethod
    def coefficients():
        A = ((), (1 / 2,), (0.0, 3 / 4))
        return runge_kutta(A, (2 / 9, 1 / 3, 4 / 9), (0.0, 1 / 2, 3 / 4), (-5 / 72, 1 / 12, 1 / 9, -1 / 8), order=3)
'''

STEP = '''
from dataclasses import dataclass

from duoti.dynamics.tree.kinematics import calc_qdot, unit_quaternions
from duoti.integrate import FixedStep
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import EXPLICIT_CONTEXT, EXPLICIT_ENTRIES, is_finite
from duoti.integrate.state import project, state_rates
from duoti.kernel import entry, unpack
from duoti.system.context import REAL_CONTEXT


@entry
def drift_kick_drift(address):
    """q half a step with the old v, v a step with the forces there, q half a step with the new v."""
    context, run, _ = unpack(address, EXPLICIT_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    h, nq, ny = run.clock[0].h, tree.nq, run.y.shape[0]
    last = nq + tree.nv
    for i in range(ny):
        run.y_at[i] = run.y[i]
    for half in range(2):
        calc_qdot(tree, run.y_at[:nq], run.y_at[nq:last], run.K[1, :nq])
        for i in range(nq):
            run.y_at[i] += 0.5 * h * run.K[1, i]
        unit_quaternions(tree, run.y_at[:nq])
        if half == 0:
            state_rates(w, run.clock[0].t + 0.5 * h, run.y_at, run.K[1])
            for i in range(nq, ny):
                run.y_at[i] = run.y[i] + h * run.K[1, i]
    for i in range(ny):
        run.y_new[i] = run.y_at[i]
    project(w, run.clock[0].t + h, run.y_new)
    state_rates(w, run.clock[0].t + h, run.y_new, run.K[1])
    run.counts[0].evaluations += 2
    is_finite(run, run.K[1])


@dataclass(frozen=True)
class DriftKickDrift(FixedStep):
    """Constant step, order 2 for forces that do not depend on velocities."""

    @staticmethod
    def entries():
        start, _, polynomial, shift = EXPLICIT_ENTRIES
        return start, drift_kick_drift, polynomial, shift

    @staticmethod
    def coefficients():
        return runge_kutta(((),), (1.0,), (0.0,))
'''

FILE = """
duoti: 1
name: oscillator
gravity: [0, 0, 0]
bodies:
  b: {inertia: {mass: 2, matrix: [0, 0, 0]}}
joints:
  S: {type: prismatic, axis: x, between: [ground, b], q0: 1}
forces:
  spring: {type: joint_spring, joint: S, stiffness: 8}
simulate: {duration: 2, outputs: 0.05, solver: SOLVER}
"""


@pytest.fixture
def own(tmp_path, request):
    """A module from a file of its own, whose solver is registered while a test runs."""
    text, cls, name = request.param
    path = tmp_path / f"own_{name}.py"
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    SOLVERS.add(name, path.stem, cls)
    yield getattr(module, cls)
    SOLVERS.remove(name)
    del sys.modules[path.stem]


tableau = pytest.mark.parametrize("own", [(TABLEAU, "BogackiShampine", "bogacki_shampine")], indirect=True, ids=["rk"])
step = pytest.mark.parametrize("own", [(STEP, "DriftKickDrift", "drift_kick_drift")], indirect=True, ids=["step"])


def oscillator(solver="dopri5"):
    """x = cos(2 t)."""
    return from_text(FILE.replace("SOLVER", solver))


@tableau
def test_a_tableau_in_a_file(own):
    """An adaptive method of order 3: the error follows the tolerance, and its twin DOPRI5 ends in the same place."""
    errors = []
    for rtol in (1e-5, 1e-8):
        r = dt.simulate(oscillator(), 2.0, outputs=0.05, solver=own(rtol=rtol, atol=rtol))
        assert r.ok, r.reason
        errors.append(np.max(np.abs(r["S.position"] - np.cos(2 * r.t))))
    # errors per step within the tolerance, some hundred steps; dense output of order 3 between them
    assert errors[0] < 1e-3
    assert errors[1] < 1e-6
    assert errors[1] < 0.02 * errors[0]  # 1e-3 of the tolerance, hence 1e-2 (order 2 / 3) of the error at most


@tableau
def test_it_has_the_order_of_its_book(own):
    """A tenth of the step makes the error of order 3 a thousandth: of steps held constant by max_step."""
    errors = []
    for h in (0.01, 0.001):
        solver = own(rtol=0.5, atol=0.5, max_step=h, first_step=h)
        r = dt.simulate(oscillator(), 1.0, outputs=1.0, solver=solver)
        errors.append(abs(r["S.position"][-1] - np.cos(2.0)))
    assert errors[0] / errors[1] == pytest.approx(1e3, rel=0.1)  # the next term is smaller by omega h = 0.02


@step
def test_a_step_in_a_file(own):
    """x of a linear oscillator is cos(n theta) with cos(theta) = 1 - (omega h)²/2, to round-off."""
    h = 0.01
    r = dt.simulate(oscillator(), 2.0, outputs=h, solver=own(step=h))
    assert r.ok, r.reason
    theta = np.arccos(1.0 - 2.0 * h**2)
    n = np.arange(len(r.t))
    # round-off of arccos near 1 (1e-16 / theta) times 200 steps
    np.testing.assert_allclose(r["S.position"], np.cos(n * theta), rtol=0, atol=1e-11)


@step
def test_a_step_of_ones_own_turns_bodies(own):
    """A ball that spins: its quaternion is (cos, n sin) of half the angle, up to an error of order 2."""
    m = dt.Model("spinning", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.3))
    m.add_joint("F", dt.Free(), m.ground, "b", v0={"angular_velocity": (0.0, 2.0, 0.0)})
    errors = []
    for h in (0.01, 0.005):
        r = dt.simulate(m, 0.5, outputs=0.5, solver=own(h))
        assert r.ok, r.reason
        exact = np.array([np.cos(0.5), 0.0, np.sin(0.5), 0.0])
        errors.append(np.max(np.abs(r["b.rotation"][-1] - exact)))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.01)  # the next term is smaller by (omega h / 2)²


@pytest.mark.parametrize(
    ("own", "setting"),
    [
        ((TABLEAU, "BogackiShampine", "bogacki_shampine"), "{type: bogacki_shampine, rtol: 1.0e-7}"),
        ((STEP, "DriftKickDrift", "drift_kick_drift"), "{type: drift_kick_drift, step: 1 ms}"),
    ],
    indirect=["own"],
)
def test_by_name_in_a_model_file(own, setting):
    r = dt.analyses.run_tasks(oscillator(setting))["simulate"]
    assert r.ok, r.reason
    assert own.__name__ in r.summary()
    assert np.max(np.abs(r["S.position"] - np.cos(2 * r.t))) < 1e-5  # of tolerance and step


def test_a_name_that_is_taken_is_refused():
    with pytest.raises(ValueError, match="'radau' is there already"):
        SOLVERS.add("radau", "own", "Radau")
    with pytest.raises(dt.ModelError, match="there is no solver 'bogacki'"):
        dt.analyses.run_tasks(oscillator("bogacki"))
