"""What set-up keeps between models of one structure: trees and layouts, never numbers; and how a command starts."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import address_of
from duoti.topology import Graph, topology
from duoti.topology.build import SMALL
from duoti.topology.errors import TopologyError
from duoti.topology.spanning import CutPreferences, span, span_forest


def _rod(length: float, mass: float = 1.0) -> dt.Model:
    m = dt.Model("rod")
    rod = m.add_body("rod", dt.Inertia.rod(mass, length=length, axis="x"), position=(length / 2, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    return m


@pytest.mark.parametrize("length", [0.3, 1.0, 7.0])
def test_the_same_mechanism_with_other_numbers(length):
    first, system = dt.compile(_rod(1.0)), dt.compile(_rod(length, mass=5.0))
    assert first.topology is system.topology  # found once
    # a horizontal rod on a hinge at its end: m g L/2 = (m L²/3) a; round-off of a few operations
    a = dt.accelerations(system, np.zeros(1), np.zeros(1))
    assert a[0] == pytest.approx(1.5 * 9.81 / length, rel=1e-14)


def test_workspaces_of_the_same_sizes_have_memory_of_their_own():
    one, other = (new_workspace(dt.compile(_rod(length)), ydot=True) for length in (1.0, 2.0))
    places = [sorted(address_of(a) for a in w if isinstance(a, np.ndarray) and a.size) for w in (one, other)]
    assert not set(places[0]) & set(places[1])
    one.y[:] = 3.0
    assert not other.y.any()


def test_faults_are_told_each_time():
    edges = [("A", "revolute", "ground", "b"), ("A", "revolute", "b", "c")]
    for _ in range(2):
        with pytest.raises(TopologyError, match="declared twice"):
            topology(edges)


def test_a_forest_is_the_tree_that_weights_would_choose():
    rng = np.random.default_rng(5)
    for bodies in (1, 7, SMALL + 3):
        edges = []
        for i in range(bodies):
            ends = (
                ["ground" if (j := int(rng.integers(-1, i))) < 0 else f"b{j}", f"b{i}"]
                if i % 3
                else ["ground", f"b{i}"]
            )
            edges.append((f"j{i}", "revolute", *(ends if rng.random() < 0.5 else ends[::-1])))
        graph = Graph.from_edges(edges)
        preferences = CutPreferences(np.zeros(bodies, bool), np.zeros(bodies, bool))
        quick, slow = span_forest(graph, preferences), span(graph, rng.random(bodies), preferences)
        assert quick is not None
        assert np.array_equal(quick.tree, slow.tree)
        assert len(quick.cut) == len(slow.cut) == 0
        assert quick.virtual == slow.virtual
    loop = Graph.from_edges([("A", "revolute", "ground", "b"), ("B", "revolute", "ground", "b")])
    assert span_forest(loop, CutPreferences(np.zeros(2, bool), np.zeros(2, bool))) is None
    assert span_forest(Graph.from_edges(edges), CutPreferences(np.ones(bodies, bool), np.zeros(bodies, bool))) is None


@pytest.mark.parametrize("position", [(0.0, 1e200, 0.0), [0.0, 1e200, 0.0], (0, float("nan"), 0), (0, float("inf"), 0)])
def test_positions_beyond_all_measure_are_found_in_any_form(position):
    m = _rod(1.0)
    m.bodies["rod"].position = position
    assert [finding.code for finding in dt.check(m).errors] == ["bad-position"]


def test_outputs_that_are_no_times_are_refused():
    for outputs in ([0.0, float("nan"), 0.1], [0.0, float("inf")], [float("nan")], [0.0, float("inf"), 0.1], []):
        with pytest.raises(ValueError, match="finite times"):
            dt.simulate(_rod(1.0), 0.1, outputs=outputs)
    with pytest.raises(ValueError, match="must not decrease"):
        dt.simulate(_rod(1.0), 0.1, outputs=[0.0, 0.1, 0.05])


@pytest.mark.parametrize("given", [None, "20"])
def test_a_command_starts_lightly_and_keeps_what_the_user_set(given):
    program = (
        "import gc, os, sys; from duoti.cli.app import _start_lightly; assert 'numpy' not in sys.modules; "
        "_start_lightly(); print(gc.get_threshold()[0], os.environ['OPENBLAS_THREAD_TIMEOUT'])"
    )
    environment = {k: v for k, v in os.environ.items() if k != "OPENBLAS_THREAD_TIMEOUT"}
    environment |= {} if given is None else {"OPENBLAS_THREAD_TIMEOUT": given}
    done = subprocess.run([sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["50000", given or "4"]
