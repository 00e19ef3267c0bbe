"""What goes into the page: packed numbers, scenes, channels, sizes, the built program."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.examples import find_example
from duoti.view.page import html_page, program
from duoti.view.scene import motion
from duoti.view.scene.configuration import Configuration
from duoti.view.scene.motion import force_channels
from duoti.view.scene.pack import pack, unpack
from support import joint_motions
from support import view_models as models

ROOT = Path(__file__).parents[2]


def test_packing_is_exact_to_half_a_step():
    rng = np.random.default_rng(3)
    smooth = np.cumsum(np.cumsum(rng.normal(size=(500, 5)), axis=0), axis=0) + 1e7
    for values in (smooth, rng.normal(size=(40, 3)) * 1e5, np.zeros((4, 2)), np.ones((1, 3))):
        step = 1e-3
        # half a step, and the rounding of values themselves
        assert np.abs(unpack(pack(values, step)) - values).max() <= step / 2 + 1e-9


def test_packing_a_huge_range_coarsens_instead_of_failing():
    values = np.array([[0.0], [1e12], [-1e12]])
    block = pack(values, 1e-9)
    assert np.abs(unpack(block) - values).max() <= block["step"][0]


def test_a_smooth_motion_takes_few_bytes():
    t = np.linspace(0, 10, 10_000)
    block = pack(np.sin(t)[:, None], 2.0**-20)
    assert len(block["data"]) < 2 * len(t)  # against 8 bytes a number


def test_built_program_is_up_to_date():
    """The shipped viewer was built from the sources that are here: see `stamp` in viewer/vite.config.ts."""
    viewer = ROOT / "viewer"
    files = [p for p in (viewer / "src").rglob("*") if p.is_file()]
    files += [viewer / name for name in ("package-lock.json", "package.json", "vite.config.ts")]
    digest = hashlib.sha256()
    for name in sorted(p.relative_to(viewer).as_posix() for p in files):
        digest.update(name.encode() + b"\0" + (viewer / name).read_bytes() + b"\0")
    built = program().splitlines()[0]
    assert digest.hexdigest() in built, "run `npm install --no-save && npm run build` in viewer/"


def test_page_loads_nothing_from_elsewhere():
    page = html_page(motion.document_of([dt.simulate(models.pendulum(), 0.1)], ["run"]))
    assert "connect-src 'none'" in page
    for word in ("<link", "<img", " src=", "@import"):
        assert word not in page.replace(program(), ""), word


@pytest.mark.full
def test_sixty_bodies_and_ten_thousand_frames_stay_below_15_megabytes(tmp_path):
    model = dt.Model("chain of 60 links")
    parent = model.ground
    for i in range(60):
        rod = dt.Inertia.rod(0.05, length=0.1, axis="x", com=(0.05, 0, 0))
        link = model.add_body(f"link{i}", rod, position=(0.1 * i, 0, 0))
        model.add_joint(f"J{i}", dt.Revolute("y"), parent, link, at=(0.1 * i, 0, 0))
        model.add_force(f"damping{i}", dt.JointDamping(f"J{i}", 2e-4))
        parent = link
    result = dt.simulate(model, 2.5, outputs=2.5 / 9_999)
    assert len(result.t) == 10_000
    path = result.export_html(tmp_path / "big.html")
    assert path.stat().st_size < 15e6
    data = json.loads(path.read_text(encoding="utf-8").split('id="duoti-document">')[1].split("</script>")[0])
    assert unpack(data["runs"][0]["poses"]).shape == (10_000, 60 * 7)


def test_poses_are_as_exact_as_stated():
    result = dt.simulate(find_example("heavy_top").build(), 0.5)
    document = motion.document_of([result], ["run"])
    run = document["runs"][0]
    poses = unpack(run["poses"]).reshape(len(result.t), 1, 7)
    assert np.abs(poses[:, 0, :3] - result["top.position"]).max() <= run["accuracy"]["length"] * 1.0001 + 1e-15
    assert np.abs(poses[:, 0, 3:] - result["top.rotation"]).max() <= run["accuracy"]["angle"]


def test_results_with_many_outputs_are_thinned(monkeypatch):
    monkeypatch.setattr(motion, "MOST_FRAMES", 50)
    result = dt.simulate(models.pendulum(), 1.0)
    run = motion.document_of([result], ["run"])["runs"][0]
    assert run["outputs"] == 1001
    assert 40 <= run["t"]["count"] <= 50
    t = motion.thinned(1001, 50)
    assert (t[0], t[-1]) == (0, 1000)


def test_poses_that_take_too_much_are_kept_more_coarsely(monkeypatch):
    monkeypatch.setattr(motion, "POSE_BYTES", 100)
    run = motion.document_of([dt.simulate(models.pendulum(), 1.0)], ["run"])["runs"][0]
    assert run["accuracy"]["angle"] == 2.0**-motion.COARSE


def test_a_failed_run_is_shown_up_to_its_end():
    m = models.pendulum()
    m.add_force("trouble", dt.JointTorque("hook", "1/(0.05 - t)^3"))
    with pytest.warns(dt.errors.SimulationWarning):
        result = dt.simulate(m, 1.0)
    run = motion.document_of([result], ["run"])["runs"][0]
    assert not run["ok"]
    assert run["reason"] == result.reason
    html_page(motion.document_of([result], ["run"]))  # every number in it is finite


def test_every_kind_of_joint_shape_and_force_has_its_data():
    model = models.all_joints()
    result = dt.simulate(model, 0.1, outputs=0.05)
    document = motion.document_of([result], ["run"])
    scene = document["models"][0]
    kinds = {part["kind"] for body in scene["bodies"] for part in body["parts"]}
    assert kinds >= {"rod", "box", "cylinder", "hollow_cylinder", "sphere", "torus", "cone", "ellipsoid"}
    assert any(part.get("cavity") for body in scene["bodies"] for part in body["parts"])
    assert [joint["kind"] for joint in scene["joints"]] == list(model.joints)
    names = {head["name"] for head in document["runs"][0]["channels"]["heads"]}
    assert {"spring.tension", "rope.tension", "push.force", "twist.torque", "hold.torque", "energy.residual"} <= names
    assert {"revolute.angle", "free.rotation", "body 9.angular_velocity", "planar.reaction_force"} <= names


def test_forces_of_elements_are_those_of_their_laws():
    result = dt.simulate(models.all_joints(), 0.3, outputs=0.1)
    found = {c.name: c.values for c in force_channels(result)}
    t = result.t
    assert found["push.force"] == pytest.approx(
        np.column_stack([2 * np.sin(3 * t), 2 * np.cos(3 * t), 0 * t]), abs=1e-14
    )
    assert found["twist.torque"][:, 2] == pytest.approx(0.1 * np.sin(t), abs=1e-14)
    assert found["rope.tension"] == pytest.approx(np.full((4, 1), 3.0), rel=1e-13)
    length = np.linalg.norm(result["body 1.position"] - [0.7, 0, 0.4], axis=1)
    speed = -result["body 1.velocity.z"]
    assert found["spring.tension"][:, 0] == pytest.approx(80 * (length - 0.5) + 0.5 * speed, rel=1e-12)
    hold = -1.0 * result["screw.angle"] - 0.1 * result["screw.rate"]
    assert found["hold.torque"][:, 0] == pytest.approx(hold, rel=1e-12, abs=1e-14)


def test_joints_in_the_tests_of_the_page_are_those_of_today():
    """viewer/tests/motions.json holds what the laws compute; the page's tests compare their own poses with it."""
    kept = json.loads(joint_motions.FILE.read_text(encoding="utf-8"))
    now = joint_motions.examples()
    assert [each["kind"] for each in kept] == [each["kind"] for each in now]
    for a, b in zip(kept, now, strict=True):
        assert [m["at"] for m in a["motions"]] == [m["at"] for m in b["motions"]], a["kind"]
        for m, n in zip(a["motions"], b["motions"], strict=True):
            assert m["twist"] == pytest.approx(n["twist"], abs=1e-14), a["kind"]  # round-off of a rotation
        for key in "qRp":
            assert a[key] == pytest.approx(b[key], abs=1e-13), a["kind"]  # and of a few


def test_dragging_stays_on_its_branch_and_stops_where_the_loop_ends():
    configuration = Configuration(models.slider_crank())
    q, there = configuration.moved(configuration.start, "A", 0, 6.0)
    assert there
    x = 0.3 * np.cos(6.0) + np.sqrt(0.8**2 - (0.3 * np.sin(6.0)) ** 2)  # the slider to the right of the crank, not left
    assert configuration.poses(q)[3][:3] == pytest.approx([x, 0, 0], abs=1e-9)
    q, there = configuration.moved(configuration.start, "C", 0, 1.0)
    assert not there
    assert abs(configuration.by_joint(q)["C"][0]) <= np.arcsin(0.3 / 0.8) + 1e-9


def test_watching_a_simulation_sees_all_of_it_once(monkeypatch, tmp_path):
    monkeypatch.setattr("duoti.analyses.simulate.driver.SECONDS_BETWEEN_LOOKS", 0.0)
    for options in ({}, {"outputs": "steps"}, {"out": tmp_path / "run.h5"}):
        seen = []
        result = dt.simulate(models.pendulum(), 300.0, watch=seen.append, **options)
        assert len(seen) > 1
        assert all(each.reason == "running" for each in seen)
        assert np.array_equal(np.concatenate([each.t for each in seen]), result.t)
        assert np.array_equal(np.concatenate([each.q for each in seen]), result.q)


def test_result_on_disk_is_shown_like_one_in_memory(monkeypatch, tmp_path):
    model = models.pendulum()
    stored = dt.simulate(model, 1.0, out=tmp_path / "run.h5")
    kept = dt.simulate(model, 1.0)
    for most in (12_000, 50):
        monkeypatch.setattr(motion, "MOST_FRAMES", most)
        a, b = (motion.document_of([r], ["run"])["runs"][0] for r in (stored, kept))
        assert a == b | {"solver": a["solver"]}
        assert a["t"]["count"] <= most


def test_simulate_live_without_a_browser_is_a_plain_simulation(capsys):
    model = models.pendulum()
    result = dt.view.simulate_live(model, 0.5, browser=False, outputs=0.1)
    assert "open this in a browser: http://127.0.0.1:" in capsys.readouterr().err
    assert np.array_equal(result.q, dt.simulate(model, 0.5, outputs=0.1).q)
