"""Every number of every bundled example, changed in the compiled system: the arrays are those of the changed model."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.initial_state import first_state
from duoti.model.expand_bond_graphs import described
from duoti.model.parameters import find, number_names
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.system.compile.compiler import compile_model
from duoti.system.parameters import with_values

EXAMPLES = sorted(
    path.stem for path in (Path(dt.__file__).parent / "examples").glob("*.py") if not path.stem.startswith("_")
)


def built(name: str) -> dt.Model:
    return importlib.import_module(f"duoti.examples.{name}").build()


def arrays(fields, path=""):
    """All arrays of nested named tuples, by their names."""
    found = {}
    for name, each in fields._asdict().items():
        if hasattr(each, "_asdict"):
            found |= arrays(each, f"{path}{name}.")
        else:
            found[path + name] = each
    return found


def of_system(system):
    q, v = system.initial_state()
    found = arrays(system.tree, "tree.") | arrays(system.loads, "loads.") | arrays(system.closures, "closures.")
    if system.flex is not None:
        found |= arrays(system.flex, "flex.")
    return found | {"q": q, "v": v, "z": system.initial_z()}


def differences(ours, theirs) -> list[str]:
    """Names of arrays that differ in any bit."""
    assert ours.keys() == theirs.keys()
    wrong = []
    for name, a in ours.items():
        b = theirs[name]
        if np.shape(a) != np.shape(b) or not np.array_equal(a, b, equal_nan=np.asarray(a).dtype.kind == "f"):
            wrong.append(name)
    return wrong


def frames(system):
    """Poses and velocities of all bodies where a run would begin; None if none could."""
    try:
        q, v = first_state(system)
    except dt.ModelError:
        return None
    markers = [system.marker_index(name) for name in system.model.bodies]
    return observe(system, np.zeros(1), system.whole_state(q, v)[None], FRAMES, markers).frames


@pytest.mark.parametrize("name", EXAMPLES)
def test_changed_equals_compiled_anew(name: str) -> None:
    model = built(name)
    system = dt.compile(model)
    source = described(system.model)
    wrong, compared = [], 0
    for number in number_names(source):
        parameter = find(source, number)
        value = parameter.number(source)
        new = 1.01 * value if value else 0.01
        try:
            expected = compile_model(with_values(source, {number: new}))
        except (ValueError, dt.ModelError):
            with pytest.raises((ValueError, dt.ModelError)):
                system.with_parameters({number: new})
            continue
        try:
            ours = system.with_parameters({number: new})
        except Exception as error:
            wrong.append(f"{number}: {type(error).__name__} {str(error)[:150]}")
            continue
        compared += 1
        if not np.array_equal(ours.tree.parent, expected.tree.parent):  # an initial value may choose another tree
            assert parameter.field in ("q0", "v0")
            found, wanted = frames(ours), frames(expected)
            assert (found is None) == (wanted is None), number
            if found is not None:
                np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9, err_msg=number)
        elif differing := differences(of_system(ours), of_system(expected)):
            wrong.append(f"{number}: {differing}")
    assert not wrong, "\n".join(wrong[:40])
    assert compared
