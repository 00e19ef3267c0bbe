"""Roads: heights, slopes and friction in compiled code against SciPy's curves, and the spectrum of random roads."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.interpolate import CubicSpline, PchipInterpolator, RegularGridInterpolator

import duoti as dt
from duoti.elements.markers import marker_point, marker_velocities
from duoti.elements.roads import road_at
from duoti.elements.wrenches import apply_wrench
from duoti.formats.errors import ModelFileError
from duoti.kernel import cold_kernel, helper
from duoti.model.elements import Reference
from duoti.model.forces.base import Force
from duoti.spatial.algebra import ZERO3

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
    with pytest.raises(ValueError, match="first and last height differ by"):
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
    with pytest.warns(UserWarning, match="monotone"):
        assert dt.Road.profile(points).height(x).max() > 0.11


@pytest.mark.parametrize("points", [
    [(0, 0), (5, 0), (5.3, 0.02), (6, 0.05), (7, 0), (20, 0)],  # a long gap: a hole of 18 cm
    [(0, 0), (1, 0), (1.01, 0.1), (2, 0.1)],  # a kerb: 1.9 m
])  # fmt: skip
def test_a_spline_that_overshoots_is_said(points):
    with pytest.warns(UserWarning, match=r'the cubic spline leaves .* interpolation="monotone"'):
        dt.Road.profile(points)
    z = dt.Road.profile(points, interpolation="monotone").height(np.linspace(0, points[-1][0], 999))
    assert z.min() >= 0.0
    assert z.max() <= max(p[1] for p in points) + 1e-15


def test_even_points_do_not_overshoot():
    x, rng = 0.1 * np.arange(300), np.random.default_rng(1)
    for z in (rng.normal(size=300), np.cumsum(rng.normal(size=300)), 0.1 * (x > 15)):
        road = dt.Road.profile(np.stack([x, z], axis=1))  # warnings are errors here
        np.testing.assert_allclose(road.height(x), z, atol=1e-12)


def test_a_csv_file_of_three_columns_is_refused(tmp_path):
    """The second of x, y, z would silently be the height."""
    path = tmp_path / "xyz.csv"
    path.write_text("x,y,z\n0,1,0\n1,1,0.1\n")
    with pytest.raises(ModelFileError, match=r"xyz\.csv:1: there are 3 columns \(x, y, z\), but two"):
        dt.Road.read(path)


def test_friction_that_varies():
    """Ice on the left: bilinear between the points."""
    road = dt.Road.height_field([0, 10], [-2, 2], np.zeros((2, 2)), friction=[[1.0, 0.1], [1.0, 0.1]])
    np.testing.assert_allclose(road.friction(3.0, [-2, 0, 2, 9]), [1.0, 0.55, 0.1, 0.1], rtol=1e-14)


@pytest.mark.parametrize(("roughness", "strength"), [("A", 16e-6), ("C", 256e-6), ("H", 16e-6 * 4**7)])
def test_spectrum_of_random_roads(roughness, strength):
    """Welch's estimate against G_d(n) of the class, in octaves from n = 0.02 to 2.6 per m.

    Every sine has the amplitude of the spectrum, so that the mean over an octave scatters only by what leaks through
    the Hann windows of 200 m, which resolve 0.0075 per m: a part of (0.0075 / n)^2, some per cent in the least
    octave, and by the few windows of 1 km of road.
    """
    from scipy.signal import welch

    length, step = 1000.0, 0.05
    road = dt.Road.random(roughness, length, seed=5)
    z = road.height(np.arange(0.0, length, step))
    n, found = welch(z, 1.0 / step, "hann", int(200 / step), int(150 / step), detrend="constant")
    edges = 0.04 * 2.0 ** np.arange(7)
    for low, high in pairwise(edges):
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


def quarter_car(road):
    """A wheel without mass: a force element of a script, which pushes a mass by spring and damper from the road."""
    m = dt.Model("quarter car", gravity=(0, 0, 0))
    m.add_body("mass", dt.Inertia.point(300.0))
    m.add_joint("way", dt.Composite(dt.Prismatic("x"), dt.Prismatic("z")), m.ground, "mass", v0=[20.0, 0.0])
    m.add_force("left", RoadSpring("mass", road, 20e3, 1500.0))
    m.add_force("right", RoadSpring("mass", road, 0.0, 0.0))
    return m


@helper
def _follow(f, t, q, v, loads, w):
    reals, m = loads.forces.reals, loads.forces.integers[f, 0]
    p, arm = marker_point(loads, w, m)
    _, speed = marker_velocities(loads, w, m, arm)
    z, z_x, z_y, _ = road_at(
        loads.forces.block_integers, loads.forces.block_reals, loads.forces.integers[f, 1], p[0], p[1]
    )
    stretch, rate = p[2] - z, speed[2] - z_x * speed[0] - z_y * speed[1]
    force = -reals[f, 0] * stretch - reals[f, 1] * rate
    apply_wrench(loads, w, m, arm, (0.0 * force, 0.0 * force, force), ZERO3)
    lost = reals[f, 1] * rate * rate
    potential = 0.5 * reals[f, 0] * stretch * stretch
    return potential, force * (z_x * speed[0] + z_y * speed[1]), lost


@helper
def _no_tangent(f, t, q, v, tree, loads, w, tan, path):
    tan.K[0, 0] += 0.0


class RoadSpring(Force):
    """Spring and damper between a marker and the road below."""

    kind = "road_spring"
    INTEGERS = ("marker", "road")
    REALS = ("stiffness", "damping")
    law = staticmethod(_follow)
    tangent = staticmethod(_no_tangent)

    def __init__(self, marker: Reference, road: dt.Road, stiffness: float, damping: float):
        self.marker, self.road, self.stiffness, self.damping = marker, road, stiffness, damping

    def markers(self):
        return (("marker", self.marker),)

    def integers(self, compiler):
        return {"marker": compiler.marker(self.marker), "road": compiler.road(self.road)}


def test_elements_on_a_road():
    """A mass on spring and damper over a sinusoidal road, in the steady state against its transfer function."""
    wave, speed, height = 4.0, 20.0, 0.01
    x = np.linspace(0, wave, 81)
    road = dt.Road.profile(np.stack([x, height * np.sin(2 * np.pi * x / wave)], axis=1), outside="repeat")
    m = quarter_car(road)
    system = dt.compile(m)
    assert len(set(system.loads.forces.integers[:, 1])) == 1  # both share one block
    r = dt.simulate(system, 4.0, outputs=0.001, solver=dt.DOPRI5(rtol=1e-8))
    assert r.ok, r.reason
    w = 2 * np.pi * speed / wave
    expected = height * abs((20e3 + 1500j * w) / (20e3 - 300 * w * w + 1500j * w))
    late = r["mass.position.z"][r.t > 3.0]
    assert 0.5 * np.ptp(late) == pytest.approx(expected, rel=1e-3)  # 200 samples of a period: 1e-4
    assert np.abs(r.energy.residual).max() < 1e-6 * np.abs(r.energy.kinetic).max()


def test_contact_with_shapes_of_roads():
    """A ball that rolls over a smooth bump, on the profile's shape; and rests on triangles of a height field."""
    x = np.linspace(-2, 2, 41)
    points = np.stack([x, 0.05 * np.exp(-((x / 0.5) ** 2))], axis=1)
    road = dt.Road.profile(points)
    assert road.shape().profile == tuple(map(tuple, points.tolist()))
    m = dt.Model("ball", gravity=(0, 0, -9.81))
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(-1.5, 0, 0.1))
    m.add_joint("plane", dt.Composite.of_axes("xz", "y"), m.ground, "ball", v0=[2.0, 0.0, 0.0])
    law = dt.CompliantContact(1e6, damping=500.0)
    m.add_contact("road", law, m.ground, "ball", shapes=[road.shape(y=(-1, 1)), dt.Shape.sphere(0.1)])
    r = dt.simulate(m, 0.75, outputs=0.01)
    assert r.ok, r.reason
    top = np.argmin(np.abs(r["ball.position.x"]))
    assert r["ball.position.z"][top] == pytest.approx(0.15, abs=2e-3)
    field = dt.Road.height_field([0, 1, 2], [0, 2], [[0, 0.2]] * 3, interpolation="linear").shape(step=0.5)
    assert field.kind == "heightfield"
    assert np.asarray(field.profile).shape == (5, 5)
    assert dt.Road.flat(0.3).shape().kind == "plane"
    with pytest.raises(ValueError, match="two increasing numbers"):
        dt.Road.random("C", tracks=(-1, 1)).shape(y=(0, 0))


def test_roads_in_files(tmp_path):
    """Shapes of roads in model files, with paths beside the file."""
    (tmp_path / "bump.csv").write_text("x [m], z [cm]\n0, 0\n1, 5\n2, 0\n")
    (tmp_path / "model.yaml").write_text("""
duoti: 1
name: ball
bodies: {ball: {inertia: {sphere: {mass: 1, radius: 0.1}}, position: [1, 0, 0.15]}}
joints: {free: {type: free, between: [ground, ball]}}
contacts:
  road:
    type: compliant_contact
    stiffness: 1e5
    between: [ground, ball]
    shapes: [{road: {profile: {table: bump.csv}}, y: [-1, 1]}, {sphere: {radius: 0.1}}]
""")
    m = dt.load(tmp_path / "model.yaml")
    assert m.contacts["road"].shapes[0].profile == ((0.0, 0.0), (1.0, 0.05), (2.0, 0.0))
    with pytest.raises(dt.ModelError, match="table"):
        dt.formats.from_text("duoti: 1\nname: a\nground: {shapes: [{road: {profile: {}}}]}")
    with pytest.raises(dt.ModelError, match="increase"):
        dt.formats.from_text("duoti: 1\nname: a\nground: {shapes: [{road: {profile: {table: [[0, 0], [0, 1]]}}}]}")


def test_drawn_as_a_ribbon():
    """The page and pictures have a strip of the surface, seen from above only."""
    from duoti.view.scene.parts import profile_faces
    from duoti.view.scene.scene import scene_of

    scene = scene_of(dt.compile(quarter_car(dt.Road.random("C", 50.0, tracks=(-1, 1)))))
    (part,) = [each for each in scene.document["bodies"][0]["parts"] if each["kind"] == "mesh"]
    assert part["surface"]
    from duoti.view.scene.contacts import roads_of

    (ribbon,) = roads_of(quarter_car(dt.Road.random("C", 50.0, tracks=(-1, 1))))
    faces = profile_faces(ribbon, 8)
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    assert np.all(normals[:, 2] > 0.0)
