"""The names of the package: imported when first used, but there for people, tools and type checkers."""

import pickle
import pydoc
import subprocess
import sys
import types

import pytest

import duoti
import duoti as dt
from duoti.lazy import Later, homes
from support.make_stub import lazy_packages, stub


@pytest.mark.parametrize("folder", lazy_packages(), ids=lambda folder: folder.name)
def test_the_stub_is_what_the_table_says(folder):
    written = (folder / "__init__.pyi").read_text(encoding="utf-8")
    assert written == stub(folder), "the table of names changed: python tests/support/make_stub.py"


def test_the_package_itself_is_lazy():
    assert "duoti" in [folder.name for folder in lazy_packages()]


def in_a_new_process(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


def test_star_import_has_all_names():
    space: dict[str, object] = {}
    exec("from duoti import *", space)
    assert set(duoti.__all__) <= set(space)
    assert space["Revolute"] is dt.Revolute


def test_names_are_offered_by_dir_and_help():
    assert set(duoti.__all__) <= set(dir(duoti))
    assert "__version__" in dir(duoti)
    text = pydoc.render_doc(duoti, renderer=pydoc.plaintext)
    assert "class Revolute" in text
    assert "simulate(" in text


def test_a_name_is_looked_up_once():
    vars(duoti).pop("Revolute", None)
    assert duoti.Revolute is duoti.Revolute
    assert "Revolute" in vars(duoti)


def test_classes_and_functions_are_pickled():
    for name in duoti.__all__:
        exported = getattr(duoti, name)
        assert pickle.loads(pickle.dumps(exported)) is exported
    assert pickle.loads(pickle.dumps(dt.Revolute("y"))).kind == "revolute"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    "first",
    [
        "import duoti.topology",
        "import duoti.topology.build",
        "from duoti.topology import Graph",
        "import duoti; duoti.topology.Graph",
        "import duoti; duoti.simulate",
        "import importlib; importlib.import_module('duoti.topology')",
        "pass",
    ],
)
def test_topology_is_a_package_that_can_be_called_whatever_was_imported_before(first):
    said = in_a_new_process(
        f"{first}\nimport duoti\n"
        "print(duoti.topology([('J', 'revolute', 'ground', 'a')]).tree_joints, duoti.topology.Graph)"
    )
    assert said == "('J',) <class 'duoti.topology.graph.Graph'>"


@pytest.mark.parametrize("folder", ["spatial", "model", "integrate", "formats", "kernel"])
def test_parts_need_no_import_of_their_own(folder):
    said = in_a_new_process(f"import duoti; print(duoti.{folder}.__name__)")
    assert said == f"duoti.{folder}"


def test_a_misspelt_name_is_answered_with_the_nearest():
    with pytest.raises(AttributeError, match=r"module 'duoti' has no attribute 'Revolut'\. Did you mean 'Revolute'"):
        duoti.Revolut  # noqa: B018
    with pytest.raises(ImportError, match="simulat"):
        exec("from duoti import simulat")
    assert not hasattr(duoti, "__wrapped__")
    assert not hasattr(duoti, "something_else_entirely")


def test_a_name_can_be_replaced_for_a_test(monkeypatch):
    monkeypatch.setattr(duoti, "simulate", "mine")
    assert duoti.simulate == "mine"
    monkeypatch.undo()
    assert isinstance(duoti.simulate, types.FunctionType)


def test_homes_of_names():
    assert homes({"p.b": "f, G", "p.a.c": "inner as outer"}) == {
        "G": ("p.b", "G"),
        "f": ("p.b", "f"),
        "outer": ("p.a.c", "inner"),
    }


def test_values_that_are_imported_later():
    values = Later({"root": ("math", "sqrt"), "not there": ("no_such_module", "x")})
    assert list(values) == ["root", "not there"]
    assert (len(values), "root" in values, "other" in values) == (2, True, False)
    assert values["root"](4.0) == 2.0
    assert values.get("other") is None
    with pytest.raises(ImportError, match="no_such_module"):
        values["not there"]


def test_python_m_duoti_is_the_command():
    done = subprocess.run([sys.executable, "-m", "duoti", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"duoti {dt.__version__}"
