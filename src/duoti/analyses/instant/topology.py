"""`topology` of a model as its simulation will see it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from duoti.model.beams.add_beam import with_needed_joints
from duoti.model.mechanism.choose_tree import relative_tree
from duoti.model.model import Model
from duoti.strict import explained
from duoti.topology import Graph, JointEdge, Topology, Weights
from duoti.topology import topology as topology_of
from duoti.topology.errors import TopologyError


@explained
def topology(
    source: Model | Graph | Iterable[JointEdge | Sequence[str]],
    *,
    cut: Literal["auto", "weights", "cheapest", "absolute"] = "auto",
    weights: Weights | Mapping[str, float] | None = None,
    force_cut: Iterable[str] = (),
    forbid_cut: Iterable[str] = (),
    want_reaction: Iterable[str] = (),
) -> Topology:
    """Find a spanning tree, cut the other joints, label bodies and joints regularly.

    Parameters
    ----------
    source:
        A model, a `Graph`, or edges ``(name, kind, parent, child)``.
    cut:
        "auto": for a model the joints that a simulation cuts, otherwise as "weights"; "weights": the joints of greatest
        weight (see `Weights`); "cheapest": the tree with the lowest predicted cost; "absolute": every joint, and every
        body on a virtual free joint.
    weights:
        A `Weights`, or a mapping kind -> weight for some kinds.
    force_cut, forbid_cut:
        Names of joints that must or must not be cut. When a forced cut leaves bodies unattached, they get a virtual
        joint.
    want_reaction:
        Names of joints whose reactions are wanted as multipliers: preferred cuts.

    Raises
    ------
    TopologyError
        With all faults of the graph and of the wishes at once.
    """
    if isinstance(source, Model):
        source = with_needed_joints(source)
    chosen = cut if cut != "auto" else "weights"
    if cut == "auto" and isinstance(source, Model) and weights is None and not want_reaction:
        try:
            return relative_tree(source, cut, tuple(force_cut), tuple(forbid_cut))
        except TopologyError:
            raise
        except (ValueError, TypeError, OverflowError, KeyError, AttributeError):
            pass  # laws that cannot be read are the matter of `check`
    return topology_of(
        source, cut=chosen, weights=weights, force_cut=force_cut, forbid_cut=forbid_cut, want_reaction=want_reaction
    )
