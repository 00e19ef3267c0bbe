"""States that are vectors: in files, in parts, with every kind of solver. See also test_states.py."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.formats import from_text

FILE = """\
duoti: 1
bodies:
  b: {inertia: {point: {mass: 1}}}
joints:
  J: {type: prismatic, axis: x, between: [ground, b], v0: 1}
states:
  x: {rate: ["-w*x[1]", "w*x[0] + 0*J.position", 1], initial: [1, 0, 0.5], unit: V}
parameters: {w: 2}
"""


@pytest.mark.parametrize("solver", ["dopri5", "dop853", "radau", "auto"])
def test_a_vector_in_a_file(solver, tmp_path):
    """A rotation in the plane, in closed form; what is saved is read as the same."""
    m = from_text(FILE)
    assert list(m.states) == ["x[0]", "x[1]", "x[2]"]
    m.save(tmp_path / "m.yaml")
    for model in (m, dt.load(tmp_path / "m.yaml")):
        r = dt.simulate(model, 3.0, outputs=0.1, solver=solver, rtol=1e-10, atol=1e-12)
        exact = np.column_stack([np.cos(2 * r.t), np.sin(2 * r.t), 0.5 + r.t])
        assert np.allclose(r["x"], exact, rtol=0, atol=1e-8)  # hundreds of steps of errors of 1e-10
        assert r.unit("x") == "V"


def test_one_initial_number_is_for_all_components():
    m = from_text(FILE.replace("[1, 0, 0.5]", "0.5"))
    assert [state.initial for state in m.states.values()] == [0.5] * 3


def test_a_vector_of_a_part_has_the_name_of_the_part():
    whole = dt.Model("whole")
    whole.add_submodel("left", from_text(FILE))
    r = dt.simulate(whole, 1.0, rtol=1e-10, atol=1e-12)
    assert np.allclose(r["left.x"][-1], (np.cos(2), np.sin(2), 1.5), rtol=0, atol=1e-8)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("[1, 0, 0.5]", "[1, 0]", "m.yaml:7: states.x: rate has 3 and initial has 2 components"),
        ("[1, 0, 0.5]", "[]", "states.x: rate has 3 and initial has 0 components"),
        ("w*x[0]", "w*y[0]", 'm.yaml:7: state "x[1]"'),
        ("[1, 0, 0.5]", "[1, true, 0.5]", "states.x[1].initial"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, told):
    with pytest.raises(dt.errors.ModelFileError) as error:
        from_text(FILE.replace(old, new), name="m.yaml")
    assert told in str(error.value)


def test_lists_for_a_single_state_lead_to_vectors():
    m = dt.Model("m")
    m.add_state("x", 1.0, initial=[0.0, 1.0])
    assert "add_vector_state" in str(dt.check(m))
