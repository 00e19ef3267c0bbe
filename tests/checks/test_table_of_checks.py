"""The table of checks: a check is one file, or a function that another package registers."""

import importlib
import sys

import pytest

import duoti as dt
import duoti.model.checks
from duoti.analyses.check import COMPILED
from duoti.model.checks import registry
from duoti.model.checks.registry import register_check
from duoti.model.checks.structure import check_structure


def pendulum():
    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    return m


@pytest.fixture
def own_table(monkeypatch):
    """The table as it is, and put back after the test."""
    dt.check(pendulum())  # all checks of the package
    monkeypatch.setattr(registry, "TABLE", dict(registry.TABLE))
    return registry.TABLE


def codes(report):
    return [finding.code for finding in report]


FILE = '''
from duoti.model.checks import registry
from duoti.model.checks.registry import register_check

@register_check("structure", order=145)
def check_colours(model, found):
    """Bodies of a name without a colour."""
    for body in model.bodies:
        found.warning("colourless", (), f'body "{body}" has no colour')
'''


def test_a_check_is_one_file(own_table, monkeypatch, tmp_path):
    (tmp_path / "colours_of_a_test.py").write_text(FILE, encoding="utf-8")
    monkeypatch.setattr(duoti.model.checks, "__path__", [*duoti.model.checks.__path__, str(tmp_path)])
    registry.find_checks.cache_clear()
    importlib.invalidate_caches()
    try:
        assert codes(dt.check(pendulum())) == ["colourless", "topology"]
        assert codes(check_structure(pendulum())) == ["colourless"]
        assert own_table["duoti.model.checks.colours_of_a_test.check_colours"].stage == "structure"
    finally:
        sys.modules.pop("duoti.model.checks.colours_of_a_test", None)
        registry.find_checks.cache_clear()


def test_registered_checks_are_given_what_their_stage_says(own_table):
    given = {}
    for stage in registry.get_args(registry.Stage):

        def find(subject, found, stage=stage):
            given[stage] = subject
            found.info(stage, (), f"found in {stage}")

        find.__qualname__ = f"find_{stage}"
        register_check(stage)(find)
    m = pendulum()
    report = dt.check(m)
    assert codes(report) == ["topology", *registry.get_args(registry.Stage)]
    assert given["sections"] is m
    assert given["tasks"] is m
    assert isinstance(given["structure"], dt.Model)
    assert given["placed"].placement.bodies["rod"].position[0] == 0.5
    assert {id(given[stage]) for stage in COMPILED} == {id(given["assembly"])}
    assert given["solver"].system.nv == 1
    assert given["solver"].initial[0].shape == (1,)


@pytest.mark.parametrize("stage", registry.get_args(registry.Stage))
def test_an_error_ends_the_way_through_the_table(own_table, stage):
    ran = []
    for each in registry.get_args(registry.Stage):

        def find(subject, found, each=each):
            ran.append(each)
            if each == stage:
                found.error("refused", (), "refused by a test")

        find.__qualname__ = f"find_{each}"
        register_check(each)(find)
    report = dt.check(pendulum())
    assert [f.code for f in report.errors] == ["refused"]
    assert report.solver == "" or stage == "solver"
    stages = registry.get_args(registry.Stage)
    expected = [s for s in stages if stages.index(s) <= stages.index(stage) or s == "tasks"]
    assert list(dict.fromkeys(ran)) == expected  # the first ones again when the model is compiled


def test_findings_are_listed_by_severity_then_by_order(own_table):
    for order in (3000, 2000):

        @register_check("structure", order=order)
        def find(model, found, order=order):
            found.info(f"info-{order}", (), "a remark")
            found.warning(f"warning-{order}", (), "a warning")

        own_table[f"of order {order}"] = own_table.pop(f"{find.__module__}.{find.__qualname__}")
    assert codes(dt.check(pendulum())) == ["warning-2000", "warning-3000", "topology", "info-2000", "info-3000"]


def test_stages_and_costs_are_those_of_the_table():
    with pytest.raises(ValueError, match="'late' is none of the stages sections, structure"):
        register_check("late")
    with pytest.raises(ValueError, match="'dear' is none of the costs cheap, compiles, solves"):
        register_check("structure", cost="dear")


def test_cheap_checks_compile_nothing(own_table, monkeypatch):
    """A model with loops, contacts, friction and flexible parts: the stages without a compiled model are all cheap."""
    late = {each.stage for each in own_table.values() if each.cost != "cheap"}
    assert late == set(COMPILED)
    assert all(each.cost != "cheap" for each in own_table.values() if each.stage in COMPILED)

    def compiled(*_, **__):
        raise AssertionError("a cheap check compiled the model")

    model = dt.load(importlib.import_module("duoti.examples").find_example("four_bar").file)
    monkeypatch.setattr("duoti.system.compile.compiler._build", compiled)
    assert check_structure(model).ok
    with pytest.raises(AssertionError, match="compiled the model"):
        dt.check(model)


def test_no_two_checks_of_the_package_share_an_order(own_table):
    """So that the order of findings does not depend on that of files in a folder."""
    orders = [each.order for each in own_table.values()]
    assert len(orders) == len(set(orders)) >= 25
