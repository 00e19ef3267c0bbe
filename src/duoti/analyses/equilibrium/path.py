"""`equilibrium_path`: equilibria over a parameter, through turning points (snap-through), by arc length.

The parameter p is one more unknown of the equations of equilibrium, `analyses.equilibrium.equations` (1). A step of
length s goes along the tangent (y, p) of rho(q, p) = 0 and is then corrected across it (Crisfield 1981, Riks 1979):

    [ d rho/dy   d rho/dp ] [dy]     [rho]
    [   t_y^T       t_p   ] [dp] = - [ 0 ]                                                                  (1)

It does not matter whether p or the position turns back. The length is measured in radians, parts of the size of the
mechanism, and parts of the range of p.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.analyses.equilibrium.equations import Balance, BalancePoint
from duoti.analyses.equilibrium.equilibrium import search, start_of
from duoti.analyses.instant.derivatives import displace
from duoti.analyses.states.inputs_and_outputs import add_ports
from duoti.analyses.states.linearised_equations import Variation
from duoti.analyses.states.supported import as_model, refuse_rigid_contacts
from duoti.kernel import one_blas_thread
from duoti.model.model import Model
from duoti.model.parameters import find
from duoti.renamed import renamed_arguments
from duoti.results.records import Reason, Stats
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.parameters import with_values
from duoti.system.system import System

CORRECTIONS = 12
CONVERGED = 1e-10  # correction [rad, parts of the size, parts of the range]
DIFFERENCE = 1e-6  # step of differences by a number that no law reads, by the range of the path
EASY, HARD = 3, 6  # corrections up to which the next step may be longer, and from which on it is shorter


class EquilibriumPath:
    """Equilibria over a parameter: `values` of it, `stable` at each, channels as arrays (`path["tip.position"]`).

    `turning_points` are the points where the parameter turns back: the load at which it snaps through.
    """

    def __init__(
        self, system: System, parameter: str, points: list[tuple[BalancePoint, float]], t: float, ok: bool, reason: str
    ):
        self.system, self.parameter, self.t, self.ok, self.reason = system, parameter, t, ok, reason
        self.values = np.array([value for _, value in points])
        self.q = np.array([point.q for point, _ in points])
        self.z = np.array([point.z[: system.nz] for point, _ in points]).reshape(len(points), system.nz)
        self._v = np.array([point.v for point, _ in points])

    @cached_property
    def result(self) -> Result:
        """The equilibria one after the other as a result, whose time counts them: `path.result.show()`.

        Its model has the first value of the parameter; `path[channel]` evaluates every point with its own value.
        """
        y = np.array([self.system.whole_state(q, v, z) for q, v, z in zip(self.q, self._v, self.z, strict=True)])
        count = np.arange(len(y), dtype=float)
        return Result(
            self.system, count, y, self.ok, Reason("end-time", self.reason), Stats("arc length", len(y), 0, 0, 0.0)
        )

    def __getitem__(self, name: str) -> Reals:
        if name == self.parameter:
            return self.values
        return np.concatenate([each[name] for each in self._results])

    def __len__(self) -> int:
        return len(self.values)

    def at(self, k: int) -> Model:
        """The model with the parameter's value at point k, for further analyses there."""
        return with_values(self.system.model, {self.parameter: float(self.values[k])})

    @cached_property
    def _systems(self) -> list[System]:
        return [self.system.with_parameters({self.parameter: float(value)}) for value in self.values]

    @cached_property
    def _results(self) -> list[Result]:
        """Each point as a result of its own, with its own value of the parameter."""
        made: list[Result] = []
        for system, q, v, z in zip(self._systems, self.q, self._v, self.z, strict=True):
            y = system.whole_state(q, v, z)[None, :]
            stats = Stats("arc length", 1, 0, 0, 0.0)
            made.append(Result(system, np.zeros(1), y, self.ok, Reason("end-time", self.reason), stats))
        return made

    @cached_property
    def stable(self) -> NDArray[np.bool_]:
        """Whether each equilibrium is stable."""
        from duoti.analyses.linear.linearise import linearise

        found: list[bool] = []
        with one_blas_thread():
            for k, system in enumerate(self._systems):
                found.append(linearise(system, (self.q[k], self._v[k], self.z[k]), t=self.t).stable)
        return np.array(found, dtype=bool)

    @property
    def turning_points(self) -> list[int]:
        """Numbers of the points at which the parameter turns back."""
        change = np.sign(np.diff(self.values))
        return [k + 1 for k in range(len(change) - 1) if change[k] * change[k + 1] < 0]

    def plot(self, channel: str | None = None) -> Any:
        """A channel (by default the coordinate that moves most) over the parameter; broken where it is not stable."""
        from duoti.analyses.equilibrium.plot import plot_path

        return plot_path(self, channel)

    def __str__(self) -> str:
        turns = ", ".join(f"{self.values[k]:.5g}" for k in self.turning_points) or "none"
        near = {k + d for k in self.turning_points for d in (-1, 0)}
        branches = "".join(
            f"\n  between {self.values[k]:.5g} and {self.values[k + 1]:.5g} stability changes, but nothing turns: "
            "another path branches off or passes by (buckling); a larger imperfection leads to it"
            for k in range(len(self) - 1)
            if bool(self.stable[k]) != bool(self.stable[k + 1]) and k not in near
        )
        return (
            f"{len(self)} equilibria of {self.system.model.name!r} over {self.parameter} from {self.values[0]:.5g} to "
            f"{self.values[-1]:.5g}; turning points at {turns}; {self.reason}{branches}"
        )


@renamed_arguments
@explained
def equilibrium_path(
    model: Model | System,
    parameter: str,
    to: float,
    *,
    begin: float | None = None,
    at: Any = None,
    step: float = 0.1,
    most: int = 400,
    t: float | None = None,
) -> EquilibriumPath:
    r"""Follow an equilibrium over a parameter, through turning points, by arc-length continuation.

    $$R(q, p) = 0, \qquad |\Delta q|^2 + |\Delta p|^2 = \Delta s^2$$

    Parameters
    ----------
    model:
        A model.
    parameter:
        Name of a number of the model: "k" (declared), "spring.stiffness", "rod.mass", "B.at.x".
    to:
        Value at which to end.
    begin:
        Value at which to begin; by default that of the model.
    at:
        Where the first equilibrium is looked for, see `equilibrium`.
    step:
        Longest step [rad, fractions of the size of the mechanism, fractions of the range of the parameter].
    most:
        Largest number of points.
    t:
        Time at which laws and prescribed motions are evaluated [s]; by default that of `at`, or 0.
    """
    model = as_model(model)
    refuse_rigid_contacts(model, "dt.equilibrium_path")
    number = find(model, parameter)
    value = float(number.number(model) if begin is None else begin)
    if value == to:
        raise ValueError(f"the path over {parameter} begins where it is to end, at {to}")
    system = compile_model(with_values(model, {number: value}))
    system.require_dynamics()
    q, _, t = start_of(system, at, t)
    with one_blas_thread():
        declared = number.element.name if number.element and number.element.kind == "parameter" else ""
        if declared in model.parameters:  # exact derivatives: the parameter becomes a first-order state
            ports = add_ports(system, (declared,), ())
            balance, point = Balance(ports.system, t), ports.input_states[declared]
            balance.parameters = [point]
            z = ports.system.initial_z()
        else:
            balance, point = _NumberBalance(system, parameter, t, abs(float(to) - value)), system.nz
            z = np.append(system.initial_z(), value)
        z[point] = value
        return _Path(system, balance, z, point, float(to), t, step).follow(parameter, value, q, most)


def _refuse_carried(balance: Balance, q: Reals) -> None:
    """Raise if bodies are carried along by others that turn: their steady motion has other coordinates."""
    from duoti.analyses.equilibrium.steady_motion import carried_bodies

    if names := carried_bodies(balance, q):
        some = ", ".join(f'"{name}"' for name in names[:4]) + (", ..." if len(names) > 4 else "")
        raise NotImplementedError(
            f"dt.equilibrium_path follows coordinates that rest, and {some} moves along with what carries it, in "
            "coordinates against ground: add dt.Free() joints between the carrier and each of these bodies, or take "
            "dt.equilibrium at each value of the parameter"
        )


class _NumberBalance(Balance):
    """Equations of equilibrium in which any number p of the model stands behind the first-order states.

    The equations are those of the system with the value of p; their derivatives by p are central differences.
    """

    def __init__(self, system: System, name: str, t: float, reach: float):
        super().__init__(system, t)
        self.name, self.step = name, DIFFERENCE * reach
        self._value, self._there = np.nan, self

    def _with(self, value: float) -> Balance:
        if value != self._value:
            self._value = value
            self._there = Balance(self.system.with_parameters({self.name: value}), self.t)
        there = self._there
        there.length, there.size, there.cyclic = self.length, self.size, self.cyclic
        return there

    def find_cyclic(self, q: Reals, z: Reals) -> None:
        """See `Balance`."""
        super().find_cyclic(q, z[:-1])

    def look(self, q: Reals, z: Reals, rates: Reals | None = None) -> BalancePoint:
        """See `Balance`."""
        point = self._with(float(z[-1])).look(q, z[:-1], rates)
        return replace(point, z=z, zdot=np.append(point.zdot, 0.0))

    def shifted(self, point: BalancePoint, x: Reals, fraction: float) -> BalancePoint | None:
        """See `Balance`."""
        n, z = point.free.N.shape[1], point.z + fraction * x[point.free.N.shape[1] :]
        q = self._with(float(z[-1])).closed(displace(self.system, point.q, fraction * (point.free.N @ x[:n])))
        return None if q is None else self.look(q, z)

    def derivatives(self, point: BalancePoint) -> tuple[Variation, Reals]:
        """See `Balance`."""
        own, p = replace(point, z=point.z[:-1], zdot=point.zdot[:-1]), float(point.z[-1])
        sides: list[tuple[float, Reals]] = []
        for value in (p + self.step, p - self.step):
            there = self._with(value)
            q = there.closed(point.q)
            other = None if q is None else there.look(q, own.z)
            if other is not None and np.array_equal(other.free.independent, point.free.independent):
                sides.append((value, np.concatenate([other.rho, other.zdot])))
        if len(sides) < 2:
            sides.append((p, np.concatenate([own.rho, own.zdot])))
        if len(sides) < 2:
            raise ValueError(f"{self.name} = {p:.6g}: the loops cannot be closed at values beside it")
        column = (sides[0][1] - sides[1][1]) / (sides[0][0] - sides[1][0])
        here, matrix = self._with(p).derivatives(own)
        return here, np.vstack([np.column_stack([matrix, column]), np.zeros(len(column) + 1)])


class _Path:
    """The search along a path; z has the parameter at point k, whose rate is zero."""

    def __init__(self, system: System, balance: Balance, z: Reals, k: int, to: float, t: float, step: float):
        self.system, self.balance, self.z, self.k, self.to, self.longest = system, balance, z, k, to, step
        self.t, self.nz = t, len(z)
        self.range = 1.0

    def follow(self, parameter: str, value: float, q: Reals, most: int) -> EquilibriumPath:
        """The path from the equilibrium at a value."""
        balance = self.balance
        balance.measure(q)
        z = self.z
        if balance.runs:
            balance.find_cyclic(q, z)
        self.range = abs(self.to - value)
        alone = Balance(self.system, self.t)  # the parameter is a number there
        alone.measure(q)
        alone.cyclic = balance.cyclic
        first = search(alone, q, self.system.initial_z())
        if not first.ok:
            if alone.runs:
                _refuse_carried(alone, q)
            reason = f"there is no equilibrium at {parameter} = {value:.5g}: {first.reason}"
            return EquilibriumPath(self.system, parameter, [(first.point, value)], self.t, False, reason)
        z[: self.k] = first.z[: self.k]
        point = balance.look(first.q, z)
        points = [(point, value)]
        tangent = self._tangent(point, None)
        sense = np.sign(self.to - value)
        if tangent[-1] * sense < 0:
            tangent = -tangent
        length, reason = 0.3 * self.longest, "the largest number of points was reached"
        while len(points) < most:
            made = self._step(point, tangent, length)
            if made is None:
                length *= 0.5
                if length < 1e-6:
                    reason = "no equilibrium was found beyond the last one"
                    return EquilibriumPath(self.system, parameter, points, self.t, False, reason)
                continue
            before, last = tangent, point
            point, count = made
            tangent = self._tangent(point, before)
            if before[-1] * tangent[-1] < 0:
                points += [(each, float(each.z[self.k])) for each in self._turning(last, before, length, tangent[-1])]
            value = float(point.z[self.k])
            if (value - self.to) * sense >= 0:
                points.append(self._last(parameter, point))
                return EquilibriumPath(
                    self.system, parameter, points, self.t, True, f"{parameter} = {self.to:.5g} was reached"
                )
            points.append((point, value))
            length = min(self.longest, 1.5 * length) if count <= EASY else 0.6 * length if count >= HARD else length
        return EquilibriumPath(self.system, parameter, points, self.t, False, reason)

    # unknowns are x = (y, z without p, p), scaled by `_scales`

    def _matrix(self, point: BalancePoint) -> tuple[Reals, list[int]]:
        """d(rho, dz/dt but for p's)/d(y, z, p), columns in the order of the unknowns."""
        _, matrix = self.balance.derivatives(point)
        n = point.free.N.shape[1]
        own = [k for k in range(self.nz) if k != self.k]
        order = [*range(n), *(n + k for k in own), n + self.k]
        return matrix[np.ix_(order[:-1], order)], order

    def _scales(self, point: BalancePoint) -> Reals:
        own = np.ones(self.nz - 1)
        return np.concatenate([self.balance.size[point.free.independent], own, [self.range]])

    def _tangent(self, point: BalancePoint, before: Reals | None) -> Reals:
        """The direction of the path, of unit length in all displacements and p, forward as `before`."""
        matrix, _ = self._matrix(point)
        scales = self._scales(point)
        _, _, vectors = np.linalg.svd(matrix * scales)
        found = scales * vectors[-1]
        whole = self._whole(point, found)
        whole /= np.linalg.norm(whole)
        return whole if before is None or whole @ before >= 0 else -whole

    def _whole(self, point: BalancePoint, x: Reals) -> Reals:
        """Displacements of all joints and the parameter, in parts of their sizes."""
        n = point.free.N.shape[1]
        return np.concatenate([point.free.N @ x[:n] / self.balance.size, [x[-1] / self.range]])

    def _step(self, point: BalancePoint, tangent: Reals, length: float) -> tuple[BalancePoint, int] | None:
        """The point a step further, and how many corrections it took; None if there is none."""
        independent = point.free.independent
        n = len(independent)
        x = np.zeros(n + self.nz)
        x[:n] = length * (tangent[:-1] * self.balance.size)[independent]
        x[n + self.k] = length * tangent[-1] * self.range
        here = self.balance.shifted(point, x, 1.0)
        for count in range(CORRECTIONS):
            if here is None or not np.all(np.isfinite(here.r)):
                return None
            matrix, order = self._matrix(here)
            scales, m = self._scales(here), here.free.N.shape[1]
            across = np.concatenate([
                (tangent[:-1] / self.balance.size) @ here.free.N, np.zeros(self.nz - 1),
                [tangent[-1] / self.range],
            ])  # fmt: skip
            rates = np.delete(here.zdot, self.k)
            bordered = np.vstack([matrix, across]) * scales
            rows = np.max(np.abs(bordered), axis=1)
            rows = np.where(rows > 0, rows, 1.0)
            right = -np.concatenate([here.rho, rates, [0.0]])
            found = scales * np.linalg.lstsq(bordered / rows[:, None], right / rows, rcond=1e-12)[0]
            if np.linalg.norm(self._whole(here, found)) > 2.0 * length + 1e-3:
                return None
            if np.max(np.abs(self._whole(here, found))) < CONVERGED:
                return here, count
            change = np.zeros(len(found))
            change[order] = found
            assert m + self.nz == len(change)
            here = self.balance.shifted(here, change, 1.0)
        return None

    def _turning(self, point: BalancePoint, tangent: Reals, length: float, slope: float) -> list[BalancePoint]:
        """The point within a step at which the parameter turns back, by false position (Illinois) on its slope."""
        a, b, f, g, found = 0.0, length, float(tangent[-1]), slope, list[BalancePoint]()
        for _ in range(20):
            s = (a * g - b * f) / (g - f)
            made = self._step(point, tangent, s)
            if made is None:
                return found
            found = [made[0]]
            h = float(self._tangent(made[0], tangent)[-1])
            if abs(h) < 1e-9:
                break
            if h * g < 0:
                a, f = b, g
            else:
                f *= 0.5
            b, g = s, h
        return found

    def _last(self, parameter: str, beyond: BalancePoint) -> tuple[BalancePoint, float]:
        """The equilibrium at the last value, from beyond it."""
        there = Balance(self.system.with_parameters({parameter: self.to}), self.t)
        there.length, there.size, there.cyclic = self.balance.length, self.balance.size, self.balance.cyclic
        point, ok, _ = there.newton(there.look(beyond.q, np.delete(beyond.z, self.k)), 50)
        return (point, self.to) if ok else (beyond, float(beyond.z[self.k]))
