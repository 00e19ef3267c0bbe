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


@pytest.mark.parametrize("name", ["four_bar", "suspension", "robot_arm", "urdf_arm", "quick_return", "stewart"])
def test_several_places_and_numbers_at_once(name: str) -> None:
    """Places, masses and numbers changed together, and twice in a row; the first system keeps its bits."""
    model = built(name)
    system = dt.compile(model)
    before = {key: np.copy(each) for key, each in of_system(system).items()}
    source = described(system.model)
    fields = ("position", "at", "mass", "stiffness", "damping", "length", "com")
    names = [each for each in number_names(source) if find(source, each).field in fields]
    pick = np.random.default_rng(7)
    for _ in range(5):
        first, second = (
            {each: 1.01 * (find(source, each).number(source) or 0.01) for each in pick.choice(names, 3, replace=False)}
            for _ in range(2)
        )
        try:
            expected = compile_model(with_values(with_values(source, first), second))
        except (ValueError, dt.ModelError):
            continue
        ours = system.with_parameters(first).with_parameters(second)
        assert not differences(of_system(ours), of_system(expected)), (first, second)
    assert not differences(of_system(system), before)


def loop_of(length: float, x: float) -> dt.Model:
    """A crank whose tip a rod of a given length, without mass, holds to a slider: cut or constrained, with a spring."""
    m = dt.Model("loop", gravity=(0, 0, -9.81))
    crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="x"), position=(0.15, 0, 0))
    slider = m.add_body("slider", dt.Inertia.box(0.5, (0.1, 0.1, 0.1)), position=(x, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0), q0=0.4)
    m.add_joint("D", dt.Prismatic("x"), m.ground, slider, at=(x, 0, 0))
    m.add_marker("tip", crank, (0.15, 0, 0))
    m.add_constraint("rod", dt.Distance("tip", slider, length))
    m.add_force("spring", dt.SpringDamper(m.ground, slider, 10.0, 0.1, 0.5))
    return m


def test_loops_close_again_with_other_lengths() -> None:
    """The reassembled loop has the new length, and the run is that of a model described with it, bit for bit."""
    system = dt.compile(loop_of(0.8, 1.1))
    changed = system.with_parameters({"rod.length": 0.9, "slider.position.x": 1.2, "D.at.x": 1.2})
    r, expected = dt.simulate(changed, 0.3), dt.simulate(loop_of(0.9, 1.2), 0.3)
    np.testing.assert_array_equal(r.states, expected.states)
    gap = np.linalg.norm(r["tip.position"] - r["slider.position"], axis=1) - 0.9
    assert np.max(np.abs(gap)) < 1e-9  # the projection stops at 1e-12 of a metre at steps; outputs between them 1e-10


def test_places_keep_all_other_arrays() -> None:
    """Only poses and inertias are computed anew; numbers of forces, laws and closures stay the same objects."""
    system = dt.compile(built("four_bar"))
    changed = system.with_parameters({"D.at.z": 0.01, "crank.position.x": 0.01})
    assert changed.loads.forces is system.loads.forces
    assert changed.closures is system.closures
    assert changed.tree.parent is system.tree.parent
    assert not np.array_equal(changed.loads.markers.X_BM, system.loads.markers.X_BM)


def test_places_have_no_slots_of_numbers() -> None:
    """A place moves poses, which no slot of a batch writes: it is left to `system`."""
    from duoti.system.setter import ParameterSetter

    setter = ParameterSetter(dt.compile(loop_of(0.8, 1.1)), ["D.at.x", "rod.length", "slider.mass"])
    assert setter.rest == ("D.at.x", "rod.length")
