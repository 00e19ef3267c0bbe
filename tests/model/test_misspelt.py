"""Misspelt parameters and attributes, missing values: the message names what was meant."""

import copy
import inspect
import pickle

import pytest

import duoti as dt
from duoti.model.constraints import CONSTRAINT_TYPES
from duoti.model.forces import FORCE_TYPES
from duoti.model.joints import JOINT_TYPES
from duoti.spelling import nearest


def model() -> dt.Model:
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_force("push", dt.JointTorque("A", 1.0))
    return m


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: dt.SpringDamper("a", "b", stifness=3), ["SpringDamper", "'stifness' (did you mean 'stiffness'?)"]),
        (lambda: dt.SpringDamper(a="a", b="b"), ["'a'", "'b'", "'marker_a' is missing", "'marker_b' is missing"]),
        (lambda: dt.Revolute(), ["Revolute: 'axis' is missing"]),
        (lambda: dt.Revolute("x", "y"), ["2 values are given by place, but it takes 1"]),
        (lambda: dt.Radau(rtoll=1e-3), ["Radau", "(did you mean 'rtol'?)"]),
        (lambda: dt.RK4(), ["RK4: 'step' is missing"]),
        (lambda: dt.Baumgarte(alfa=3), ["(did you mean 'alpha'?)"]),
        (lambda: dt.Event("t", terminall=True), ["(did you mean 'terminal'?)"]),
        (lambda: dt.Gear("a", "b", ratios=2), ["(did you mean 'ratio'?)", "'ratio' is missing"]),
        (lambda: dt.Model(gravty=(0, 0, 0)), ["Model", "(did you mean 'gravity'?)"]),
        (lambda: model().add_body("b", inertya=3), ["Model.add_body", "(did you mean 'inertia'?)"]),
        (
            lambda: dt.simulate(model(), durration=1),
            ["simulate", "(did you mean 'duration'?)", "'duration' is missing"],
        ),
        (lambda: dt.simulate(model(), 1, duration=1), ["'duration' is given twice"]),
        (lambda: dt.compile(model(), cut_forced=[]), ["compile_model", "there is no parameter 'cut_forced'"]),
        (
            lambda: dt.simulate(model(), 0.1).to_csv("a.csv", chanels=["A.angle"]),
            ["to_csv", "(did you mean 'channels'?)"],
        ),
        (lambda: dt.compile(model()).state(3, x=2), ["System.state", "there is no parameter 'x'"]),
        (lambda: dt.Inertia.rod(1.0, lenght=2), ["rod", "(did you mean 'length'?)"]),
        (lambda: dt.Rotation.about("x", angel=2), ["about", "(did you mean 'angle'?)"]),
    ],
)
def test_parameters(call, said):
    with pytest.raises(TypeError) as caught:
        call()
    for part in said:
        assert part in str(caught.value)


def test_a_type_error_inside_a_function_stays_what_it_is():
    with pytest.raises(TypeError, match="is not a model"):
        dt.simulate("model", 1.0)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: dt.Inertia.rod(1.0), "rod: length is missing; give a length in metres"),
        (lambda: dt.Inertia.cylinder(1.0, radius=1), "cylinder: length is missing"),
        (lambda: dt.Inertia.sphere(1.0), "sphere: radius is missing"),
        (lambda: dt.Inertia.rod(1.0, length=float("nan")), "length = nan is not a length"),
    ],
)
def test_dimensions_that_are_missing(call, said):
    with pytest.raises(ValueError, match=said):
        call()


@pytest.mark.parametrize(
    ("item", "name", "meant"),
    [
        (lambda m: m.joints["A"], "q00", "q0"),
        (lambda m: m.joints["A"], "limit", "limits"),
        (lambda m: m.joints["A"].joint, "axes", "axis"),
        (lambda m: m.bodies["rod"], "possition", "position"),
        (lambda m: m.forces["push"], "valeu", "value"),
        (lambda m: m, "gravitty", "gravity"),
        (lambda m: m.add_marker("tip", "rod"), "postion", "position"),
        (lambda m: m.add_state("z", "1"), "intial", "initial"),
    ],
)
def test_attributes(item, name, meant):
    thing = item(model())
    with pytest.raises(AttributeError, match=f"no attribute '{name}'. Did you mean '{meant}'"):
        setattr(thing, name, 1.0)
    for each in (copy.copy(thing), copy.deepcopy(thing)):
        with pytest.raises(AttributeError):
            setattr(each, name, 1.0)
    setattr(thing, meant, getattr(thing, meant))


def test_elements_can_be_pickled():
    again = pickle.loads(pickle.dumps(model()))
    with pytest.raises(AttributeError):
        again.joints["A"].q00 = 3
    assert dt.simulate(again, 0.1).ok


@pytest.mark.parametrize("cls", [*JOINT_TYPES.values(), *FORCE_TYPES.values(), *CONSTRAINT_TYPES.values()])
def test_signatures_are_those_of_constructors(cls):
    own = [] if cls.__init__ is object.__init__ else list(inspect.signature(cls.__init__).parameters)[1:]
    assert list(inspect.signature(cls).parameters) == own


def test_what_is_near():
    known = ["attraction", "joint_spring", "spring_damper", "crank", "radau", "revolute"]
    assert nearest("friction", known) == []
    assert nearest("crnak", known) == ["crank"]
    assert nearest("raduu", known) == ["radau"]
    assert nearest("spring", known) == ["joint_spring"] or nearest("spring", known) == ["spring_damper"]
    assert nearest("revolut", known) == ["revolute"]


INTERNAL = ("names_of", "von_mises", "law", "tangent", "sample", "of")  # of the package, or called often


def test_every_public_function_explains_a_wrong_keyword():
    """Functions of the package, ways to make things, and methods of models and results."""
    silent = []
    functions = {name: each for name in dir(dt) if name[0] != "_" and inspect.isfunction(each := getattr(dt, name))}
    for part in (dt.analyses, dt.contact, dt.flexible, dt.formats, dt.identification, dt.textbook):
        functions |= {name: each for name in part.__all__ if inspect.isfunction(each := getattr(part, name))}
    for cls in (dt.Composite, dt.Flexible, dt.Inertia, dt.Rotation, dt.Shape, dt.flexible.Structure, dt.Trajectory):
        functions |= {
            f"{cls.__name__}.{key}": getattr(cls, key)
            for key, each in inspect.getmembers_static(cls)
            if isinstance(each, classmethod | staticmethod) and not key.startswith("_") and key not in INTERNAL
        }
    for cls in (dt.Model, dt.Result, dt.analyses.LinearSystem):
        methods = inspect.getmembers(cls, inspect.isfunction)
        functions |= {
            f"{cls.__name__}.{key}": each.__get__(object()) for key, each in methods if not key.startswith("_")
        }
    for name, function in functions.items():
        if name in INTERNAL or any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values()):
            continue
        with pytest.raises(TypeError) as error:
            function(no_such_keyword=1)
        silent += [] if "there is no parameter 'no_such_keyword'" in str(error.value) else [name]
    assert not silent
