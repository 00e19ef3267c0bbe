"""Worked systems of the source texts, as graphs to play with.

Qi: Qi Zhaohui, Dynamics of Multibody Systems (多体系统动力学), Science Press, Beijing 2008, chapter 1. Yuan:
Yuan Quan, Zhang Xu, Mao Enrong, Zhou Yiming, Journal of China Agricultural University 5(4), 2000, 101-104.
"""

from __future__ import annotations

import numpy as np

from duoti.topology.graph import Graph, JointEdge


def slider_crank() -> Graph:
    """Crank, rod and slider (Qi, example 1.1, figs. 1.2 and 1.3) with the kinds of the usual mechanism."""
    return Graph.from_edges(
        [
            ("H1", "revolute", "ground", "crank"),
            ("H2", "revolute", "crank", "rod"),
            ("H3", "revolute", "rod", "slider"),
            ("H4", "prismatic", "ground", "slider"),
        ]
    )


# fmt: off
FIG_1_1_S = np.array([
    [ 1,  0,  0,  0,  0,  0,  0,  1],
    [-1,  1,  1,  0,  0,  0,  0,  0],
    [ 0, -1,  0,  0,  0,  0,  1,  0],
    [ 0,  0, -1,  1,  0,  1,  0,  0],
    [ 0,  0,  0, -1,  1,  0, -1,  0],
    [ 0,  0,  0,  0, -1,  0,  0,  0],
    [ 0,  0,  0,  0,  0, -1,  0, -1],
])
"""Incidence matrix of fig. 1.1 as printed in example 1.2 of Qi."""

EXAMPLE_1_3_S = np.array([
    [ 1,  0,  0,  1],
    [-1,  1,  0,  0],
    [ 0,  0,  1, -1],
    [ 0, -1, -1,  0],
])
"""Incidence matrix of example 1.3 (fig. 1.4)."""
# fmt: on


def qi_fig_1_1() -> Graph:
    """The system of fig. 1.1 with 6 bodies, 8 joints, 2 loops, read off its incidence matrix (example 1.2).

    The caption's text counts the joints H_i to i = 7, but the matrices and the cuts H7, H8 need eight of
    them. Kinds are not printed. Cutting H7 and H8 takes ``force_cut=("H7", "H8")``.
    """
    return Graph.from_incidence(FIG_1_1_S)


def qi_example_1_3() -> Graph:
    """The system of the incidence matrix of example 1.3 (fig. 1.4): 3 bodies, 4 joints, 1 loop."""
    return Graph.from_incidence(EXAMPLE_1_3_S)


def driver_in_cab() -> Graph:
    """A driver in the cab of a vehicle: 16 bodies with ground, 21 joints, 6 loops (Yuan, section 5).

    The text names the bodies (1 = ground ... 16), the joints and what each joins; of the three contacts with
    the seat it says no more, here the head, trunk and pelvis. Kinds are not printed either: spherical for
    neck, waist, shoulders, hips and the contacts, universal for wrists and ankles, revolute for elbows and
    knees. With `Weights.ground_first` the cuts b, e, l, m, t, u do not depend on the kinds of the 14 joints
    of the body: of the seven joints at ground the first of the lightest stays, and the other six are cut.
    """
    side = ("left ", "right ")
    pair = {  # letters of left and right, kind, inboard and outboard part
        "fg": ("spherical", "trunk", "upper arm"),
        "hi": ("revolute", "upper arm", "forearm"),
        "jk": ("universal", "forearm", "hand"),
        "lm": ("spherical", "ground", "hand"),
        "no": ("spherical", "pelvis", "thigh"),
        "pq": ("revolute", "thigh", "shank"),
        "rs": ("universal", "shank", "foot"),
        "tu": ("spherical", "ground", "foot"),
    }
    middle = ("ground", "trunk", "pelvis")
    joints = [
        JointEdge("a", "spherical", "ground", "head"),
        JointEdge("b", "spherical", "ground", "trunk"),
        JointEdge("c", "spherical", "trunk", "head"),
        JointEdge("d", "spherical", "pelvis", "trunk"),
        JointEdge("e", "spherical", "ground", "pelvis"),
    ]
    joints += [
        JointEdge(letter, kind, a if a in middle else s + a, s + b)
        for letters, (kind, a, b) in pair.items()
        for letter, s in zip(letters, side, strict=True)
    ]
    parts = ("upper arm", "forearm", "hand", "thigh", "shank", "foot")
    bodies = ["head", "trunk", "pelvis", *(s + part for part in parts for s in side)]
    return Graph.from_edges(joints, bodies=bodies)
