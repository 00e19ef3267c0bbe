"""The worked systems of the source texts. All values are integers: equality is exact."""

from __future__ import annotations

import random

import numpy as np
import pytest

from duoti.topology import DOF, Topology, Weights, topology
from duoti.topology import textbook_examples as worked

SLIDER_CRANK_I_PLUS = (0, 1, 2, 0)
"""i+(j) of table 1.1."""

SLIDER_CRANK_I_MINUS = (1, 2, 3, 3)
"""i-(j) of table 1.1."""

# fmt: off
FIG_1_1_T = np.array([
    [-1, -1, -1, -1, -1, -1],
    [ 0, -1,  0,  0,  0,  0],
    [ 0,  0, -1, -1, -1, -1],
    [ 0,  0,  0, -1, -1,  0],
    [ 0,  0,  0,  0, -1,  0],
    [ 0,  0,  0,  0,  0, -1],
])
"""Path matrix of its derived tree as printed below eq. (1.2)."""

FIG_1_1_L = np.array([
    [0, 1, 1, 3, 4, 3],
    [0, 0, 0, 1, 3, 1],
    [0, 0, 0, 0, 1, 0],
    [0, 0, 0, 0, 0, 0],
])
"""Inboard-body array and its powers 2, 3, 4 as printed in example 1.4."""

FIG_1_1_S_CUT = np.array([[0, 0], [1, 0], [0, 0], [-1, 0], [0, 0], [0, -1]])
"""S^c as printed in example 1.5."""

FIG_1_1_U = np.array([[0, 1], [-1, 0], [1, 1], [1, 0], [0, 0], [0, 1]])
"""Loop matrix as printed in example 1.5. It agrees with U = T S^c: the print is right."""
# fmt: on

DRIVER_CUTS = frozenset("belmtu")
"""The cut joints that Yuan et al. report."""


@pytest.fixture
def fig() -> Topology:
    """Fig. 1.1 of Qi with the cuts of the text."""
    return topology(worked.qi_fig_1_1(), force_cut=["H7", "H8"])


def test_example_1_1_incidence_functions():
    """Table 1.1; the text's labels leave H4 as the cut joint."""
    t = topology(worked.slider_crank(), force_cut=["H4"])
    assert t.joints == ("H1", "H2", "H3", "H4")
    assert tuple(t.i_plus(j) for j in range(1, 5)) == SLIDER_CRANK_I_PLUS
    assert tuple(t.i_minus(j) for j in range(1, 5)) == SLIDER_CRANK_I_MINUS


def test_example_1_2_incidence_matrix(fig: Topology):
    assert fig.bodies[1:] == ("B1", "B2", "B3", "B4", "B5", "B6")  # the labels of the text are depth-first
    assert fig.joints == tuple(f"H{j}" for j in range(1, 9))
    assert np.array_equal(fig.incidence, worked.FIG_1_1_S)
    assert np.array_equal(fig.matrices().S_tree, worked.FIG_1_1_S[1:, :6])
    assert not fig.reversed


def test_section_1_1_paths(fig: Topology):
    """Two paths lead from B0 to B4, one over the cut joint H7."""
    assert fig.path_between("ground", "B4").bodies == ("ground", "B1", "B3", "B4")
    other = topology(worked.qi_fig_1_1(), force_cut=["H4", "H8"])
    assert other.path_between("ground", "B4").bodies == ("ground", "B1", "B2", "B4")


def test_example_1_3_system_of_a_matrix():
    graph = worked.qi_example_1_3()
    assert [(e.parent, e.child) for e in graph.joints] == [
        ("ground", "B1"),
        ("B1", "B3"),
        ("B2", "B3"),
        ("ground", "B2"),
    ]
    t = topology(graph)
    assert t.loop_count == 1
    assert np.array_equal(t.matrices("declared").S, worked.EXAMPLE_1_3_S)


def test_path_matrix(fig: Topology):
    assert np.array_equal(fig.path, FIG_1_1_T)


def test_example_1_4_inboard_bodies(fig: Topology):
    assert np.array_equal(fig.inboard, FIG_1_1_L[0])
    for n in range(1, 5):
        assert np.array_equal(fig.inboard_power(n), FIG_1_1_L[n - 1])
    ways = {"B1": "0", "B2": "10", "B3": "10", "B4": "310", "B5": "4310", "B6": "310"}
    for body, way in ways.items():
        assert "".join(str(fig.labels[b]) for b in fig.inboard_bodies(body)) == way
    assert fig.terminal_bodies == ("B2", "B5", "B6")
    assert fig.branching_bodies == ("B1", "B3")


def test_example_1_5_loop_matrix_is_printed_right(fig: Topology):
    """The print was to be checked against U = T S^c: all three matrices agree."""
    assert np.array_equal(FIG_1_1_T @ FIG_1_1_S_CUT, FIG_1_1_U)
    assert np.array_equal(FIG_1_1_S_CUT, worked.FIG_1_1_S[1:, 6:])
    assert np.array_equal(fig.matrices().S_cut, FIG_1_1_S_CUT)
    assert np.array_equal(fig.loop_matrix, FIG_1_1_U)
    assert fig.loops[0].joints == ("H2", "H3", "H4", "H7")
    assert fig.loops[0].signs == (-1, 1, 1, -1)
    assert fig.loops[1].joints == ("H1", "H3", "H6", "H8")


@pytest.mark.parametrize("weights", [Weights(), Weights.ground_first()], ids=["default", "ground first"])
def test_driver_in_cab(weights: Weights):
    """Yuan et al. 2000, section 5: 16 bodies with ground, 21 joints, 6 loops, cuts b, e, l, m, t, u."""
    t = topology(worked.driver_in_cab(), weights=weights)
    assert len(t.bodies) == 16
    assert len(t.joints) == 21
    assert t.loop_count == 6
    assert len(t.tree_joints) == 15
    assert set(t.cut_joints) == DRIVER_CUTS
    assert t.loops["l"].joints == ("a", "c", "f", "h", "j", "l")


def test_driver_in_cab_whatever_the_kinds_of_the_body():
    """The text prints no kinds. Cutting at ground first, only the seven contacts matter; they are alike."""
    graph = worked.driver_in_cab()
    rng = random.Random(2000)
    for _ in range(50):
        contact = rng.choice(list(DOF))
        joints = tuple(
            e._replace(kind=contact if e.parent == "ground" else rng.choice(list(DOF))) for e in graph.joints
        )
        t = topology(type(graph)(graph.bodies, joints), weights=Weights.ground_first())
        assert set(t.cut_joints) == DRIVER_CUTS


def test_slider_crank_by_weights():
    """R before T: of the two joints at ground the revolute is cut, unless it is actuated."""
    graph = worked.slider_crank()
    assert topology(graph).cut_joints == ("H1",)
    driven = tuple(e._replace(actuated=e.name == "H1") for e in graph.joints)
    assert topology(type(graph)(graph.bodies, driven)).cut_joints == ("H4",)
