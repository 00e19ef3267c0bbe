"""Topology: what is connected with what, which joints to cut, in which order to compute. No physics.

`topology(source)` turns a model, a `Graph` or a list of edges into a `Topology`.
"""

from duoti.topology.build import topology
from duoti.topology.cost import Prediction
from duoti.topology.errors import TopologyError
from duoti.topology.graph import DOF, Graph, JointEdge, JointLike, ModelLike
from duoti.topology.loops import Loop, Path
from duoti.topology.matrices import NamedMatrix
from duoti.topology.tree import Matrices, Topology, TreeJoint
from duoti.topology.weights import Weights

__all__ = [
    "DOF",
    "Graph",
    "JointEdge",
    "JointLike",
    "Loop",
    "Matrices",
    "ModelLike",
    "NamedMatrix",
    "Path",
    "Prediction",
    "Topology",
    "TopologyError",
    "TreeJoint",
    "Weights",
    "topology",
]
