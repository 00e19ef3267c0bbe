"""Matrices among the numbers of a force element, and those of which only a band is stored."""

from duoti.kernel import helper


@helper
def state_columns(Fz, nz, row):
    """The columns of a row of `Tangent.Fz` that are stored: all, or those of a band (`tangent_arrays`)."""
    half = nz if Fz.shape[1] == nz else Fz.shape[1] // 2
    return max(row - half, 0), min(row + half + 1, nz)


@helper
def row_times(r, f, at, x, y):
    """Six numbers from place `at` on, a row of a matrix, times (x, y)."""
    return (
        r[f, at] * x[0] + r[f, at + 1] * x[1] + r[f, at + 2] * x[2]
        + r[f, at + 3] * y[0] + r[f, at + 4] * y[1] + r[f, at + 5] * y[2]
    )  # fmt: skip


@helper
def matrix_times(r, f, at, x, y):
    """The 6x6 matrix from place `at` on times (x, y)."""
    return (
        (row_times(r, f, at, x, y), row_times(r, f, at + 6, x, y), row_times(r, f, at + 12, x, y)),
        (row_times(r, f, at + 18, x, y), row_times(r, f, at + 24, x, y), row_times(r, f, at + 30, x, y)),
    )
