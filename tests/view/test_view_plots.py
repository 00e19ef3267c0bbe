"""Plots by matplotlib: what is in them, names, units, files."""

import numpy as np
import pytest

import duoti as dt
from support import view_models as models

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def crank():
    return dt.simulate(models.slider_crank(), 0.5, outputs=0.01)


@pytest.fixture(scope="module")
def rough():
    return dt.simulate(models.slider_crank(), 0.5, outputs=0.01, rtol=1e-3, atol=1e-3)


def lines(axis):
    return {line.get_label(): line for line in axis.get_lines()}


def test_time_series_of_two_runs(crank, rough):
    figure = crank.plot("A.angle", "slider.position", compare={"rough": rough})
    first, second = figure.axes
    assert list(lines(first)) == ["A.angle", "A.angle (rough)"]
    assert first.get_ylabel() == "rad"
    assert second.get_ylabel() == "m"
    assert np.array_equal(lines(first)["A.angle"].get_ydata(), crank["A.angle"])
    assert np.array_equal(lines(first)["A.angle (rough)"].get_ydata(), rough["A.angle"])
    assert lines(first)["A.angle (rough)"].get_linestyle() == "--"


def test_phase_portraits(crank, rough):
    axis = crank.plot_phase("A").axes[0]
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("joint:A.q in rad", "joint:A.v in rad/s")
    curve = axis.get_lines()[0]
    assert np.array_equal(curve.get_xdata(), crank["A.angle"])
    assert np.array_equal(curve.get_ydata(), crank["A.rate"])
    assert len(crank.plot_phase().axes) >= 4  # all joints with one coordinate
    pair = ("slider.position.x", "slider.velocity.x")
    assert crank.plot_phase(pair, compare={"rough": rough}).axes[0].get_xlabel() == "slider.position.x in m"


def test_energies_and_residual(crank):
    above, below = crank.plot_energy().axes
    assert list(lines(above)) == ["kinetic", "gravity", "elastic", "supplied", "dissipated", "total"]
    assert np.array_equal(lines(below)["residual"].get_ydata(), crank.energy.residual)


def test_reactions(crank):
    figure = crank.plot_reactions("A", "D")
    assert [axis.get_ylabel() for axis in figure.axes] == [
        "A: force in N",
        "A: torque in N m",
        "D: force in N",
        "D: torque in N m",
    ]
    force, _ = crank.reaction("A")
    assert np.array_equal(lines(figure.axes[0])["A force x"].get_ydata(), force[:, 0])
    assert np.array_equal(lines(figure.axes[0])["A force size"].get_ydata(), np.linalg.norm(force, axis=1))


@pytest.mark.parametrize(("name", "start"), [("a.pdf", b"%PDF"), ("a.svg", b"<?xml"), ("a.png", b"\x89PNG")])
def test_vector_and_pixel_files(crank, name, start, tmp_path):
    crank.plot_energy().savefig(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_wrong_names_are_told(crank):
    with pytest.raises(dt.ChannelError, match='there is no joint "Q"'):
        crank.plot_phase("Q")
    with pytest.raises(dt.ChannelError, match='there is no joint "AA"'):
        crank.plot_reactions("AA")
    with pytest.raises(ValueError, match="different numbers of components"):
        crank.plot_phase(("slider.position", "A.rate"))
