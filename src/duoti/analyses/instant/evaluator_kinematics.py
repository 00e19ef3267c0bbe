"""Kinematics of an evaluator: frames, Jacobians and their rates, Coriolis matrix, centroidal momentum."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.evaluator_arguments import ARRAY, REAL, Arguments, Many
from duoti.dynamics import instant as kernels
from duoti.dynamics.instant import FRAME
from duoti.dynamics.workspace import new_tangent
from duoti.kernel import address_of, entry_caller, pack
from duoti.model.elements import Body, Marker, name_of
from duoti.model.errors import ChannelError
from duoti.model.joints.base import quaternions_of
from duoti.spatial.axes import triple
from duoti.system.arrays import Reals
from duoti.system.context import TANGENT_CONTEXT

Axes = Literal["world", "local"]


class Frame(NamedTuple):
    """A frame in world axes: rotation matrix (3 x 3), position [m], angular velocity [rad/s], velocity [m/s]."""

    rotation: Reals
    position: Reals
    angular_velocity: Reals
    velocity: Reals

    @property
    def quaternion(self) -> Reals:
        """The rotation as a unit quaternion, scalar first."""
        return quaternions_of(self.rotation.reshape(-1, 3, 3)).reshape(*self.rotation.shape[:-2], 4)


class CentroidalMomentum(NamedTuple):
    """Momentum about the mass centre as a linear function of the rates; world axes, angular part first."""

    matrix: Reals
    """A, 6 x nv: `A @ v` is angular momentum about the mass centre (rows 0-2) and linear momentum (rows 3-5)."""
    bias: Reals
    """dA/dt v: its rate of change is `A @ a + bias`."""
    mass: float
    """Mass of all bodies [kg]."""
    mass_centre: Reals
    """Position of the mass centre [m]."""

    @property
    def mass_centre_jacobian(self) -> Reals:
        """3 x nv: velocity of the mass centre per unit of each rate."""
        return self.matrix[..., 3:, :] / np.asarray(self.mass)[..., None, None]


class Kinematics(Arguments):
    """Frames, Jacobians, Coriolis matrix, centroidal momentum."""

    @cached_property
    def _call_jacobian(self) -> Callable[[], None]:
        return self._caller(kernels.jacobian_entry)

    def _marker(self, marker: Body | Marker | str) -> int:
        name = marker if type(marker) is str else name_of(marker)
        found = self._markers.get(name)
        if found is None:
            found = self._markers[name] = self.system.marker_index(name)
        return found

    def jacobian(
        self, marker: Body | Marker | str, q: Any, copy: bool = False, *, point: ArrayLike | None = None,
        axes: Axes = "world",
    ) -> Reals:  # fmt: skip
        """6 x nv: angular velocity (rows 0-2) and velocity (rows 3-5) of a marker or body per unit of v.

        point: another point of it, in its axes [m]. axes: "world", or "local" for those of the marker.
        """
        known = self._markers.get(marker) if type(marker) is str else None
        self._chosen[0] = self._marker(marker) if known is None else known
        if point is not None or axes != "world":
            J = self._of_point(q, self._room.rest, point, axes, rate=False)
            return J.copy() if copy else J
        if type(q) is ARRAY and q.shape == self._nq and q.dtype is REAL and not self._busy:
            self._q[:] = q
        elif (many := self._take(q)) is not None:
            J = np.zeros((len(many["t"]), *self._J.shape))
            self._many(kernels.jacobian_entry, many, J=J)
            return J
        self._call_jacobian()
        if self._status[0]:
            self._refuse()
        return self._J.copy() if copy else self._J

    def jacobian_rate(
        self, marker: Body | Marker | str, q: Any, v: Any, copy: bool = False, *, point: ArrayLike | None = None,
        axes: Axes = "world",
    ) -> Reals:  # fmt: skip
        """6 x nv: dJ/dt of `jacobian` in motion with the rates v; J a + dJ/dt v are the accelerations.

        With axes "local", J is that in the axes of the marker, which turn.
        """
        self._refuse_flexible("the rate of a Jacobian")
        self._chosen[0] = self._marker(marker)
        J_dot = self._of_point(q, v, point, axes, rate=True)
        return J_dot.copy() if copy else J_dot

    def coriolis_matrix(self, q: Any, v: Any, copy: bool = False) -> Reals:
        """C(q, v), nv x nv: C v are the centrifugal and Coriolis forces, and dM/dt = C + C^T, so dM/dt - 2 C is skew.

        `bias_forces(q, v)` is `C @ v + gravity_forces(q)`.
        """
        self._refuse_flexible("the Coriolis matrix")
        call, C = self._coriolis
        if (many := self._state(q, v, 0.0, None)) is not None:
            rows = np.zeros((len(many["t"]), *C.shape))
            self._many(kernels.coriolis_matrix_entry, many, C=rows, tangent=self._tangent)
            return rows
        call()
        if self._status[0]:
            self._refuse()
        return C.copy() if copy else C

    def centroidal_momentum(self, q: Any, v: Any = None, copy: bool = False) -> CentroidalMomentum:
        """Centroidal momentum matrix, its bias, mass, mass centre and the Jacobian of the mass centre.

        Bodies that are welded to ground count in mass and mass centre. Without v, the bias is zero.
        """
        self._refuse_flexible("the centroidal momentum matrix")
        call, A, bias = self._centroidal
        if (many := self._state(q, self._room.rest if v is None else v, 0.0, None)) is not None:
            n = len(many["t"])
            A, bias = np.zeros((n, *A.shape)), np.zeros((n, 10))
            given: Many = {"centroidal": A, "centroidal_bias": bias, "tangent": self._tangent}
            self._many(kernels.centroidal_momentum_entry, many, **given)
            return CentroidalMomentum(A, bias[:, :6], bias[:, 6], bias[:, 7:])  # pyright: ignore[reportArgumentType]
        call()
        if self._status[0]:
            self._refuse()
        if copy:
            A, bias = A.copy(), bias.copy()
        return CentroidalMomentum(A, bias[:6], float(bias[6]), bias[7:])

    # ------------------------------------------------------------------------------------------------ rates of columns

    @cached_property
    def _tangent(self) -> int:
        """Address of the arrays in which the rates of the columns stand."""
        made = new_tangent(self.system, self._work)
        pack(made.block, (made.tangent, made.path), TANGENT_CONTEXT)
        self._blocks[TANGENT_CONTEXT] = made
        return address_of(made.block)

    def _with_columns(self, entry: Any, name: str, **results: Any) -> Callable[[], None]:
        room = self._room._replace(system=self._address, tangent=self._tangent, **results)
        return entry_caller(entry, self._packed(room, name))

    @cached_property
    def _coriolis(self) -> tuple[Callable[[], None], Reals]:
        C = np.zeros_like(self._room.M)
        return self._with_columns(kernels.coriolis_matrix_entry, "Coriolis", C=C), C[0]

    @cached_property
    def _centroidal(self) -> tuple[Callable[[], None], Reals, Reals]:
        A, bias = np.zeros_like(self._room.J), np.zeros((1, 10))
        given = {"centroidal": A, "centroidal_bias": bias}
        return self._with_columns(kernels.centroidal_momentum_entry, "centroidal", **given), A[0], bias[0]

    def _room_of_point(self) -> tuple[Callable[[], None], Reals, Reals, Reals, Any]:
        J, J_dot, point, local = np.zeros_like(self._room.J), np.zeros_like(self._room.J), np.zeros(3), np.zeros(1, int)
        given = {"J": J, "J_dot": J_dot, "point": point, "local": local}
        call = self._with_columns(kernels.point_jacobian_entry, f"point {len(self._blocks)}", **given)
        return call, J, J_dot, point, local

    @cached_property
    def _point_jacobian(self) -> tuple[Callable[[], None], Reals, Reals, Reals, Any]:
        return self._room_of_point()

    @cached_property
    def _jacobian_rate(self) -> tuple[Callable[[], None], Reals, Reals, Reals, Any]:
        return self._room_of_point()

    def _of_point(self, q: Any, v: Any, point: ArrayLike | None, axes: Axes, rate: bool) -> Reals:
        """J or dJ/dt of a point of the chosen marker; for one state an array of the evaluator."""
        if axes not in ("world", "local"):
            raise ValueError(f'axes={axes!r}; give "world", or "local" for the axes of the marker')
        call, J, J_dot, place, local = self._jacobian_rate if rate else self._point_jacobian
        place[:] = (0.0, 0.0, 0.0) if point is None else triple(point, "point")
        local[0] = axes == "local"
        if (many := self._state(q, v, 0.0, None)) is not None:
            n = len(many["t"])
            J, J_dot = np.zeros((n, *J.shape[1:])), np.zeros((n, *J.shape[1:]))
            given: Many = {"J": J, "J_dot": J_dot, "point": place, "local": local, "tangent": self._tangent}
            self._many(kernels.point_jacobian_entry, many, **given)
            return J_dot if rate else J
        call()
        if self._status[0]:
            self._refuse()
        return J_dot[0] if rate else J[0]

    def _refuse_flexible(self, what: str) -> None:
        if self._alive[0].flexible:
            names = ", ".join(self.system.flexible)
            raise NotImplementedError(
                f'model "{self.system.model.name}" has flexible bodies ({names}): {what} is for rigid ones. Put the '
                "rigid body in its place (flexible.rigid)"
            )

    @cached_property
    def _frames(self) -> tuple[Callable[[], None], dict[str, Frame], Any]:
        found: dict[str, int] = {}
        for kind in ("body", "marker"):  # a marker comes before a body of the same name, as in `marker_index`
            for key, index in self.system.markers.items():
                if key.element.kind == kind and not key.side:
                    found[key.element.name] = index
        numbers = np.array(list(found.values()), np.int64)
        out = np.zeros((1, len(found), FRAME))
        at = self._packed(self._room._replace(system=self._address, markers=numbers, frames=out), "frames")
        named = {name: _frame(out[0, k]) for k, name in enumerate(found)}
        return entry_caller(kernels.frames_entry, at), named, numbers

    def frames(self, q: Any, v: Any = None, copy: bool = False) -> dict[str, Frame]:
        """Frames of all bodies and markers by their names; without v, all velocities are zero."""
        call, named, numbers = self._frames
        if (many := self._state(q, self._room.rest if v is None else v, 0.0, None)) is not None:
            out = np.zeros((len(many["t"]), len(numbers), FRAME))
            self._many(kernels.frames_entry, many, markers=numbers, frames=out)
            return {name: _frame(out[:, k]) for k, name in enumerate(named)}
        call()
        if self._status[0]:
            self._refuse()
        return {name: Frame(*(x.copy() for x in frame)) for name, frame in named.items()} if copy else named

    def frame(self, marker: Body | Marker | str, q: Any, v: Any = None, copy: bool = False) -> Frame:
        """Frame of one body or marker."""
        name = marker if type(marker) is str else name_of(marker)
        known = self._frames[1]
        if name not in known:
            self.system.marker_index(name)
            raise ChannelError(f'there is no marker or body "{name}"')
        frame = self.frames(q, v)[name]
        return Frame(*(x.copy() for x in frame)) if copy else frame


def _frame(numbers: Reals) -> Frame:
    R = numbers[..., :9].reshape(*numbers.shape[:-1], 3, 3)
    return Frame(R, numbers[..., 9:12], numbers[..., 12:15], numbers[..., 15:18])
