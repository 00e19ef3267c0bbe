"""Weights that say which joint of a loop is best cut: the greater, the sooner (Yuan et al. 2000, section 3).

Cutting a joint with f coordinates removes f coordinates from the tree and returns 6 - f constraint equations.
Both counts favour many coordinates, so a weight is 10 f and a few units for what the count leaves undecided:

===========  ======  =============================================================================
kind         weight  reason
===========  ======  =============================================================================
free         60      no equation at all: in a loop it constrains nothing
spherical    32      three equations of position only
planar       30      one of position, two of orientation
translation  28      three of orientation
universal    22      four: three of position, one of orientation
cylindrical  20      four: two of position, two of orientation
revolute     12      five: three of position
prismatic    10      five, three of them of orientation
screw        8       five, and the number of turns cannot be read off the relative pose
fixed        0       six equations and no coordinate removed
other        10 f
===========  ======  =============================================================================

This extends the order S > U > C > R > T of Yuan et al. A joint at body 0 weighs 5 more, because its closing
equations are simpler: it decides between joints with equally many coordinates. Yuan et al., section 4, go
further and look for cuts among the joints at ground first; `Weights.ground_first` does that. An actuated
joint weighs 100 less: its coordinate should stay in the state. One whose reaction is wanted as a multiplier
weighs 100 more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from duoti.topology.errors import did_you_mean
from duoti.topology.graph import DOF, UNSPECIFIED, Graph, JointEdge

KIND_WEIGHTS: dict[str, float] = {
    "free": 60,
    "spherical": 32,
    "planar": 30,
    "translation": 28,
    "universal": 22,
    "cylindrical": 20,
    "revolute": 12,
    "prismatic": 10,
    "screw": 8,
    "fixed": 0,
    UNSPECIFIED: 10,
}


@dataclass(frozen=True)
class Weights:
    """How readily each joint is cut. Whole numbers by default, so that equal weights are exactly equal.

    ``kinds`` replaces weights of some kinds, ``joints`` adds to the weight of single joints by name.
    """

    kinds: Mapping[str, float] = field(default_factory=dict[str, float])
    joints: Mapping[str, float] = field(default_factory=dict[str, float])
    ground: float = 5
    actuated: float = -100
    reaction: float = 100

    @classmethod
    def ground_first(cls) -> Weights:
        """Cut at body 0 wherever a loop passes through it, whatever the kinds (Yuan et al., section 4)."""
        return cls(ground=1000)

    def terms(self, edge: JointEdge, ground: str, wanted: bool) -> list[tuple[float, str]]:
        """The summands of one joint's weight, each with its reason."""
        kind = self.kinds.get(edge.kind, KIND_WEIGHTS.get(edge.kind, 10 * (edge.coordinates or 0)))
        found = [(kind, edge.kind)]
        if ground in (edge.parent, edge.child):
            found.append((self.ground, f"at {ground}"))
        if edge.actuated:
            found.append((self.actuated, "actuated"))
        if wanted:
            found.append((self.reaction, "reaction wanted"))
        if edge.name in self.joints:
            found.append((self.joints[edge.name], "by name"))
        return found

    def of(self, graph: Graph, want_reaction: Collection[str] = ()) -> np.ndarray:
        """Weight of every joint of a graph, in the order of declaration."""
        wanted, ground = frozenset(want_reaction), graph.ground
        return np.array(
            [sum(w for w, _ in self.terms(e, ground, e.name in wanted)) for e in graph.joints],
            dtype=np.float64,
        )

    def faults(self, graph: Graph) -> Iterator[str]:
        """Weights that concern nothing in the graph, or are no numbers."""
        if not self.kinds and not self.joints:
            return
        kinds = {e.kind for e in graph.joints} | set(DOF) | {UNSPECIFIED}
        names = {e.name for e in graph.joints}
        for kind, value in self.kinds.items():
            if kind not in kinds:
                yield f'weights: no joint is of the kind "{kind}"{did_you_mean(kind, sorted(kinds))}'
            elif not np.isfinite(value):
                yield f'weights: the weight of "{kind}" is {value}; force_cut and forbid_cut are strict'
        for name, value in self.joints.items():
            if name not in names:
                yield f'weights: there is no joint "{name}"{did_you_mean(name, sorted(names))}'
            elif not np.isfinite(value):
                yield f'weights: the weight of joint "{name}" is {value}; force_cut and forbid_cut are strict'
