"""Surfaces of revolution and extrusions: shapes, their points of contact, motions on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry
from duoti.formats import from_text, to_text
from duoti.view.scene.parts import profile_faces

ROUND = "0.3 + sqrt(0.1^2 - z^2)"  # a torus: tube of 0.1 m about a ring of 0.3 m


def touching(a: dt.Shape, b: dt.Shape, position: Any, rotation: Any = None, law: Any = None) -> dt.Model:
    """A body that touches ground, or may."""
    m = dt.Model("touching")
    body = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1), position=position, rotation=rotation)
    m.add_joint("free", dt.Free(), m.ground, body)
    m.add_contact("touch", law or dt.RigidContact(), m.ground, body, shapes=(a, b))
    return m


def looker(model: dt.Model) -> Any:
    """A function from the pose of the body to the point of contact."""
    system = dt.compile(model)
    of = rigid_contacts(system)
    assert of is not None
    geometry = ContactGeometry(system, of)

    def look(position: Any, rotation: dt.Rotation) -> Any:
        q = np.concatenate([np.asarray(position, float), rotation.quaternion])
        return geometry.points(q, np.zeros(system.nv), np.inf)[0]

    return look


# ------------------------------------------------------------------------------------------------------- points


def test_torus_and_sphere_by_their_profiles_on_a_plane() -> None:
    """Gap of a torus: z - R sin(lean) - a. Knots are 0.7 mm apart: the error of fifth degree is below round-off."""
    look = looker(touching(dt.Shape.plane(), dt.Shape.revolution(ROUND, (-0.09, 0.09)), (0, 0, 0)))
    ball = looker(touching(dt.Shape.plane(), dt.Shape.revolution("sqrt(0.2^2 - z^2)", (-0.19, 0.19)), (0, 0, 0)))
    random = np.random.default_rng(1)
    for _ in range(20):
        turn = dt.Rotation.about("z", random.uniform(0, 6)) @ dt.Rotation.about("x", np.pi / 2 + random.uniform(-1, 1))
        place = random.normal(size=3)
        axis = turn.matrix[:, 2]
        lean = np.hypot(axis[0], axis[1])  # sine of the angle between the axis and the normal
        p = look(place, turn)
        assert p.gap == pytest.approx(place[2] - 0.3 * lean - 0.1, abs=1e-11)
        assert ball(place, turn).gap == pytest.approx(place[2] - 0.2, abs=1e-11)
        np.testing.assert_allclose(p.frame[0], (0, 0, 1), atol=1e-12)


def test_circular_extrusion_and_sphere_are_cylinder_and_sphere() -> None:
    rail = dt.Shape.extrusion("sqrt(0.3^2 - x^2)", 1.0, (-0.28, 0.28), axis="x", position=(0, 0.2, -0.1))
    look = looker(touching(rail, dt.Shape.sphere(0.05), (0, 0, 0)))
    random = np.random.default_rng(2)
    for _ in range(20):
        angle, distance = random.uniform(-1.1, 1.1), random.uniform(0.25, 1.0)
        out = np.array([0.0, np.sin(angle), np.cos(angle)])
        p = look(np.array([random.normal(), 0.2, -0.1]) + distance * out, dt.Rotation.identity())
        assert p.gap == pytest.approx(distance - 0.35, abs=1e-11)
        np.testing.assert_allclose(-p.frame[0] if p.swapped else p.frame[0], out, atol=1e-9)


def nearest(outline: Any, limits: tuple[float, float], place: Any, turn: dt.Rotation, radius: float) -> float:
    """Gap of a wheel on a round rail along x through the origin: the least distance of its surface from that axis."""

    def distance(x: Any) -> float:
        s, angle = np.clip(x[0], *limits), x[1]
        r = outline(s)
        p = place + turn.matrix @ np.array([r * np.cos(angle), r * np.sin(angle), s])
        return float(np.hypot(p[1], p[2]))

    grid = [(s, a) for s in np.linspace(*limits, 25) for a in np.linspace(0, 2 * np.pi, 120)]
    start = min(grid, key=distance)
    options = {"xatol": 1e-10, "fatol": 1e-14, "maxiter": 4000}
    return minimize(distance, start, method="Nelder-Mead", options=options).fun - radius


@pytest.mark.parametrize("text", ["0.5 - 0.08*z", "0.5 - 0.8*z^2 + 2*z^3"])
def test_wheel_on_a_round_rail_against_a_search(text: str) -> None:
    """A rail of 0.3 m radius, wheels that roll, yaw and lean up to half a radian; some touch with their rims."""
    rail = dt.Shape.extrusion("sqrt(0.3^2 - x^2)", 1.0, (-0.29, 0.29), axis="x")
    limits = (-0.07, 0.06)
    look = looker(touching(rail, dt.Shape.revolution(text, limits, axis="y"), (0, 0, 0)))
    random, rims = np.random.default_rng(3), 0

    def outline(z: float) -> float:
        return eval(text.replace("^", "**"), {"z": z})

    for k in range(12):
        yaw, lean = (0.02, 0.05) if k < 6 else (0.3, 0.5)
        turn = dt.Rotation.about("z", yaw * random.normal()) @ dt.Rotation.about("x", lean * random.normal())
        place = np.array([0.4, 0.03 * random.normal(), 0.81])
        wheel = turn @ dt.Rotation.between("z", (0, 1, 0))
        p = look(place, turn)
        assert p.gap == pytest.approx(nearest(outline, limits, place, wheel, 0.3), abs=1e-9)
        along = turn.matrix[:, 1] @ (p.point - 0.5 * p.gap * p.frame[0] * (-1.0 if p.swapped else 1.0) - place)
        rims += min(abs(along - limits[0]), abs(along - limits[1])) < 0.6 * abs(p.gap) + 1e-6
    assert 0 < rims < 12


def test_points_make_a_smooth_curve_and_the_least_gap_is_found() -> None:
    """Through points of a parabola, and of two hills: the higher one touches first."""
    x = np.linspace(-1.0, 1.0, 41)
    look = looker(touching(dt.Shape.extrusion(np.column_stack([x, -(x**2)]), 1.0), dt.Shape.point(), (0, 0, 0)))
    assert look((0.0, 0.0, 0.5), dt.Rotation.identity()).gap == pytest.approx(0.5, abs=1e-12)
    hills = np.column_stack([x, 0.3 * np.cos(3 * np.pi * x) + 0.05 * x])
    wheel = dt.Shape.revolution("2 - 0.01*z^2", (-1, 1), axis="x")
    p = looker(touching(dt.Shape.extrusion(hills, 1.0), wheel, (0, 0, 0)))((0, 0, 2.8), dt.Rotation.identity())
    assert p.point[0] == pytest.approx(2 / 3, abs=0.02)


# ------------------------------------------------------------------------------------------------------- motions


def gutter(law: Any) -> dt.Model:
    rail = dt.Shape.extrusion("0.3 - sqrt(0.3^2 - x^2)", 2.0, (-0.25, 0.25))
    m = touching(rail, dt.Shape.sphere(0.05), (0.0, 0.0, 0.05), law=law)
    m.joints["free"].v0 = np.array([0.4, 0.3, 0.0, 0.0, 0.0, 0.0])
    return m


def test_ball_slides_in_a_gutter_like_a_pendulum() -> None:
    """Without friction: a pendulum of length R - r, whose speed follows from its height; energy is conserved."""
    r = dt.simulate(gutter(dt.RigidContact()), 2.0)
    assert r.ok, r.reason
    p = r["b.position"]
    assert np.max(np.abs(np.hypot(p[:, 0], p[:, 2] - 0.3) - 0.25)) < 1e-9  # gaps are kept at steps, to 1e-12
    height = p[:, 2] - 0.05
    speed = np.sum(r["b.velocity"] ** 2, axis=1)
    assert np.max(np.abs(0.5 * speed + 9.81 * height - 0.125)) < 1e-6  # rtol of the solver
    time_stepping = dt.simulate(gutter(dt.RigidContact()), 0.5, solver=dt.Moreau(step=1e-4))
    event_driven = dt.simulate(gutter(dt.RigidContact()), 0.5)
    assert np.max(np.abs(time_stepping["b.position"][-1] - event_driven["b.position"][-1])) < 1e-4  # order of the step


def test_compliant_gutter_swings_with_the_frequency_of_the_pendulum() -> None:
    m = gutter(dt.CompliantContact(stiffness=1e7))
    e = dt.equilibrium(m)
    assert e.ok
    sunk = 9.81 / 1e7
    assert e["b.position"][2] == pytest.approx(0.05 - sunk, abs=1e-9)
    found = np.max([f for f in dt.linearise(m, e).frequencies if f < 10.0])
    # sqrt(g / (R - r)) / 2 pi; a compliant surface that sinks by 1e-6 m changes it by some 1e-5
    assert found == pytest.approx(np.sqrt(9.81 / 0.25) / (2 * np.pi), rel=1e-4)


# ------------------------------------------------------------------------------------------------------- files


def test_shapes_in_files() -> None:
    m = touching(
        dt.Shape.extrusion([(-0.2, 0.0), (0.1, 0.05), (0.3, 0.0)], 3.0, axis="x", position=(0, 0, -0.4)),
        dt.Shape.revolution("0.4 - 0.1*z", (-0.1, 0.1), axis="y", colour="grey"),
        (0, 0, 1),
        law=dt.RollingContact(0.3, 8e10, 0.28, (4.0, 3.7, 1.5), saturation="vermeulen_johnson"),
    )
    m.ground.shapes.append(dt.Shape.revolution([(0.0, 0.1), (0.1, 0.2), (0.3, 0.1)]))
    text = to_text(m)
    again = from_text(text)
    assert to_text(again) == text
    assert again.contacts["touch"].shapes[0] == m.contacts["touch"].shapes[0]
    assert again.contacts["touch"].shapes[1] == m.contacts["touch"].shapes[1]
    assert again.ground.shapes == m.ground.shapes
    by_hand = from_text(
        text.partition("contacts:")[0]
        + """
contacts:
  touch:
    type: rigid_contact
    between: [ground, b]
    shapes:
      - extrusion: {profile: [[-0.2, 0], [0.1, 0.05], [0.3, 0]], length: 3, axis: x, position: [0, 0, -0.4]}
      - revolution: {profile: 0.4 - 0.1*z, limits: [-0.1, 0.1], axis: y, colour: grey}
"""
    )
    assert list(by_hand.contacts["touch"].shapes) == list(m.contacts["touch"].shapes)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: dt.Shape.revolution([(0, 1), (0, 2)]), "must increase"),
        (lambda: dt.Shape.revolution([(0, 1)]), "at least two points"),
        (lambda: dt.Shape.revolution("1 + z"), "limits"),
        (lambda: dt.Shape.extrusion([(0, 1), (1, 2)], 1.0, (0, 1)), "belong to an expression"),
        (lambda: dt.Shape.extrusion("x", 1.0, (0, 1), axis="z"), "rotation"),
    ],
)
def test_profiles_that_are_none(make: Any, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        make()


def test_what_cannot_be_treated_is_said() -> None:
    wheel = dt.Shape.revolution("0.4 - 0.1*z", (-0.1, 0.1))
    for shape, word in (
        (dt.Shape.revolution("0.4 - 0.1*y", (-0.1, 0.1)), "no expression of z"),
        (dt.Shape.revolution("0.05 - z", (-0.1, 0.1)), "not positive"),
        (dt.Shape.revolution("1/z", (-0.1, 0.1)), "no finite height"),
    ):
        report = dt.check(touching(dt.Shape.plane(), shape, (0, 0, 1)))
        assert word in str(report)
        assert not report.ok
    law = dt.RollingContact(0.3, 8e10, 0.28, (4.0, 3.7, 1.5))
    assert "revolution and a dt.Shape.extrusion" in str(
        dt.check(touching(dt.Shape.plane(), dt.Shape.sphere(0.1), (0, 0, 1), law=law))
    )
    with pytest.raises(ValueError, match="does not treat creep forces of rolling contacts"):
        dt.simulate(touching(dt.Shape.plane(), wheel, (0, 0, 1), law=law), 0.1, solver=dt.Moreau(1e-3, implicit=True))
    with pytest.raises(NotImplementedError, match="no creep forces"):
        dt.contact_problem(touching(dt.Shape.plane(), wheel, (0, 0, 1), law=law))
    law = dt.RollingContact(0.3, 8e10, 0.28, (4.0,))
    assert "kalker" in str(dt.check(touching(dt.Shape.plane(), wheel, (0, 0, 1), law=law)))


def test_profiles_are_drawn_as_large_as_they_are() -> None:
    """Faces of a wheel and of a rail end where the profile does; a profile that is no curve draws nothing."""
    wheel = profile_faces(dt.Shape.revolution("0.4 - 0.1*z", (-0.1, 0.2)), 32).reshape(-1, 3)
    assert np.min(wheel[:, 2]) == pytest.approx(-0.1)
    assert np.max(wheel[:, 2]) == pytest.approx(0.2)
    assert np.max(np.hypot(wheel[:, 0], wheel[:, 1])) == pytest.approx(0.41)
    rail = profile_faces(dt.Shape.extrusion([(-0.2, 0.0), (0.0, 0.1), (0.2, 0.0)], 3.0), 32).reshape(-1, 3)
    np.testing.assert_allclose(np.ptp(rail[:, :2], axis=0), (0.4, 3.0))
    assert np.max(rail[:, 2]) == pytest.approx(0.1, abs=1e-3)  # 48 points along the profile
    assert len(profile_faces(dt.Shape.revolution("1/z", (-1, 1)), 32)) == 0
