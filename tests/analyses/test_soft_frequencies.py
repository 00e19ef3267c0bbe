"""Frequencies and stability that are far below the round-off of the stiffest motion: beams that are stiff in shear."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

EPS = np.finfo(float).eps


def stiff_in_shear(clamped: bool) -> dt.Model:
    """A beam of 1.5 m whose largest square of a frequency is some 1e14 times that of its first bending."""
    beam = dt.Beam.from_stiffness(
        EA=1e7, GAy=1e9, GAz=1e9, GJ=40, EIy=100, EIz=160, mass_per_length=2, rotary_inertia=(4e-6, 2e-6, 2e-6)
    )
    m = dt.Model("beam", gravity=(0, 0, 0))
    b = m.add_beam("b", beam, (0, 0, 0), (1.5, 0, 0), elements=4, order=5)
    if clamped:
        m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    return m


def test_lowest_frequencies_of_a_beam_that_is_stiff_in_shear():
    """Euler and Bernoulli's, less what rotary inertia and shear take by Rayleigh's quotient; they were zero.

    With the shape w of the first mode, the integral of w'² is 4.648 / L² times that of w². What is left of the formula
    is of second order (1e-12). Round-off of a square: eps |x|^T |K| |x|, here with the shapes that were found.
    """
    lin = dt.linearise(stiff_in_shear(clamped=True))
    assert lin.stable
    for mode, stiffness in zip(lin.modes[:2], (100.0, 160.0), strict=True):
        omega = 1.8751040687**2 / 1.5**2 * np.sqrt(stiffness / 2.0)
        omega *= 1.0 - 0.5 * (2e-6 / 2.0 + stiffness / 1e9) * 4.648 / 1.5**2
        x = np.abs(np.real(mode.shape[: len(lin.mass)]))
        x = x / np.sqrt(np.real(mode.shape[: len(x)]) @ lin.mass @ np.real(mode.shape[: len(x)]))
        noise = EPS * float(x @ np.abs(lin.stiffness) @ x)
        assert noise < 1e-4 * omega**2  # the test says something
        assert (2 * np.pi * mode.frequency) ** 2 == pytest.approx(omega**2, abs=noise, rel=1e-9)


def test_a_free_beam_has_six_motions_without_stiffness():
    lin = dt.linearise(stiff_in_shear(clamped=False))
    omega = 2 * np.pi * lin.frequencies
    assert lin.stable
    assert np.array_equal(omega[:6], np.zeros(6))
    # rotary inertia and shear: 1.1e-6 J/m and EI/GA, times the integral of w'² (49.5 / L²) by half
    assert omega[6] == pytest.approx(4.7300407449**2 / 1.5**2 * np.sqrt(50.0), rel=2 * 0.5 * 1.1e-6 * 49.5 / 1.5**2)


@pytest.mark.parametrize(("part", "stable"), [(0.99, True), (1.01, False)])
def test_lateral_buckling(part, stable):
    """Prandtl (1899): a deep cantilever tips over at 4.0126 sqrt(EIz GJ) / L².

    The strong axis changes that by EIz/EIy = 1e-5. The stiffness that is lost is 1e-12 of the largest one.
    """
    beam = dt.Beam.from_stiffness(
        EA=1e8, GAy=1e8, GAz=1e8, GJ=1, EIy=1e5, EIz=1, mass_per_length=1, rotary_inertia=(2e-3, 1e-3, 1e-3)
    )
    m = dt.Model("deep", gravity=(0, 0, 0))
    b = m.add_beam("b", beam, (0, 0, 0), (1, 0, 0), elements=16)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    m.add_force("load", dt.AppliedForce(b.end, (0, 0, -part * 4.0126)))
    e = dt.equilibrium(m)
    assert e.ok
    assert e.stable is stable
    assert dt.linearise(m, e).stable is stable


@pytest.mark.parametrize("damping_time", [0.0, 1e-4, 1e-2])
@pytest.mark.parametrize(("part", "stable"), [(0.99, True), (1.01, False)])
def test_a_column_buckles_however_it_is_damped(part, stable, damping_time):
    """Euler's load of a cantilever; shear and shortening change it by P/GA and P/EA, 6e-6.

    Dampers make eigenvalues of 1e7/s beside a deviation that grows by less than 1/s, and do not change whether it does.
    """
    beam = dt.Beam.from_stiffness(
        EA=1e7, GAy=1e7, GAz=1e7, GJ=50, EIy=100, EIz=150, mass_per_length=1, rotary_inertia=(2e-3, 1e-3, 1e-3),
        damping_time=damping_time,
    )  # fmt: skip
    m = dt.Model("column", gravity=(0, 0, 0))
    b = m.add_beam("b", beam, (0, 0, 0), (2, 0, 0), elements=12)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    m.add_force("load", dt.AppliedForce(b.end, (-part * np.pi**2 * 100 / 16, 0, 0)))
    e = dt.equilibrium(m)
    lin = dt.linearise(m, e)
    assert e.stable is stable
    assert lin.stable is stable
    assert (np.max(lin.eigenvalues.real) > 0.1) is np.bool_(not stable)


def test_damped_beams_of_higher_order_keep_their_lowest_frequencies() -> None:
    """Overdamped modes of 1e9 1/s beside: the lowest one is that of the same beam without damping (1.875² of a rod)."""
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7850.0)
    beam = dt.Beam(dt.Section.rectangle(width=0.02, height=0.01), steel, damping_time=1e-3)
    m = dt.Model("damped", gravity=(0, 0, 0))
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=2, order=4)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    lin = dt.linearise(m)
    exact = 1.8751041**2 * np.sqrt(2.1e11 * 0.01**2 / 12 / 7850.0) / (2 * np.pi)
    assert lin.frequencies[:2] == pytest.approx([exact, 2 * exact], rel=1e-3)  # shear and rotary inertia: 3e-4
    assert lin.damping_ratios[0] == pytest.approx(0.5 * 1e-3 * 2 * np.pi * lin.frequencies[0], rel=1e-3)
