"""Roads: heights, slopes and friction in compiled code against SciPy's curves, and the spectrum of random roads."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator, RegularGridInterpolator

import duoti as dt
from duoti.elements.roads import road_at
from duoti.kernel import cold_kernel

X = np.array([0.0, 0.4, 1.0, 2.5, 2.6, 4.0])
Z = np.array([0.0, 0.05, -0.02, 0.1, 0.12, 0.0])
INNER = np.linspace(0.001, 3.999, 400)


@cold_kernel
def at_complex(integers, reals, x, y, found):
    """`road_at` at complex places."""
    for k in range(x.shape[0]):
        found[k, 0], found[k, 1], found[k, 2], found[k, 3] = road_at(integers, reals, 0, x[k], y[k])


def field(interpolation="cubic", outside="keep"):
    """An uneven grid."""
    rng = np.random.default_rng(3)
    x, y = np.cumsum(rng.uniform(0.2, 1.0, 12)), np.cumsum(rng.uniform(0.2, 1.0, 7))
    return x, y, rng.normal(0.0, 0.05, (12, 7)), interpolation, outside


def test_flat():
    road = dt.Road.flat(0.3, friction=0.8)
    assert road.height(1.0, 2.0) == 0.3
    assert road.friction(0.0, 0.0) == 0.8
    np.testing.assert_array_equal(road.normal([0.0, 5.0], 1.0), [[0, 0, 1], [0, 0, 1]])


@pytest.mark.parametrize(("name", "curve"), [
    ("cubic", CubicSpline(X, Z, bc_type="natural")),
    ("monotone", PchipInterpolator(X, Z)),
    ("linear", lambda x: np.interp(x, X, Z)),
])  # fmt: skip
def test_profile(name, curve):
    """Between the points as SciPy has it, to round-off; beyond them the height of the ends."""
    road = dt.Road.profile(np.stack([X, Z], axis=1), friction=0.7, interpolation=name)
    np.testing.assert_allclose(road.height(INNER, 3.0), curve(INNER), atol=1e-15)
    np.testing.assert_allclose(road.height([-5.0, 9.0], [0.0, 1.0]), [Z[0], Z[-1]], atol=0)
    np.testing.assert_array_equal(road.slope([-5.0, 9.0]), np.zeros((2, 2)))
    np.testing.assert_array_equal(road.friction([0.0, 1.0]), [0.7, 0.7])


def test_what_is_beyond_the_ends():
    """Straight on with the slope, zero, or the road again."""
    points = np.stack([X, Z], axis=1)
    curve = CubicSpline(X, Z, bc_type="natural")
    straight = dt.Road.profile(points, outside="straight")
    np.testing.assert_allclose(straight.height(6.0), Z[-1] + 2.0 * curve(4.0, 1), rtol=1e-13)
    np.testing.assert_allclose(straight.slope(-1.0), [curve(0.0, 1), 0.0], rtol=1e-13)
    assert dt.Road.profile(points, outside="zero").height(6.0) == 0.0
    again = dt.Road.profile(points, outside="repeat")
    np.testing.assert_allclose(again.height(INNER + 8.0), again.height(INNER), atol=1e-14)
    np.testing.assert_allclose(again.slope(4.0 - 1e-9), again.slope(1e-9), atol=1e-7)
    with pytest.raises(ValueError, match="first and last height differ by 0.1 m"):
        dt.Road.profile([(0, 0), (1, 0.1)], outside="repeat")


@pytest.mark.parametrize(("interpolation", "method"), [("cubic", None), ("linear", "linear")])
def test_height_field(interpolation, method):
    """Against tensor products of SciPy's splines, and SciPy's bilinear interpolation; slopes by complex steps."""
    x, y, z, *_ = field()
    road = dt.Road.height_field(x, y, z, interpolation=interpolation)
    rng = np.random.default_rng(0)
    px, py = rng.uniform(x[0], x[-1], 300), rng.uniform(y[0], y[-1], 300)
    if method:
        expected = RegularGridInterpolator((x, y), z, method=method)(np.stack([px, py], axis=1))
    else:
        along = CubicSpline(x, z, bc_type="natural")(px)
        expected = [CubicSpline(y, row, bc_type="natural")(b) for row, b in zip(along, py, strict=True)]
    np.testing.assert_allclose(road.height(px, py), expected, atol=2e-16 * 100)
    found, step = np.zeros((300, 4), complex), 1e-40
    for k, (dx, dy) in enumerate(((1j * step, 0.0), (0.0, 1j * step))):
        at_complex(*road.arrays(), px + dx, py + (dy + 0j), found)
        np.testing.assert_allclose(road.slope(px, py)[:, k], found[:, 0].imag / step, atol=1e-13)


def test_monotone_does_not_overshoot():
    """A kerb of 10 cm stays between its heights; the cubic curve does not."""
    points = [(0, 0), (1, 0), (1.02, 0.1), (3, 0.1)]
    x = np.linspace(-1, 4, 5001)
    heights = dt.Road.profile(points, interpolation="monotone").height(x)
    assert heights.min() >= 0.0
    assert heights.max() <= 0.1 + 1e-16
    assert dt.Road.profile(points).height(x).max() > 0.11


def test_friction_that_varies():
    """Ice on the left: bilinear between the points."""
    road = dt.Road.height_field([0, 10], [-2, 2], np.zeros((2, 2)), friction=[[1.0, 0.1], [1.0, 0.1]])
    np.testing.assert_allclose(road.friction(3.0, [-2, 0, 2, 9]), [1.0, 0.55, 0.1, 0.1], rtol=1e-14)


@pytest.mark.parametrize(("roughness", "strength"), [("A", 16e-6), ("C", 256e-6), ("H", 16e-6 * 4**7)])
def test_spectrum_of_random_roads(roughness, strength):
    """Welch's estimate against G_d(n) of the class, in octaves from n = 0.02 to 2.6 per m.

    Every sine has the amplitude of the spectrum, so that the mean over an octave scatters only by what leaks: Hann
    windows of 200 m resolve 0.0075 per m. Least octave 5 %, others 2 %.
    """
    from scipy.signal import welch

    length, step = 1000.0, 0.05
    road = dt.Road.random(roughness, length, seed=5)
    z = road.height(np.arange(0.0, length, step))
    n, found = welch(z, 1.0 / step, "hann", int(200 / step), int(150 / step), detrend="constant")
    edges = 0.04 * 2.0 ** np.arange(7)
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        band = (n >= low) & (n < high)
        ratio = np.mean(found[band] / (strength * (n[band] / 0.1) ** -2))
        assert abs(ratio - 1.0) < 0.1, (low, ratio)


def test_exact_spectrum_and_variance():
    """Over a whole period the periodogram is the spectrum, line by line, and the variance its sum."""
    length, count = 100.0, 4000
    z = dt.Road.random("B", length, seed=1, frequencies=(0.05, 1.0)).height(np.arange(count) * length / count)
    lines = np.abs(np.fft.rfft(z)) ** 2 * 2.0 * length / count**2
    n = np.arange(len(lines)) / length
    inside = (n > 0.0499) & (n < 1.0001)
    # the spline through 6 points a wave is off by 0.2 % at the shortest wave, much less at longer ones
    np.testing.assert_allclose(lines[inside], 64e-6 * (n[inside] / 0.1) ** -2, rtol=5e-3)
    np.testing.assert_allclose(np.var(z), np.sum(64e-6 * (n[inside] / 0.1) ** -2) / length, rtol=1e-4)


def test_seeds_and_repetition():
    a, b = dt.Road.random("C", 50.0, seed=1), dt.Road.random("C", 50.0, seed=1)
    x = np.linspace(0, 50, 333)
    np.testing.assert_array_equal(a.height(x), b.height(x))
    assert a == b
    assert np.abs(a.height(x) - dt.Road.random("C", 50.0, seed=2).height(x)).max() > 1e-3
    np.testing.assert_allclose(a.height(x + 150.0), a.height(x), atol=1e-14)


def test_coherence_of_two_tracks():
    """That of an isotropic surface, x K_1(x) with x = 2 pi n b, from 400 seeds: scatter below 1/sqrt(400) = 0.05."""
    from scipy.special import k1

    length, gauge, seeds = 100.0, 1.5, 400
    x = np.arange(0.0, length, 0.5)
    cross, own = 0.0, [0.0, 0.0]
    for seed in range(seeds):
        road = dt.Road.random("C", length, seed=seed, tracks=(-gauge / 2, gauge / 2), frequencies=(0.02, 0.6))
        left, right = (np.fft.rfft(road.height(x, y)) for y in (gauge / 2, -gauge / 2))
        cross, own = cross + left * right.conj(), [own[0] + abs(left) ** 2, own[1] + abs(right) ** 2]
    n = np.arange(2, 60) / length
    found = cross[2:60] / np.sqrt(own[0] * own[1])[2:60]
    expected = 2 * np.pi * n * gauge * k1(2 * np.pi * n * gauge)
    assert np.max(np.abs(found - expected)) < 4 * 0.05
    assert np.sqrt(np.mean(np.abs(found - expected) ** 2)) < 0.05


@pytest.mark.parametrize(("make", "message"), [
    (lambda: dt.Road.profile([(0, 0), (0, 1)]), "x must increase; entry 1"),
    (lambda: dt.Road.profile([(0, 0)]), "at least 2 points"),
    (lambda: dt.Road.profile([(0, 0), (1, "a")]), "no finite number"),
    (lambda: dt.Road.profile([(0, 0), (1, 1)], interpolation="quintic"), "'cubic', 'monotone', 'linear'"),
    (lambda: dt.Road.height_field([0, 1], [0, 1, 2], np.zeros((3, 2))), r"z has the shape \(3, 2\)"),
    (lambda: dt.Road.random("J"), 'class "A" to "H"'),
    (lambda: dt.Road.random("A", length=0.1), "shortest wave"),
    (lambda: dt.Road.flat(friction=-1.0), "must not be negative"),
    (lambda: dt.Road.read("road.xyz"), ".crg"),
])  # fmt: skip
def test_faults(make, message):
    with pytest.raises(ValueError, match=message):
        make()
