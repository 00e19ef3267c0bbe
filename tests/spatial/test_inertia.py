"""Inertia: shapes against exact quadrature, composition against definitions, and refusals.

Tolerance EXACT = 1e-13: every comparison is between numbers that agree up to round-off; the quadratures add
some thousand terms, each rounded at 1e-16, and are compared on the scale of the largest moment.
"""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import duoti as dt
from duoti.kernel import kernel
from duoti.spatial import Inertia, Pose, Rotation, axis_vector, combined
from duoti.spatial.inertia_algebra import rigid_to_parent

EXACT = 1e-13
DENSITY = 7.8e3
TURN = Rotation.from_vector((0.4, -0.7, 1.1))


def close(a, b, scale=None):
    a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    scale = np.abs(b).max() if scale is None else scale
    np.testing.assert_allclose(a, b, rtol=0.0, atol=EXACT * scale)


def same(a: Inertia, b: Inertia):
    close(a.mass, b.mass)
    close(a.com, b.com, max(1.0, np.abs(b.com).max()))
    close(a.matrix, b.matrix, np.trace(b.about((0, 0, 0))))


# ---------------------------------------------------------------------------- shapes against quadrature

# Gauss-Legendre with 8 nodes is exact for polynomials up to degree 15, the trapezoidal rule with 16 nodes for
# trigonometric polynomials up to degree 15; the integrands below have degree 8 at most.


def gauss(low, high):
    x, w = np.polynomial.legendre.leggauss(8)
    return low + (high - low) * (x + 1) / 2, w * (high - low) / 2


def circle():
    return 2 * np.pi * np.arange(16) / 16, np.full(16, 2 * np.pi / 16)


def integrated(rules, points):
    """Mass, centre, inertia about the centre for unit density; `points` gives x, y, z, Jacobian."""
    grids = np.meshgrid(*(r[0] for r in rules), indexing="ij")
    weights = np.ones(grids[0].shape)
    for axis, (_, w) in enumerate(rules):
        weights = weights * w.reshape([-1 if k == axis else 1 for k in range(len(rules))])
    x, y, z, jacobian = np.broadcast_arrays(*points(*grids))
    w = (weights * jacobian).ravel()
    p = np.stack([x.ravel(), y.ravel(), z.ravel()], -1)
    mass = w.sum()
    com = w @ p / mass
    d = p - com
    second = (w[:, None] * d).T @ d
    return mass, com, np.trace(second) * np.eye(3) - second


a, b, c = 0.3, 0.5, 0.8
CASES = {
    "rod": (
        lambda **k: Inertia.rod(length=a, axis="z", **k),
        [gauss(-a / 2, a / 2)],
        lambda z: (0 * z, 0 * z, z, 1.0),
    ),
    "box": (
        lambda **k: Inertia.box(size=(a, b, c), **k),
        [gauss(-a / 2, a / 2), gauss(-b / 2, b / 2), gauss(-c / 2, c / 2)],
        lambda x, y, z: (x, y, z, 1.0),
    ),
    "cylinder": (
        lambda **k: Inertia.cylinder(radius=a, length=b, **k),
        [gauss(0, a), circle(), gauss(-b / 2, b / 2)],
        lambda r, f, z: (r * np.cos(f), r * np.sin(f), z, r),
    ),
    "hollow_cylinder": (
        lambda **k: Inertia.hollow_cylinder(inner_radius=a, outer_radius=b, length=c, **k),
        [gauss(a, b), circle(), gauss(-c / 2, c / 2)],
        lambda r, f, z: (r * np.cos(f), r * np.sin(f), z, r),
    ),
    "sphere": (
        lambda **k: Inertia.sphere(radius=a, **k),
        [gauss(0, a), circle(), gauss(-1, 1)],
        lambda r, f, u: (
            r * np.sqrt(1 - u * u) * np.cos(f),
            r * np.sqrt(1 - u * u) * np.sin(f),
            r * u,
            r * r,
        ),
    ),
    "shell": (
        lambda **k: Inertia.shell(radius=a, **k),
        [circle(), gauss(-1, 1)],
        lambda f, u: (a * np.sqrt(1 - u * u) * np.cos(f), a * np.sqrt(1 - u * u) * np.sin(f), a * u, a * a),
    ),
    "cone": (
        lambda **k: Inertia.cone(radius=a, height=b, **k),
        [gauss(0, 1), circle(), gauss(0, b)],
        lambda s, f, z: (
            a * (1 - z / b) * s * np.cos(f),
            a * (1 - z / b) * s * np.sin(f),
            z,
            (a * (1 - z / b)) ** 2 * s,
        ),
    ),
    "ellipsoid": (
        lambda **k: Inertia.ellipsoid(semi_axes=(a, b, c), **k),
        [gauss(0, 1), circle(), gauss(-1, 1)],
        lambda r, f, u: (
            a * r * np.sqrt(1 - u * u) * np.cos(f),
            b * r * np.sqrt(1 - u * u) * np.sin(f),
            c * r * u,
            a * b * c * r * r,
        ),
    ),
    "torus": (
        lambda **k: Inertia.torus(ring_radius=b, tube_radius=a, **k),
        [gauss(0, a), circle(), circle()],
        lambda r, f, g: (
            (b + r * np.cos(g)) * np.cos(f),
            (b + r * np.cos(g)) * np.sin(f),
            r * np.sin(g),
            r * (b + r * np.cos(g)),
        ),
    ),
}
every_shape = pytest.mark.parametrize("kind", CASES)


def density_keyword(kind):
    return {"rod": "density_per_length", "shell": "density_per_area"}.get(kind, "density")


@every_shape
def test_shape_against_quadrature(kind):
    make, rules, points = CASES[kind]
    mass, com, matrix = integrated(rules, points)
    made = make(**{density_keyword(kind): DENSITY})
    close(made.mass, DENSITY * mass)
    close(made.com, com, 1.0)
    close(made.matrix, DENSITY * matrix)
    assert made.shape.kind == kind


@every_shape
def test_mass_and_density_give_the_same_body(kind):
    make, _, _ = CASES[kind]
    by_density = make(**{density_keyword(kind): DENSITY})
    same(make(mass=by_density.mass), by_density)


@every_shape
def test_rotation_and_com_place_the_shape(kind):
    make, _, _ = CASES[kind]
    plain, turned = make(mass=2.0), make(mass=2.0, rotation=TURN)
    same(turned, plain.moved(rotation=TURN))
    assert turned.shape.pose.almost_equal(plain.moved(rotation=TURN).shape.pose, EXACT)
    shifted = make(mass=2.0, rotation=TURN, com=(1.0, 2.0, 3.0))
    assert shifted.com.tolist() == [1.0, 2.0, 3.0]
    close(shifted.matrix, turned.matrix)
    assert shifted.shape.pose.position.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("kind", ["rod", "cylinder", "hollow_cylinder", "cone", "torus"])
@pytest.mark.parametrize("axis", ["x", "y", "z", "-z", "-x", (1, -2, 0.5)])
def test_axis_of_the_shape(kind, axis):
    arguments = {
        "rod": {"length": a},
        "cylinder": {"radius": a, "length": b},
        "hollow_cylinder": {"inner_radius": a, "outer_radius": b, "length": c},
        "cone": {"radius": a, "height": b},
        "torus": {"ring_radius": b, "tube_radius": a},
    }[kind]
    make = getattr(Inertia, kind)
    made, upright = make(3.0, axis=axis, **arguments), make(3.0, axis="z", **arguments)
    same(made, upright.moved(rotation=Rotation.between("z", axis)))
    close(made.shape.pose.rotation @ (0, 0, 1), axis_vector(axis))
    if isinstance(axis, str):
        assert np.count_nonzero(made.matrix - np.diag(made.matrix.diagonal())) == 0  # exact zeros


def test_closed_forms_and_positional_arguments():
    close(Inertia.rod(1.2, 0.5).matrix, np.diag([0, 0.025, 0.025]))
    close(Inertia.box(12.0, (1, 2, 3)).matrix, np.diag([13, 10, 5]))
    close(Inertia.cylinder(12.0, 1.0, 2.0, "x").matrix, np.diag([6, 7, 7]))
    close(Inertia.sphere(5.0, 2.0).matrix, 8 * np.eye(3))
    close(Inertia.shell(3.0, 2.0).matrix, 8 * np.eye(3))
    assert Inertia.point(2.0).matrix.tolist() == np.zeros((3, 3)).tolist()
    assert Inertia.point(2.0, com=(1, 0, 0)).com.tolist() == [1.0, 0.0, 0.0]
    # a full tube is a cylinder, a tube without thickness a hoop
    full = Inertia.hollow_cylinder(2.0, 0.0, a, b)
    close(full.matrix, Inertia.cylinder(2.0, a, b).matrix)
    close(Inertia.hollow_cylinder(2.0, 3.0, 3.0, 0.0).matrix, np.diag([9, 9, 18]))
    # a sphere is an ellipsoid with equal semi-axes
    close(Inertia.ellipsoid(2.0, (a, a, a)).matrix, Inertia.sphere(2.0, a).matrix)
    close(Inertia.cone(2.0, 0.3, 0.8).com, (0, 0, 0.2))


def test_shape_is_remembered():
    s = Inertia.cylinder(2.0, radius=0.1, length=0.7, axis="y").shape
    assert (s.kind, s["radius"], s["length"], s.cavity) == ("cylinder", 0.1, 0.7, False)
    assert Inertia.point(1.0).shape is None
    assert Inertia.box(1.0, size=(1, 2, 3)).shape["size_y"] == 2.0


# ---------------------------------------------------------------------------------------- composition


def test_two_half_boxes_are_a_box():
    left = Inertia.box(density=DENSITY, size=(0.5, 0.4, 0.3), com=(-0.25, 0, 0))
    right = Inertia.box(density=DENSITY, size=(0.5, 0.4, 0.3), com=(0.25, 0, 0))
    whole = left + right
    same(whole, Inertia.box(density=DENSITY, size=(1.0, 0.4, 0.3)))
    assert whole.shape is None
    assert [s.pose.position[0] for s in whole.shapes] == [-0.25, 0.25]


def test_cavity_in_a_cylinder_is_a_tube():
    bore = Inertia.cylinder(density=DENSITY, radius=a, length=c)
    tube = Inertia.cylinder(density=DENSITY, radius=b, length=c) - bore
    same(tube, Inertia.hollow_cylinder(density=DENSITY, inner_radius=a, outer_radius=b, length=c))
    assert [s.cavity for s in tube.shapes] == [False, True]


def test_what_was_cut_out_can_be_put_back():
    block, part = (
        Inertia.box(density=1e3, size=(1, 2, 3)),
        Inertia.sphere(density=1e3, radius=0.2, com=(0.1, 0.5, 1)),
    )
    same((block - part) + part, block)
    same(block + (-part) + part, block)
    same(-part + block, block - part)


def test_combined_checks_only_the_result():
    block, part = Inertia.box(density=1e3, size=(1, 1, 1)), Inertia.sphere(density=1e3, radius=0.3)
    same(combined([-part, block]), block - part)
    same(combined([block]), block)
    same(combined([block, part, -part]), block)
    with pytest.raises(ValueError, match=r"cavities outweigh the parts: .* kg is left"):
        part - block


def test_nothing_left():
    block = Inertia.box(1.0, size=(1, 2, 3), com=(0.1, 0.2, 0.3))
    nothing = block - block
    assert nothing.mass == 0.0
    assert np.abs(nothing.matrix).max() == 0.0
    with pytest.raises(ValueError, match="cancel to zero mass but leave a first moment"):
        block - block.moved((1.0, 0, 0))


def test_cavity_outside_the_material_is_refused():
    plate = Inertia.box(2.0, size=(1, 1, 0.01))
    with pytest.raises(ValueError, match=r"principal moments .* negative"):
        plate - Inertia.point(1.0, com=(0.0, 0.0, 5.0))
    with pytest.raises(ValueError, match="triangle inequality"):
        Inertia.box(2.0, size=(1, 1, 1)) - Inertia.rod(1.5, length=1.3, axis="z")


def test_massless_parts_add_their_inertia():
    rotor = Inertia(0.0, matrix=np.diag([0.1, 0.1, 0.2]))
    both = Inertia.point(1.0, com=(1, 0, 0)) + rotor
    assert both.com.tolist() == [1.0, 0.0, 0.0]
    close(both.matrix, rotor.matrix)
    close((rotor + rotor).matrix, 2 * rotor.matrix)


def test_combined_refuses_other_things():
    with pytest.raises(ValueError, match="at least one part"):
        combined([])
    with pytest.raises(TypeError, match="3 is no part of a body; give Inertia"):
        combined([Inertia.point(1.0), 3])
    with pytest.raises(TypeError, match="no part"):
        Inertia.point(1.0) + 1.0


# --------------------------------------------------------------------------------------- other frames

BODY = Inertia.box(3.0, size=(1, 2, 3), com=(0.3, -0.2, 0.5), rotation=TURN)


def cloud(n=9, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.1, 2.0, n), rng.normal(size=(n, 3))


def of_points(masses, points):
    return combined([Inertia.point(m, com=p) for m, p in zip(masses, points, strict=True)])


def test_cloud_of_points_by_definition():
    m, p = cloud()
    body = of_points(m, p)
    close(body.mass, m.sum())
    close(body.com, m @ p / m.sum(), 1.0)
    for point in [(0, 0, 0), (1.0, -2.0, 0.5), body.com]:
        d = p - np.asarray(point)
        second = (m[:, None] * d).T @ d
        close(body.about(point), np.trace(second) * np.eye(3) - second)


def test_moved_and_in_frame():
    m, p = cloud()
    X = Pose(TURN, (1.0, 2.0, -3.0))
    same(of_points(m, p).moved(X), of_points(m, X @ p))
    same(of_points(m, p).moved((1.0, 2.0, -3.0), TURN), of_points(m, X @ p))
    same(of_points(m, p).moved(rotation=TURN), of_points(m, TURN @ p))
    same(of_points(m, p).in_frame(X), of_points(m, X.inverse() @ p))
    same(of_points(m, p).in_frame(TURN), of_points(m, TURN.inverse() @ p))
    same(of_points(m, p).in_frame(TURN.matrix), of_points(m, TURN.inverse() @ p))
    same(BODY.moved(X).moved(X.inverse()), BODY)
    assert BODY.moved(X).shape.pose.almost_equal(X @ BODY.shape.pose, EXACT)


def test_parallel_axes():
    rod = Inertia.rod(3.0, length=2.0, axis="x")
    close(rod.about((1.0, 0, 0)), np.diag([0, 4, 4]))  # m l^2 / 3 about an end
    shift = np.array([0.3, -0.4, 1.2])
    close(np.trace(BODY.about(BODY.com + shift)) - np.trace(BODY.matrix), 2 * 3.0 * shift @ shift)


@kernel
def moved_in_kernel(X, I, out):
    out[0], (out[1], out[2], out[3]), (out[4], out[5], out[6], out[7], out[8], out[9]) = rigid_to_parent(X, I)


def test_spatial_layout_and_kernel_agree():
    m, h, I = 3.0, 3.0 * BODY.com, BODY.about((0, 0, 0))
    numbers = BODY.spatial()
    close(numbers, [m, *h, I[0, 0], I[0, 1], I[1, 1], I[0, 2], I[1, 2], I[2, 2]])
    same(Inertia.from_spatial(numbers), BODY)
    X = Pose(TURN, (1.0, 2.0, -3.0))
    pose = (tuple(X.rotation.matrix.ravel()), tuple(X.position))
    moved = np.zeros(10)
    moved_in_kernel(pose, (m, tuple(h), tuple(numbers[4:])), moved)
    close(moved, BODY.moved(X).spatial())
    with pytest.raises(ValueError, match="mass 0 kg has no centre of mass"):
        Inertia.from_spatial(np.zeros(10))


# ------------------------------------------------------------------------------------ characteristics


def test_principal_axes():
    moments, R_BP = BODY.principal()
    close(moments, [(1 + 4) * 3 / 12, (1 + 9) * 3 / 12, (4 + 9) * 3 / 12])
    close(R_BP.matrix @ np.diag(moments) @ R_BP.matrix.T, BODY.matrix)
    close(np.linalg.det(R_BP.matrix), 1.0)
    seen = BODY.in_frame(R_BP).matrix
    close(seen, np.diag(moments), moments[2])
    # the box's own axes come back: z has the smallest moment
    close(abs(R_BP.matrix[:, 0] @ TURN.matrix[:, 2]), 1.0)


def test_principal_axes_of_many_bodies_are_right_handed():
    for seed in range(30):
        m, p = cloud(seed=seed)
        body = of_points(m, p)
        moments, R_BP = body.principal((0.5, 0, 0))
        close(R_BP.matrix @ np.diag(moments) @ R_BP.matrix.T, body.about((0.5, 0, 0)))
        assert (np.diff(moments) >= 0).all()
    assert Inertia.sphere(1.0, 1.0).principal().rotation == Rotation.identity()


def test_extreme_products():
    moments, R_BP = BODY.principal()
    found = BODY.extreme_products()
    pairs = [(1, 2), (0, 2), (0, 1)]
    for (i, j), (value, first, second) in zip(pairs, found, strict=True):
        close(value, (moments[j] - moments[i]) / 2)
        close(first @ BODY.matrix @ second, value, moments[2])
        close([first @ first, second @ second, first @ second], [1, 1, 0])
        # no other pair of directions in this plane has a larger product
        axes = R_BP.matrix.T
        for t in np.linspace(0, np.pi, 37):
            u = np.cos(t) * axes[i] + np.sin(t) * axes[j]
            v = -np.sin(t) * axes[i] + np.cos(t) * axes[j]
            assert abs(u @ BODY.matrix @ v) <= value * (1 + EXACT)


def test_radii_of_gyration():
    close(Inertia.rod(7.0, length=np.sqrt(12), axis="x").radii_of_gyration, [0, 1, 1])
    with pytest.raises(ValueError, match="without mass has no radii of gyration"):
        _ = Inertia.point(0.0).radii_of_gyration


# -------------------------------------------------------------------------------- what is possible


def test_the_limits_are_possible():
    """They are accepted as they are, neither refused nor made a little larger."""
    for mass, moments in (
        (1.0, (0.0, 1.0, 1.0)),  # thin rod: I1 = 0, I2 = I3
        (1.0, (1.0, 1.0, 2.0)),  # thin plate: I1 + I2 = I3
        (1.0, (1.0, 1.0, 2.0 * (1 + 1e-15))),
        (1.0, (0.0, 0.0, 0.0)),
        (0.0, (0.0, 0.0, 0.0)),
        (0.0, (0.1, 0.1, 0.2)),
    ):
        made = Inertia(mass, matrix=np.diag(moments))
        assert made.is_possible
        assert np.array_equal(made.matrix, np.diag(moments))
    for thin in (Inertia.box(1.0, size=(1, 2, 0)), Inertia.rod(1.0, length=1.0)):
        turned = thin.moved(rotation=TURN)
        assert np.array_equal(Inertia(turned.mass, turned.com, turned.matrix).matrix, turned.matrix)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Inertia(-1.0, matrix=np.eye(3)), "mass = -1.0 is not a mass in kg; give a finite number"),
        (lambda: Inertia(np.nan, matrix=np.eye(3)), "mass = nan is not a mass"),
        (lambda: Inertia(None, matrix=np.eye(3)), "mass = None is not a mass"),
        (lambda: Inertia(1.0), r"lacks its matrix; .*Inertia\.point"),
        (lambda: Inertia(1.0, (0, np.nan, 0), np.eye(3)), "com = .*NaN"),
        (lambda: Inertia(1.0, matrix=np.full((3, 3), np.nan)), "inertia matrix = .*NaN"),
        (lambda: Inertia(1.0, matrix=np.eye(2)), "inertia matrix has shape .* 3 x 3 numbers"),
        (lambda: Inertia(1.0, matrix=[[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]), "not symmetric .*difference 0.1"),
        (lambda: Inertia(1.0, matrix=(-1.0, 2, 2)), r"moments \(-1, 2, 2\) kg m\^2 the first is negative"),
        (
            lambda: Inertia(1.0, matrix=(1.0, 2.0, 4.0)),
            r"moments \(1, 2, 4\) kg m\^2 violate the triangle inequality I1 \+ I2 >= I3: 1 \+ 2 = 3 < 4",
        ),
        (lambda: Inertia.box(size=(1, 2, 3)), "box: give exactly one of mass= or density=, got neither"),
        (lambda: Inertia.box(1.0, (1, 2, 3), density=2.0), "exactly one of mass= or density=, got both"),
        (lambda: Inertia.rod(length=1.0), "mass= or density_per_length="),
        (lambda: Inertia.shell(radius=1.0), "mass= or density_per_area="),
        (lambda: Inertia.box(1.0), "box: size= is missing"),
        (lambda: Inertia.box(1.0, (1, 2)), "box: size has shape"),
        (lambda: Inertia.box(1.0, (1, -2, 1)), r"box: size\[1\] = -2.0 is not a length in metres"),
        (lambda: Inertia.cylinder(1.0, 0.1), "cylinder: length is missing; give a length in metres"),
        (lambda: Inertia.cylinder(-1.0, 0.1, 1.0), "cylinder: mass = -1.0 is not a mass in kg"),
        (lambda: Inertia.sphere(density=-1.0, radius=1.0), "sphere: density = -1.0 is not a density"),
        (lambda: Inertia.sphere(density=1.0, radius=0.0), "a dimension is zero, so density= gives no mass"),
        (lambda: Inertia.hollow_cylinder(1.0, 2.0, 1.0, 1.0), "inner_radius = 2 exceeds outer_radius = 1"),
        (lambda: Inertia.torus(1.0, 1.0, 2.0), "tube_radius = 2 exceeds ring_radius = 1"),
        (lambda: Inertia.rod(1.0, 1.0, "w"), "unknown axis 'w'"),
        (lambda: Inertia.rod(1.0, 1.0, (0, 0, 0)), "no direction"),
        (lambda: Inertia.box(1.0, (1, 2, 3), rotation=2 * np.eye(3)), "not orthonormal"),
    ],
)
def test_refusals_say_what_and_how_to_mend(make, words):
    with pytest.raises(ValueError, match=words):
        make()


def test_value_semantics():
    again = pickle.loads(pickle.dumps(BODY))
    assert again == BODY
    assert copy.deepcopy(BODY) == BODY
    assert hash(again) == hash(BODY)
    assert again.shape == BODY.shape
    assert not again.matrix.flags.writeable
    assert Inertia.point(3.0) != BODY
    assert BODY != 3.0
    assert BODY.almost_equal(BODY.moved(TURN).moved(TURN.inverse()))
    assert not BODY.almost_equal(Inertia.point(3.0))
    assert repr(Inertia.point(2.0)).startswith("Inertia(mass=2, com=[0.0, 0.0, 0.0], matrix=[[0.0")
    with pytest.raises(AttributeError):
        BODY.mass = 1.0
    with pytest.raises(ValueError, match="read-only"):
        BODY.matrix[0, 0] = 1.0


def test_shapes_to_draw_know_their_place():
    rod = dt.Shape.cylinder(0.02, 0.5, "x", position=(0.25, 0, 0), colour="steelblue")
    assert rod["length"] == 0.5
    np.testing.assert_allclose(rod.pose.rotation @ np.array([0, 0, 1.0]), [1, 0, 0], atol=1e-15)
    m = dt.Model("m")
    arm = m.add_body("arm", dt.Inertia.point(1.0), shapes=[rod, dt.Shape.mesh("arm.stl", scale=1e-3)])
    assert [s.kind for s in arm.shapes] == ["cylinder", "mesh"]
    with pytest.raises(ValueError, match="radius"):
        dt.Shape.sphere(-1.0)
