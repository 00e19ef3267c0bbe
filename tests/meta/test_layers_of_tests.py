"""Which tests run in which layer, and what the short layer must have used."""

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from support import used_types
from support.layers import layers_of, selected, unknown_cases


def item(name, *marks):
    """As pytest collects it; of marks those of the function come before those of its file."""
    closest = {mark.name: mark for mark in reversed(marks)}
    return SimpleNamespace(
        nodeid=f"test_x.py::{name}", get_closest_marker=closest.get,
        iter_markers=lambda name=None: (mark for mark in marks if name in (None, mark.name)),
    )  # fmt: skip


def mark(name, *args):
    return SimpleNamespace(name=name, args=args)


def layers(*items):
    return [layers_of(items)[each.nodeid] for each in items]


def test_tests_are_in_the_short_layer_unless_marked():
    assert layers(item("a"), item("b", mark("full")), item("c", mark("campaign")), item("d", mark("oracle"))) == [
        "short", "full", "campaign", "short",
    ]  # fmt: skip


def test_some_cases_of_a_test_are_slow():
    slow = mark("full", "mesh", "beam")
    assert layers(*(item(f"a[{name}]", slow) for name in ("ball", "a mesh", "beam-2"))) == ["short", "full", "full"]


def test_a_sample_is_spread_evenly():
    cases = [item(f"a[{k}]", mark("sample", 3)) for k in range(9)]
    assert [k for k, each in enumerate(layers(*cases)) if each == "short"] == [0, 3, 6]
    assert layers(*cases[:2]) == ["short", "short"]  # fewer than asked for: all


def test_a_sample_by_name():
    cases = [item(f"a[{name}]", mark("sample", "ball", "beam")) for name in ("ball", "mesh", "beam")]
    assert layers(*cases) == ["short", "full", "short"]


def test_campaigns_are_no_part_of_a_sample():
    one = mark("sample", 1)
    cases = [item("a[5000]", mark("campaign"), one), item("a[1]", one), item("a[2]", one)]
    assert layers(*cases) == ["campaign", "short", "full"]


def test_names_of_cases_that_do_not_exist_are_told():
    cases = [item("a[ball]", mark("sample", "ball", "bal1")), item("a[mesh]", mark("sample", "ball", "bal1"))]
    assert unknown_cases(cases) == ["'bal1' of test_x.py::a"]


@pytest.mark.parametrize(("full", "campaign", "named", "names"), [
    (False, False, False, "s"),
    (True, False, False, "sf"),
    (False, True, False, "c"),
    (True, True, False, "sfc"),
    (False, False, True, "sf"),  # of a file that is named, everything but campaigns runs
    (False, True, True, "sfc"),
])  # fmt: skip
def test_what_the_options_select(full, campaign, named, names):
    items = [item("s"), item("f", mark("full")), item("c", mark("campaign"))]
    kept = selected(items, full, campaign, named)
    assert "".join(each.nodeid[-1] for each in kept) == names


def test_what_is_not_used_is_told():
    everything = {f"{group}: {kind}" for group, kinds in used_types.registries().items() for kind in kinds}
    assert used_types.missing(everything) == []
    for lost in ("joint: screw", "solver: Rodas", "model read: .urdf", "cases in: oracle/test_exudyn.py"):
        assert used_types.missing(everything - {lost}) == [lost]


def test_use_is_noted_when_a_model_is_compiled_and_a_file_has_been_read():
    """In a process of its own: to watch is to change functions of the package."""
    program = """
from support import used_types
used_types.watch()
import duoti as dt
m = dt.Model("m")
m.add_body("b", dt.Inertia.sphere(1.0, 0.1), position=(1, 0, 0))
m.add_joint("j", dt.Screw("x", lead_per_turn=0.1), m.ground, "b")
assert not used_types.used
try:
    dt.load("absent.urdf")
except dt.ModelError:
    pass
r = dt.simulate(m, 0.1, solver=dt.RK4(step=0.05))
print(*sorted(used_types.used), sep="; ")
"""
    folder = Path(__file__).parents[1]
    found = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True)
    assert found.stdout.strip() == "joint: screw; solver: RK4", found.stderr
