"""`LinearSystem`: what `linearise` returns.

    M d²y/dt² + (D + G) dy/dt + K y + ... = 0,        dx/dt = A x + B u,   out = C x + D u

x = (deviations of independent coordinates, deviations of independent velocities, first-order states).

Squares of frequencies, K x = w² M x, also where the lowest ones are far below the round-off of the highest.

A solver for all of them leaves an error of 1e-16 of the largest square in each. In a beam that is stiff in shear and
has little rotary inertia the lowest bending is below that. Its stiffness is there nevertheless: the large entries of K
belong to motions in which it has no part. So the soft modes are found again, by inverse iteration in their common space
(Bathe 1971), and the round-off of each is that of its own energy, eps |x|^T |K| |x|, with that of entries that are
differences of larger terms.

Round-off of a linear system: of the entries of its matrices, and of its eigenvalues.

An entry may be the small difference of large terms: of a wheel that rests on the ground the moment of the contact force
about the axle is N times 1e-17 m, and so is its derivative. The entry alone does not tell. So the matrices are made
again in states that differ by round-off; what changes is round-off.

A change of A by E moves an eigenvalue by |y|^H |E| |x|, left and right eigenvectors with y^H x = 1 (Wilkinson 1965).
Of a double eigenvalue that E has split, y and x are nearly across each other, and that estimate is of the order of the
split itself, sqrt(E).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.linear.co_rotating_axes import STEADY, Frame, drift
from duoti.analyses.linear.modes import Mode, find_modes, length_of
from duoti.analyses.linear.round_off import clean_state_matrix, clean_stiffness, eigenpairs, scales, sensible_units
from duoti.analyses.states.consistent import velocity_labels
from duoti.analyses.states.inputs_and_outputs import Ports
from duoti.analyses.states.linearised_equations import Chart, Equations, Variation, coordinate_sizes
from duoti.analyses.states.motion_inputs import whole_responses
from duoti.kernel import one_blas_thread
from duoti.model.errors import MissingPackageError
from duoti.model.joint_friction import FrictionState
from duoti.model.sensors import SensorState
from duoti.strict import explained_methods
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.results.result import Result

EPSILON = float(np.finfo(float).eps)
PERTURBATION = 4.0 * EPSILON  # between states that are the same but for round-off [rad, fraction of the size]
SAMPLES = 3
JUMP = 1e-8  # a larger change, as part of the largest entry, is no round-off: a contact opens there
MARGIN = 10.0  # of estimates of round-off: of that of LAPACK by the norm of the matrix ...
SPREAD = 10.0  # ... and of that of entries by a few samples


def round_off(linear: LinearSystem) -> tuple[Reals, Reals]:
    """Of the entries of A and of the stiffness."""
    from duoti.analyses.linear.linearise import state_matrix

    system, random = linear.system, np.random.default_rng(0)
    noise, stiffness_noise = np.zeros_like(linear.A), np.zeros_like(linear.stiffness)
    equations, (rates, positions) = Equations.of(system), linear.charts
    holonomic = system.closures.nonholonomic == 0
    length = length_of(system, linear.q) + float(np.max(np.abs(linear.q), initial=0.0))
    first = len(linear.coordinates) + len(linear.rates)
    is_state = np.array(system.loads.laws.state_mass[: system.nz], dtype=bool)
    algebraic = [first + k for k in range(system.nz) if not is_state[k]]
    kept = [*range(first), *(first + k for k in varying_states(system))]
    N_h, ny = positions.N, len(linear.coordinates)
    units = np.concatenate([scales(N_h.T @ linear.variation.M @ N_h), scales(linear.mass), np.ones(len(kept) - first)])
    y, u, x = slice(0, ny), slice(ny, first), slice(first, len(kept))
    blocks = [(rows, columns) for rows in (y, u, x) for columns in (y, u, x)]
    for _ in range(SAMPLES):
        step = PERTURBATION * coordinate_sizes(system, length) * random.choice((-1.0, 1.0), system.nv)
        z = linear.z * (1.0 + PERTURBATION * random.choice((-1.0, 1.0), system.nz))
        equations.put(displace(system, linear.q, step), linear.v, z, linear.t)
        equations.solve_algebraic()
        here = equations.vary()
        there = rates.moved(here.G), positions.moved(here.G[holonomic])
        big, _, _, stiffness, _ = state_matrix(system, linear.v, here, *there, linear.frame.generator)
        A = without_algebraic(big, big, algebraic)[np.ix_(kept, kept)]
        change = np.abs(A - linear.A)
        for rows, columns in blocks:
            s, t = units[rows], units[columns]
            noise[rows, columns] = np.maximum(
                noise[rows, columns], _round_off_only(change[rows, columns], linear.A[rows, columns], s, t)
            )
        of_stiffness = _round_off_only(np.abs(stiffness - linear.stiffness), linear.stiffness, 1.0 / units[u], units[y])
        stiffness_noise = np.maximum(stiffness_noise, of_stiffness)
    return SPREAD * noise, SPREAD * stiffness_noise


def _round_off_only(change: Reals, whole: Reals, s: Reals, t: Reals) -> Reals:
    """Changes that are small beside the whole matrix, in coordinates of unit mass."""
    size = np.abs(whole) * t / s[:, None]
    return np.where(change * t / s[:, None] <= JUMP * np.max(size, initial=0.0), change, 0.0)


def eigenvalue_errors(A: Reals, units: Reals, noise: Reals, right: Any, left: Any) -> Reals:
    """How much round-off may change each eigenvalue: that of the entries, and that of LAPACK, eps |A| in `units`."""
    if not len(A):
        return np.zeros(0)
    x, y = np.abs(right / units[:, None]), np.abs(left * units[:, None])
    size = float(np.linalg.norm(A * units / units[:, None]))
    by_entries = np.einsum("ij,ij->j", y, (noise * units / units[:, None]) @ x)
    by_solver = MARGIN * EPSILON * size * np.linalg.norm(x, axis=0) * np.linalg.norm(y, axis=0)
    across = np.abs(np.einsum("ij,ij->j", left.conj(), right))
    return (by_entries + by_solver) / np.maximum(across, 1e-300)


SOFT = 1e-8  # part of the largest square: below it, errors of 1e-16 of that are more than 1e-8 of a square
ITERATIONS = 3
ROUND_OFF = 10.0 * np.finfo(float).eps  # entries of K are sums of a few terms


def squares_and_shapes(K: Reals, M: Reals, noise: Callable[[], Reals]) -> tuple[Reals, Reals]:
    """Squares of frequencies, ascending, and shapes with x^T M x = 1; squares within their round-off are zero.

    noise: round-off of the entries of K where these are small differences of large terms.
    """
    from scipy.linalg import eigh

    K = 0.5 * (K + K.T)
    solved: Any = eigh(K, M)
    squares, X = solved
    largest = float(np.max(np.abs(squares), initial=0.0))
    soft = np.flatnonzero(np.abs(squares) <= SOFT * largest)
    if len(soft):
        squares[soft], X[:, soft] = _again(K, M, X[:, soft], SOFT * largest, noise())
    order = np.argsort(squares)
    return squares[order], X[:, order]


def _again(K: Reals, M: Reals, X: Reals, shift: float, noise: Reals) -> tuple[Reals, Reals]:
    """The same of the soft modes, whose common space X is known but for round-off."""
    from scipy.linalg import eigh, lu_factor, lu_solve

    if shift == 0.0:
        return np.zeros(X.shape[1]), X
    factor = lu_factor(K + shift * M)
    for _ in range(ITERATIONS):
        X = lu_solve(factor, M @ X)
        X = X / np.sqrt(np.einsum("ij,ij->j", X, M @ X))
    solved: Any = eigh(X.T @ (K @ X), X.T @ (M @ X))
    squares, turn = solved
    X = X @ turn
    error = np.einsum("ij,ij->j", np.abs(X), (ROUND_OFF * np.abs(K) + noise) @ np.abs(X))
    error = error + ROUND_OFF**2 / SOFT * shift  # that of X, in which the stiffest motions have a part of round-off
    return np.where(np.abs(squares) <= error, 0.0, squares), X


Complexes = NDArray[np.complex128]
UNDAMPED = 1e-12  # damping ratio that is round-off, and not printed
SYMMETRIC = 1e-10  # difference of a matrix from a symmetric one, or of damping from none, that is round-off


@explained_methods
@dataclass(frozen=True, eq=False)
class LinearSystem:
    r"""The linear system of small deviations from a state.

    Attributes
    ----------
    A, B, C, D:
        State space: $\dot x = A x + B u$, $y = C x + D u$.
    mass, damping, gyroscopic, stiffness:
        Matrices of the independent velocities (`rates`) and coordinates (`coordinates`).
    states, inputs, outputs:
        Names of x, u and y.
    q, v, z, t:
        The state.
    multipliers:
        Multipliers of the loops in that state.
    """

    system: System
    q: Reals
    v: Reals
    z: Reals
    t: float
    multipliers: Reals
    A: Reals
    B: Reals
    C: Reals
    D: Reals
    mass: Reals
    damping: Reals
    gyroscopic: Reals
    stiffness: Reals
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    coordinates: tuple[str, ...]
    rates: tuple[str, ...]
    frame: Frame
    directions: tuple[Reals, Reals, Reals]
    """N_h, N and W: displacements N_h y and changes of rates N u + W y of all joints, for independent y and u."""
    charts: tuple[Chart, Chart]
    """How the closures were solved for the others: for rates, and for displacements."""
    variation: Variation
    motion_columns: tuple[tuple[int, ...], ...] = ()
    """Inputs that go together: value, rate and acceleration of each prescribed motion ..."""
    motion_orders: tuple[int, ...] = ()
    """... and which derivative the first of them is: 0, or 1 for a prescribed speed."""

    @classmethod
    def of(
        cls,
        system: System,
        ports: Ports,
        state: tuple[Reals, Reals, Reals, float],
        big: Reals,
        channels: Reals,
        matrices: tuple[Reals, Reals, Reals],
        names: tuple[tuple[str, ...], tuple[str, ...]],
        directions: tuple[Reals, Reals, Reals],
        charts: tuple[Chart, Chart],
        here: Variation,
        frame: Frame,
        all_states: bool,
    ) -> LinearSystem:
        """From the rates `big` of (y, u, z) by these and by prescribed motions, other inputs and outputs among the z,
        and the rows of `channels`.
        """
        mass, damping, stiffness = matrices
        first = len(names[0]) + len(names[1])  # where the states z begin
        n = big.shape[0]
        is_state = np.array(ports.system.loads.laws.state_mass, dtype=bool)
        varying = varying_states(system)
        own = [first + k for k in varying]
        algebraic = [first + k for k in range(system.nz) if not is_state[k]]
        x = [*range(first), *own]
        moved = ports.motion_names  # their columns are behind those of the states
        u = [n + moved.index(name) if name in moved else first + ports.input_states[name] for name in ports.inputs]
        rows = np.vstack([big, channels])
        out = [first + ports.output_states[name] if name in ports.output_states else n + ports.channels.index(name)
               for name in ports.outputs]  # fmt: skip
        rows = without_algebraic(rows, big, algebraic)
        N_h = directions[0]
        A, B = clean_state_matrix(rows[np.ix_(x, x)], N_h.T @ here.M @ N_h, mass), rows[np.ix_(x, u)]
        damping, stiffness = clean_stiffness(damping, mass), clean_stiffness(stiffness, mass)
        C, D = rows[np.ix_(out, x)], rows[np.ix_(out, u)]
        states = (*names[0], *names[1], *(system.state_names[k] for k in varying))
        outputs = tuple(ports.outputs)
        if all_states:
            C, D, outputs = np.eye(len(x)), np.zeros((len(x), len(u))), states
        both = 0.5 * (damping + damping.T), 0.5 * (damping - damping.T)
        return cls(
            system, *state, here.multipliers, A, B, C, D, mass, *both, stiffness, states, tuple(ports.inputs), outputs,
            *names, frame, directions, charts, here,
            tuple(tuple(ports.inputs.index(each) for each in motion.names) for motion in ports.motions),
            tuple(motion.least for motion in ports.motions),
        )  # fmt: skip

    # --------------------------------------------------------------------------------------------------- eigenvalues

    @property
    def conservative(self) -> bool:
        """Whether there is neither damping nor a gyroscopic effect, and the stiffness is symmetric."""
        return self._by_stiffness and bool(
            np.max(np.abs(self.damping + self.gyroscopic), initial=0.0) <= SYMMETRIC * self._velocity_scale
        )

    @property
    def _velocity_scale(self) -> float:
        """Size of a damping that would be large: geometric mean of stiffness and mass."""
        stiffness, inertia = (max(float(np.max(np.abs(X), initial=0.0)), 1e-300) for X in (self.stiffness, self.mass))
        return float(np.sqrt(stiffness * inertia))

    @property
    def _by_stiffness(self) -> bool:
        """Whether the stiffness is that of an energy, and all else are masses and what acts on rates."""
        n = len(self.coordinates)
        if n != len(self.rates) or self.system.nz or self.frame.generator.any() or self.directions[2].any():
            return False
        scale = max(float(np.max(np.abs(self.stiffness), initial=0.0)), 1e-300)
        return bool(np.max(np.abs(self.stiffness - self.stiffness.T), initial=0.0) <= SYMMETRIC * scale)

    @property
    def _dissipative(self) -> bool:
        """Whether the stiffness alone tells stability: dampers take energy, and nothing gyroscopic moves it about."""
        if not self._by_stiffness or np.max(np.abs(self.gyroscopic), initial=0.0) > SYMMETRIC * self._velocity_scale:
            return False
        values = np.linalg.eigvalsh(self.damping) if len(self.damping) else np.zeros(1)
        return bool(values[0] >= -SYMMETRIC * max(self._velocity_scale, abs(float(values[-1]))))

    @cached_property
    def _round_off(self) -> tuple[Reals, Reals]:
        """Round-off of the entries of A and of the stiffness."""

        return round_off(self)

    @cached_property
    def _units(self) -> Reals:
        """Of the states, in which A is solved for its eigenvalues."""
        N_h = self.directions[0]
        return sensible_units(self.A, N_h.T @ self.variation.M @ N_h, self.mass)

    @cached_property
    def _squares(self) -> tuple[Reals, Reals]:
        """Squares of the frequencies of mass and stiffness alone, and their shapes."""

        return squares_and_shapes(self.stiffness, self.mass, lambda: self._round_off[1])

    @cached_property
    def _spectrum(self) -> tuple[Complexes, Complexes, Complexes | None]:
        """Eigenvalues, right and left eigenvectors of A; conservative systems need no left ones."""
        with one_blas_thread():
            return self._solved_spectrum()

    def _solved_spectrum(self) -> tuple[Complexes, Complexes, Complexes | None]:
        if self.conservative and len(self.mass):  # K x = w² M x: more exact than A, and no spurious growth
            squares, shapes = self._squares
            plus = np.sqrt(-squares.astype(complex))
            values = np.concatenate([plus, -plus])
            vectors: Any = np.block([[shapes, shapes], [shapes * plus, -shapes * plus]])
            return values, vectors, None
        return eigenpairs(self.A, self._units)

    @cached_property
    def _errors(self) -> Reals:
        """How much round-off may change each eigenvalue of `_spectrum`; two that are one, by the root of it."""

        values, right, left = self._spectrum
        if left is None:  # squares within their round-off are zero already
            return np.zeros(len(values))
        with one_blas_thread():
            return eigenvalue_errors(self.A, self._units, self._round_off[0], right, left)

    @property
    def _order(self) -> Any:
        values = self._spectrum[0]
        return np.lexsort((values.imag, np.round(np.abs(values), 12)))

    @property
    def eigenvalues(self) -> Complexes:
        """Of A [1/s], by their size, pairs together."""
        return self._spectrum[0][self._order]

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """Oscillations, those of `frequencies` in their order, then the modes that grow or fade without any."""
        return find_modes(self, *self._spectrum[:2], self._errors)

    @property
    def frequencies(self) -> Reals:
        """Of the oscillating modes [Hz], ascending: |eigenvalue| / 2 pi; zero where a deviation stays as it is."""
        return np.array([mode.frequency for mode in self.modes if mode.oscillates])

    @property
    def damping_ratios(self) -> Reals:
        """Of the same modes: 0 undamped, 1 critically damped, negative where they grow."""
        return np.array([mode.damping_ratio for mode in self.modes if mode.oscillates])

    @property
    def stable(self) -> bool:
        """Whether small deviations stay small, as far as a linear system can tell; those that just stay count as such.

        Without gyroscopic effects by the stiffness, else by the eigenvalues: det(s² M + s D + K) of a stiffness that
        pushes away is negative at s = 0 in some direction and positive at large s, whatever the dampers D are, so that
        a real s > 0 lies between (Kelvin, Tait & Chetaev); and with none that does, energy can only fall. Real parts
        and stiffnesses within their round-off count as zero.
        """
        if self._dissipative and len(self.mass):
            with one_blas_thread():
                return bool(np.min(self._squares[0]) >= 0.0)
        return bool(np.all(self._spectrum[0].real <= self._errors))

    @cached_property
    def steady(self) -> bool:
        """Whether the coefficients stay as they are along the motion: only then eigenvalues tell how it goes on."""
        if self.frame.drift is not None:
            return self.frame.drift < STEADY
        return drift(self.system, self.q, self.v, self.z, self.t, self.variation) < STEADY

    # -------------------------------------------------------------------------------------------------- for others

    def to_scipy(self) -> Any:
        """As a `scipy.signal.StateSpace`."""
        import scipy.signal

        self._require_ports()
        return scipy.signal.StateSpace(self.A, self.B, self.C, self.D)

    def to_control(self) -> Any:
        """As a state space of the package `control`, with names, in which it allows no dots: `A_angle`."""
        try:
            import control  # pyright: ignore[reportMissingImports]
        except ImportError:
            raise MissingPackageError("this needs python-control: pip install duoti[control]") from None
        self._require_ports()
        given = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        names: dict[str, Any] = {kind: [name.replace(".", "_") for name in each] for kind, each in given.items()}
        return control.ss(self.A, self.B, self.C, self.D, **names)  # pyright: ignore[reportUnknownMemberType]

    def _require_ports(self) -> None:
        if not self.inputs:
            raise ValueError("the system has no input; name some: dt.linearise(model, e, inputs=[...], outputs=[...])")

    def frequency_response(self, frequencies: ArrayLike) -> Complexes:
        """Outputs per input at frequencies [Hz]: an array [outputs, inputs, frequencies].

        Value, rate and acceleration of a prescribed motion go together: each of their columns is the whole response,
        per unit of that quantity.
        """
        self._require_ports()
        points = 2j * np.pi * np.atleast_1d(np.asarray(frequencies, dtype=float))
        one = np.eye(len(self.A))
        each = [self.C @ np.linalg.solve(s * one - self.A, self.B.astype(complex)) + self.D for s in points]
        if self.motion_columns:
            groups = self.motion_columns, self.motion_orders
            each = [whole_responses(response, s, *groups) for response, s in zip(each, points, strict=True)]
        return np.moveaxis(np.array(each), 0, -1)

    def plot(self) -> Any:
        """The eigenvalues in the complex plane and the shapes of the modes."""
        from duoti.analyses.linear.plot import plot_modes

        return plot_modes(self)

    def plot_frequency_response(self, frequencies: ArrayLike | None = None) -> Any:
        """Size and phase of every output for every input over the frequency (Bode plot)."""
        from duoti.analyses.linear.plot import plot_response

        return plot_response(self, frequencies)

    def mode_result(self, mode: int | Mode = 0, amplitude: float | None = None, frames: int = 60) -> Result:
        """The motion of a mode as a result, to be shown or filmed: `lin.mode_result(0).show()`. See `Mode.result`."""
        chosen = self.modes[mode] if isinstance(mode, int) else mode
        return chosen.result(amplitude, frames)

    @property
    def all_rates(self) -> tuple[str, ...]:
        """Names of the rates of all joints: of the rows of `directions`, and of the shapes of modes."""
        return velocity_labels(self.system)

    def __str__(self) -> str:
        what = "" if self.steady else " (its coefficients change with time)"
        lines = [f"linear system of {self.system.model.name!r}: {len(self.states)} states{what}"]
        lines.append(
            f"  {'mode':>4}  {'frequency [Hz]':>14}  {'damping ratio':>13}  {'eigenvalue [1/s]':>24}  moves most"
        )
        for k, mode in enumerate(self.modes[:30]):
            real, imag = mode.eigenvalue.real, mode.eigenvalue.imag
            damping = mode.damping_ratio
            if imag and abs(damping) < UNDAMPED:
                real = damping = 0.0
            oscillates = f"{mode.frequency:14.6g}  {damping:13.4g}" if mode.oscillates else f"{'-':>14}  {'-':>13}"
            value = f"{real:.5g} {imag:+.5g}i" if imag else f"{real:.5g}"
            lines.append(f"  {k:>4}  {oscillates}  {value:>24}  {', '.join(mode.moves[:3])}")
        if len(self.modes) > 30:
            lines.append(f"  ... and {len(self.modes) - 30} more")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<linear system of {self.system.model.name!r}: {len(self.states)} states, {len(self.inputs)} inputs>"


def written_by_element(system: System, k: int) -> bool:
    """Whether the law of a force element, not one of its own, gives the rate of a first-order state."""
    return int(system.loads.laws.state_law[k]) < 0


def varying_states(system: System) -> list[int]:
    """First-order states that a linear system has: no algebraic ones, and none that events alone change, such as the
    state of a joint's stop or the held reading of a sensor.
    """
    return [
        k
        for k, state in enumerate(system.model.states.values())
        if system.loads.laws.state_mass[k]
        and not isinstance(state, SensorState)
        and not (isinstance(state, FrictionState) and state.rate == 0.0 and not written_by_element(system, k))
    ]


def without_algebraic(rows: Any, big: Any, algebraic: list[int]) -> Any:
    """Rows of a linear system by (y, u, z) with algebraic states solved for: 0 = E x + F a + G u."""
    if not algebraic:
        return rows
    return rows - rows[:, algebraic] @ np.linalg.solve(big[np.ix_(algebraic, algebraic)], big[algebraic])


def rotation_labels(system: System, chosen: Iterable[int]) -> tuple[str, ...]:
    """Names of displacements: of the coordinate where there is one; `ball.turn.x` about an axis of a quaternion."""
    names = list(velocity_labels(system))
    for k, at in enumerate(system.tree.q_of_v):
        if at >= 0 and system.coordinate_names[at]:
            names[k] = system.coordinate_names[at]
    for name, layout in {**system.joints, **system.virtual}.items():
        for j in system.tree.quat_v:
            for axis, letter in enumerate("xyz"):
                if int(j) + axis in layout.v.tolist():
                    names[int(j) + axis] = f"{name}.turn.{letter}"
    return tuple(names[k] for k in chosen)
