"""The interface of `duoti.topology`: input, wishes, faults, subsystems, text and drawing."""

from __future__ import annotations

import pickle
import subprocess
import sys
import xml.etree.ElementTree as ET
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import duoti.topology
from duoti.topology import Graph, JointEdge, TopologyError, Weights, topology
from duoti.topology import textbook_examples as worked

FOUR_BAR = [
    ("A", "revolute", "ground", "crank"),
    ("B", "revolute", "crank", "coupler"),
    ("C", "revolute", "rocker", "coupler"),
    ("D", "revolute", "ground", "rocker"),
]


def four_bar(**kinds: str) -> list[tuple[str, str, str, str]]:
    return [(name, kinds.get(name, kind), parent, child) for name, kind, parent, child in FOUR_BAR]


# ----------------------------------------------------------------------------------------------- input


def test_model_is_read_by_its_attributes():
    joints = {
        name: SimpleNamespace(parent=parent, child=child, kind=kind, nv=1) for name, kind, parent, child in FOUR_BAR
    }
    bodies = {"crank": 1, "coupler": 2, "rocker": 3}
    model = SimpleNamespace(bodies=bodies, joints=joints, actuated_joints={"D"})
    t = topology(model)
    assert t.cut_joints == ("A",)  # both A and D are at ground, but D is actuated
    assert topology(SimpleNamespace(bodies=bodies, joints=joints)).cut_joints == ("D",)


def test_unknown_source_is_refused():
    with pytest.raises(TypeError, match="not int"):
        topology(3)


def test_joints_without_kind_and_without_bodies():
    t = topology([("A", "ground", "crank"), ("B", "crank", "rod"), ("C", "rod", "ground")])
    assert t.cut_joints == ("C",)
    assert t.bodies == ("ground", "crank", "rod")
    with pytest.raises(TopologyError, match="kind is unspecified"):
        _ = t.prediction
    assert "unspecified" in str(t)
    empty = topology([])
    assert (empty.bodies, empty.joints, empty.loop_count) == (("ground",), (), 0)
    assert empty.incidence.shape == (1, 0)
    assert str(empty)
    assert empty.svg()


def test_body_zero_may_have_another_name():
    graph = Graph.from_edges([("seat", "spherical", "train", "passenger")], ground="train")
    t = topology(graph)
    assert t.bodies == ("train", "passenger")
    assert t.incidence["train", "seat"] == 1


def test_parallel_joints_make_a_loop_of_two():
    t = topology([("A", "revolute", "ground", "door"), ("B", "spherical", "door", "ground")])
    assert t.cut_joints == ("B",)
    assert t.loops[0].joints == ("A", "B")
    assert t.loops["B"].bodies == ("door", "ground")


# ----------------------------------------------------------------------------- unattached and floating


def test_body_attached_to_nothing_gets_a_virtual_joint():
    graph = Graph.from_edges([("A", "revolute", "ground", "arm")], bodies=["arm", "ball"])
    t = topology(graph)
    assert t.virtual_joints == ("ground~ball",)
    assert t.inboard_joint("ball") == "ground~ball"
    assert t.edge("ground~ball").kind == "free"
    assert t.subsystems == (("arm",), ("ball",))
    assert t.rooted
    assert t.tree[-1].virtual


def test_free_floating_system_with_a_loop():
    t = topology([("A", "revolute", "p", "q"), ("B", "revolute", "q", "r"), ("C", "revolute", "r", "p")])
    assert t.virtual_joints == ("ground~p",)
    assert not t.rooted
    assert t.loop_count == 1
    assert t.prediction.coordinates == 6 + 2


def test_virtual_joint_avoids_a_taken_name():
    t = topology(Graph(("a", "b"), (JointEdge("ground~b", "revolute", "ground", "a"),)))
    assert t.virtual_joints == ("ground~b~",)


# ---------------------------------------------------------------------------------------- which is cut


def test_order_of_kinds():
    """S > U > C > R > T, with the others placed by their number of coordinates."""
    order = [
        "free",
        "spherical",
        "planar",
        "universal",
        "cylindrical",
        "revolute",
        "prismatic",
        "screw",
        "fixed",
    ]
    for heavy, light in pairwise(order):
        kinds = dict.fromkeys("ABCD", light) | {"B": heavy}
        graph = [(n, k, "x" if p == "ground" else p, c) for n, k, p, c in four_bar(**kinds)]  # none at ground
        assert topology(graph).cut_joints == ("B",)


def test_joint_at_ground_decides_between_equal_counts_only():
    assert topology(FOUR_BAR).cut_joints == ("D",)  # at ground, and declared after A
    assert topology(four_bar(B="spherical")).cut_joints == ("B",)
    assert topology(four_bar(B="spherical"), weights=Weights.ground_first()).cut_joints == ("D",)


def test_actuated_kept_and_wanted_cut():
    actuated = [JointEdge(*e, actuated=e[0] in "AD") for e in FOUR_BAR]
    assert topology(actuated).cut_joints == ("C",)
    assert topology(FOUR_BAR, want_reaction=["B"]).cut_joints == ("B",)
    for policy in ("weights", "cheapest"):
        assert topology(actuated, cut=policy, want_reaction=["B"]).cut_joints == ("B",)
        assert not set(topology(actuated, cut=policy).cut_joints) & {"A", "D"}


def test_own_weights():
    assert topology(four_bar(C="prismatic"), weights={"prismatic": 99}).cut_joints == ("C",)
    assert topology(FOUR_BAR, weights=Weights(joints={"B": 50})).cut_joints == ("B",)
    other = [JointEdge("E", "gimbal", "ground", "x", dof=3), JointEdge("F", "revolute", "ground", "x")]
    assert topology(other).cut_joints == ("E",)


def test_force_and_forbid():
    assert topology(FOUR_BAR, force_cut=["A"]).cut_joints == ("A",)
    assert topology(FOUR_BAR, force_cut="A").cut_joints == ("A",)
    assert topology(FOUR_BAR, forbid_cut=["A", "D"]).cut_joints == ("C",)
    kept = [JointEdge(*e, keep={"A": True, "B": False}.get(e[0])) for e in FOUR_BAR]
    assert topology(kept).cut_joints == ("B",)


def test_forced_cut_of_a_bridge_leaves_a_floating_body():
    t = topology([("A", "revolute", "ground", "arm"), ("B", "revolute", "arm", "hand")], force_cut=["B"])
    assert t.virtual_joints == ("ground~hand",)
    assert t.loops[0].joints == ("A", "ground~hand", "B")
    assert "virtual" in t.why_cut["B"]


def test_reasons_are_told():
    t = topology(four_bar(B="spherical"))
    assert "spherical 32" in t.why_cut["B"]
    assert "adds 3 constraint rows, removes 3 coordinates" in t.why_cut["B"]
    assert "declared later" in topology(FOUR_BAR).why_cut["D"]
    assert "highest that may be cut" in topology(FOUR_BAR, forbid_cut=["A", "D"]).why_cut["C"]
    assert "forced" in topology(FOUR_BAR, force_cut=["A"]).why_cut["A"]
    assert "4 trees" in topology(FOUR_BAR, cut="cheapest").why_cut["B"]
    with pytest.raises(KeyError, match="not cut"):
        t.why_cut["A"]


def test_cheapest_cuts_in_the_middle_of_a_long_loop():
    """Equal joints: two short branches cost less than one long chain."""
    ring = [(f"j{i}", "revolute", f"b{i - 1}" if i > 1 else "ground", f"b{i}") for i in range(1, 9)]
    ring.append(("close", "revolute", "b8", "ground"))
    best, plain = topology(ring, cut="cheapest"), topology(ring)
    assert plain.cut_joints == ("close",)
    assert best.cut_joints == ("j5",)
    assert best.prediction.depth == 4
    assert best.prediction.multiplications < plain.prediction.multiplications
    assert best.prediction.exact
    assert "best of all 9 trees" in str(best.prediction)


# ---------------------------------------------------------------------------------------------- faults


def test_all_faults_at_once():
    joints = (
        JointEdge("A", "revolute", "grond", "crank"),
        JointEdge("A", "revolute", "crank", "rod"),
        JointEdge("B", "revolute", "rod", "rod"),
        JointEdge("C", "revolut", "ground", "rod"),
        JointEdge("D", "revolute", "ground", "rod", dof=2),
        JointEdge("E", "gimbal", "ground", "rod", dof=9),
        JointEdge("", "revolute", "ground", "rod"),
    )
    graph = Graph(("crank", "rod", "rod", "ground", ""), joints)
    with pytest.raises(TopologyError) as caught:
        topology(graph, force_cut=["Z"], weights={"sphericl": 3})
    told = "\n".join(caught.value.faults)
    for piece in (
        'body "rod" is declared twice',
        'body "ground" has the name of body 0',
        'parent "grond" is not a body; did you mean "ground"?',
        'joint "A" is declared twice',
        'joint "B" joins body "rod" with itself',
        'kind "revolut" is not known, so state its dof (0 to 6); did you mean "revolute"?',
        "a revolute joint has 1 coordinates, not 2",
        "dof = 9",
        'force_cut: there is no joint "Z"',
        'no joint is of the kind "sphericl"; did you mean "spherical"?',
    ):
        assert piece in told
    assert len(caught.value.faults) == 12
    assert isinstance(caught.value, ValueError)
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults
    assert "12 faults" in str(caught.value)


def test_impossible_preferences_name_the_loop():
    with pytest.raises(TopologyError, match='no joint of the loop "A", "B", "C", "D" may be cut'):
        topology(FOUR_BAR, forbid_cut=list("ABCD"))
    with pytest.raises(TopologyError, match='"A" is both forced and forbidden'):
        topology(FOUR_BAR, force_cut=["A"], forbid_cut=["A"])


def test_wrong_questions():
    t = topology(FOUR_BAR)
    with pytest.raises(KeyError, match='did you mean "crank"'):
        t.inboard_body("cranc")
    with pytest.raises(KeyError, match="labels run from 1 to 4"):
        t.i_plus(5)
    with pytest.raises(KeyError, match='no joint "Q"'):
        t.i_minus("Q")
    with pytest.raises(KeyError, match='no row "cranc"'):
        t.incidence["cranc", "A"]
    with pytest.raises(ValueError, match="cut='best'"):
        topology(FOUR_BAR, cut="best")
    with pytest.raises(ValueError, match="negative"):
        t.inboard_power(-1)
    with pytest.raises(TopologyError, match="column 2"):
        Graph.from_incidence([[1, 1], [-1, 1]])


# -------------------------------------------------------------------------------- answers and matrices


def test_relations_of_a_small_tree():
    t = topology(worked.qi_fig_1_1(), force_cut=["H7", "H8"])
    assert t.inboard_body("B6") == "B3"
    assert t.inboard_body("ground") is None
    assert t.inboard_joint("ground") is None
    assert t.next_bodies("B3") == ("B4", "B6")
    assert t.next_joints("B3") == ("H4", "H6")
    assert t.inboard_joints("B5") == ("H5", "H4", "H3", "H1")
    assert t.outboard_bodies("B3") == ("B4", "B5", "B6")
    assert t.outboard_joints("B3") == ("H4", "H5", "H6")
    path = t.path_between("B2", "B5")
    assert path.bodies == ("B2", "B1", "B3", "B4", "B5")
    assert path.joints == ("H2", "H3", "H4", "H5")
    assert path.signs == (-1, 1, 1, 1)
    assert t.path_between("B4", "B4").joints == ()
    assert t.is_inboard("B1", "B5")
    assert not t.is_inboard("B5", "B5")


def test_named_matrix():
    pd = pytest.importorskip("pandas")
    t = topology(worked.qi_fig_1_1(), force_cut=["H7", "H8"])
    S, T = t.incidence, t.path
    assert S.shape == (7, 8)
    assert S.nnz == 16
    assert S["B4", "H7"] == -1
    assert S[0, 0] == 1
    assert np.array_equal(S.sparse.toarray(), S.array)
    assert np.array_equal(S.T.array, S.array.T)
    assert np.array_equal(np.asarray(T, dtype=float), T.array)
    assert np.array_equal(T @ np.ones(6), T.array.sum(axis=1))
    m = t.matrices()
    product = m.T @ m.S_cut
    assert (product.rows, product.columns) == (t.tree_joints, t.cut_joints)
    assert np.array_equal(product.array, t.loop_matrix.array)
    assert isinstance(S.to_pandas(), pd.DataFrame)
    assert S.to_pandas().loc["B4", "H7"] == -1
    assert repr(S).splitlines()[0].split() == list(t.joints)
    with pytest.raises(ValueError, match="read-only"):
        S.array[0, 0] = 5


def test_path_matrix_of_a_deep_tree_is_refused_with_a_remedy():
    n = 7000  # n (n + 1) / 2 = 24.5 million entries
    t = topology([(f"j{i}", "revolute", f"b{i - 1}" if i else "ground", f"b{i}") for i in range(n)])
    with pytest.raises(TopologyError, match=r"use \.inboard"):
        _ = t.path
    assert t.incidence.nnz == 2 * n
    with pytest.raises(TopologyError, match=r"use \.sparse"):
        _ = topology([(f"j{i}", "fixed", "ground", f"b{i}") for i in range(8000)]).incidence.array
    assert t.inboard_power(10**9).tolist() == [0] * n
    assert "more bodies" in str(t)


def test_topology_is_frozen():
    t = topology(FOUR_BAR)
    with pytest.raises(AttributeError):
        t.policy = "cheapest"
    with pytest.raises(ValueError, match="read-only"):
        t.inboard[0] = 3


# ----------------------------------------------------------------------------------------------- shown


def test_text():
    text = str(topology(worked.slider_crank(), force_cut=["H4"]))
    assert text.splitlines()[:6] == [
        "3 bodies and ground, 4 joints, 1 loop",
        "",
        "ground",
        "└─ H1 ─ crank            1  revolute",
        "   └─ H2 ─ rod           2  revolute",
        "      └─ H3 ─ slider     3  revolute",
    ]
    assert "H4  prismatic, ground → slider" in text
    assert "size: 3 coordinates, 5 constraint rows, depth 3" in text
    chinese = str(topology([("转动铰", "revolute", "ground", "连杆"), ("j", "revolute", "连杆", "ab")]))
    assert "└─ 转动铰 ─ 连杆" in chinese


def test_loop_as_text():
    t = topology(FOUR_BAR)
    assert str(t.loops[0]) == "ground ─A→ crank ─B→ coupler ─C→ rocker ─D← ground"
    assert t.reversed == {"C"}


@pytest.mark.parametrize("cut", ["weights", "cheapest", "absolute"])
def test_svg_is_well_formed_and_complete(cut: str):
    t = topology(worked.driver_in_cab(), cut=cut)
    root = ET.fromstring(t.svg())
    text = "".join(root.itertext())
    for name in (*t.bodies, *t.joints):
        assert name in text
    dashed = [e for e in root.iter("{http://www.w3.org/2000/svg}path") if e.get("class") == "c"]
    assert len(dashed) >= t.loop_count
    assert t._repr_svg_() == t.svg()
    assert "<svg" in t._repr_html_()


def test_svg_escapes_names():
    t = topology([("<a&b>", "revolute", "ground", '"x" < y')])
    assert "<a&b>" in "".join(ET.fromstring(t.svg()).itertext())


def boxes_of(root: ET.Element) -> list[tuple[float, float, float, float]]:
    rects = [e for e in root.iter("{http://www.w3.org/2000/svg}rect") if e.get("class")]
    return [tuple(float(e.get(k, "")) for k in ("x", "y", "width", "height")) for e in rects]  # type: ignore[misc]


@pytest.mark.parametrize("step", [1, 4, 60])
def test_sixty_bodies_do_not_overlap(step: int):
    """A chain (folded), a bush and a star: boxes stay apart, and within the picture."""
    joints = [
        (f"j{i}", "revolute", f"link {(i - 1) // step}" if i > step else "ground", f"link {i}") for i in range(1, 61)
    ]
    joints += [(f"c{i}", "spherical", f"link {i}", f"link {i + 20}") for i in range(1, 40, 4)]
    root = ET.fromstring(topology(joints).svg())
    boxes = boxes_of(root)
    assert len(boxes) == 61
    for k, (x, y, w, h) in enumerate(boxes):
        assert x >= 0
        assert x + w <= float(root.get("width", "0"))
        for u, v, w2, h2 in boxes[:k]:
            assert x + w < u or u + w2 < x or y + h < v or v + h2 < y
    assert float(root.get("width", "0")) < 2800


def test_large_systems_show_text_in_notebooks():
    t = topology([(f"j{i}", "revolute", "ground", f"b{i}") for i in range(400)])
    assert t._repr_svg_() is None
    assert t._repr_html_().startswith("<pre>")
    assert repr(t) == "<Topology: 400 bodies, 400 joints, 0 cut>"


def test_import_is_light():
    """Neither scipy nor numba nor another layer comes along; `duoti` itself is an empty package here."""
    code = f"""
import sys, types
sys.modules["duoti"] = package = types.ModuleType("duoti")
package.__path__ = [{str(Path(duoti.__file__).parent)!r}]
import duoti.topology
layers = [m for m in sys.modules if m.count(".") == 1 and m.startswith("duoti.")]
print(layers + [m for m in ("scipy", "numba") if m in sys.modules])
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "['duoti.spelling', 'duoti.text', 'duoti.topology']"  # suggested names, tables
