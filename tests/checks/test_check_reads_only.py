"""`check`, `compile` and `topology` read a model; they do not edit it."""

from collections.abc import Mapping

import numpy as np
import pytest

import duoti as dt
from duoti.examples import example_names, find_example


def snapshot(thing, seen=None):
    """Everything that a model holds, as plain data: numbers as bytes, what was met before as its place."""
    seen = {} if seen is None else seen
    if thing is None or isinstance(thing, str | bytes | int | float | complex | type):
        return repr(thing)
    if isinstance(thing, dt.Rotation):
        return "rotation", thing.wxyz  # beside this number it keeps what was computed from it
    if isinstance(thing, dt.Road):
        return "road", snapshot([thing.made_by, thing.arguments, thing.grid], seen)  # the same
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tobytes()
    if id(thing) in seen:
        return "seen", seen[id(thing)][0]
    seen[id(thing)] = len(seen), thing  # held, lest another object gets the same identity
    if isinstance(thing, Mapping):
        return [(snapshot(key, seen), snapshot(value, seen)) for key, value in thing.items()]
    if isinstance(thing, list | tuple):
        return [type(thing).__name__, *(snapshot(each, seen) for each in thing)]
    if callable(thing):
        return "function"
    return type(thing).__name__, snapshot(getattr(thing, "__dict__", {}), seen)


def cantilever():
    m = dt.Model("cantilever")
    beam = dt.Beam(dt.Section.circle(radius=0.01), dt.Material(youngs_modulus=2e11, poisson_ratio=0.3, density=7800))
    part = m.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=3)
    m.add_joint("clamp", dt.Fixed(), m.ground, part.start)
    return m


def motor_on_a_beam():
    m = cantilever()
    disc = m.add_body("disc", dt.Inertia.cylinder(1.0, radius=0.1, length=0.02, axis="x"), position=(1, 0, 0))
    m.add_joint("axle", dt.Revolute("x"), "b.end", disc, at=(1, 0, 0))
    g = dt.bond.Graph("motor")
    g.add("u", dt.bond.Se(1.0))
    g.add("loop", dt.bond.One())
    g.add("R", dt.bond.R(2.0))
    g.add("gyrator", dt.bond.GY(0.1))
    g.add("shaft", dt.bond.Port())
    for a, b in (("u", "loop"), ("loop", "R"), ("loop", "gyrator"), ("gyrator", "shaft")):
        g.bond(a, b)
    m.add_bond_graph("motor", g, ports={"shaft": "axle"})
    return m


def assert_reads_only(model, tmp_path):
    model.save(tmp_path / "before.yaml")
    before = snapshot(model)
    assert dt.check(model).ok
    dt.topology(model)
    dt.topology(model, cut="absolute")
    dt.compile(model)
    assert snapshot(model) == before
    model.save(tmp_path / "after.yaml")
    assert (tmp_path / "after.yaml").read_text() == (tmp_path / "before.yaml").read_text()


@pytest.mark.parametrize("name", example_names())
def test_the_examples_stay_as_they_are(name, tmp_path):
    assert_reads_only(find_example(name).build(), tmp_path)


@pytest.mark.parametrize("make", [cantilever, motor_on_a_beam])
def test_beams_keep_the_joints_of_their_nodes(make, tmp_path):
    model = make()
    assert "b.start.free" in model.joints
    assert_reads_only(model, tmp_path)
    assert "b.start.free" in model.joints
    assert "b.start.free" not in dt.compile(model).joints


def test_a_node_that_is_let_go_after_a_check_is_free_again():
    model = cantilever()
    assert dt.compile(model).nv == 18
    assert dt.check(model).ok
    del model.joints["clamp"]
    assert dt.compile(model).nv == 24


def test_the_tree_of_a_held_beam_does_not_depend_on_an_earlier_check():
    fresh, checked = cantilever(), cantilever()
    dt.check(checked)
    for cut in ("auto", "weights", "cheapest", "absolute"):
        trees = [dt.topology(each, cut=cut) for each in (fresh, checked)]
        assert trees[0].tree_joints == trees[1].tree_joints
        assert trees[0].cut_joints == trees[1].cut_joints


def test_numbers_of_a_beam_with_a_bond_graph_can_be_changed():
    system = dt.compile(motor_on_a_beam())
    changed = system.with_parameters({"disc.mass": 2.0})
    assert changed.nv == system.nv
    assert changed.rate_names == system.rate_names


def test_the_copy_that_is_compiled_does_not_follow_the_model():
    model = cantilever()
    system = dt.compile(model)
    model.add_marker("m", "b.end")
    assert "m" not in system.model.markers
    assert system.model.joints["clamp"].body_name.__self__ is system.model
