"""A further section of models and their files: one `Section`, registered beside the type of its elements."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

import duoti as dt
from duoti.formats.schema.json_schema import json_schema
from duoti.formats.yaml.file import from_text
from duoti.model.element_id import ElementId, Fault
from duoti.model.elements import Reference
from duoti.model.laws.law import Value
from duoti.model.sections import ALL, Section, further_sections, register_section, unregister_section


@dataclass
class Lamp:
    """A lamp at a marker, for the pictures of a test."""

    marker: Reference
    power: Value = 60.0
    colour: Sequence[float] = (1.0, 1.0, 1.0)
    joint: dt.model.elements.JointElement | str | None = None

    def faults(self):
        return [Fault("colour has no three parts", "colour")] if np.shape(self.colour) != (3,) else []


@pytest.fixture
def lamps():
    section = register_section(Section("lamps", "lamp", element=Lamp))
    yield section
    unregister_section(section)
    assert "lamps" not in ALL
    assert section not in further_sections()


FILE = """duoti: 1
name: lit
parameters: {bright: 100}
bodies:
  arm: {inertia: {rod: {mass: 1, length: 1, axis: x}}, position: [0.5, 0, 0]}
markers:
  tip: {body: arm, position: [0.5, 0, 0]}
joints:
  A: {type: revolute, axis: y, between: [ground, arm], at: [0, 0, 0]}
lamps:
  head: {marker: tip, power: bright*A.angle, joint: A}
  floor: {marker: ground, colour: [1, 0, =0.5*2]}
"""


def read(text=FILE):
    return from_text(text, name="lit.yaml")


def test_it_is_loaded(lamps):
    m = read()
    assert m.lamps == {
        "head": Lamp("tip", "bright*A.angle", joint="A"),
        "floor": Lamp("ground", colour=(1.0, 0.0, 1.0)),
    }
    assert m.source_locations["lamps", "head", "power"].line == 11
    assert dt.check(m).ok


def test_it_is_added_and_saved(lamps, tmp_path):
    m = read()
    m.add_element("lamp", "third", Lamp(m.bodies["arm"], 5.0))
    m.save(tmp_path / "lit.yaml")
    again = dt.load(tmp_path / "lit.yaml")
    assert "  floor: {marker: ground, colour: [1, 0, =0.5*2]}" in (tmp_path / "lit.yaml").read_text(encoding="utf-8")
    assert again.lamps == {**m.lamps, "third": Lamp("arm", 5.0)}


def test_it_is_copied_with_what_it_refers_to(lamps):
    m = read()
    m.lamps["head"].marker = m.markers["tip"]
    system = dt.compile(m)
    m.lamps["head"].power = 1.0
    copied = system.model.lamps["head"]
    assert copied.power == "bright*A.angle"
    assert copied.marker is system.model.markers["tip"]
    assert copied.marker is not m.markers["tip"]


def test_it_is_part_of_a_sub_model(lamps):
    m = dt.Model("two")
    m.add_submodel("left", read())
    assert m.lamps["left.head"] == Lamp("left.tip", "left.bright*left.A.angle", joint="left.A")
    assert m.lamps["left.floor"].marker == "ground"
    assert m.source_locations["lamps", "left.head"].line == 11
    assert dt.check(m).ok


def test_it_is_described(lamps):
    part = json_schema()["properties"]["lamps"]["additionalProperties"]
    assert set(part["properties"]) == {"marker", "power", "colour", "joint"}
    assert part["required"] == ["marker"]
    assert "string" in part["properties"]["marker"]["type"]


@pytest.mark.parametrize(("old", "new", "line", "code", "key"), [
    ("marker: tip", "marker: top", 11, "unknown-name", "marker"),
    ("joint: A}", "joint: B}", 11, "unknown-name", "joint"),
    ("bright*A.angle", "bride*A.angle", 11, "bad-law", "power"),
    ("[1, 0, =0.5*2]", "[1, 0]", 12, "bad-element", "colour"),
    ("marker: ground, ", "", 12, "missing-key", "marker"),
    ("marker: ground", "maker: ground", 12, "unknown-key", "maker"),
])  # fmt: skip
def test_its_faults_are_found_with_their_lines(lamps, old, new, line, code, key):
    assert old in FILE
    with pytest.raises(dt.errors.ModelFileError) as caught:
        read(FILE.replace(old, new))
    first = caught.value.report.errors[0]
    assert (first.place.line, first.code, first.key) == (line, code, key)
    assert first.element in (ElementId("lamp", "head"), ElementId("lamp", "floor"))


def test_what_is_in_it_must_be_its_elements(lamps):
    m = read()
    m.lamps["head"] = 3
    (error,) = dt.check(m).errors
    assert (error.code, error.element) == ("bad-section", ElementId("lamp", "head"))
    m = read()
    m.add_element("lamp", "head", Lamp("tip"))
    assert [e.code for e in dt.check(m).errors] == ["duplicate-name"]


def test_without_the_section_its_key_is_unknown():
    with pytest.raises(dt.errors.ModelFileError, match="lamps"):
        read()
    with pytest.raises(ValueError, match="no further section of kind 'lamp'"):
        dt.Model().add_element("lamp", "head", Lamp("tip"))


def test_models_from_before_have_none(lamps):
    unregister_section(lamps)
    m = dt.Model("early")
    m.add_body("arm", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0))
    m.add_joint("A", dt.Free(), m.ground, "arm")
    register_section(lamps)
    assert dt.check(m).ok
    assert not hasattr(dt.compile(m).model, "lamps")
    assert m.add_element("lamp", "one", Lamp("arm")) is m.lamps["one"]


@pytest.mark.parametrize("taken", [Section("bodies", "light", element=Lamp), Section("lights", "body", element=Lamp),
                                   Section("lights", "light"), Section("simulate", "light", element=Lamp)])  # fmt: skip
def test_names_that_are_taken_are_refused(taken):
    with pytest.raises(ValueError, match=r"already|needs the type"):
        register_section(taken)


def test_the_list_has_all_sections_of_a_model():
    m = dt.Model()
    kept = {name for name, value in vars(m).items() if type(value) is dict}
    others = {"parameters", "tasks", "source_locations", "sources"}
    assert kept - others == set(ALL) - {"submodels"}
    assert all(hasattr(m, section.method) for section in ALL.values())


def test_a_section_hides_nothing_of_a_model():
    section = register_section(Section("save", "light", element=Lamp))
    try:
        with pytest.raises(ValueError, match='"save": a model has something else of this name'):
            dt.Model()
    finally:
        unregister_section(section)
