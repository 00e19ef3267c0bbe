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
    assert list(lines(first)) == ["A.angle (slider-crank)", "A.angle (rough)"]
    assert first.get_ylabel() == "rad"
    assert second.get_ylabel() == "m"
    assert np.array_equal(lines(first)["A.angle (slider-crank)"].get_ydata(), crank["A.angle"])
    assert np.array_equal(lines(first)["A.angle (rough)"].get_ydata(), rough["A.angle"])
    assert {line.get_linestyle() for line in lines(first).values()} == {"-"}
    shown = [text.get_text() for text in second.get_legend().get_texts()]
    assert shown == ["slider-crank", "rough", *(f"slider.position {axis}" for axis in "xyz")]


@pytest.mark.parametrize("count", [5, 12])
def test_each_of_many_runs_has_a_colour_and_a_name(crank, rough, count):
    """Whatever the number of channels; a run that is among those compared has its name there, and is drawn once."""
    others = {f"run {k}": rough for k in range(count - 1)}
    for figure in (
        crank.plot("A.angle", compare={"exact": crank, **others}),
        crank.plot_phase("A", compare={"exact": crank, **others}),
    ):
        curves = [line for line in figure.axes[0].get_lines() if len(line.get_xdata()) > 1]
        assert len({str(line.get_color()) for line in curves}) == len(curves) == count
        shown = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
        assert len(shown) == count
        assert shown[0].endswith("(exact)")


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
        "D: force in N",
    ]  # a plane motion: torques are 1e-14 N m
    assert list(lines(figure.axes[0])) == ["A force x", "A force z", "A force size"]
    assert list(lines(figure.axes[1])) == ["D force z"]
    said = " ".join(figure.get_supxlabel().split())
    assert said.startswith("left out, as round-off: A force y, A torque x, y, z, D force x, y")
    force, _ = crank.reaction("A")
    assert np.array_equal(lines(figure.axes[0])["A force x"].get_ydata(), force[:, 0])
    assert np.array_equal(lines(figure.axes[0])["A force size"].get_ydata(), np.linalg.norm(force, axis=1))


@pytest.mark.full
@pytest.mark.parametrize(("name", "start"), [("a.pdf", b"%PDF"), ("a.svg", b"<?xml"), ("a.png", b"\x89PNG")])
def test_vector_and_pixel_files(crank, name, start, tmp_path):
    crank.plot_energy().savefig(tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_wrong_names_are_told(crank):
    with pytest.raises(dt.errors.ChannelError, match='there is no joint "Q"'):
        crank.plot_phase("Q")
    with pytest.raises(dt.errors.ChannelError, match='there is no joint "AA"'):
        crank.plot_reactions("AA")
    with pytest.raises(ValueError, match="different numbers of components"):
        crank.plot_phase(("slider.position", "A.rate"))


def test_reactions_that_are_all_zero_or_all_there():
    m = dt.Model("still", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.box(1.0, size=(1, 1, 1)))
    m.add_joint("A", dt.Revolute("z"), m.ground, "b")
    figure = dt.simulate(m, 0.1, outputs=0.05).plot_reactions()
    assert len(figure.axes) == 2
    assert len(lines(figure.axes[0])) == 4
    m.gravity = (1.0, 2.0, 3.0)
    m.bodies["b"].inertia = dt.Inertia.box(1.0, size=(1, 2, 3), com=(0.1, 0.2, 0.3))
    force, torque = dt.simulate(m, 0.1, outputs=0.05).plot_reactions().axes
    assert len(lines(force)) == 4
    assert list(lines(torque)) == ["A torque x", "A torque y", "A torque size"]
