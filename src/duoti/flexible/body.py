"""A flexible body where an inertia stands: `m.add_body(name, dt.Flexible..., position=, rotation=)`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.flexible.makers import FlexibleMakers
from duoti.flexible.reduction.reduced import Reduced
from duoti.spatial.axes import Array
from duoti.spatial.inertia import Inertia
from duoti.spatial.shape import Shape
from duoti.strict import explained_constructors

if TYPE_CHECKING:
    from duoti.flexible.reduction.reduction import Reduction


@explained_constructors
class Flexible(FlexibleMakers):
    r"""A body that deforms, in modal coordinates. Joints, forces and markers act at its interfaces.

    $$u(x, t) = \sum_k \phi_k(x)\, \eta_k(t)$$

    It takes the place of an inertia: `m.add_body(name, dt.Flexible.from_beam(...))`.

    Parameters
    ----------
    reduced:
        The body after reduction; the `from_...` methods make it.
    stiffening:
        Whether loads change the stiffness (geometric stiffness, dynamic stiffening).
    recipe:
        How a model file writes the body.
    """

    def __init__(
        self, reduced: Reduced, *, stiffening: bool = True, recipe: tuple[str, Mapping[str, Any]] | None = None
    ) -> None:
        if not isinstance(reduced, Reduced):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{reduced!r} is no reduced body; use dt.Flexible.from_beam, .from_mesh or .from_matrices")
        self.reduced = reduced
        self.stiffening = stiffening
        self.recipe = recipe
        self.rigid: Inertia = reduced.rigid()
        """The same body without deformation."""
        self.reduction: Reduction | None = None
        """How it was reduced; None of a body that was given by its numbers."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Flexible:
        """Itself, as an inertia: copies of a model share the mesh and the factors of its stiffness."""
        return self

    @property
    def mass(self) -> float:
        """[kg]."""
        return self.rigid.mass

    @property
    def com(self) -> Array:
        """Centre of mass of the undeformed body [m]."""
        return self.rigid.com

    @property
    def matrix(self) -> Array:
        """Inertia of the undeformed body about its centre of mass [kg m^2]."""
        return self.rigid.matrix

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """What can be drawn of it as a rigid body."""
        return self.rigid.shapes

    @property
    def modes(self) -> int:
        """Number of modal coordinates."""
        return self.reduced.n

    def effective_mass(self) -> Array:
        """[3] part of the mass that the modes move when the frame moves along x, y, z; the rest goes with the frame."""
        I3, I6 = self.reduced.moments.I3, self.reduced.moments.I6
        return np.einsum("xj,jx->x", I3, np.linalg.solve(I6, I3.T)) / self.mass

    def frequency_errors(self, count: int) -> Array:
        """By how much the lowest frequencies, held at the first interface, are above those of the whole structure.

        [count] relative errors; they have in them what rigid interfaces stiffen. Without interfaces the body floats.
        """
        if self.reduction is None:
            raise ValueError("the structure of this body is not known: it was given by its numbers")
        if not 0 < count <= self.modes:
            raise ValueError(f"count = {count!r}: the body has {self.modes} modes")
        return self.reduced.frequencies()[:count] / self.reduction.whole_frequencies(count) - 1.0

    def __repr__(self) -> str:
        interfaces = ", ".join(self.reduced.interfaces) or "none"
        return f"Flexible(mass={self.mass:g}, modes={self.modes}, interfaces: {interfaces})"
