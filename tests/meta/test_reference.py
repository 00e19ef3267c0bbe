# ruff: noqa: E402
"""The reference: pages are current and complete, their examples run, and model files are the models of the examples."""

import inspect
import math
import sys
from pathlib import Path

import pytest

import duoti as dt
from duoti.formats import from_text
from duoti.formats.yaml.sections import TYPED
from duoti.model.constructor_schema import fields_of

DOCS = Path(__file__).parents[2] / "docs"
sys.path.insert(0, str(DOCS))
pytest.importorskip("matplotlib")

import make_reference
from reference_maker.channels import KINDS, channels_of
from reference_maker.examples import FOLDER, MODEL, example_of, same, yaml_of
from reference_maker.pages import all_parameters
from reference_maker.registry import items

ELEMENTS = ("joints", "forces", "constraints", "contacts")
SETTINGS = ("solvers", "constraint_methods")
WITH_UNITS = ("number", "numbers", "law", "laws")
NO_UNIT = {"Equation.expression"}  # any quantity
ITEMS = [item for item in items() if item.group in (*ELEMENTS, *SETTINGS)]
EXAMPLES = sorted(FOLDER.rglob("*.py"))


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # some examples write files


def needs_extras(path: Path) -> None:
    if "dt.IDA" in path.read_text(encoding="utf-8"):
        pytest.importorskip("sksundae")


def test_the_pages_are_current():
    """`python docs/make_reference.py` writes them."""
    pytest.importorskip("sksundae")
    assert make_reference.differences(make_reference.pages()) == []


def test_every_public_name_has_a_page():
    shown = {item.title for item in items()}
    text = "\n".join(path.read_text(encoding="utf-8") for path in (DOCS / "reference").rglob("*.md"))
    missing = [name for name in dt.__all__ if not name.startswith("_") and callable(getattr(dt, name))]
    missing = [name for name in missing if name not in shown and f"### {name}\n" not in text]
    assert missing == []


def test_every_type_of_files_has_a_page():
    pages = {(item.group, item.kind) for item in items()}
    assert [(group, kind) for group in ELEMENTS for kind in TYPED[group][1] if (group, kind) not in pages] == []


def test_every_type_and_analysis_has_an_example():
    wanted = [item for item in items() if item.group in (*ELEMENTS, *SETTINGS)]
    wanted += [item for item in items() if item.group == "analyses" and inspect.isfunction(item.thing)]
    assert [item.path for item in wanted if not (FOLDER / item.group / f"{item.name}.py").exists()] == []


def test_every_example_has_a_page():
    known = {f"{item.group}/{item.name}" for item in items()}
    names = {path.relative_to(FOLDER).with_suffix("").as_posix() for path in EXAMPLES}
    assert names - known == set()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.relative_to(FOLDER).with_suffix("").as_posix())
def test_examples_run_and_files_are_the_same_model(path):
    needs_extras(path)
    group, name = path.parent.name, path.stem
    example = example_of(group, name)
    assert example.printed
    if "r" in example.names and isinstance(example.names["r"], dt.Result):
        assert example.names["r"].ok
    text = yaml_of(example)
    if group in (*ELEMENTS, *SETTINGS):
        assert MODEL in example.names
        assert text, "no model file"
    if text:
        loaded = from_text(text)
        assert loaded.tasks.keys() == example.model.tasks.keys()
        assert same(loaded, example.model)


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.path)
def test_parameters_have_units_and_meanings(item):
    described = all_parameters(item.thing)
    for name, field in fields_of(item.thing).items():
        assert described.get(name), f"{item.title}.{name} is not described"
        spelled = f"{item.title}.{name}"
        if field.kind in WITH_UNITS and name != "atol" and spelled not in NO_UNIT:
            assert field.unit, f"{spelled} has no unit"


@pytest.mark.parametrize("item", [item for item in ITEMS if item.group in KINDS], ids=lambda item: item.path)
def test_channels_have_meanings(item):
    _, channels = channels_of(item.group, example_of(item.group, item.name).model, item.thing)
    assert [what for what, _, _, meaning in channels if not meaning] == []


@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.path)
def test_equations_and_pictures(item):
    page = (DOCS / "reference" / item.path).read_text(encoding="utf-8")
    assert "$$" in page or item.title == "Auto"
    assert "](../../pictures/reference/" in page


def test_formulas_can_be_shown():
    convert = pytest.importorskip("latex2mathml.converter").convert
    for item in items():
        text = (DOCS / "reference" / item.path).read_text(encoding="utf-8")
        for formula in text.split("$$")[1::2]:
            assert convert(formula, display="block")


def test_pictures_are_small():
    sizes = {path.name: path.stat().st_size for path in (DOCS / "pictures" / "reference").rglob("*.*")}
    assert sizes
    assert max(sizes.values()) <= 40_000


def test_stability_of_the_figures():
    """Known limits: 2 sqrt 2 on the imaginary axis for RK4, 2 for Verlet, A-stability of the implicit methods."""
    import numpy as np
    from reference_maker import solver_figures as figures

    edge = 1j * 2 * math.sqrt(2)
    inside, outside = (figures.explicit_stability(dt.RK4(step=1.0), np.array([f * edge]))[0] for f in (0.999, 1.001))
    assert inside < 1 < outside
    assert figures.leapfrog_radius(np.array([1.999]))[0] == pytest.approx(1.0)
    assert figures.leapfrog_radius(np.array([2.1]))[0] > 1.1
    left = np.array([-0.1 + 3j, -5 + 50j, -100.0, -1e6])
    assert (figures.radau_stability(left) < 1).all()
    assert (figures.rodas_stability(left) < 1).all()
    for rho in (0.0, 0.5, 1.0):
        assert figures.alpha_radius(dt.GeneralisedAlpha(rho=rho), np.array([1e6]))[0] == pytest.approx(rho, abs=2e-2)
