"""Force on nodes of a flexible body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.flexible.body import Flexible
from duoti.model.elements import Body
from duoti.model.forces.flexible_load import FlexibleVector, load_law, load_tangent
from duoti.model.laws import Function, Value
from duoti.spatial.axes import Array


class NodalForce(FlexibleVector):
    """Force (fx, fy, fz) [N] on nodes of a flexible body, shared by them equally.

    nodes: in any form that selects nodes of an interface: numbers, the name of a node set, {'nearest': point}. Each
    component is a number, an expression or a function; or one function returns all three. `frame="world"` keeps the
    direction in space, `frame="body"` lets it follow the body's frame. The nodes need be no interface; but the body
    should have a shape for the load, see `SurfacePressure`.
    """

    kind = "nodal_force"
    units: ClassVar = {"value": "N"}
    law = staticmethod(load_law)
    tangent = staticmethod(load_tangent)

    def __init__(
        self,
        body: Body | str,
        nodes: Any,
        value: Sequence[Value] | Callable[..., Any] | Function,
        frame: str = "world",
    ):
        self.body, self.nodes, self.value, self.frame = body, nodes, value, frame

    def shares(self, body: Flexible) -> Array:
        """Equal shares."""
        shown = body.reduced.display
        count = 0 if shown is None else len(shown.nodes)
        if body.reduction is not None:
            wanted = [self.nodes] if isinstance(self.nodes, int) else self.nodes
            nodes = np.unique(body.reduction.structure.select(wanted))
        else:
            nodes = np.unique(np.atleast_1d(np.asarray(self.nodes)))
            if not np.issubdtype(nodes.dtype, np.integer):
                raise ValueError(f"nodes {self.nodes!r}: of a body given by numbers, nodes have numbers from 0")
        if not len(nodes) or nodes.min() < 0 or nodes.max() >= count:
            raise ValueError(f"nodes {self.nodes!r}: the body has nodes 0 to {count - 1}")
        shares = np.zeros(count)
        shares[nodes] = 1.0 / len(nodes)
        return shares

    def residual(self) -> str:
        """See `FlexibleLoad.residual`."""
        return f"{{'force': {{'nodes': {self.nodes!r}, 'value': (x, y, z)}}}}"
