"""Old public names: each still works, warns, and is on the page of changed names."""

import inspect
import re
import warnings
from operator import attrgetter
from pathlib import Path

import pytest

import duoti as dt
from duoti.renamed import ARGUMENTS, CALLED_OTHERWISE, MOVED, OLD_TYPES

PAGE = (Path(__file__).parents[2] / "docs" / "changed_names.md").read_text(encoding="utf-8")
PROMISED = [
    "Model",
    "Inertia",
    "Revolute",
    "Prismatic",
    "Cylindrical",
    "Universal",
    "Spherical",
    "Planar",
    "Screw",
    "Free",
    "Fixed",
    "Rotation",
    "SpringDamper",
    "JointTorque",
    "AppliedForce",
    "AppliedTorque",
    "topology",
    "check",
    "simulate",
    "DOPRI5",
    "RK4",
    "GeneralisedAlpha",
    "load",
    "open_result",
    "RigidContact",
    "CompliantContact",
    "Shape",
    "Moreau",
    "contact_problem",
    "solve_lcp",
    "JointFriction",
    "Material",
    "Section",
    "Beam",
    "Flexible",
    "Mesh",
    "craig_bampton",
    "equilibrium",
    "linearise",
    "required_forces",
    "energy_flow",
    "kane",
    "bond",
    "compile",
    "System",
    "Result",
]


@pytest.mark.parametrize("old", [name for name in MOVED if name not in CALLED_OTHERWISE])
def test_a_moved_name_is_the_same_object_and_warns(old):
    assert old not in dt.__all__
    with pytest.warns(DeprecationWarning, match=f"duoti.{old} is now duoti.{MOVED[old]};"):
        was = getattr(dt, old)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert was is attrgetter(MOVED[old])(dt)
    assert f"| `dt.{old}` | `dt.{MOVED[old]}` |" in PAGE


@pytest.mark.parametrize("old", CALLED_OTHERWISE)
def test_a_name_that_is_called_otherwise_warns_and_is_on_the_page(old):
    assert old not in dt.__all__
    with pytest.warns(DeprecationWarning, match=rf"duoti.{old} is now duoti.{re.escape(MOVED[old])};"):
        assert callable(getattr(dt, old))
    new, _, parameters = MOVED[old].removesuffix(")").partition("(")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert all(
            each.split("=")[0] in inspect.signature(getattr(dt, new)).parameters for each in parameters.split(", ")
        )
    assert f"| `dt.{old}` | `dt.{MOVED[old]}` |" in PAGE


@pytest.mark.parametrize(("of", "old"), OLD_TYPES)
def test_an_old_type_of_model_files_is_on_the_page(of, old):
    new, keys = OLD_TYPES[of, old]
    renamed = "".join(f", `{key}:` is `{other}:`" for key, other in keys.items())
    assert f"| `type: {old}` | `type: {new}`{renamed} |" in PAGE


@pytest.mark.parametrize("name", PROMISED)
def test_promised_names_stay_at_the_top_without_a_warning(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert getattr(dt, name) is not None


def test_there_are_not_many_more_names_than_promised():
    assert len(dt.__all__) <= 175  # names for using a model and for vehicles and ropes (design, section 8) included


@pytest.mark.parametrize("function", [name for name in ARGUMENTS if name != "compare_treatments"])
def test_new_arguments_are_those_of_the_function(function):
    place = MOVED.get(function, function)
    place = "analyses.compare_constraint_methods" if function == "compare_constraint_methods" else place
    parameters = inspect.signature(attrgetter(place)(dt)).parameters
    for old, new in ARGUMENTS[function].items():
        assert new in parameters
        assert old not in parameters
        assert f"`{function}`" in PAGE
        assert f"| `{old}=` | `{new}=` |" in PAGE


def test_load_and_save_go_by_the_ending(tmp_path):
    m = dt.Model("swing")
    m.add_body("bob", dt.Inertia.sphere(1.0, 0.1), position=(0, 0, -1))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bob", at=(0, 0, 0))
    for ending in (".yaml", ".yml", ".urdf"):
        dt.save(m, tmp_path / f"m{ending}")
        assert list(dt.load(tmp_path / f"m{ending}").joints) == ["A"]
    with pytest.raises(ValueError, match=r"no format is known for the ending '\.txt'"):
        dt.save(m, tmp_path / "m.txt")
    with pytest.raises(TypeError, match="is not a model"):
        dt.save(3, tmp_path / "m.yaml")


def pendulum():
    m = dt.Model("swing")
    m.add_body("bob", dt.Inertia.point(1.0), position=(0, 0, -1))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bob", at=(0, 0, 0), q0=0.5, limits=(-1, 1))
    return m


def test_promised_keywords_do_not_warn():
    system = dt.compile(pendulum())
    q, v = system.state()[:2]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dt.kane(system=system, q=q, v=v).body("bob")["mass"] == 1.0
        assert dt.contact_problem(system=system, q=q, v=v, t=0.0).consistent
    with pytest.warns(DeprecationWarning, match=r"energies\(system=\) is now energies\(model=\)"):
        dt.energies(system=system, q=q, v=v)


def test_a_run_goes_on_from_at_when_the_model_is_given_by_name():
    m = pendulum()
    first = dt.simulate(m, 0.3)
    for at in (first, (first.q[-1], first.v[-1]), {"A": first.q[-1, 0]}):
        by_place, by_name = dt.simulate(m, 0.1, at=at), dt.simulate(model=m, duration=0.1, at=at)
        assert by_place.q[0] == by_name.q[0] == first.q[-1]
        assert by_place.t[0] == by_name.t[0]


def test_the_state_is_given_once():
    m = pendulum()
    with pytest.raises(TypeError, match="give one of them"):
        dt.parameter_derivatives(m, ["bob.mass"], at=([0.1], [0.0]), q=[0.2])


def test_a_warning_names_the_line_that_uses_an_old_name():
    """Python shows deprecation warnings of a script only if they point into it."""

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _ = dt.JointSpeed
    assert [Path(each.filename).name for each in caught] == [Path(__file__).name]
