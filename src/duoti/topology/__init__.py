"""Topology: what is connected with what, which joints to cut, in which order to compute. No physics.

The package can be called: `dt.topology(model)` finds the tree that a simulation of the model will use, and that of a
`Graph` or of a list of edges; see `duoti.analyses.instant.topology`. `topology.topology(source)` knows no physics.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

from duoti.topology.build import topology
from duoti.topology.cheapest import Prediction
from duoti.topology.errors import TopologyError
from duoti.topology.graph import DOF, Graph, JointEdge, JointLike, ModelLike
from duoti.topology.loops import Loop, Path
from duoti.topology.matrices import NamedMatrix
from duoti.topology.spanning import Weights
from duoti.topology.tree import Matrices, Topology, TreeJoint

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


class _CallablePackage(ModuleType):
    """The package, which is called as `dt.topology(model)`."""

    def __call__(self, source: Any, **options: Any) -> Topology:
        """See `duoti.analyses.instant.topology.topology`, which is imported when it is called."""
        return import_module("duoti.analyses.instant.topology").topology(source, **options)


sys.modules[__name__].__class__ = _CallablePackage
