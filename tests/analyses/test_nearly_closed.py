"""Loops that rounded numbers leave open by less than a micrometre: the same verdict in check and simulation."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import duoti as dt

ACROSS = 0.0, 1e-8, 4e-7  # how far one end is out of the plane [m]; the hinges cannot reach it


def four_bar(across: float) -> dt.Model:
    m = dt.Model("four-bar", gravity=(0.0, -9.81, 0.0))
    bar = dt.Inertia.box(1.0, (0.3, 0.05, 0.05))
    for name in ("crank", "rod", "rocker"):
        m.add_body(name, bar)
    m.add_joint("A", dt.Revolute("z"), m.ground, "crank")
    m.add_joint("B", dt.Revolute("z"), m.add_marker("crank_end", "crank", (0.3, 0, 0)), "rod")
    m.add_joint("D", dt.Revolute("z"), m.add_marker("foot", m.ground, (0.8, 0, 0)), "rocker")
    end = m.add_marker("rod_end", "rod", (0.8, 0.4, across))
    m.add_constraint("close", dt.MarkerMotion(m.add_marker("tip", "rocker", (0.3, 0.4, 0)), (0, 0, 0), reference=end))
    return m


def test_loops_that_are_nearly_closed_are_simulated_with_a_warning():
    """The motion is that of the exact mechanism: what is out of the plane works on nothing."""
    ends = []
    for across in ACROSS:
        m = four_bar(across)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = dt.simulate(m, 0.5)
        assert result.ok
        assert [w.category for w in caught] == ([dt.errors.NearlyClosedWarning] if across else [])
        ends.append(np.asarray(result["A.angle"])[-1])
        report = dt.check(m)
        assert report.ok
        assert [f.code for f in report.warnings] == (["nearly-closed"] if across else [])
    assert np.ptp(ends) < 1e-9
    assert str(caught[0].message).startswith('loops stay open a little: constraint "close" by 4e-07')


def test_loops_that_are_open_are_refused_by_both():
    m = four_bar(2e-6)
    assert [f.code for f in dt.check(m).errors] == ["cannot-assemble"]
    with pytest.raises(dt.ModelError, match="2e-06 m are left"):
        dt.simulate(m, 0.1)
