"""Beams whose end elements are shorter: weights of nodes, frequencies against closed forms, files and parts."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.model.beams.beam import node_weights
from duoti.model.beams.course import SHORT, stations

THIN = dt.Beam.from_stiffness(
    EA=1e6, GAy=1e8, GAz=1e8, GJ=1e4, EIy=1.0, EIz=4.0, mass_per_length=1.0, rotary_inertia=(1e-2, 2e-8, 2e-8)
)
"""Rotary inertia and shear count for less than 1e-6 in the first two frequencies."""

# roots of the frequency equations of Euler and Bernoulli (Rao, Mechanical Vibrations, section 8.5)
ROOTS = {
    "clamped and free": (1.8751040687, 4.6940911330),
    "free": (4.7300407449, 7.8532046241),
    "on hinges": (np.pi, 2 * np.pi),
}


def errors(ends, elements, short_ends):
    """Of the first two frequencies of bending in the x-z plane."""
    m = dt.Model("beam", gravity=(0, 0, 0))
    b = m.add_beam("b", THIN, start=(0, 0, 0), end=(1, 0, 0), elements=elements, short_ends=short_ends)
    if ends == "clamped and free":
        m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    elif ends == "on hinges":
        m.add_joint("start", dt.Revolute("y"), m.ground, b.start)
        m.add_joint("end", dt.Composite.of_axes("x", "y"), m.ground, b.end)
    omega = 2 * np.pi * dt.natural_modes(m, count=12).frequencies
    exact = np.array(ROOTS[ends]) ** 2
    return np.array([np.abs(omega - each).min() for each in exact]) / exact


@pytest.mark.parametrize("places", [[], [0.31], [0.2, 0.75]])
def test_weights_integrate_cubics(places):
    """Three moments are matched at each end; errors of the fourth, for cubics, cancel between the ends of a run."""
    s = stations(16, places, short_ends=True)
    w = node_weights(s, False)
    assert np.all(w > 0.0)
    np.testing.assert_allclose([w @ s**k for k in range(4)], [1, 1 / 2, 1 / 3, 1 / 4], rtol=1e-14)


def test_weights_of_a_part():
    """From a node to the end: Gregory's weights at one side, those of a short element at the other; parabolas."""
    s = stations(12, [], short_ends=True)
    w = node_weights(s, False, float(s[4]), 1.0)
    np.testing.assert_allclose([w @ s**k * (k + 1) for k in range(3)], [1 - s[4] ** k for k in (1, 2, 3)], rtol=1e-14)


def test_lengths_of_elements():
    h = np.diff(stations(5, [], short_ends=True))
    np.testing.assert_allclose(h / h[1], [SHORT, 1, 1, 1, SHORT], rtol=1e-12)
    np.testing.assert_array_equal(stations(2, [], short_ends=True), [0, 0.5, 1])  # too few


@pytest.mark.parametrize("ends", ROOTS)
def test_frequencies_are_ten_times_as_accurate(ends):
    """Eight elements; the factors are 56 and 17 (clamped), 21 and 23 (free), 16 and 11 (hinges) with masses at nodes of
    a linear beam that is exact at its nodes."""
    assert np.all(errors(ends, 8, True) < 0.1 * errors(ends, 8, False))


@pytest.mark.parametrize("ends", ["free", "on hinges"])
def test_frequencies_are_of_fourth_order(ends):
    """Second frequency, 8 and 16 elements: 6.5e-4 and 3.3e-5, 9.7e-4 and 3.4e-5."""
    assert np.log2(errors(ends, 8, True)[1] / errors(ends, 16, True)[1]) > 3.8


def test_linearise_keeps_the_first_frequency_of_a_thin_beam():
    """It is 8e-6 of the fastest one, and was called zero below 1e-5."""
    m = dt.Model("beam", gravity=(0, 0, 0))
    b = m.add_beam("b", THIN, start=(0, 0, 0), end=(1, 0, 0), elements=8, short_ends=True)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    omega = 2 * np.pi * dt.linearise(m).frequencies
    assert omega[0] < 1e-5 * omega[-1]
    assert omega[0] == pytest.approx(ROOTS["clamped and free"][0] ** 2, rel=1e-5)  # round-off: 1e-16 / (8e-6)², 2e-6


def test_deflection_by_weight_is_exact_at_the_tip():
    m = dt.Model("beam", gravity=(0, 0, -1e-6))
    b = m.add_beam("b", THIN, start=(0, 0, 0), end=(1, 0, 0), elements=4, short_ends=True)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    expected = -1e-6 / 8 - 1e-6 / 2 / 1e8  # q L⁴/(8 E I) + q L²/(2 G A)
    assert dt.equilibrium(m)["b.end.position"][2] == pytest.approx(expected, rel=1e-7)


def test_files_parts_and_rings(tmp_path):
    m = dt.Model("beam")
    b = m.add_beam("b", THIN, start=(0, 0, 0), end=(1, 0, 0), elements=6, short_ends=True)
    m.save(tmp_path / "m.yaml")
    assert "short_ends: true" in (tmp_path / "m.yaml").read_text()
    np.testing.assert_array_equal(dt.load(tmp_path / "m.yaml").beams["b"].stations, b.stations)
    whole = dt.Model("whole")
    whole.add_submodel("part", m)
    np.testing.assert_array_equal(whole.beams["part.b"].stations, b.stations)
    ring = dt.Model("ring").add_beam(
        "r", THIN, centreline=("cos(2*pi*s)", "sin(2*pi*s)", "0"), elements=8, short_ends=True
    )
    np.testing.assert_allclose(np.diff(ring.stations), 1 / 8, rtol=1e-12)
    with pytest.raises(ValueError, match="short_ends is 'yes'; give True or False"):
        m.add_beam("c", THIN, start=(0, 0, 0), end=(1, 0, 0), short_ends="yes")  # type: ignore[arg-type]
