"""A result as tables and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duoti.results import tables
from duoti.strict import explained_methods

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr


@explained_methods
class Exports:
    """What `Result` writes."""

    def to_pandas(self: Any, channels: Sequence[str] | None = None) -> pd.DataFrame:
        """A table with one column per component, times as the index, units in `table.attrs["units"]`.

        By default all coordinates, rates and first-order states. Needs pandas: the extra "data".
        """
        return tables.to_pandas(self, channels)

    def to_xarray(self: Any, channels: Sequence[str] | None = None) -> xr.Dataset:
        """A data set with one variable per channel, over `t` and components; needs xarray: the extra "data"."""
        return tables.to_xarray(self, channels)

    def to_csv(self: Any, path: str | Path, channels: Sequence[str] | None = None) -> None:
        """A text file with a column for the time and one per component, `name [unit]` above it; all digits."""
        tables.to_csv(self, path, channels)

    def to_parquet(self: Any, path: str | Path, channels: Sequence[str] | None = None) -> None:
        """A Parquet file with such columns, each with its unit as metadata; needs pyarrow: the extra "data"."""
        tables.to_parquet(self, path, channels)

    def to_mat(self: Any, path: str | Path, channels: Sequence[str] | None = None) -> None:
        """A MAT file (version 5) for MATLAB and Octave: `t`, one variable per channel, and `names` with units."""
        tables.to_mat(self, path, channels)

    def save(self: Any, path: str | Path) -> None:
        """Write the result into a file, whose kind is that of its name.

        .h5, .hdf5: HDF5, which `duoti.open_result` reads; the format is that of `simulate(..., out=...)`. .csv,
        .parquet, .mat: a table of coordinates, rates and states, as `to_csv`, `to_parquet` and `to_mat` write it.
        Other suffixes are refused.
        """
        from duoti.results.save import save

        save(self, path)
