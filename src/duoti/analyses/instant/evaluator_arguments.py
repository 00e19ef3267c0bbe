"""Arguments of an evaluator: one state or many, arrays or names, and inputs by name."""

from __future__ import annotations

import array
import weakref
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from duoti.analyses.states.consistent import state_of, velocity_labels
from duoti.analyses.states.inputs_and_outputs import add_ports
from duoti.analyses.states.many_states import stacked
from duoti.analyses.states.special_cases import as_vector
from duoti.analyses.states.supported import as_system, rigid_elements
from duoti.dynamics.instant import INSTANT_CONTEXT, Instant, empty_instant
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.reaction_feedback.installation import force_readers, has_reaction_feedback
from duoti.dynamics.workspace import CONTEXT_BYTES, new_linearisation, new_workspace
from duoti.kernel import address_of, entry_caller, pack
from duoti.model.model import Model
from duoti.system.arrays import Reals, Work, by_mass_matrix
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

ARRAY, REAL = np.ndarray, np.dtype(float)
ROOM = 128  # words of a packed Instant


class _Facts(NamedTuple):
    """What decides how a system is treated; asked once."""

    massless: bool  # mass matrix and inverse dynamics are refused
    lacking: bool  # accelerations are refused
    smooth: bool  # no friction or stops in joints, no rigid contacts, no forces that read reactions
    tree: bool  # rigid bodies without loops and constraints
    closed: bool  # loops or constraints
    feedback: bool  # laws read reactions
    forces_alone: bool  # forces follow from the state without accelerations
    calls_python: bool


def _facts(system: System) -> _Facts:
    joint_friction, feedback = has_joint_friction(system), has_reaction_feedback(system)
    reads = feedback and bool(force_readers(system))
    contacts = bool(system.model.contacts) and bool(rigid_elements(system))
    closed, by_matrix = bool(system.closures.rows), by_mass_matrix(system.tree)
    return _Facts(
        massless=system.lacking is not None and not system.model.mass, lacking=system.lacking is not None,
        smooth=not joint_friction and not reads and not contacts, tree=not closed and not by_matrix, closed=closed,
        feedback=feedback, forces_alone=not joint_friction and not reads, calls_python=system.callbacks.calls_python,
    )  # fmt: skip


class Rates:
    """A workspace for the entry YDOT. What an earlier state left in it does not count: it begins anew each time."""

    def __init__(self, system: System, linearised: bool = False):
        self.work = new_workspace(system, ydot=True)
        self.linearisation = None
        if linearised:
            self.linearisation = new_linearisation(system, self.work, acceleration_rows=system.closures.rows > 0)
        self.memory: Any = self.work.y.base
        self.fresh = self.memory.copy() if system.closures.rows else None

    def begin(self) -> None:
        """As it was when it was made."""
        if self.fresh is not None:
            self.memory[:] = self.fresh


Many = dict[str, Any]  # arrays of N states by the names of their arguments


class Arguments:
    """Arrays for the arguments and results of one state, and ways to put arguments into them."""

    def __init__(self, model: Model | System):
        self._kept = as_system(model)
        self._set_up(self._kept)

    def _set_up(self, system: System) -> None:
        self._of = weakref.ref(system)
        self._alive = system.tree, system.loads, system.closures, system.callbacks
        self._facts = _facts(system)
        nq, nv, nz = system.nq, system.nv, system.nz
        self._sizes = {"q": nq, "v": nv, "a": nv, "z": nz}
        self._nq, self._nv = (nq,), (nv,)
        self._z0 = system.initial_z()
        self._busy = False
        self._status, self._chosen = array.array("q", (0, 0)), array.array("q", (0,))  # read and written by `room`
        self._room = empty_instant(
            open=np.full(1, np.inf), status=np.frombuffer(self._status, np.int64), rest=np.zeros(nv),
            markers=np.frombuffer(self._chosen, np.int64), **self._states(1), M=np.zeros((1, nv, nv)),
            J=np.zeros((1, 6, nv)),
            **{name: np.zeros((1, nv)) for name in ("tau", "h", "forces", "acceleration")},
        )  # fmt: skip
        room = self._room
        self._t, self._q, self._v, self._a, self._z = room.t, room.q[0], room.v[0], room.a[0], room.z[0]
        self._z[:] = self._z0
        self._has_z, self._z_given = nz > 0, False
        self._M, self._tau, self._h, self._forces, self._acceleration, self._J = (
            room.M[0], room.tau[0], room.h[0], room.forces[0], room.acceleration[0], room.J[0]
        )  # fmt: skip
        self._markers: dict[str, int] = {}
        self._ported: dict[tuple[str, ...], tuple[Any, list[int]]] = {}
        self._blocks: dict[object, Any] = {}  # memory whose addresses kernels know

    def _states(self, n: int) -> dict[str, Any]:
        return {"t": np.zeros(n)} | {name: np.zeros((n, size)) for name, size in self._sizes.items()}

    def __reduce__(self) -> Any:  # addresses are those of this process: a copy is made anew
        return type(self), (self.system,)

    # ------------------------------------------------------------------------------------------------- what it is of

    @property
    def system(self) -> System:
        """The compiled model."""
        system = self._of()
        assert system is not None
        return system

    @property
    def coordinate_names(self) -> tuple[str, ...]:
        """Of q."""
        return self.system.coordinate_names

    @property
    def rate_names(self) -> tuple[str, ...]:
        """Of v, a and generalised forces: rows and columns of all results."""
        return velocity_labels(self.system)

    @property
    def state_names(self) -> tuple[str, ...]:
        """Of z."""
        return self.system.state_names

    # -------------------------------------------------------------------------------------------------------- calls

    @cached_property
    def _work(self) -> Work:
        """For all that needs no rates."""
        return new_workspace(self.system)

    @cached_property
    def _address(self) -> int:
        if self._work.at[0].system:
            return int(self._work.at[0].system)
        block = np.zeros(CONTEXT_BYTES // 8)
        pack(block, (*self._alive[:3], self._work), REAL_CONTEXT)
        self._blocks[REAL_CONTEXT] = block
        return address_of(block)

    @cached_property
    def _rates(self) -> Rates:
        return Rates(self.system)

    def _packed(self, instant: Instant, method: str) -> int:
        """Address of a context that lives as long as the evaluator, or until a method packs another one."""
        block = np.zeros(ROOM)
        pack(block, (instant,), INSTANT_CONTEXT)
        self._blocks[method] = block, instant
        return address_of(block)

    def _caller(self, entry: Any) -> Callable[[], None]:
        return entry_caller(entry, self._at)

    @cached_property
    def _at(self) -> int:
        return self._packed(self._room._replace(system=self._address), "most")

    def _guarded(self, call: Callable[[], None]) -> Callable[[], None]:
        """The same; a law in Python that calls this evaluator again raises an error, and errors of laws are raised."""
        if not self._facts.calls_python:
            return call

        def guarded() -> None:
            self._busy = True
            try:
                with self.system.callbacks.raising():
                    call()
            finally:
                self._busy = False

        return guarded

    def _refuse_busy(self) -> None:
        if self._busy:
            raise RuntimeError(
                "an evaluator is called by a law that it is evaluating: give the law an evaluator of its own"
            )

    # ---------------------------------------------------------------------------------------------------- arguments

    def _take(self, q: Any, v: Any = None, a: Any = None, z: Any = None, t: Any = 0.0) -> Many | None:
        """Arguments of any kind into the arrays of the evaluator; those of many states are returned instead."""
        if self._busy:
            self._refuse_busy()
        if isinstance(q, Mapping) or isinstance(v, Mapping):
            closed_q, closed_v = state_of(
                self.system, q if isinstance(q, Mapping) else None, v if isinstance(v, Mapping) else None, float(t)
            )
            if isinstance(q, Mapping):
                q = closed_q
            if isinstance(v, Mapping):
                v = closed_v
        given = {name: x for name, x in (("q", q), ("v", v), ("a", a), ("z", z)) if x is not None}
        dimensions = {name: np.ndim(x) for name, x in given.items()}
        if np.ndim(t) == 0 and all(n != 2 for n in dimensions.values()):
            for name, x in given.items():
                getattr(self, f"_{name}")[:] = as_vector(name, x, self._sizes[name])
            self._put_states(z)
            self._t[0] = t
            return None
        counts = {name: np.shape(x)[0] for name, x in given.items() if dimensions[name] == 2}
        if np.ndim(t):
            counts["t"] = len(np.atleast_1d(np.asarray(t)))
        if len(set(counts.values())) > 1:
            raise ValueError(f"arrays of many states differ in their number: {counts}")
        n = next(iter(counts.values()))
        many = {name: self._rows(name, x, n) for name, x in given.items()}
        many["t"] = np.ascontiguousarray(np.broadcast_to(np.asarray(t, dtype=float), (n,)))
        if "z" not in many:
            many["z"] = np.repeat(self._z0[None], n, axis=0)
        return many

    def _put_states(self, z: Any) -> None:
        """First-order states of the next call: those given, which are in place, or the initial ones."""
        if z is not None:
            self._z_given = True
        elif self._z_given:
            self._z[:] = self._z0
            self._z_given = False

    def _rows(self, name: str, values: Any, n: int) -> Reals:
        size = self._sizes[name]
        if np.ndim(values) != 2:
            return np.repeat(as_vector(name, values, size)[None], n, axis=0)
        if np.iscomplexobj(values):
            raise ValueError(f"{name} is complex: give real numbers")
        rows = np.ascontiguousarray(values, dtype=float)
        if rows.shape[1] != size:
            raise ValueError(f"{name} needs {size} numbers for each of {n} states, got an array of shape {rows.shape}")
        return rows

    def _refuse(self, many: Many | None = None) -> None:
        """Raise about arguments that are not finite."""
        n, self._status[0] = self._status[1], 0
        given: Many = many or {name: getattr(self, f"_{name}").copy() for name in self._sizes}
        for name in self._sizes:  # the next call may not need all of them
            getattr(self, f"_{name}")[:] = 0.0
        self._z[:] = self._z0
        for name, size in self._sizes.items():
            if many is None:
                as_vector(name, given[name], size)
            elif name in many:
                as_vector(f"{name}[{n}]", given[name][n], size)
        raise AssertionError("unreachable")

    def _require_finite(self, many: Many) -> None:
        """Raise about the first of many states that is not finite."""
        for name in self._sizes:
            if name in many and not np.isfinite(many[name]).all():
                self._status[1] = int(np.flatnonzero(~np.isfinite(many[name]).all(axis=1))[0])
                self._refuse(many)

    def _many(self, entry: Any, many: Many, system: int = 0, **results: Any) -> None:
        """Call an entry for many states."""
        block = np.zeros(ROOM)
        given = self._room._replace(**many, **results, system=system or self._address)
        pack(block, (given,), INSTANT_CONTEXT)
        self._guarded(entry_caller(entry, address_of(block)))()
        if self._status[0]:
            self._refuse(many)

    def _each(self, function: Callable[..., Any], many: Many, *names: str, **more: Any) -> Any:
        """A method for each of many states, stacked; z: as the caller gave it, None stays None."""
        self._require_finite(many)
        names = names if "z" not in more or more["z"] is None else (*names, "z")
        more = {name: x for name, x in more.items() if name not in names}
        return stacked([function(**{name: many[name][k] for name in names}, **more) for k in range(len(many["t"]))])

    def _with_inputs(self, inputs: Mapping[str, Any], z: Any) -> tuple[Any, Any]:
        """The evaluator in which inputs are first-order states, and these states."""
        names = tuple(inputs)
        if names not in self._ported:
            ports = add_ports(self.system, names, ())
            if ports.motions:
                raise ValueError(
                    f'input "{ports.motions[0].label}" is a prescribed motion: give its law in the model, or by '
                    "system.with_parameters"
                )
            if split := [name for name in ports.inputs if name not in inputs]:
                raise ValueError(f"inputs with several components are given one by one: {', '.join(split)}")
            self._ported[names] = type(self)(ports.system), [ports.input_states[name] for name in names]
        made, places = self._ported[names]
        own = self._z0 if z is None else np.asarray(z, dtype=float)
        if own.shape[-1:] != (self._sizes["z"],):
            as_vector("z", own, self._sizes["z"])
        values = [np.asarray(value, dtype=float) for value in inputs.values()]
        if wrong := [name for name, x in zip(names, values, strict=True) if x.ndim > 1]:
            raise ValueError(f"input {wrong[0]!r} needs one number, or one for each state")
        shape = np.broadcast_shapes(own.shape[:-1], *(x.shape for x in values))
        whole = np.zeros((*shape, made._sizes["z"]))
        others = [k for k in range(made._sizes["z"]) if k not in places]
        whole[..., others] = own
        for place, value in zip(places, values, strict=True):
            whole[..., place] = value
        return made, whole

    def _state(self, q: Any, v: Any, t: Any, z: Any) -> Many | None:
        """Two arguments and a time, the quick way if they are arrays."""
        if (
            z is None
            and type(q) is ARRAY
            and q.shape == self._nq
            and q.dtype is REAL
            and type(v) is ARRAY
            and v.shape == self._nv
            and v.dtype is REAL
            and type(t) is float
            and not self._busy
        ):
            self._q[:] = q
            self._v[:] = v
            self._t[0] = t
            if self._z_given:
                self._put_states(None)
            return None
        return self._take(q, v, None, z, t)
