"""`Study`: what a model does with many values of its parameters, as one labelled data set."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.parameter_study.distributions import (
    SAMPLINGS,
    Distribution,
    Samples,
    correlated,
    from_scipy,
    is_frozen,
    unit_samples,
)
from duoti.analyses.parameter_study.engine import Runs, do_runs
from duoti.analyses.parameter_study.executors import workers_of
from duoti.analyses.parameter_study.measures import Measure
from duoti.analyses.parameter_study.work import OK, Job
from duoti.analyses.simulate.choose_solver import choose_solver
from duoti.analyses.simulate.outputs import output_times
from duoti.analyses.states.supported import of_graph
from duoti.analyses.states.unread import warn_of_unread
from duoti.analyses.states.warnings import SimulationWarning
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.integrate import Solver
from duoti.model.elements import name_of
from duoti.model.errors import MissingPackageError, ParameterError
from duoti.model.expand_bond_graphs import described
from duoti.model.laws.expressions import ExpressionError
from duoti.model.model import Model
from duoti.model.parameters import Parameter, find
from duoti.model.quantities import joint_quantities
from duoti.results.result import Result
from duoti.strict import explained_methods, user_level
from duoti.system.arrays import size_of_state
from duoti.system.compile.compiler import compile_model
from duoti.system.compile.copy_model import own_copy
from duoti.system.system import System
from duoti.version import __version__

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

SAMPLE, TIME, STATUS, MESSAGE = "sample", "time", "status", "message"
TIMED = 0.2  # s, that the runs take by which a run is timed
MOST_TIMED = 32
RESERVED = (SAMPLE, TIME, STATUS, MESSAGE)


@dataclass(frozen=True)
class Explanation:
    """What a study will do.

    Attributes
    ----------
    runs, done:
        How many runs there are, and how many of them are in the store.
    dimensions:
        Dimensions of the results, with their lengths.
    seconds_per_run:
        Wall time of one run, which was timed.
    workers:
        Runs side by side.
    seconds:
        Estimated time of the study.
    memory:
        Of the results [bytes].
    text:
        All of it, and what varies, in words.
    """

    runs: int
    done: int
    dimensions: dict[str, int]
    seconds_per_run: float
    workers: int
    seconds: float
    memory: float
    text: str

    def __str__(self) -> str:
        return self.text


@explained_methods
class Study:
    """Many runs of a model: values of parameters, and the measures that each run gives.

    Parameters
    ----------
    model:
        A model; or a function that builds one from keyword arguments, which may change its structure.
    parameters:
        Values by name. A list or `dt.grid` makes a dimension of the results, and all dimensions are combined.
        Distributions (`dt.normal`, `dt.uniform`, ..., frozen ones of scipy.stats) and `dt.samples` vary together
        along the dimension `sample`.
    measures:
        What to keep of a run, by name: expressions such as "max(abs(A.angle))", or functions of a `Result` that
        return a number. An expression that is a series, such as "A.angle", is kept with its times.
    duration:
        Time to simulate [s].
    samples:
        How many samples of the distributions.
    seed:
        The same seed gives the same samples.
    sampling:
        "random", "sobol" (scrambled Sobol points) or "latin_hypercube".
    correlation:
        Correlations of distributions by pairs of names, `{("a", "b"): 0.5}`, of their normal quantiles.
    outputs:
        Times at which a run is evaluated [s], or a step between them [s]; by default 1000 equal intervals.
    solver, rtol, atol, coordinates, constraints:
        As for `simulate`. The solver is chosen once, for the model as it is.
    """

    def __init__(
        self,
        model: Model | System | Callable[..., Model],
        parameters: Mapping[str, Any],
        measures: Mapping[str, str | Callable[[Result], Any]],
        duration: float,
        *,
        samples: int | None = None,
        seed: int = 0,
        sampling: Literal["random", "sobol", "latin_hypercube"] = "random",
        correlation: Mapping[tuple[str, str], float] | None = None,
        outputs: ArrayLike | None = None,
        solver: Solver | str | None = None,
        rtol: float | None = None,
        atol: float | None = None,
        coordinates: Literal["relative", "absolute"] = "relative",
        constraints: ConstraintMethod | str | None = None,
    ):
        times = output_times(duration, outputs, 0.0)
        if times is None:
            raise ValueError('outputs="steps": the runs of a study have other steps; give times, or a step in seconds')
        if sampling not in SAMPLINGS:
            raise ValueError(f"sampling={sampling!r}: give one of {', '.join(SAMPLINGS)}")
        numbers: Any = (("samples", samples, 1), ("seed", seed, 0))
        for what, number, least in numbers:
            if number is not None and (
                isinstance(number, bool) or not isinstance(number, int | np.integer) or number < least
            ):
                raise ValueError(f"{what}={number!r}: give a whole number, from {least}")
        self.samples, self.seed, self.sampling = samples, int(seed), sampling
        self._axes, self._drawn, self._given = _sorted_out(parameters)
        self._correlation = self._matrix(correlation or {})
        if not self._drawn and (ignored := _given(samples=samples, seed=seed, sampling=sampling)):
            raise ValueError(f"{ignored}: no parameter has a distribution, such as dt.uniform(low, high), to draw from")
        self.model: Any = _model_of(model)
        if isinstance(self.model, Model) and (texts := [n for n, x in self._axes.items() if x.dtype.kind == "U"]):
            raise ParameterError(
                "; ".join(
                    f'"{name}": {self._axes[name].tolist()!r} are texts; give numbers in SI units' for name in texts
                )
            )
        first = {name: each[0] for name, each in self._some().items()}
        if isinstance(self.model, Model):
            system = compile_model(own_copy(self.model), coordinates)
            self._units = _checked_names(system, self.names)
        else:
            built = self.model(**first)
            if not isinstance(built, Model):
                raise TypeError(f"{model!r} returned {built!r}, which is no model")
            system, self._units = compile_model(built, coordinates), dict.fromkeys(self.names, "")
        system.require_dynamics()
        self._system = system
        options: dict[str, Any] = {
            "solver": solver, "rtol": rtol, "atol": atol, "constraints": constraints,
        }  # fmt: skip
        self._choice = choose_solver(system, duration, solver, rtol, atol, constraints=constraints)
        given = None if isinstance(self.model, Model) else tuple(self.names)
        self._job = Job(
            self.model, _checked_measures(measures, system, given, self.names), times.between(0, times.count),
            float(duration), {name: each for name, each in options.items() if each is not None}, coordinates,
        )  # fmt: skip
        kept = [each for each in self._job.measures.values() if isinstance(each, Measure)]
        if given is None and len(kept) == len(measures):  # functions may read any number
            warn_of_unread(self.model, self.names, "study", {name for each in kept for name in each.numbers})
        self._seconds_per_run: float | None = None

    # ------------------------------------------------------------------------------------------------- what varies

    @property
    def names(self) -> list[str]:
        """Names of the parameters."""
        return [*self._axes, *self._drawn, *self._given]

    @property
    def measures(self) -> list[str]:
        """Names of the measures."""
        return list(self._job.measures)

    @property
    def dimensions(self) -> dict[str, int]:
        """Dimensions of the results, with their lengths."""
        found = {name: len(values) for name, values in self._axes.items()}
        if self._drawn or self._given:
            found[SAMPLE] = self._count()
        return found

    def __len__(self) -> int:
        return int(np.prod(list(self.dimensions.values()), dtype=np.int64))

    def __repr__(self) -> str:
        return f"<study of {self._system.model.name!r}: {', '.join(self.names)}; {', '.join(self.measures)}>"

    def points(self) -> dict[str, Any]:
        """The values of all runs: for each parameter an array with one value for each run."""
        shape, made = tuple(self.dimensions.values()), dict[str, Any]()
        for k, (name, values) in enumerate(self._axes.items()):
            made[name] = np.broadcast_to(values.reshape(-1, *(1,) * (len(shape) - k - 1)), shape).ravel()
        for name, values in self._sampled().items():
            made[name] = np.broadcast_to(values, shape).ravel()
        return made

    def _count(self) -> int:
        if self._given:
            return len(next(iter(self._given.values())))
        if self.samples is None:
            raise ValueError(
                f"how many samples of {', '.join(self._drawn)}? Give them to the study, such as samples=100"
            )
        return int(self.samples)

    def _sampled(self) -> dict[str, Any]:
        made = dict[str, Any]()
        if self._drawn:
            points = unit_samples(self.sampling, self._count(), len(self._drawn), self.seed)
            if self._correlation is not None:
                points = correlated(points, self._correlation)
            made = {name: each.quantile(points[:, k]) for k, (name, each) in enumerate(self._drawn.items())}
        return {**made, **self._given}

    def _some(self) -> dict[str, Any]:
        """One value of each parameter: the first of a list, the middle of a distribution."""
        made = {name: values[:1] for name, values in {**self._axes, **self._given}.items()}
        made |= {name: np.asarray(each.quantile(np.array([0.5]))) for name, each in self._drawn.items()}
        return {name: _plain(made[name]) for name in self.names}

    def _matrix(self, given: Mapping[Any, float]) -> Any:
        if not given:
            return None
        names = list(self._drawn)
        matrix = np.eye(len(names))
        for pair, value in given.items():
            if not isinstance(pair, tuple) or len(pair) != 2 or pair[0] == pair[1] or not set(pair) <= set(names):
                raise ValueError(f"correlation: {pair!r} is not a pair of the distributions {', '.join(names)}")
            i, j = names.index(pair[0]), names.index(pair[1])
            if not -1.0 < value < 1.0:
                raise ValueError(f"correlation of {pair}: {value!r} is not between -1 and 1")
            matrix[i, j] = matrix[j, i] = value
        if np.linalg.eigvalsh(matrix)[0] <= 1e-12:
            raise ValueError(
                "correlation: these correlations contradict each other (the matrix is not positive definite)"
            )
        return matrix

    # --------------------------------------------------------------------------------------------------- running

    def explain(self, executor: Any = None, store: str | Path | None = None) -> Explanation:
        """Say what the study will do, before it does it: runs, time from one timed run, memory, what varies.

        Parameters
        ----------
        executor, store:
            As for `run`.
        """
        from duoti.analyses.parameter_study.explain import explain

        return explain(self, executor, store)

    def run(
        self, executor: Any = None, store: str | Path | None = None, progress: bool | None = None
    ) -> xarray.Dataset:
        """Do the runs, and return measures with labels and units.

        A run that fails has NaN, a `status` such as "energy-lost" or "error", and a `message`. Ctrl-C returns what is
        done; the other runs have the status "not-run". The executor has no influence on the results.

        Parameters
        ----------
        executor:
            Where: None for threads on all processors of this machine, a number of threads, an executor of
            concurrent.futures, or a Dask client.
        store:
            A file that keeps every run as it is done. What is in it is not done again: a killed study goes on, a
            larger one only adds, a second one costs nothing. Model, settings, measures and the version of duoti are
            part of the key.
        progress:
            Show a progress bar; by default in a terminal for studies longer than a second.
        """
        _require_xarray()
        runs = self._do(self.points(), executor, store, progress)
        from duoti.analyses.parameter_study.dataset import dataset

        return dataset(self, runs)

    def evaluate(self, values: Mapping[str, Any], executor: Any = 1, store: str | Path | None = None) -> dict[str, Any]:
        """The measures at given values: for optimisers and other programs that choose the values themselves.

        Parameters
        ----------
        values:
            A number for each parameter, or an array with one for each run. Returned are numbers, or arrays.
        executor, store:
            As for `run`.
        """
        if set(values) != set(self.names):
            raise ValueError(f"values of {', '.join(values) or 'nothing'}; the study varies {', '.join(self.names)}")
        arrays = {name: np.asarray(values[name]) for name in self.names}
        single = all(each.ndim == 0 for each in arrays.values())
        lengths = {len(each) for each in arrays.values() if each.ndim}
        if any(each.ndim > 1 for each in arrays.values()) or len(lengths) > 1 or 0 in lengths:
            raise ValueError("values: give numbers, or arrays of one length with one value for each run")
        count = lengths.pop() if lengths else 1
        runs = self._do(
            {name: np.broadcast_to(each, (count,)) for name, each in arrays.items()}, executor, store, False
        )
        if runs.interrupted:
            raise KeyboardInterrupt
        found = self._split(runs)
        if not single:
            return found
        return {name: float(each[0]) if each.ndim == 1 else each[0] for name, each in found.items()}

    def plot(self, results: xarray.Dataset, measure: str | None = None, **options: Any) -> Figure:
        """Draw a measure of the results: see `plot_study`."""
        from duoti.analyses.parameter_study.plot import plot_study

        return plot_study(results, measure, **options)

    def _do(self, points: Mapping[str, Any], executor: Any, store: Any, progress: bool | None) -> Runs:
        columns = {name: _plain(each) for name, each in points.items()}
        runs = do_runs(self._job, columns, executor, store, progress, self._about(), self._seconds_per_run)
        self._warn(runs)
        return runs

    def _split(self, runs: Runs) -> dict[str, Any]:
        """Numbers of all runs by measure: [runs], of series [runs, times]."""
        job, made, first = self._job, dict[str, Any](), 0
        table = np.full((len(runs.rows), job.width), np.nan)
        for k, row in enumerate(runs.rows):
            if row is not None:
                table[k] = row.numbers
        for name, measure in job.measures.items():
            size = job.size(measure)
            series = isinstance(measure, Measure) and measure.is_series
            made[name] = table[:, first : first + size].copy() if series else table[:, first].copy()
            first += size
        return made

    def _about(self) -> str:
        return f"{self._system.model.name}: {', '.join(self.names)}; {', '.join(self.measures)}; duoti {__version__}"

    def _warn(self, runs: Runs) -> None:
        bad = [k for k in range(len(runs.rows)) if runs.status(k)[0] != OK]
        left = sum(row is None for row in runs.rows)
        level = user_level()
        for text, count in runs.notes.most_common(3):
            warnings.warn(text if count == 1 else f"{count} times: {text}", UserWarning, stacklevel=level)
        if failed := [k for k in bad if runs.rows[k] is not None]:
            status, message = runs.status(failed[0])
            text = f"{len(failed)} of {len(runs.rows)} runs failed; run {failed[0]} ({status}): {message}"
            warnings.warn(text, SimulationWarning, stacklevel=level)
        if left:
            text = f"{left} of {len(runs.rows)} runs were not done; with store= the next study goes on from there"
            warnings.warn(text, SimulationWarning, stacklevel=level)

    def _workers(self, executor: Any) -> int:
        return workers_of(executor, self._job, "").count

    def _time_one(self) -> float:
        """Wall time of one run in this process, after a first one that loads kernels."""
        if self._seconds_per_run is None:
            count, taken = 1, 0.0
            for _ in range(2):
                some = {name: list(each) * count for name, each in self._some().items()}
                began = time.perf_counter()
                self._job.run(some, 1)
                taken = (time.perf_counter() - began) / count
                if taken > TIMED:
                    break
                count = int(min(max(TIMED / taken, 1.0), MOST_TIMED))  # short runs cost less in a chunk
            self._seconds_per_run = taken
        return self._seconds_per_run

    def _memory(self) -> tuple[float, float]:
        """Of the results, and of the states of one run [bytes]."""
        return 8.0 * len(self) * self._job.width, 8.0 * len(self._job.times) * size_of_state(self._system.tree)


# ---------------------------------------------------------------------------------------------------------- checking


def _model_of(model: Any) -> Any:
    if isinstance(model, System):
        return described(model.model)
    of_model = of_graph(model)
    if isinstance(of_model, Model):
        return of_model
    if callable(model):
        return model
    raise TypeError(f"{model!r} is not a model; give a dt.Model, or a function that builds one from keyword arguments")


def _given(**options: Any) -> str:
    """Those options of samples that differ from their defaults."""
    usual = (None, 0, "random")
    return ", ".join(f"{name}={value!r}" for name, value in options.items() if value not in usual)


def _sorted_out(parameters: Any) -> tuple[dict[str, Any], dict[str, Distribution], dict[str, Any]]:
    """Dimensions, distributions and given samples; ParameterError with all that is wrong."""
    if not isinstance(parameters, Mapping) or not parameters:
        raise TypeError(f'parameters={parameters!r}: give values by name, {{"spring.stiffness": dt.grid(10, 100, 5)}}')
    axes, drawn, given, wrong = dict[str, Any](), dict[str, Distribution](), dict[str, Any](), list[str]()
    for name, values in parameters.items():
        if not isinstance(name, str) or name in RESERVED:
            wrong.append(f"{name!r} cannot be the name of a parameter of a study")
        elif isinstance(values, Distribution):
            drawn[name] = values
        elif is_frozen(values):
            drawn[name] = from_scipy(values)
        elif isinstance(values, Samples):
            given[name] = values.values
        elif isinstance(values, list | tuple | np.ndarray | range):
            made = np.asarray(values)
            if made.ndim != 1 or not len(made) or made.dtype.kind not in "fiubU":
                wrong.append(
                    f'"{name}": {values!r} is not a list of numbers; of a vector vary one component, such as .x'
                )
            elif made.dtype.kind == "f" and not np.all(np.isfinite(made)):
                wrong.append(f'"{name}": its values must be finite')
            elif len(np.unique(made)) < len(made):
                wrong.append(f'"{name}": a value occurs twice in {values!r}')
            else:
                axes[name] = made
        else:
            wrong.append(
                f'"{name}": {values!r}; give a list, dt.grid(low, high, count), a distribution such as '
                "dt.normal(mean, sd), or dt.samples(array)"
            )
    if given and drawn:
        wrong.append(f"{', '.join(given)} have given samples: give those of {', '.join(drawn)} by dt.samples, too")
    if len({len(each) for each in given.values()}) > 1:
        wrong.append("dt.samples of different lengths: " + ", ".join(f'"{n}" {len(x)}' for n, x in given.items()))
    if wrong:
        raise ParameterError("; ".join(wrong))
    return axes, drawn, given


def _checked_names(system: System, names: Sequence[str]) -> dict[str, str]:
    """Units of the parameters; ParameterError with all names that mean no single number."""
    model, units, wrong = described(system.model), dict[str, str](), list[str]()
    for name in names:
        try:
            parameter = find(model, name)
            parameter.number(model)
            units[name] = _unit(model, parameter)
        except (ParameterError, TypeError) as error:
            wrong.append(str(error))
    if wrong:
        raise ParameterError("; ".join(wrong))
    return units


def _unit(model: Model, parameter: Parameter) -> str:
    """The unit of a parameter; "" if it is not known, or depends on the kind of a joint."""
    owner, field = parameter.element, parameter.field
    if owner is not None and owner.kind == "joint" and field in ("q0", "v0"):
        unit = joint_quantities(model, owner.name)[field[0]][0]
        return "" if unit == "mixed" else unit
    found = parameter.units(model)
    if len(found) == 2 and owner is not None and owner.kind == "force":  # "N m/rad" and "N/m": as the joint moves
        moved = joint_quantities(model, joint)["q"][0] if (joint := _joint_of(model, owner.name)) else "mixed"
        found = tuple(
            unit for unit in found if moved in ("rad", "m") and ("rad" in unit or "N m" in unit) == (moved == "rad")
        )
    return found[0] if len(found) == 1 else ""


def _joint_of(model: Model, force: str) -> str:
    """The joint in which a force element acts; "" if it is no such element."""
    joint = getattr(model.forces[force], "joint", None)
    name = "" if joint is None else name_of(joint)
    return name if name in model.joints else ""


def _checked_measures(given: Any, system: System, arguments: tuple[str, ...] | None, names: Sequence[str]) -> Any:
    """Measures by name; ValueError with all that is wrong."""
    if not isinstance(given, Mapping) or not given:
        raise TypeError(f'measures={given!r}: give expressions by name, {{"peak": "max(abs(A.angle))"}}')
    made, wrong = dict[str, Any](), list[str]()
    for name, measure in given.items():
        if not isinstance(name, str) or name in RESERVED or name in names:
            wrong.append(f"{name!r} cannot be the name of a measure")
        elif callable(measure):
            made[name] = measure
        elif isinstance(measure, str):
            try:
                made[name] = Measure(measure, system.model, arguments or ())
            except ExpressionError as error:
                wrong.append(f'"{name}": {error}')
        else:
            wrong.append(f'"{name}": {measure!r}; give an expression such as "max(A.angle)", or a function of a Result')
    if wrong:
        raise ValueError("measures:\n" + "\n".join(wrong))
    return made


def _plain(values: Any) -> list[Any]:
    return np.asarray(values).tolist()


def _require_xarray() -> None:
    try:
        import xarray  # noqa: F401 # pyright: ignore[reportUnusedImport]
    except ImportError:
        text = 'the results of a study are an xarray.Dataset, which needs xarray: pip install "duoti[data]"'
        raise MissingPackageError(text) from None


__all__ = ["Explanation", "Study"]
