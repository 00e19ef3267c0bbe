"""The results of a study as an `xarray.Dataset`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.parameter_study.engine import Runs
from duoti.analyses.parameter_study.measures import Measure
from duoti.analyses.parameter_study.study import MESSAGE, SAMPLE, STATUS, TIME
from duoti.version import __version__

if TYPE_CHECKING:
    import xarray


def dataset(study: Any, runs: Runs) -> xarray.Dataset:
    """Measures with the parameters as dimensions, `status` and `message`; units as attributes."""
    import xarray as xr

    dimensions, job = study.dimensions, study._job
    shape, dims = tuple(dimensions.values()), tuple(dimensions)
    coordinates: dict[str, Any] = {}
    for name, values in study._axes.items():
        coordinates[name] = xr.Variable((name,), values, _unit(study._units[name]))
    for name, values in study._sampled().items():
        coordinates[name] = xr.Variable((SAMPLE,), values, _unit(study._units[name]))
    if SAMPLE in dimensions:
        coordinates[SAMPLE] = np.arange(dimensions[SAMPLE])
    variables: dict[str, Any] = {}
    for name, values in study._split(runs).items():
        measure = job.measures[name]
        attributes = {"measure": measure.text} if isinstance(measure, Measure) else {}
        if isinstance(measure, Measure):
            attributes = {**_unit(measure.unit), **attributes}
        if values.ndim == 2:
            coordinates[TIME] = xr.Variable((TIME,), job.times, {"units": "s"})
            variables[name] = xr.Variable((*dims, TIME), values.reshape(*shape, -1), attributes)
        else:
            variables[name] = xr.Variable(dims, values.reshape(shape), attributes)
    states = [runs.status(k) for k in range(len(runs.rows))]
    for name, texts in ((STATUS, [each for each, _ in states]), (MESSAGE, [each for _, each in states])):
        variables[name] = xr.Variable(dims, np.array(texts, dtype=str).reshape(shape))
    attributes: dict[str, Any] = {
        "model": study._system.model.name, "duration": job.duration, "solver": repr(study._choice.solver),
        "duoti": __version__,
    }  # fmt: skip
    if study._drawn:
        attributes |= {"sampling": study.sampling, "seed": study.seed}
        attributes |= {f"distribution of {name}": repr(each) for name, each in study._drawn.items()}
    return xr.Dataset(variables, coordinates, attributes)


def _unit(unit: str) -> dict[str, str]:
    return {"units": unit} if unit else {}
