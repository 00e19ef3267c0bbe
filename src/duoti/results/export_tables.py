"""Results as tables: pandas, xarray, CSV, Parquet, MAT."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.model.errors import MissingPackageError
from duoti.results.evaluate.channels import chosen_channels
from duoti.results.plot.plots import component_ends
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from duoti.results.result import Result

ROWS_AT_ONCE = 1 << 12
LONGEST_NAME = 63  # of a variable in MATLAB


class Channel(NamedTuple):
    """A channel with its values over time, one column per component."""

    name: str
    unit: str
    values: Reals
    components: tuple[str, ...]
    """What stands behind the name for each column; empty for a single number."""


def _needed(package: str, method: str) -> MissingPackageError:
    return MissingPackageError(f'{method} needs {package}: pip install "duoti[data]"')


def _chosen(result: Result, channels: Sequence[str] | None) -> list[Channel]:
    """Channels; by default coordinates, velocities and first-order states."""
    if isinstance(channels, str):
        raise TypeError(f"channels={channels!r}: give a list of names")
    names = _default(result) if channels is None else chosen_channels(result, channels)
    return [_channel(result, name) for name in names]


def _default(result: Result) -> list[str]:
    if result.has_model:
        joints = result.model.joints
        names = [f"{j}.{label}" for j in result.system.joints for label in ("q", "v") if joints[j].nv]
        return [*(name if name in result else f"joint:{name}" for name in names), *result.system.state_names]
    return result.channels


def _channel(result: Result, name: str) -> Channel:
    values = result[name]
    if values.ndim == 1:
        return Channel(name, result.unit(name), values[:, None], ())
    return Channel(name, result.unit(name), values, tuple(component_ends(result, name, values.shape[1])))


def _columns(result: Result, channels: Sequence[str] | None) -> dict[str, tuple[str, Reals]]:
    """Unit and values of each column."""
    found: dict[str, tuple[str, Reals]] = {}
    for each in _chosen(result, channels):
        for i, component in enumerate(each.components or ("",)):
            found[each.name + component] = (each.unit, each.values[:, i])
    return found


def to_pandas(result: Result, channels: Sequence[str] | None) -> pd.DataFrame:
    """See `Result.to_pandas`."""
    try:
        import pandas as pd
    except ImportError:
        raise _needed("pandas", "to_pandas") from None
    columns = _columns(result, channels)
    table = pd.DataFrame({name: values for name, (_, values) in columns.items()}, index=pd.Index(result.t, name="t"))
    table.attrs["units"] = {"t": "s"} | {name: unit for name, (unit, _) in columns.items()}
    return table


def to_xarray(result: Result, channels: Sequence[str] | None) -> xr.Dataset:
    """See `Result.to_xarray`."""
    try:
        import xarray as xr
    except ImportError:
        raise _needed("xarray", "to_xarray") from None
    variables: dict[str, Any] = {}
    labels: dict[str, Any] = {"t": ("t", result.t, {"units": "s"})}
    for each in _chosen(result, channels):
        metadata = {"units": each.unit}
        if not each.components:
            variables[each.name] = ("t", each.values[:, 0], metadata)
            continue
        parts = [part.strip(".[]") for part in each.components]
        dimension = "".join(parts) if parts[0].isalpha() else f"component_{len(parts)}"
        labels[dimension] = (dimension, parts)
        variables[each.name] = (("t", dimension), each.values, metadata)
    metadata = {"model": result.layout.model, "reason": result.reason, "solver": result.stats.solver}
    return xr.Dataset(variables, labels, metadata)


def to_csv(result: Result, path: str | Path, channels: Sequence[str] | None) -> None:
    """See `Result.to_csv`."""
    columns = _columns(result, channels)
    t = result.t
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["t [s]", *(f"{name} [{unit}]" for name, (unit, _) in columns.items())])
        for first in range(0, len(t), ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            block = np.column_stack([t[rows], *(values[rows] for _, values in columns.values())])
            writer.writerows(block.tolist())  # Python writes as many digits as a number needs


def to_parquet(result: Result, path: str | Path, channels: Sequence[str] | None) -> None:
    """See `Result.to_parquet`."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise _needed("pyarrow", "to_parquet") from None
    columns = {"t": ("s", result.t)} | _columns(result, channels)
    fields = [pa.field(name, pa.float64(), metadata={"unit": unit}) for name, (unit, _) in columns.items()]
    metadata = {"model": result.layout.model, "reason": result.reason, "solver": result.stats.solver}
    arrays = [pa.array(np.ascontiguousarray(values)) for _, values in columns.values()]
    pq.write_table(pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata=metadata)), str(path))


def to_mat(result: Result, path: str | Path, channels: Sequence[str] | None) -> None:
    """See `Result.to_mat`."""
    from scipy.io import savemat

    variables: dict[str, Any] = {"t": result.t[:, None]}
    listed: list[tuple[str, str, str]] = [("t", "t", "s")]
    for each in _chosen(result, channels):
        variable = _matlab_name(each.name, {*variables, "names"})
        variables[variable] = each.values
        listed.append((variable, each.name, each.unit))
    names = np.empty((len(listed), 3), dtype=object)
    for i, row in enumerate(listed):
        names[i] = row
    savemat(str(path), variables | {"names": names}, long_field_names=True)


def _matlab_name(name: str, taken: set[str]) -> str:
    """A name that MATLAB accepts: letters, digits and underscores, a letter first, not too long, not used twice."""
    plain = re.sub(r"[^A-Za-z0-9_]", "_", name)
    plain = (plain if plain[:1].isalpha() else f"x{plain}")[:LONGEST_NAME]
    made, k = plain, 2
    while made in taken:
        end = f"_{k}"
        made, k = plain[: LONGEST_NAME - len(end)] + end, k + 1
    return made
