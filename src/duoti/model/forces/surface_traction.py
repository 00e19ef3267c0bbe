"""Force per area on faces of a flexible body."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from duoti.flexible.body import Flexible
from duoti.model.elements import Body
from duoti.model.forces.flexible_load import FlexibleVector, load_law, load_tangent, solid_of
from duoti.model.laws import Function, Value
from duoti.spatial.axes import Array


class SurfaceTraction(FlexibleVector):
    """Force per area (fx, fy, fz) [Pa] on the surface of a flexible body made of a mesh: wind, friction, cutting.

    surface: the nodes of the faces, in any form that `Mesh.select` takes. Each component is a number, an expression or
    a function; or one function returns all three. `frame="world"` keeps the direction in space, `frame="body"` lets it
    follow the body's frame. Areas are those of the undeformed body.
    """

    kind = "surface_traction"
    units: ClassVar = {"value": "Pa"}
    law = staticmethod(load_law)
    tangent = staticmethod(load_tangent)

    def __init__(
        self,
        body: Body | str,
        surface: Any,
        value: Sequence[Value] | Callable[..., Any] | Function,
        frame: str = "world",
    ):
        self.body, self.surface, self.value, self.frame = body, surface, value, frame

    def shares(self, body: Flexible) -> Array:
        """Areas [m²]."""
        return solid_of(body).traction(self.surface, (1.0, 0.0, 0.0))[:, 0]

    def residual(self) -> str:
        """See `FlexibleLoad.residual`."""
        return f"{{'traction': {{'nodes': {self.surface!r}, 'value': (x, y, z)}}}}"
