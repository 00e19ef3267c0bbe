"""Matrices in Nastran's bulk data: the three ways to write fields, and a beam that comes back from such a file."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

SMALL = """$ two points on a line, one spring of 3e5 N/m along x between them
GRID    27                      0.0     0.0
GRID    28              1.5     0.0     0.0
DMIG    STIF    0       6       2       0                       6
DMIG    STIF    27      1               27      1       3.+5
+       28      1       -3.+5   0.      28      2       0.
DMIG    STIF    28      1               28      1       300.D+3
"""
FREE = """GRID,27,,0.,0.,0.
GRID,28,,1.5,0.,0.
DMIG,STIF,0,6,2,0,,,6
DMIG,STIF,27,1,,27,1,3.+5,
,28,1,-3.+5,,28,2,0.
DMIG,STIF,28,1,,28,1,300.E+3
"""
LARGE = """GRID*                 27                              0.              0.
*                     0.
GRID*                 28                             1.5              0.
*                     0.
DMIG    STIF           0       6       2       0                       6
DMIG*   STIF                          27               1
*                     27               1 3.000000000D+05
*                     28               1-3.000000000D+05
DMIG*   STIF                          28               1
*                     28               1 3.000000000D+05
"""


@pytest.mark.parametrize("text", [SMALL, FREE, LARGE], ids=["small", "free", "large"])
def test_three_ways_to_write_fields(tmp_path, text):
    (tmp_path / "k.pch").write_text(text)
    d = dt.flexible.read_dmig(tmp_path / "k.pch")
    wanted = np.zeros((6, 6))
    wanted[0, 0] = wanted[3, 3] = 3e5
    wanted[0, 3] = wanted[3, 0] = -3e5
    np.testing.assert_array_equal(d["STIF"].toarray(), wanted)
    np.testing.assert_array_equal(d.nodes, [[0, 0, 0], [1.5, 0, 0]])
    assert (d.node(28), list(d.grids)) == (1, [27, 28])


def written(structure, first: int = 11) -> str:
    """A structure as a punch file: lower triangles in large fields, points in free ones."""
    lines = [f"GRID,{first + k},,{x!r},{y!r},{z!r}" for k, (x, y, z) in enumerate(structure.nodes.tolist())]
    for name, matrix in (("MAAX", structure.M), ("KAAX", structure.K)):
        dense = matrix.toarray()
        lines.append(f"DMIG    {name:<8}{0:>8}{6:>8}{2:>8}{0:>8}{'':>8}{len(dense):>8}")
        for j in range(len(dense)):
            lines.append(f"DMIG*   {name:<16}{first + j // 6:>16}{j % 6 + 1:>16}")
            rows = [i for i in range(j, len(dense)) if dense[i, j] != 0.0]
            lines += [f"*       {first + i // 6:>16}{i % 6 + 1:>16}{dense[i, j]:>16.9E}" for i in rows]
    return "\n".join(lines)


def test_a_beam_from_its_punch_file(tmp_path):
    """Frequencies of the beam itself, to the ten digits that sixteen characters hold."""
    steel = dt.Material(youngs_modulus=2e11, poisson_ratio=0.3, density=7800.0)
    beam = dt.flexible.Structure.from_beam(dt.Beam(dt.Section.rectangle(0.02, 0.04), steel), 1.0, 6)
    (tmp_path / "rod.pch").write_text(written(beam))
    d = dt.flexible.read_dmig(tmp_path / "rod.pch")
    ends = {"a": d.node(11), "b": d.node(17)}
    body = dt.Flexible.from_matrices(d["MAAX"], d["KAAX"], d.nodes, ends, modes=3)
    own = dt.Flexible.from_structure(beam, {"a": "start", "b": "end"}, modes=3)
    np.testing.assert_allclose(body.reduced.frequencies(), own.reduced.frequencies(), rtol=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("DMIG,STIF,0,6,2", "DMIG,STIF,0,6,3", "complex"),
        ("DMIG,STIF,0,6,2", "DMIG,STIF,0,2,2", "form 2"),
        ("DMIG,STIF,0,6,2,0,,,6\n", "", "before its header"),
        ("GRID,28,,", "GRID,28,4,", "coordinate system 4"),
        ("28,1,,28,1", "28,0,,28,1", "component 0"),
        ("-3.+5", "x", "'x' is no number"),
        (",28,2,0.", ",27,1,5.", "twice"),
        ("DMIG", "DMI", "no DMIG entry"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, old, new, word):
    (tmp_path / "k.pch").write_text(FREE.replace(old, new))
    with pytest.raises(ValueError, match=word):
        dt.flexible.read_dmig(tmp_path / "k.pch")
    with pytest.raises(ValueError, match="No such file"):
        dt.flexible.read_dmig(tmp_path / "none.pch")
