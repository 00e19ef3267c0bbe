"""Evaluators: kinematics, energies and momentum."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.evaluator_arguments import ARRAY, REAL, Arguments
from duoti.analyses.evaluator_results import Energies, Frame, Momentum
from duoti.analyses.instant_cases import as_vector
from duoti.dynamics import instant as kernels
from duoti.dynamics.instant import FRAME
from duoti.kernel import entry_caller
from duoti.model.elements import Body, Marker, name_of
from duoti.model.errors import ChannelError
from duoti.results.observe import ENERGIES, STATE_RATES, observe
from duoti.system.arrays import Reals

ENERGY_NUMBERS = 14


class Motion(Arguments):
    """Frames, Jacobians, energies."""

    # --------------------------------------------------------------------------------------------------- kinematics

    @cached_property
    def _call_jacobian(self) -> Callable[[], None]:
        return self._caller(kernels.jacobian_entry)

    def _marker(self, marker: Body | Marker | str) -> int:
        name = marker if type(marker) is str else name_of(marker)
        found = self._markers.get(name)
        if found is None:
            found = self._markers[name] = self.system.marker_index(name)
        return found

    def jacobian(self, marker: Body | Marker | str, q: Any, copy: bool = False) -> Reals:
        """6 x nv: angular velocity (rows 0-2) and velocity (rows 3-5) of a marker or body per unit of v, world axes."""
        known = self._markers.get(marker) if type(marker) is str else None
        self._chosen[0] = self._marker(marker) if known is None else known
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
        if v is None:
            v = self._room.rest
        if (
            type(q) is ARRAY
            and q.shape == self._nq
            and q.dtype is REAL
            and type(v) is ARRAY
            and v.shape == self._nv
            and v.dtype is REAL
            and not self._busy
        ):
            self._q[:] = q
            self._v[:] = v
        elif (many := self._take(q, v)) is not None:
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

    # ----------------------------------------------------------------------------------------- energies and momentum

    def _observed(self, q: Any, v: Any, t: Any, z: Any, what: int) -> tuple[Any, bool]:
        """What `observe` sees, and whether it is that of many states."""
        many = self._state(q, v, t, z)
        if many is None:
            many = {"q": self._q[None], "v": self._v[None], "z": self._z[None], "t": self._t}
            for name in ("q", "v", "z"):
                as_vector(name, many[name][0], self._sizes[name])
            one = True
        else:
            one = False
            self._require_finite(many)
        y = np.concatenate([many["q"], many["v"], many["z"], np.zeros((len(many["t"]), 2))], axis=1)
        with self.system.callbacks.raising():
            return observe(self.system, many["t"], y, what), one

    @cached_property
    def _energies(self) -> tuple[Callable[[], None], Reals]:
        room = self._room._replace(system=self._address, energies=np.zeros((1, ENERGY_NUMBERS)))
        return self._guarded(entry_caller(kernels.energies_entry, self._packed(room, "energies"))), room.energies[0]

    def _all_energies(self, q: Any, v: Any, t: Any, z: Any) -> Reals:
        """Energies, powers and momentum of one state, or of many."""
        if not self._facts.forces_alone or self._facts.measured:
            seen, one = self._observed(q, v, t, z, ENERGIES)
            return seen.energies[0] if one else seen.energies
        call, found = self._energies
        if (many := self._state(q, v, t, z)) is not None:
            rows = np.zeros((len(many["t"]), ENERGY_NUMBERS))
            self._many(kernels.energies_entry, many, energies=rows)
            return rows
        call()
        if self._status[0]:
            self._refuse()
        return found

    def energies(
        self, q: Any, v: Any, t: Any = 0.0, z: ArrayLike | None = None, inputs: Mapping[str, Any] | None = None
    ) -> Energies:
        """Energies and powers at an instant; the zero of gravity's is at the world's origin."""
        if inputs:
            made, z = self._with_inputs(inputs, z)
            return made.energies(q, v, t, z)
        if self._facts.massless:
            self.system.require_mass()
        found = self._all_energies(q, v, t, z)
        return Energies(*found[:5].tolist()) if found.ndim == 1 else Energies(*found[:, :5].T.copy())

    def momentum(self, q: Any, v: Any) -> Momentum:
        """Momentum of all bodies at an instant."""
        if self._facts.massless:
            self.system.require_mass()
        e = self._all_energies(q, v, 0.0, None).copy()
        return Momentum(e[..., 5:8], e[..., 8:11], e[..., 11:14])

    def state_rates(
        self, q: Any, v: Any, t: Any = 0.0, z: ArrayLike | None = None, inputs: Mapping[str, Any] | None = None
    ) -> Reals:
        """Rates of the first-order states, in the order of `state_names`."""
        if inputs:
            made, whole = self._with_inputs(inputs, z)
            return made.state_rates(q, v, t, whole)[..., : self._sizes["z"]]
        seen, one = self._observed(q, v, t, z, STATE_RATES)
        return seen.zdot[0] if one else seen.zdot


def _frame(numbers: Reals) -> Frame:
    R = numbers[..., :9].reshape(*numbers.shape[:-1], 3, 3)
    return Frame(R, numbers[..., 9:12], numbers[..., 12:15], numbers[..., 15:18])
