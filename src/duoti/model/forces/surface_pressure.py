"""Pressure on faces of a flexible body."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from duoti.flexible.body import Flexible
from duoti.model.elements import Body
from duoti.model.forces.flexible_load import FlexibleLoad, load_law, load_tangent, solid_of
from duoti.model.laws import Value
from duoti.spatial.axes import Array


class SurfacePressure(FlexibleLoad):
    """Pressure [Pa] on the surface of a flexible body made of a mesh; it pushes inwards and goes along with the body.

    surface: the nodes of the faces, in any form that `Mesh.select` takes ('z+', the name of a node set, {'plane': ..}).
    The value is a number, an expression or a function, of the time `t` or anything else. Faces keep the direction that
    they have in the undeformed body. The body should have a shape for it: `loads={name: {'pressure': surface}}` of
    `Flexible.from_mesh`; `dt.check` says how much of the deformation its modes lack.
    """

    kind = "surface_pressure"
    units: ClassVar = {"value": "Pa"}
    law = staticmethod(load_law)
    tangent = staticmethod(load_tangent)

    def __init__(self, body: Body | str, surface: Any, value: Value):
        self.body, self.surface, self.value = body, surface, value

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """The pressure."""
        return (("value", self.value, {}, 1),)

    def unit_forces(self, body: Flexible, axes: Array) -> list[Array]:
        """See `FlexibleLoad.unit_forces`."""
        return [solid_of(body).pressure(self.surface)]

    def residual(self) -> str:
        """See `FlexibleLoad.residual`."""
        return f"{{'pressure': {self.surface!r}}}"
