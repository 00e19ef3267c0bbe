"""Kinds of files of results, by the suffixes of their names."""

HDF5 = (".h5", ".hdf5", ".hdf", "")
TABLES = {".csv": "to_csv", ".parquet": "to_parquet", ".mat": "to_mat"}
"""Methods of a result by the suffixes of the files that they write."""
OTHERWISE = {
    ".xlsx": "r.to_pandas().to_excel({!r})", ".xls": "r.to_pandas().to_excel({!r})",
    ".ods": "r.to_pandas().to_excel({!r})", ".json": "r.to_pandas().to_json({!r})",
    ".pkl": "r.to_pandas().to_pickle({!r})", ".pickle": "r.to_pandas().to_pickle({!r})",
    ".nc": "r.to_xarray().to_netcdf({!r})", ".npz": 'numpy.savez({!r}, t=r.t, angle=r["A.angle"])',
    ".npy": 'numpy.save({!r}, r["A.angle"])', ".tsv": 'r.to_pandas().to_csv({!r}, sep="\\t")',
    ".txt": 'r.to_pandas().to_csv({!r}, sep="\\t")', ".html": "r.export_html({!r})",
    ".yaml": "r.model.save({!r})", ".yml": "r.model.save({!r})",
    ".png": 'r.plot("A.angle").savefig({!r})', ".pdf": 'r.plot("A.angle").savefig({!r})',
    ".svg": 'r.plot("A.angle").savefig({!r})', ".mp4": "r.film({!r})", ".gif": "r.film({!r})",
}  # fmt: skip
"""How files of other kinds are written, by their suffixes."""
