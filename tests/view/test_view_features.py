"""What the page can do besides playing: sliders, live runs, comparison, arrows, themes, languages, notebooks."""

import queue
import threading

import numpy as np
import pytest

import duoti as dt
from duoti.view import Page
from duoti.view.live import Live
from duoti.view.scene.configuration import Configuration
from support import view_models as models
from support.view_page import PATIENCE, pixel_of, wait_until

pytestmark = pytest.mark.full  # of the page, the short layer has three scenes


@pytest.fixture(scope="module")
def swing():
    return dt.simulate(models.pendulum(), 1.0, outputs=0.01)


@pytest.fixture(scope="module")
def crank():
    return dt.simulate(models.slider_crank(), 1.0, outputs=0.01)


def test_pixels_of_a_ball_are_where_the_numbers_say(swing, seen, tmp_path):
    page = seen(Page(swing, theme="light").save(tmp_path / "run.html").as_uri())
    for key in "jgts":  # nothing but the ball and its string
        page.page.keyboard.press(key)
    camera = page.page.evaluate("duoti.camera()")
    focal = camera["height"] / 2 / np.tan(np.radians(camera["fieldOfView"]) / 2)
    for k in (0, 37, 100):
        page.set_time(float(swing.t[k]))
        here = swing["ball.position"][k]
        shot = page.pixels()
        difference = np.abs(shot - shot[3, shot.shape[1] // 2]).sum(axis=2)
        y, x = np.nonzero(difference > 40)
        want = pixel_of(camera, here)
        distance = np.linalg.norm(here - np.array(camera["position"]))
        radius = focal * 0.12 / distance
        inside = np.hypot(x + 0.5 - want[0], y + 0.5 - want[1]) < 1.25 * radius
        middle = np.array([x[inside].mean() + 0.5, y[inside].mean() + 0.5])
        # the string and the silhouette in perspective move the mean by less than a tenth of the radius
        assert np.linalg.norm(middle - want) < 0.1 * radius, k
        # a disc of that radius; the string adds a little, and in perspective a ball is slightly larger than its disc
        assert inside.sum() == pytest.approx(np.pi * radius**2, rel=0.08), k


def test_reaction_arrows_appear(crank, seen, tmp_path):
    page = seen(Page(crank, theme="light").save(tmp_path / "run.html").as_uri())
    page.set_time(0.5)
    before = page.pixels()
    page.page.keyboard.press("r")
    after = page.pixels()
    red = (after[..., 0] > 170) & (after[..., 1] < 110) & (after[..., 2] < 120)
    was = (before[..., 0] > 170) & (before[..., 1] < 110) & (before[..., 2] < 120)
    assert red.sum() > was.sum() + 200
    assert page.page.locator("#show-reactions").is_checked()


def test_sliders_of_a_closed_loop_keep_it_closed(seen):
    model = models.slider_crank()
    with Page(model).serve() as server:
        page = seen(server.address)
        slider = page.page.locator('input[data-joint="A"]')
        for angle in (0.4, 1.3, -2.0):
            slider.evaluate("(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }", angle)
            page.wait(f"Math.abs(duoti.state().q.A[0] - ({angle})) < 0.01")
            q = page.state("q")["A"][0]
            # the slider's place by trigonometry; 1e-9 is what the assembly calls closed
            x = 0.3 * np.cos(q) + np.sqrt(0.8**2 - (0.3 * np.sin(q)) ** 2)
            assert page.world("body", "slider") == pytest.approx([x, 0, 0], abs=1e-6)  # drawn in single precision
        rod = page.page.locator('input[data-joint="C"]')
        rod.evaluate("e => { e.value = 1.5; e.dispatchEvent(new Event('input')) }")  # further than the crank reaches
        page.wait("duoti.state().notice !== ''")
        assert abs(page.state("q")["C"][0]) <= np.arcsin(0.3 / 0.8) + 1e-6


def test_sliders_of_a_tree_move_without_a_server(seen, tmp_path):
    """The page's own kinematics against Python's, for every type of joint."""
    model = models.all_joints()
    page = seen(Page(model).save(tmp_path / "model.html").as_uri())
    configuration = Configuration(model)
    rng = np.random.default_rng(5)
    q = configuration.start.copy()
    for joint, place in configuration.system.joints.items():
        for at, k in enumerate(place.q):
            slider = page.page.locator(f'input[data-joint="{joint}"][data-at="{at}"]')
            if not slider.count():  # a quaternion
                continue
            slider.evaluate(
                "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')) }", float(rng.uniform(-0.5, 0.5))
            )
            q[k] = page.state("q")[joint][at]
    poses = configuration.poses(q)
    for i, name in enumerate(model.bodies, 1):
        com = dt.Rotation.from_quaternion(poses[i][3:]) @ model.bodies[name].inertia.com
        assert page.world("body", name) == pytest.approx(np.array(poses[i][:3]) + com, abs=1e-9), name
    assert np.abs(q - configuration.start).max() > 0.1


def test_sliders_of_a_loop_say_that_they_need_a_server(seen, tmp_path):
    page = seen(Page(models.slider_crank()).save(tmp_path / "model.html").as_uri())
    assert page.page.locator('input[data-joint="A"]').is_disabled()
    assert "process that serves the page" in page.page.locator(".sliders").inner_text()


def test_applied_forces_do_not_hide_a_model(seen, tmp_path):
    """A model has no values of forces: no arrow, whichever slider is moved."""
    pictures = []
    for loaded in (False, True):
        model = dt.Model("lever")
        model.add_body("arm", dt.Inertia.box(1.0, (0.4, 0.05, 0.05)), position=(0.2, 0, 0))
        model.add_joint("pin", dt.Revolute("y"), model.ground, "arm", at=(0, 0, 0))
        if loaded:
            model.add_force("F", dt.AppliedForce("arm", (0, 0, 5.0)))
            model.add_force("M", dt.AppliedTorque("arm", (0, "sin(t)", 0)))
        page = seen(Page(model).save(tmp_path / f"{loaded}.html").as_uri())
        assert page.page.locator('.item[data-kind="force"]').count() == (2 if loaded else 0)
        pictures.append(page.pixels())
        slider = page.page.locator('input[data-joint="pin"]')
        slider.evaluate("e => { e.value = 0.5; e.dispatchEvent(new Event('input')) }")
        pictures.append(page.pixels())
    still, moved, still_loaded, moved_loaded = pictures
    differing = [(np.abs(a - b).max(axis=2) > 30).sum() for a, b in ((still, still_loaded), (moved, moved_loaded))]
    assert differing == [0, 0]
    assert (np.abs(still - moved).max(axis=2) > 30).sum() > 500, "the arm itself is seen"


def test_live_run_grows_and_ends(seen):
    """The page follows a run that is still going on, and has all of it at the end."""
    model = models.slider_crank()
    whole = dt.simulate(model, 1.0, outputs=0.01)

    def part(first, last):
        t, y = whole.t[first:last].copy(), whole.states[first:last].copy()
        return dt.Result(whole.system, t, y, True, "running", whole.stats)

    live = Live(model)
    try:
        page = seen(live.server.address)
        assert page.state("frames") == 0
        live(part(0, 40))
        page.wait("duoti.state().frames === 40")
        assert page.state("t") == pytest.approx(whole.t[39])
        live(part(40, 70))
        page.wait("duoti.state().frames === 70")
        live(part(70, 101))
        live.end(whole)
        page.wait("duoti.state().frames === 101 && duoti.state().mode === 'result'")
        assert any("A.angle" in plot for plot in page.state("plots")), "what moves is plotted once it has moved"
        for k in (0, 55, 100):
            page.set_time(float(whole.t[k]))
            assert page.world("body", "slider") == pytest.approx(whole["slider.position"][k], abs=1e-6)
        page.page.reload()
        page.ready()
        assert page.state("mode") == "result"
    finally:
        live.server.close()


def test_a_real_simulation_is_watched_to_its_end(seen, monkeypatch):
    """`simulate_live` in a thread, the page opened before the first step: it gets every frame, and is told the end."""
    told = queue.Queue()
    monkeypatch.setattr("duoti.view.live.open_browser", lambda address: told.put(address) or True)
    model = models.slider_crank()
    gate = threading.Event()
    model.add_force("pause", dt.JointTorque("A", lambda t: 0.0 * gate.wait(PATIENCE)))  # until the page is there
    found = []
    run = threading.Thread(
        target=lambda: found.append(dt.view.simulate_live(model, 8.0, wait=True, outputs=0.02)), daemon=True
    )
    run.start()
    page = seen(told.get(timeout=PATIENCE))
    assert (page.state("mode"), page.state("frames")) == ("live", 0)
    gate.set()
    page.wait("duoti.state().mode === 'result'")
    assert page.state("frames") == 401
    page.set_time(8.0)
    shown = page.world("body", "slider")
    page.page.goto("about:blank")  # closing the page ends the wait
    run.join(timeout=PATIENCE)
    assert shown == pytest.approx(found[0]["slider.position"][-1], abs=1e-6)


def test_results_are_compared(swing, seen, tmp_path):
    slower = dt.simulate(models.pendulum(), 1.0, outputs=0.01, at=([0.5], [0.0]))
    path = swing.export_html(tmp_path / "two.html", slower, names=["far", "near"])
    page = seen(path.as_uri())
    assert page.state("runs") == ["far", "near"]
    both = page.pixels()
    page.tap("#run-1")
    page.page.locator("#run-1").evaluate("e => e.dispatchEvent(new Event('change'))")
    one = page.pixels()
    assert (np.abs(both - one).sum(axis=2) > 30).sum() > 500, "the second ball is drawn, and can be hidden"


def test_theme_language_keyboard(crank, seen, tmp_path):
    page = seen(crank.export_html(tmp_path / "run.html").as_uri(), color_scheme="dark")
    assert page.state("dark")
    page.page.keyboard.press("d")
    assert not page.state("dark")
    page.page.keyboard.press("z")
    assert page.state("language") == "zh"
    assert "机构" in page.page.locator("aside.left").inner_text()
    assert "转动铰" in page.page.locator("aside.left").inner_text()
    page.page.keyboard.press("z")
    for key, name in (("b", "bodies"), ("j", "joints"), ("s", "springs"), ("t", "traces")):
        page.page.keyboard.press(key)
        assert page.state("shown")[name] is False
    page.page.keyboard.press("End")
    assert page.state("t") == pytest.approx(1.0)
    page.page.keyboard.press("ArrowLeft")
    assert page.state("t") == pytest.approx(0.99)
    page.page.keyboard.press("Shift+ArrowLeft")
    assert page.state("t") == pytest.approx(0.89)
    speed = page.state("speed")
    page.page.keyboard.press("]")
    assert page.state("speed") > speed
    page.page.keyboard.press("p")
    assert not page.page.locator("aside.left").is_visible()
    page.page.keyboard.press("?")
    assert page.page.locator(".help").is_visible()
    page.page.keyboard.press("Escape")
    assert page.page.locator(".help").count() == 0


def test_any_channel_of_a_served_result(crank, seen):
    """A channel that the page does not hold comes from the process that serves it; a wrong name is told."""
    with Page(crank).serve() as server:
        page = seen(server.address)
        page.page.fill("#channel", "slider.acceleration")
        page.page.press("#channel", "Enter")
        page.wait("duoti.state().plots[0][0] === 'slider.acceleration.x'")
        page.set_time(float(crank.t[30]))
        shown = float(page.page.locator(".plot .value").first.inner_text().replace("−", "-"))
        assert shown == pytest.approx(crank["slider.acceleration.x"][30], rel=2e-3)
        page.page.fill("#channel", "slider.acelleration")
        page.page.press("#channel", "Enter")
        page.wait("duoti.state().notice.includes('slider')")
        assert 'there is no quantity "slider.acelleration"' in page.state("notice")
        page.complaints.clear()  # the browser reports the refusal as well


def test_meshes_are_drawn_and_missing_ones_are_told(seen, tmp_path):
    corners = np.array([[0, 0, 0], [200, 0, 0], [0, 200, 0], [0, 0, 200]])  # a tetrahedron in millimetres
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    facets = "".join(
        "facet normal 0 0 0\nouter loop\n"
        + "".join(f"vertex {x} {y} {z}\n" for x, y, z in corners[list(face)])
        + "endloop\nendfacet\n"
        for face in faces
    )
    (tmp_path / "part.stl").write_text(f"solid part\n{facets}endsolid part\n")
    m = models.pendulum()
    m.bodies["ball"].shapes = [
        dt.Shape.mesh(str(tmp_path / "part.stl"), scale=0.001, position=(-0.05, -0.05, -0.05), colour="#cc3344"),
        dt.Shape.mesh(str(tmp_path / "gone.stl")),
    ]
    shown = Page(dt.simulate(m, 0.1, outputs=0.05), theme="light")
    scene = shown.document["models"][0]
    assert len(scene["bodies"][1]["parts"]) == 1
    assert 'body "ball": mesh not drawn: gone.stl' in scene["notes"][0]
    page = seen(shown.save(tmp_path / "run.html").as_uri())
    page.page.keyboard.press("j")
    point = page.project("body", "ball")  # its centre of mass, which is the tetrahedron's
    assert page.page.evaluate("([x, y]) => duoti.pick(x, y)", point.tolist()) == {"kind": "body", "name": "ball"}
    red, green, blue = page.pixels()[round(point[1]), round(point[0])]
    assert red > 1.5 * max(green, blue), f"the colour of the shape, not {red, green, blue}"


def test_camera_presets_and_following(crank, seen, tmp_path):
    page = seen(crank.export_html(tmp_path / "run.html").as_uri())
    page.page.keyboard.press("2")
    camera = page.page.evaluate("duoti.camera()")
    way = np.array(camera["position"]) - np.array(camera["target"])
    assert way / np.linalg.norm(way) == pytest.approx([0, -1, 0], abs=1e-6)
    page.tap('.item[data-kind="body"][data-name="slider"]')
    page.tap("#follow")
    for t in (0.1, 0.6, 0.9):
        page.set_time(t)
        assert page.page.evaluate("duoti.camera().target") == pytest.approx(page.world("body", "slider"), abs=1e-9)
    page.page.keyboard.press("1")
    assert page.state("followed") is None


def test_names_of_others_are_text(seen, tmp_path):
    """A model from someone else cannot bring a script into the page."""
    evil = "</script><script>window.evil=1</script><img src=x onerror=window.evil=2>"
    m = dt.Model(evil)
    ball = m.add_body(evil, dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, -1))
    m.add_joint("hook'\">", dt.Revolute("y"), m.ground, ball, at=(0, 0, 0))
    page = seen(dt.simulate(m, 0.1).export_html(tmp_path / "run.html").as_uri())
    page.tap('.item[data-kind="body"] >> nth=1')
    assert page.page.evaluate("window.evil") is None
    assert page.page.locator(".info .title b").inner_text() == evil


def test_notebook_shows_the_page_inline(swing, browser):
    page = browser.new_page()
    page.set_content(Page(swing)._repr_html_())
    frame = page.frames[-1]
    wait_until(frame, "!!window.duoti")
    assert frame.evaluate("duoti.state().frames") == 101
    page.close()


def test_closing_the_page_ends_the_server(swing, seen, monkeypatch):
    monkeypatch.setattr("duoti.view.server.GRACE", 2 * PATIENCE)  # as long as a page may take to come back
    server = Page(swing).serve()
    waiting = threading.Thread(target=server.wait, daemon=True)
    waiting.start()
    page = seen(server.address)
    page.page.reload()  # not a farewell
    page.ready()
    assert server.seen == 2
    assert waiting.is_alive()
    page.page.goto("about:blank")
    assert waiting.is_alive(), "it might have been loaded again"
    monkeypatch.setattr("duoti.view.server.GRACE", 0.0)
    waiting.join(timeout=PATIENCE)
    assert not waiting.is_alive()


def test_narrow_window_is_usable(crank, seen, tmp_path):
    page = seen(crank.export_html(tmp_path / "run.html").as_uri(), width=600, height=700)
    assert page.state("width") > 500
    assert page.page.locator("#play").is_visible()
    page.page.set_viewport_size({"width": 1280, "height": 800})
    page.wait("duoti.state().width > 500 && duoti.state().height > 600")
