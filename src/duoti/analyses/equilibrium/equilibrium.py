"""`equilibrium`: positions in which a model rests, or runs on steadily."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from duoti.analyses.equilibrium.equations import Balance, BalancePoint
from duoti.analyses.equilibrium.neighbourhood import other_side, shifts
from duoti.analyses.instant.dynamics import generalised_forces
from duoti.analyses.states.at import instant
from duoti.analyses.states.consistent import equation_labels, velocity_labels
from duoti.analyses.states.joint_limits import SHOWN, beyond_stops, lugre_beyond_bound, overturned_beams
from duoti.analyses.states.supported import as_system, of_graph, refuse_rigid_contacts, warn_of_controllers
from duoti.dynamics.close_loops import Flags
from duoti.integrate.record import record_of_multipliers
from duoti.kernel import one_blas_thread
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.model import Model
from duoti.renamed import renamed_arguments, warn_renamed
from duoti.results.records import Reason, Stats
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.analyses.linear.linear_system import LinearSystem

ITERATIONS = 100
BALANCED = 1e-9  # force that is left, as part of the forces that balance each other
NO_STIFFNESS = 1e-12  # squares of frequencies below this part of the largest one are round-off: stiff beams reach 1e-9
RELAXATIONS = 100
PUSHES = 3  # how often an equilibrium that is not stable is left by a push, where only a stable one will do
LARGE = 24  # rates from which on sparse algebra is used where neighbours are coupled only
FREE_DOFS, FEWEST_FREE = 6, 2  # bodies with six rates that make a model one of bodies joined by force elements
NEARBY = 0.25  # an equilibrium that is not stable is only meant if the start is so near [rad, parts of the size]


class Equilibrium:
    """What `equilibrium` found.

    `e["A.angle"]`, `e["tip.position"]`, `e["A.reaction_force"]` and so on are numbers or short arrays, named as in a
    result.

    Attributes
    ----------
    ok:
        Whether an equilibrium was found. If not, the state is the best one found.
    reason:
        Why the search ended.
    q, v, z, t:
        The state; v is zero except for prescribed motions.
    iterations:
        Number of iterations.
    method:
        How the equilibrium was found.
    """

    def __init__(self, balance: Balance, point: BalancePoint, ok: bool, reason: str, iterations: int, method: str):
        self.system = balance.system
        self.t = balance.t
        self.q, self.v, self.z = point.q, point.v, point.z
        self.ok, self.reason = ok, reason
        self.iterations, self.method = iterations, method
        self._balance, self.point = balance, point
        self.sizes = balance.size
        for array in (self.q, self.v, self.z):
            array.setflags(write=False)

    @property
    def model(self) -> Model:
        """The model."""
        return self.system.model

    @cached_property
    def result(self) -> Result:
        """The state as a result of one instant: `e.result.show()`, `e.result.picture(path)`."""
        y = self.system.whole_state(self.q, self.v, self.z)[None]
        stats, reason = Stats(self.method, self.iterations, 0, 0, 0.0), Reason("end-time", self.reason)
        if not self.system.closures.rows:
            return Result(self.system, np.array([self.t]), y, self.ok, reason, stats)
        record, layout = np.array([list(self.multipliers.values())]), record_of_multipliers(self.system)
        return Result(self.system, np.array([self.t]), y, self.ok, reason, stats, record=record, record_layout=layout)

    def __getitem__(self, name: str) -> Any:
        values = self.result[name][0]
        return float(values) if np.ndim(values) == 0 else values

    def __contains__(self, name: str) -> bool:
        return name in self.result

    @property
    def channels(self) -> list[str]:
        """Names of all channels."""
        return self.result.channels

    @property
    def state(self) -> tuple[Reals, Reals, Reals]:
        """(q, v, z), as `simulate(..., at=)` takes it."""
        return self.q, self.v, self.z

    @property
    def relative(self) -> Equilibrium:
        """The same, with bodies that are carried along on free joints on their carriers: coordinates that rest."""
        return self

    @property
    def running(self) -> Flags:
        """[nv] the rates of coordinates that run on in a steady motion without changing anything else."""
        cyclic = self._balance.cyclic
        return np.zeros(self.system.nv, dtype=bool) if cyclic is None else cyclic

    @cached_property
    def multipliers(self) -> dict[str, float]:
        """Of the equations of loops and constraints, by their names (as `dt.analyses.constraint_jacobian` has it)."""
        self._balance.look(self.q, self.z, self.point.v[self._balance.searched])
        values = self._balance.multipliers(self.point)
        return dict(zip(equation_labels(self.system), values.tolist(), strict=True))

    @cached_property
    def linear(self) -> LinearSystem:
        """The linear system of small deviations."""
        from duoti.analyses.linear.linearise import linearise

        with one_blas_thread():
            return linearise(self.system, (self.q, self.v, self.z), t=self.t)

    @cached_property
    def indifferent(self) -> tuple[str, ...]:
        """Directions in which nothing pulls back, by the rates that move most in them: a free crank, a rolling
        wheel.
        """
        with one_blas_thread():
            _, matrix = self._balance.derivatives(self.point)
        n = self.point.free.N.shape[1]
        if not n:
            return ()
        N, size = self.point.free.N, self._balance.size
        mass = np.sqrt(np.abs(np.diag(N.T @ self._balance.equations.made.tangent.M @ N)))
        d = 1.0 / np.where(mass > 0, mass, 1.0)
        scaled = d[:, None] * matrix[:n, :n] * d
        _, values, vectors = np.linalg.svd(scaled)
        largest = float(values.max(initial=0.0))
        names = velocity_labels(self.system)
        found: list[str] = []
        for value, vector in zip(values, vectors, strict=True):
            if value <= NO_STIFFNESS * largest:
                moved = np.abs(N @ (d * vector)) / size
                found.append(" with ".join(names[k] for k in np.argsort(-moved)[:2] if moved[k] > 0.3 * moved.max()))
        return tuple(found)

    @cached_property
    def stable(self) -> bool:
        """Whether small deviations stay small, as far as a linear system can tell; indifferent ones are left out.

        At rest and without forces that follow, by the stiffness in all free directions; else by the eigenvalues.
        """
        if not self.ok:
            return False
        return self.linear.stable

    def along(self, beam: Any, quantity: str) -> Any:
        """A quantity along a beam, as `Result.along`, at this one time."""
        from duoti.results.evaluate.beam_fields import along

        return along(self, np.array([self.t]), beam, quantity)

    def plot(self) -> Any:
        """The mechanism in its equilibrium."""
        from duoti.analyses.equilibrium.plot import plot_equilibrium

        return plot_equilibrium(self)

    def __str__(self) -> str:
        if not self.ok:
            return f"no equilibrium of {self.model.name!r}: {self.reason}"
        kind = "steady motion" if np.any(self.v) else "equilibrium"
        lines = [f"{kind} of {self.model.name!r}: {'stable' if self.stable else 'not stable'}; {self.reason}"]
        lines += [f"  indifferent: {name}" for name in self.indifferent]
        for name, layout in list(self.system.joints.items())[:20]:
            if len(layout.q):
                numbers = ", ".join(f"{x:.6g}" for x in self.q[layout.q])
                lines.append(f"  {name:<16} {numbers}")
        lines += [f"  {name:<16} {x:.6g}" for name, x in zip(self.system.state_names, self.z, strict=True)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<equilibrium of {self.model.name!r}: {'ok' if self.ok else 'NOT FOUND'}, {self.reason}>"


@renamed_arguments
@explained
def equilibrium(
    model: Model | System,
    at: Any = None,
    *,
    t: float | None = None,
    rates: Mapping[str, Any] | None = None,
    stable: bool = False,
    friction: Literal["modelled", "ignored", "held"] = "modelled",
) -> Equilibrium:
    r"""Find a position in which a model rests, or a steady motion.

    $$h(q, v, t) - \tau - G^T \lambda = 0, \qquad g(q, t) = 0, \qquad f(z) = 0$$

    Velocities follow prescribed motions and `rates`; all others are zero. Newton's method with a line search starts
    from `at` with closed loops. Where it fails, or leads far away to an unstable equilibrium, pseudo-transient
    continuation comes first.

    Parameters
    ----------
    model:
        A model or a compiled system.
    at:
        Where to begin: values by joint, q, (q, v), (q, v, z), another equilibrium, or a row of a result. By default the
        initial values.
    t:
        Time at which laws and prescribed motions are evaluated [s]; by default that of `at`, or 0.
    rates:
        Velocities by joint that continue without a drive: `{"shaft": 30.0}`. None stands for one that is to be found,
        from the initial velocity on: `{"car": {"x": 20.0}, "wheel": None}`, a wheel that rolls with what drives and
        brakes it in balance.
    stable:
        Accept only a stable equilibrium.
    friction:
        "modelled": as the model has it, regularised friction without force at rest. "ignored": without that of
        `JointFriction` and `CompliantContact`. "held": joints with `JointFriction` keep their coordinates, and points
        of compliant contacts that touch at the start do not slide, with whatever force that takes. `e.linear` and
        `dt.linearise(model, e)` are then those of that model, `e.model`.
    """
    model = of_graph(model)
    if not isinstance(model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
    refuse_rigid_contacts(model, "dt.equilibrium")
    warn_of_controllers(model, "dt.equilibrium")
    if friction != "modelled":
        from duoti.analyses.equilibrium.friction import with_friction

        model = with_friction(model, friction, at, t)
    system = as_system(model)
    system.require_dynamics()
    for name in rates or {}:
        if name not in system.joints:
            raise ChannelError(f'rates: there is no joint "{name}".{did_you_mean(name, system.joints)}')
    with one_blas_thread():
        q, z, t = start_of(system, at, t)
        if joined_by_forces(system, rates or {}):
            from duoti.analyses.equilibrium.sparse import search_sparse

            return within_bounds(search_sparse(system, q, float(t), stable))
        balance = Balance(system, float(t), rates)
        balance.measure(q)
        if balance.runs:
            balance.find_cyclic(q, z)
        found = search(balance, q, z, stable)
        if not found.ok and balance.runs:
            from duoti.analyses.equilibrium.steady_motion import search_carried

            found = search_carried(balance, q, z, rates or {}, stable) or found
        return within_bounds(found)


def within_bounds(found: Equilibrium) -> Equilibrium:
    """Nothing rests beyond a rigid stop, which would have held it before, nor with more friction than there is, nor
    with elements of beams beyond their range.
    """
    if found.ok and (slides := lugre_beyond_bound(found.system, found.z)):
        found.ok = False
        found.reason = (
            f"forces balance only with more friction than there is: {', '.join(slides)}; the joint slides from there: "
            "simulate until all is at rest, or search from a start nearer to where it would rest (q0=)"
        )
    if found.ok and (turned := overturned_beams(found.system, found.q)):
        more = f" and {len(turned) - SHOWN} more" if len(turned) > SHOWN else ""
        found.ok = False
        found.reason = (
            "forces balance, but elements of beams are turned beyond their range, a quarter of a turn: "
            f"{', '.join(turned[:SHOWN])}{more}. Give the beam more elements, or begin nearer to the shape you mean"
        )
    if found.ok and (beyond := beyond_stops(found.system, found.q)):
        found.ok = False
        found.reason = (
            f"forces balance beyond the stops of {', '.join(beyond)}, which are no part of the search; a "
            "dt.JointStop(joint, stiffness=) is, or simulate until all is at rest"
        )
    return found


def joined_by_forces(system: System, rates: Mapping[str, Any]) -> bool:
    """Whether bodies that could move freely are joined by force elements, with nothing else to balance."""
    if rates or system.closures.rows or system.nz or system.tree.shared or system.loads.forces.count < FEWEST_FREE:
        return False
    if int(np.sum(np.diff(system.tree.first)[1:] == FREE_DOFS)) >= FEWEST_FREE:
        return True
    from duoti.integrate.implicit.newton_structure import structure_of

    return system.nv >= LARGE and 2 * structure_of(system, stabilised=False).below < system.nv


def start_of(system: System, at: Any, t: float | None) -> tuple[Reals, Reals, float]:
    """q, closed, z and the time of a start as a user may give it."""
    if (at is None or isinstance(at, Mapping)) and system.closures.rows:
        still = copy.copy(system.model)  # initial velocities do not matter here, and may contradict prescribed motions
        still.joints = {name: replace(element, v0=None) for name, element in still.joints.items()}
        system = replace(system, model=still)
    if isinstance(at, tuple) and len(at) == 1:
        at = at[0]
    if isinstance(at, tuple) and len(at) == 2 and np.shape(at[1]) == (system.nz,) != (system.nv,):
        warn_renamed("equilibrium(start=(q, z))", "equilibrium(at=(q, v, z))")
        at = (at[0], np.zeros(system.nv), at[1])
    found = instant(system, at, t)
    return found.q, found.z, found.t


def search(
    balance: Balance, q: Reals, z: Reals, stable: bool = False, relax: bool = True, pushes: int = PUSHES
) -> Equilibrium:
    """From a position, which need not be closed; relax: slide down where Newton's method does not come to an end."""
    system = balance.system
    closed = balance.closed(q)
    if closed is None:
        closed = q
    before = len(system.callbacks.errors)
    begin = balance.look(closed, z)
    if not (np.all(np.isfinite(begin.r)) and np.all(np.isfinite(begin.zdot))):
        why = f"the forces at the start are not finite{system.callbacks.failure_text(before)}"
        return Equilibrium(balance, begin, False, why, 0, "Newton")
    point, ok, count, method = begin, False, 0, "Newton with line search"
    if not stable:
        point, ok, count = balance.newton(begin, ITERATIONS)
        ok = ok and not unbalanced(balance, point)
        if not ok and relax and system.model.beams:
            loaded, ok, more = balance.load_by_steps(begin)
            count += more
            ok = ok and not unbalanced(balance, loaded)
            if ok:
                point, method = loaded, "loads by steps, Newton"
        away = float(np.max(np.abs(balance.gap(begin, point)), initial=0.0))
        beams = bool(system.model.beams)
        if ok and relax and (away > NEARBY or beams) and not Equilibrium(balance, point, True, "", 0, "").stable:
            beside = other_side(balance, begin, point) if beams and away <= NEARBY else closed
            if beside is not None:
                other = search(balance, beside, z, stable=True, pushes=0)
                if other.ok:
                    return other
    for push in range(1 + pushes if stable else 1):
        if ok or not relax:
            break
        method = "pseudo-transient continuation, then Newton"
        relaxed, slid = balance.relax(begin if push == 0 else _pushed(balance, point, push), RELAXATIONS)
        point, done, more = balance.newton(relaxed, ITERATIONS)
        count += slid + more
        ok = done and not unbalanced(balance, point)
        if ok and stable and not Equilibrium(balance, point, True, "", 0, "").stable:
            ok = False
    if not ok:
        left = unbalanced(balance, point)
        reason = (
            f"no balance: {left}"
            if left
            else "no stable equilibrium was met"
            if stable
            else "corrections do not vanish"
        )
        return Equilibrium(balance, point, False, reason, count, method)
    moving = float(np.max(np.abs(point.a) / balance.size, initial=0.0))
    speed = float(np.max(np.abs(point.v) / balance.size, initial=0.0))
    reason = f"balanced after {count} iterations ({method})"
    if moving > BALANCED * max(1.0, speed**2):
        names = [velocity_labels(system)[k] for k in np.argsort(-np.abs(point.a))[:3] if abs(point.a[k]) > 0.1 * moving]
        reason = f"balanced at this instant, but prescribed motions accelerate {', '.join(names)}: no steady motion"
        return Equilibrium(balance, point, False, reason, count, method)
    if pushed := shifts(balance, point, speed):
        reason = (
            f"balanced at this instant only: as it moves on, {pushed}. No steady "
            "motion in which all other rates are zero"
        )
        return Equilibrium(balance, point, False, reason, count, method)
    return Equilibrium(balance, point, True, reason, count, method)


def _pushed(balance: Balance, point: BalancePoint, push: int) -> BalancePoint:
    """A position a little beside an equilibrium that is not stable."""
    random = np.random.default_rng(push)
    x = 0.05 * random.standard_normal(point.free.N.shape[1] + balance.system.nz)
    return balance.shifted(point, x, 1.0) or point


def unbalanced(balance: Balance, point: BalancePoint) -> str:
    """What is not in balance, in words; empty if all is."""
    system = balance.system
    h = generalised_forces(system, point.q, point.v, balance.t, point.z)
    here, _ = balance.derivatives(point)
    inner = here.G.T @ here.multipliers
    left = point.r - inner
    by_turn = np.abs(here.K) @ balance.size  # forces that a radian would bring
    by_rate = np.abs(here.C) @ np.abs(point.v)  # what a motor gives and a brake takes
    scale = np.max(np.abs([h, point.r + h, inner, by_turn, by_rate]), axis=0) * balance.size
    largest = float(np.max(scale, initial=0.0))
    names = velocity_labels(system)
    found = [
        f"{names[k]} is pushed by {-left[k]:.4g} {'N m' if system.tree.angular[k] else 'N'}"
        for k in np.argsort(-np.abs(left) * balance.size)[:3]
        if abs(left[k]) * balance.size[k] > BALANCED * largest
    ]
    found += [
        f"state {name} changes by {rate:.4g} per second"
        for name, rate, value in zip(system.state_names, point.zdot, point.z, strict=True)
        if abs(rate) > BALANCED * (1.0 + abs(value))
    ]
    return "; ".join(found)
