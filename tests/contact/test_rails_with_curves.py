"""Rails with curves and cant: the line against clothoids and circles, a wheelset in a curve against closed forms."""

from math import cos, sin, tan

import numpy as np
import pytest
from scipy.special import fresnel

import duoti as dt

R0, B, CONE, HEAD, G = 0.46, 0.75, 0.05, 0.3, 9.81  # wheels, half the gauge, angle of the cones, radius of the rails
ARM = B + HEAD * sin(CONE)
LEAN = tan(CONE) / (ARM - tan(CONE) * (R0 + HEAD))  # roll for a unit offset, with both wheels on their rails


def rails(track):
    """Round rails beside the middle of a track."""
    return [
        dt.Shape.rail(f"sqrt({HEAD}^2 - x^2)", track, (-0.2, 0.2), left=side * ARM, up=-R0 - HEAD * cos(CONE))
        for side in (1, -1)
    ]


def test_circle_and_clothoid():
    """A quarter of a circle of 100 m; a clothoid whose curvature grows to 1/200 over 80 m (Fresnel's integrals)."""
    quarter = 50 * np.pi
    pose = dt.Shape.rail([(0, 0), (1, 0)], [(0, 0.01), (quarter, 0.01)]).track_pose(quarter)
    np.testing.assert_allclose(pose.position, (100, 100, 0), atol=1e-9)
    np.testing.assert_allclose(pose.rotation.matrix[:, 0], (0, 1, 0), atol=1e-9)
    pose = dt.Shape.rail([(0, 0), (1, 0)], [(0, 0.0), (80, 1 / 200)]).track_pose(80.0)
    scale = np.sqrt(np.pi * 80 * 200)
    S, C = fresnel(80 / scale)
    np.testing.assert_allclose(pose.position, (scale * C, scale * S, 0), atol=1e-9)
    between = dt.Shape.rail([(0, 0), (1, 0)], [(0, 0.01), (quarter, 0.01)]).track_pose(33.3)
    np.testing.assert_allclose(between.position, (100 * sin(0.333), 100 * (1 - cos(0.333)), 0), atol=1e-8)


def test_cant_and_height():
    """It turns about the track, and raises the left side; a slope of 1 % keeps the arc length."""
    rail = dt.Shape.rail([(0, 0), (1, 0)], [(0, 0, 0.1, 0), (50, 0, 0.1, 0.5)], left=0.75)
    pose = rail.track_pose(25.0)
    assert pose.position[2] == pytest.approx(0.25, rel=1e-12)
    assert pose.position[0] == pytest.approx(25 * np.sqrt(1 - 0.01**2), rel=1e-12)
    assert pose.rotation.matrix[2, 1] == pytest.approx(np.sin(0.1) * np.sqrt(1 - 0.01**2), rel=1e-9)


def wheelset(radius, speed, cant):
    """A free wheelset in a curve to the left, where it rolls without slip."""
    track = [(-50, 1 / radius, cant), (500, 1 / radius, cant)]
    start = dt.Shape.rail([(0, 0), (1, 0)], track).track_pose(0.0)
    pose = dt.spatial.Pose(start.rotation, start.position)
    m = dt.Model("wheelset", gravity=(0, 0, -G))
    offset = -R0 * B / (tan(CONE) * radius)
    at = pose @ dt.spatial.Pose(dt.Rotation.about("x", LEAN * offset), (0.0, offset, 0.0))
    axle = m.add_body("axle", dt.Inertia(1200.0, matrix=np.diag([700.0, 90.0, 700.0])), at.position, at.rotation)
    spin = np.array([0, 0, speed / radius]) + speed / R0 * at.rotation.matrix[:, 1]
    velocity = speed * (1 - offset / radius) * (at.rotation.matrix[:, 0])
    m.add_joint("six", dt.Free(), m.ground, axle,
                v0={"velocity": velocity, "angular_velocity": spin})  # fmt: skip
    law = dt.RollingContact(friction=0.4, shear_modulus=8e10, poisson_ratio=0.28, kalker=(4.2, 3.8, 1.6))
    for name, rail, side in zip(("left", "right"), rails(track), (1, -1), strict=True):
        limits = (0.6, 0.9) if side > 0 else (-0.9, -0.6)
        wheel = dt.Shape.revolution(f"{R0} + {tan(CONE)}*({B} - abs(z))", limits, axis="y")
        m.add_contact(name, law, m.ground, axle, shapes=(rail, wheel))
    return m


def offset_of(r, radius, track_start=-50.0):
    """To the left of the track's middle."""
    start = dt.Shape.rail([(0, 0), (1, 0)], [(track_start, 1 / radius), (500, 1 / radius)]).track_pose(track_start)
    centre = np.asarray(start.position)[:2] + radius * np.array([0.0, 1.0])
    return radius - np.hypot(r["axle.position.x"] - centre[0], r["axle.position.y"] - centre[1])


@pytest.mark.parametrize("radius", [300.0, 1000.0])
def test_offset_in_a_curve(radius):
    """At the cant that balances the curve, tan(cant) = V^2 / (g R), a wheelset rolls at y = -r0 b / (tan(cone) R).

    The wheels stand on round rails, so that contact moves by a few per cent of the offset.
    """
    speed = 8.0
    cant = -np.arctan(speed**2 / (G * radius))
    r = dt.simulate(wheelset(radius, speed, cant), 3.0, outputs=0.02)
    assert r.ok, r.reason
    expected = -R0 * B / (tan(CONE) * radius)
    found = offset_of(r, radius)
    assert np.mean(found) == pytest.approx(expected, rel=0.05)
    assert np.ptp(found) < 0.2 * abs(expected)


def test_equilibrium_cant():
    """With the cant tan(cant) = V^2 / (g R) the wheels share the weight but for offset and gyroscopic moment,
    (N_outer - N_inner) b = m g |y| + I w V / R; without it, the centrifugal force adds m V^2 / R r0.

    On level track by the vertical parts of the contact forces, to which creep on the cones adds some per cent.
    """
    radius, speed = 300.0, 8.0
    centrifugal = 1200 * speed**2 / radius * R0
    for cant, expected in ((-np.arctan(speed**2 / (G * radius)), 0.0), (0.0, centrifugal)):
        r = dt.simulate(wheelset(radius, speed, cant), 1.5, outputs=0.02)
        assert r.ok, r.reason
        loads = [r[f"contact:{name}.force"][:, 2] for name in ("right", "left")]
        if cant:
            loads = [r[f"contact:{name}.normal_force"] for name in ("right", "left")]
        outer, inner = (np.mean(np.asarray(each)[10:]) for each in loads)
        offset = abs(np.mean(offset_of(r, radius)))
        left = (outer - inner) * B - 1200 * G * offset - 90 * speed**2 / (R0 * radius)
        assert abs(left - expected) < 0.05 * centrifugal, (cant, left, expected)


def test_track_kinematics_are_refused():
    m = wheelset(300.0, 8.0, 0.0)
    m.contacts["left"].law.kinematics = "track"
    assert "straight" in str(dt.check(m))


@pytest.mark.parametrize("track", [[(0, 0)], [(0, 0), (0, 1)], [(0, "a"), (1, 0)], [(0, 0, 0, 0, 0), (1, 0, 0, 0, 0)]])
def test_faults(track):
    with pytest.raises(ValueError, match="rail: "):
        dt.Shape.rail([(0, 0), (1, 0)], track)


def test_in_files():
    m = wheelset(300.0, 8.0, -0.02)
    text = dt.formats.to_text(m)
    again = dt.formats.from_text(text)
    assert again.contacts["left"].shapes[0] == m.contacts["left"].shapes[0]
    made = dt.formats.from_text("""
duoti: 1
name: rail
ground:
  shapes:
    - rail: {profile: "0.3 - x^2", limits: [-0.1, 0.1], track: [[0, 0, 0], [80, 0.005, 0.02]], left: 75 cm, up: -0.46}
""")
    assert made.ground.shapes[0]["left"] == 0.75


def test_drawn_from_above():
    """The page draws faces seen from the side on which they are counter-clockwise."""
    from duoti.view.scene.parts import profile_faces

    faces = profile_faces(rails([(0, 0.01), (100, 0.01)])[0], 8)
    middle = np.abs(faces.mean(axis=1)[:, 2] + R0) < 0.05
    normals = np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])
    assert np.all(normals[middle, 2] > 0.0)
