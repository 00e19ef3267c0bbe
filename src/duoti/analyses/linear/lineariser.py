"""`Lineariser`: A and B of a system in many states, for controllers and trajectory optimisation, without allocation."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.linear.linear_system import rotation_labels
from duoti.analyses.linear.linearise import preferred, state_matrix
from duoti.analyses.states.consistent import require_closed, velocity_labels
from duoti.analyses.states.inputs_and_outputs import add_ports
from duoti.analyses.states.linearised_equations import Equations, chart
from duoti.analyses.states.supported import as_system, refuse_reaction_feedback, refuse_rigid_contacts
from duoti.dynamics.derivatives.forward import factor_size
from duoti.dynamics.derivatives.state_space import STATE_SPACE_CONTEXT, StateSpace, state_space_entry
from duoti.kernel import address_of, entry_address, pack, run_entry
from duoti.model.model import Model
from duoti.system.arrays import Reals
from duoti.system.system import System

ROOM = 64  # words of a packed StateSpace


@cache
def _address() -> int:
    return entry_address(state_space_entry)


class Lineariser:
    r"""State-space matrices about any state, again and again without set-up.

    $$\dot x = A x + B u$$

    `f = dt.Lineariser(system, inputs=["motor"]); A, B = f(q, v)`. The deviations x, named by `states`, are those of
    coordinates, velocities and first-order states, as in `linearise`. With loops they are those of independent
    coordinates, which are chosen anew in each state unless `coordinates` names them. `f(q, v, out=(A, B))` writes into
    given arrays.

    Parameters
    ----------
    model:
        A model or a compiled system.
    inputs:
        Names of inputs, as in `linearise`.
    coordinates:
        Joints or velocities that are wanted as independent coordinates.
    """

    def __init__(self, model: Model | System, inputs: Sequence[str] = (), coordinates: Sequence[str] = ()):
        system = as_system(model)
        system.require_dynamics()
        self._made_of = system, tuple(inputs), tuple(coordinates)
        ports = add_ports(system, tuple(inputs), ())
        if ports.motions:
            raise ValueError(f'input "{ports.motions[0].label}" is a prescribed motion: dt.linearise has its columns')
        self.system, self._full = system, ports.system
        refuse_reaction_feedback(system, "dt.Lineariser")
        refuse_rigid_contacts(system, "dt.Lineariser")
        if np.any(system.loads.laws.state_mass == 0):
            raise ValueError("algebraic states are not eliminated here: use dt.linearise")
        self._equations = Equations.of(ports.system)
        self._prefer = preferred(system, coordinates)
        self.inputs = tuple(ports.inputs)
        self.states = (*rotation_labels(system, range(system.nv)), *velocity_labels(system), *system.state_names)
        self._columns = [ports.input_states[name] for name in ports.inputs]
        assert self._columns == [*range(system.nz, ports.system.nz)]
        n = 2 * system.nv + system.nz
        self._A, self._B = np.zeros((n, n)), np.zeros((n, len(self.inputs)))
        self._A[: system.nv, system.nv : 2 * system.nv] = np.eye(system.nv)
        self._z = ports.system.initial_z()
        self._first_z = self._z[: system.nz].copy()
        work, X = self._equations.work, np.zeros((system.nv, 3 * system.nv))
        room = StateSpace(int(work.at[0].system), system.nz, np.zeros(factor_size(system.tree)), X, self._A, self._B)
        self._room, self._block = room, np.zeros(ROOM)  # both must live as long as the entry is called
        self._entry = 0 if system.closures.rows else _address()
        pack(self._block, (room,), STATE_SPACE_CONTEXT)
        self._at = address_of(self._block)

    def __reduce__(
        self,
    ) -> tuple[type[Lineariser], tuple[object, ...]]:  # addresses are those of this process: a copy is made anew
        return type(self), self._made_of

    def __call__(
        self,
        q: ArrayLike,
        v: ArrayLike,
        t: float = 0.0,
        z: ArrayLike | None = None,
        out: tuple[Reals, Reals] | None = None,
    ) -> tuple[Reals, Reals]:
        """A and B in a state; z: by default the initial values of the first-order states."""
        system, work = self.system, self._equations.work
        nq, nv, nz = system.nq, system.nv, system.nz
        y = work.y
        if np.shape(q) != (nq,) or np.shape(v) != (nv,) or (z is not None and np.shape(z) != (nz,)):
            raise ValueError(f"q needs {nq} numbers, v {nv} and z {nz}")
        y[:nq], y[nq : nq + nv] = q, v
        if nz:
            self._z[:nz] = self._first_z if z is None else z
        if self._full.nz:
            y[nq + nv : nq + nv + self._full.nz] = self._z
        work.clock[0] = t
        if system.closures.rows:
            return _given_back(self._with_loops(t), out)
        run_entry(self._entry, self._at)
        return (self._A.copy(), self._B.copy()) if out is None else _given_back((self._A, self._B), out)

    def _with_loops(self, t: float) -> tuple[Reals, Reals]:
        full, nz = self._full, self.system.nz
        nq, nv = full.nq, full.nv
        q, v = self._equations.work.y[:nq].copy(), self._equations.work.y[nq : nq + nv].copy()
        require_closed(full, q, v, t, self._z)
        here = self._equations.vary()
        rates = chart(here.G, self._prefer)
        positions = chart(here.G[full.closures.nonholonomic == 0], [*self._prefer, *rates.independent.tolist()])
        big = state_matrix(full, v, here, rates, positions, np.zeros((nv, nv)))[0]
        first = len(big) - full.nz
        x, u = [*range(first + nz)], [first + k for k in self._columns]
        labels = velocity_labels(self.system)
        self.states = (
            *rotation_labels(self.system, positions.independent), *(labels[k] for k in rates.independent),
            *self.system.state_names,
        )  # fmt: skip
        return big[np.ix_(x, x)], big[np.ix_(x, u)]


def _given_back(made: tuple[Reals, Reals], out: tuple[Reals, Reals] | None) -> tuple[Reals, Reals]:
    """A and B, in the arrays that the caller gave."""
    if out is None:
        return made
    for name, array, to in zip("AB", made, out, strict=True):
        if np.shape(to) != array.shape:
            raise ValueError(f"out: {name} has the shape {array.shape}, but {np.shape(to)} is given")
        to[...] = array
    return out
