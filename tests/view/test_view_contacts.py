"""Contacts in the page: points that touch, forces, states."""

import numpy as np
import pytest

import duoti as dt
from duoti.view.images.matplotlib_renderer import MatplotlibRenderer, pictures
from duoti.view.images.overview import draw
from duoti.view.scene.contacts import contact_shapes, touching_points
from duoti.view.scene.pack import unpack
from duoti.view.scene.parts import profile_faces
from duoti.view.scene.scene import bounds_of, scene_of


@pytest.fixture(scope="module")
def block():
    """A block slides on the floor by time stepping, comes to rest; a ball falls on soft ground beside it."""
    m = dt.Model("block and ball")
    m.ground.shapes.append(dt.Shape.plane())
    m.add_body("block", dt.Inertia.box(1.0, size=(0.4, 0.2, 0.1)), position=(0, 0, 0.05))
    m.add_joint("slide", dt.Free(), m.ground, "block", v0=[1.0, 0, 0, 0, 0, 0])
    m.add_contact("floor", dt.RigidContact(friction=0.4), m.ground, "block")
    m.add_body("ball", dt.Inertia.sphere(0.5, radius=0.1), position=(0, 0.5, 0.3))
    m.add_joint("fall", dt.Prismatic("z"), m.ground, "ball")
    law = dt.CompliantContact(stiffness=2e3, damping=20.0)
    m.add_contact("soft", law, m.ground, "ball", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return dt.simulate(m, 0.5, outputs=0.01, solver=dt.Moreau(step=1e-3))


def test_points_for_the_page(block):
    """The corners of the block, where it stands: its length is 0.4 m, its width 0.2."""
    found = touching_points(block, 1.0)
    assert {head["name"] for head in found["heads"]} == {"floor", "soft"}
    count = found["heads"][0]["count"]
    last = unpack(found["block"])[-1, : 4 * count].reshape(count, 4)
    corners = last[last[:, 3] > 0.5, :3]
    assert np.ptp(corners, axis=0) == pytest.approx((0.4, 0.2, 0.0), abs=1e-3)  # where gaps count as touching
    assert corners.mean(axis=0)[:2] == pytest.approx(block["block.position"][-1, :2], abs=1e-4)


@pytest.mark.full
def test_states_forces_and_switch(block, seen, tmp_path):
    page = seen(block.export_html(tmp_path / "run.html", theme="light").as_uri())
    page.page.locator('.item[data-kind="contact"][data-name="floor"]').dispatch_event("click")
    page.set_time(0.1)
    assert page.page.locator("#contact-state").inner_text() == "sliding, 4 points touch"
    assert page.world("contact", "floor")[0] == pytest.approx(block["floor.point.x"][10], abs=1e-4)
    page.set_time(0.5)
    assert page.page.locator("#contact-state").inner_text() == "sticking, 4 points touch"
    with_arrow = page.pixels()
    page.page.keyboard.press("k")
    assert page.state("shown")["contacts"] is False
    assert (np.abs(page.pixels() - with_arrow).max(axis=2) > 30).sum() > 100
    page.page.keyboard.press("k")
    page.page.keyboard.press("z")
    assert page.page.locator("#contact-state").inner_text() == "粘滞, 4 个接触点"
    assert "刚性接触" in page.page.locator(".tree").inner_text()
    assert "柔性接触" in page.page.locator(".tree").inner_text()
    assert "contact_" not in page.page.locator(".tree").inner_text(), "elements that the program made are not listed"


@pytest.fixture(scope="module")
def given_shapes():
    """Shapes that stand in contacts: of a body without any, of one with another, of one with the same, of ground."""
    m = dt.Model("given shapes")
    ramp = m.add_marker("ramp", m.ground, position=(0, 0, -0.1), rotation=dt.Rotation.about("y", 0.2))
    inertias = {
        "bare": dt.Inertia(1.0, matrix=0.004 * np.eye(3)),
        "rod": dt.Inertia.cylinder(1.0, radius=0.01, length=0.4, axis="x"),
        "same": dt.Inertia.sphere(1.0, radius=0.1),
    }
    shapes = {"bare": dt.Shape.sphere(0.1), "rod": dt.Shape.capsule(0.05, 0.4, axis="x"), "same": dt.Shape.sphere(0.1)}
    law = dt.CompliantContact(stiffness=1e3, damping=1.0)
    for k, (name, inertia) in enumerate(inertias.items()):
        m.add_body(name, inertia, position=(0, 0.5 * k, 0.4))
        m.add_joint(f"free {name}", dt.Free(), m.ground, name)
        m.add_contact(f"ramp {name}", law, ramp, name, shapes=(dt.Shape.plane(), shapes[name]))
        post = dt.Shape.sphere(0.2, position=(1.0, 0, 0))
        m.add_contact(f"post {name}", law, m.ground, name, shapes=(post, shapes[name]))
    return dt.simulate(m, 0.2, outputs=0.02)


def test_shapes_of_contacts_are_drawn_once(given_shapes):
    found = contact_shapes(given_shapes.model)
    assert {name: [s.kind for s in shapes] for name, shapes in found.solid.items()} == {
        "bare": ["sphere"], "ground": ["sphere"]
    }  # fmt: skip
    assert {name: [s.kind for s in shapes] for name, shapes in found.faint.items() if shapes} == {"rod": ["capsule"]}
    ((body, pose),) = found.planes
    assert body == "ground"
    assert pose.position == pytest.approx((0, 0, -0.1))
    document = scene_of(given_shapes.system).document
    parts = {body["name"]: body["parts"] for body in document["bodies"]}
    assert [("faint" in part, part["kind"]) for part in parts["rod"]] == [(False, "cylinder"), (True, "capsule")]
    assert [part["kind"] for part in parts["same"]] == [part["kind"] for part in parts["bare"]] == ["sphere"]
    assert sum(len(contact["planes"]) for contact in document["contacts"]) == 1


@pytest.mark.full
def test_shapes_of_contacts_in_the_page_and_in_pictures(given_shapes, seen, tmp_path):
    """The capsule around the rod is translucent in the page, and goes with the contacts; matplotlib draws it too."""
    page = seen(given_shapes.export_html(tmp_path / "run.html", theme="light").as_uri())
    page.set_time(0.0)
    with_shapes = page.pixels()
    page.page.keyboard.press("k")
    assert (np.abs(page.pixels() - with_shapes).max(axis=2) > 10).sum() > 300
    picture = next(iter(pictures(given_shapes, [0.0], (600, 400), False, {})))
    assert picture[:4] == b"\x89PNG"
    draw(given_shapes, tmp_path / "overview.png")
    assert (tmp_path / "overview.png").stat().st_size > 10_000


def volume(faces):
    """Of a closed surface whose faces are counter-clockwise seen from outside (divergence theorem)."""
    triangles = np.concatenate([faces[:, [0, 1, 2]], faces[:, [0, 2, 3]]])
    return np.einsum("ij,ij->", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2])) / 6


def test_profiles_are_not_drawn_inside_out():
    """The page draws faces from their outside only: a bar of rectangular profile, a cone, a flat height field."""
    bar = profile_faces(dt.Shape.extrusion([(-0.2, 0.1), (0.0, 0.1), (0.2, 0.1)], 2.0, axis="x"), 64)
    assert volume(bar) == pytest.approx(2.0 * 0.4 * 0.1 * 0.4)  # below a profile a tenth of its width is drawn
    cone = profile_faces(dt.Shape.revolution([(0.0, 0.3), (0.2, 0.2), (0.4, 0.1)], axis="z"), 256)
    frustum = np.pi / 3 * 0.4 * (0.3**2 + 0.3 * 0.1 + 0.1**2)
    assert volume(cone) == pytest.approx(frustum, rel=2e-4)  # a polygon of 256 corners: (2 pi/256)²/6 less
    field = profile_faces(dt.Shape.heightfield(np.zeros((3, 3)), (1, 1)), 8)
    assert np.all(np.cross(field[:, 1] - field[:, 0], field[:, 2] - field[:, 1])[:, 2] > 0)


FLAT = dt.Shape.heightfield(np.zeros((3, 3)), (2, 2))


@pytest.mark.full
@pytest.mark.parametrize(("floor", "solid"), [(dt.Shape.plane(), False), (FLAT, True)])
def test_non_convex_meshes_are_drawn_as_solids(floor, solid, monkeypatch, tmp_path):
    """An outline of terrain would hide the bodies in its valleys; a plane hides nothing."""
    pytest.importorskip("matplotlib")
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0.1, 0.2, 0.1))
    m.add_joint("free", dt.Free(), m.ground, "ball")
    m.add_contact("floor", dt.RigidContact(), m.ground, "ball", shapes=(floor, dt.Shape.sphere(0.1)))
    drawn = []
    monkeypatch.setattr(MatplotlibRenderer, "draw_solids", lambda *_: drawn.append("solids"))
    draw(dt.simulate(m, 0.01, solver=dt.Moreau(step=1e-3)), tmp_path / "picture.png", dpi=40)
    assert bool(drawn) == solid


def test_a_road_does_not_hide_what_moves_on_it():
    """200 m of it: a flat bar below its profile, in the picture only about the car, and seen through."""
    road = dt.Shape.extrusion("0.05*sin(x)", 6.0, (-100, 100), axis="y")
    m = dt.Model("car")
    m.add_body("car", dt.Inertia.box(1200, size=(4, 2, 1)), position=(0, 0, 0.6))
    m.add_joint("free", dt.Free(), m.ground, "car")
    m.add_contact("wheel", dt.CompliantContact(2e5), m.ground, "car", shapes=(road, dt.Shape.sphere(0.3)))
    faces = profile_faces(road, 8)
    assert np.ptp(faces[..., 2]) < 0.2 * 6.0
    bumps = np.unique(faces[..., 0])
    assert len(bumps) > 10 * 200 / (2 * np.pi)  # more than ten points for each wave
    system = dt.compile(m)
    scene = scene_of(system)
    (part,) = scene.document["bodies"][0]["parts"]
    assert part["surface"]
    assert "surface" not in scene.document["bodies"][1]["parts"][0]
    frames = MatplotlibRenderer(dt.simulate(m, 1e-3, outputs=1e-3)).frames
    _, half = bounds_of(system, scene, frames, ["car"])
    assert half[0] == pytest.approx(3.0, abs=0.01)  # the car, and a quarter of its length beside it
