"""An analysis of one's own: a function in a module of one's own, known to model files by one registration."""

import math
import sys
import types
from dataclasses import dataclass

import pytest

import duoti as dt
from duoti.analyses.study.registry import ANALYSES, TASKS
from duoti.formats.yaml.file import from_text


@dataclass(frozen=True)
class Period:
    """A period of small vibrations."""

    seconds: float
    ok: bool = True

    def __str__(self):
        return f"period {self.seconds:.6f} s"


def period(model: dt.Model, at=None, mode: int = 1) -> Period:
    """The period of a mode about an equilibrium."""
    return Period(1.0 / dt.linearise(model, at=at).frequencies[mode - 1])


def largest(result, channel: str) -> float:
    """The largest value of a channel."""
    return float(abs(result[channel]).max())


FILE = """
duoti: 1
name: pendulum
bodies:
  bob: {inertia: {mass: 2, matrix: [0, 0, 0]}, position: [0, 0, -1.5]}
joints:
  A: {type: revolute, axis: y, between: [ground, bob], at: [0, 0, 0], q0: 0.1}
simulate: {duration: 1, outputs: 0.5}
analyses:
  rest: {type: equilibrium}
  swing: {type: period, at: rest}
  reach: {type: largest, channel: A.angle}
"""


def faults(text):
    """What is wrong with a file."""
    return dt.check(from_text(text)).errors


@pytest.fixture
def own(monkeypatch):
    """The registrations: a line for each type of analysis."""
    module = types.ModuleType("own_analyses")
    module.period, module.largest = period, largest
    monkeypatch.setitem(sys.modules, "own_analyses", module)
    for name in ("period", "largest"):
        ANALYSES.add(name, "own_analyses", name)
    yield
    for name in ("period", "largest"):
        ANALYSES.remove(name)


@pytest.mark.usefixtures("own")
def test_analyses_of_ones_own_in_a_file():
    """A point on a rod: T = 2 pi sqrt(L / g). One takes the model, the other the result of the simulation."""
    done = dt.analyses.run_tasks(from_text(FILE))
    found = done["analyses"]
    assert found["swing"].seconds == pytest.approx(2 * math.pi * math.sqrt(1.5 / 9.81), rel=1e-9)
    assert found["reach"] == pytest.approx(abs(done["simulate"]["A.angle"]).max(), rel=1e-15)


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize(
    ("there", "wrong", "message"),
    [
        ("mode: 1", "mode: 1.5", "1.5 is not a whole number"),
        ("mode: 1", "modes: 1", "unknown key 'modes' of period. Did you mean 'mode'?"),
        ("mode: 1", "at: nowhere", "there is no 'nowhere' further up"),
    ],
)
def test_their_settings_are_checked_as_those_of_the_package(there, wrong, message):
    text = FILE.replace("{type: period, at: rest}", f"{{type: period, {wrong}}}")
    (error,) = faults(text)
    assert message in error.what
    assert error.place.line == 11
    assert dt.check(from_text(text.replace(wrong, there))).ok


def test_what_is_not_registered_is_refused():
    assert faults(FILE)[0].what.startswith("analyses.swing: there is no analysis 'period'")
    with pytest.raises(ValueError, match="'equilibrium' is there already"):
        ANALYSES.add("equilibrium", "own_analyses", "period")


@pytest.mark.parametrize("task", TASKS)
def test_an_analysis_with_a_key_of_its_own_is_no_type(task):
    (error,) = faults(FILE[: FILE.index("  swing")] + f"  x: {{type: {task}}}\n")
    assert f"{task} is asked for by a key of its own" in error.what
