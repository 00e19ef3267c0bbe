"""Bundled examples: both descriptions are the same model, in order, balance their energy, and have a picture."""

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.examples import FOLDER, all_examples, example_names, find_example
from duoti.results.file.metadata import digest

ROOT = Path(__file__).parents[2]
NAMES = example_names()
SECTIONS = ("bodies", "joints", "forces", "constraints", "events", "states", "markers")
WARNS = {"four_bar"}  # redundant equations; limits


@pytest.mark.full("flexible_crank", "wheelset", "driver_in_cab")
@pytest.mark.parametrize("name", NAMES)
def test_example_is_in_order_and_balances_its_energy(name):
    example = find_example(name)
    assert example.description.endswith(".")
    assert len(example.paragraph) > 150
    model = dt.load(example.file)
    report = dt.check(model)
    assert report.ok, str(report)
    assert bool(report.warnings) == (name in WARNS), str(report)
    assert model.tasks["simulate"]["duration"] == example.duration
    r = dt.simulate(model, example.duration)
    assert r.ok, r.reason
    # rtol = 1e-8 per step and some 10^3 steps, not all errors of one sign
    assert np.abs(r.energy.residual).max() < 1e-5 * max(np.ptp(r.energy.kinetic), np.ptp(r.energy.supplied))


DESCRIBED_TWICE = [name for name in NAMES if "with_suffix" not in find_example(name).script.read_text(encoding="utf-8")]


@pytest.mark.parametrize("name", DESCRIBED_TWICE)
def test_file_and_script_are_the_same_model(name):
    example = find_example(name)
    file, script = dt.load(example.file), example.build()
    assert file.name == script.name
    dt.check(script)  # as the file was when it was read: nodes of beams that others hold lose their free joints
    for section in SECTIONS:
        assert set(getattr(file, section)) == set(getattr(script, section)), section
    for section in ("bodies", "joints"):  # their order decides that of the coordinates
        assert list(getattr(file, section)) == list(getattr(script, section)), section
    a, b = dt.compile(file), dt.compile(script)
    r = dt.simulate(b, min(example.duration, 0.2), outputs=5e-2 * min(example.duration, 0.2))
    touching = any(contact.law.rigid for contact in script.contacts.values())
    if touching:  # accelerations are those of whole motions then
        other = dt.simulate(a, r.t[-1], outputs=r.t)
        assert np.abs(other.q - r.q).max() <= 1e-9 * max(np.abs(r.q).max(), 1.0)
    for k in () if touching else (0, 7, 20):
        q, v, z, t = r.q[k], r.v[k], r.z[k], r.t[k]
        of_file, of_script = (dt.accelerations(s, q, v, t=t, z=z) for s in (a, b))
        # the same formulas in another order of operations: round-off, times the condition of the equations (below 1e5)
        assert np.abs(of_file - of_script).max() <= 1e-9 * max(np.abs(of_script).max(), 1.0)
    assert sorted(map(repr, file.ground.shapes)) == sorted(map(repr, script.ground.shapes))
    for body, drawn in script.bodies.items():
        assert [s.kind for s in file.bodies[body].shapes] == [s.kind for s in drawn.shapes]


@pytest.mark.parametrize("name", NAMES)
def test_file_survives_a_round_trip_bit_for_bit(name, tmp_path):
    once = dt.load(find_example(name).file)
    for part in find_example(name).parts:
        (tmp_path / part).parent.mkdir(exist_ok=True, parents=True)
        shutil.copyfile(FOLDER / part, tmp_path / part)
    once.save(tmp_path / "again.yaml")
    twice = dt.load(tmp_path / "again.yaml")
    a, b = dt.compile(once), dt.compile(twice)
    assert digest(a.tree, a.loads, a.closures) == digest(b.tree, b.loads, b.closures)
    assert a.model.tasks == b.model.tasks


@pytest.mark.full("flexible_crank", "wheelset", "driver_in_cab")
@pytest.mark.parametrize("name", NAMES)
def test_script_runs_and_tells_something(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    r = importlib.import_module(f"duoti.examples.{name}").main()
    assert r.ok, r.reason
    assert len(capsys.readouterr().out.splitlines()) > 4


def test_a_script_runs_by_itself_where_it_was_copied_to(tmp_path):
    shutil.copyfile(find_example("pendulum").script, tmp_path / "mine.py")
    done = subprocess.run([sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "elliptic integral" in done.stdout


@pytest.mark.parametrize("name", NAMES)
def test_example_has_a_picture_and_a_paragraph_in_the_gallery(name):
    picture = ROOT / "docs" / "pictures" / "examples" / f"{name}.png"
    assert 5_000 < picture.stat().st_size < 80_000
    page, gallery = ((ROOT / "docs" / each).read_text(encoding="utf-8") for each in ("examples.md", "gallery.md"))
    assert f"pictures/examples/{name}.png" in page
    assert f"pictures/gallery/{name}" in gallery
    assert f"duoti run {name}" in page


def test_the_gallery_is_made_of_the_docstrings():
    pytest.importorskip("PIL")
    spec = importlib.util.spec_from_file_location("make_examples", ROOT / "docs" / "make_examples.py")
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    for page, made in (("examples.md", maker.page()), ("gallery.md", maker.gallery())):
        assert (ROOT / "docs" / page).read_text(encoding="utf-8") == made, "run python docs/make_examples.py"
    for linked in re.findall(r"\]\(([\w/.]+)", maker.gallery()):
        assert (ROOT / "docs" / linked).exists(), linked


def test_there_are_at_least_twelve_and_each_file_belongs_to_one():
    assert len(NAMES) >= 12
    owned = {file for example in all_examples().values() for file in example.files}
    found = {p.name for p in FOLDER.glob("*.yaml")}
    assert found <= owned


@pytest.mark.parametrize("name", ["double_pendulum", "stewart", "rolling_coin", "satellite"])
def test_picture_is_drawn(name, tmp_path):
    pytest.importorskip("matplotlib")
    from duoti.view.images.overview import draw

    example = find_example(name)
    r = dt.simulate(example.build(), min(example.duration, 0.5), outputs=0.01)
    path = draw(r, tmp_path / "picture.png", **example.picture)
    assert path.stat().st_size > 20_000


def test_picture_of_a_free_body_without_markers(tmp_path):
    pytest.importorskip("matplotlib")
    from duoti.view.images.overview import draw

    m = dt.Model("thrown box")
    box = m.add_body("box", dt.Inertia.box(1.0, size=(1, 2, 3)))
    m.add_joint("flight", dt.Free(), m.ground, box, v0={"velocity": (1, 2, 3), "angular_velocity": (0.1, 3, 0.1)})
    r = dt.simulate(m, 0.5)
    assert draw(r, tmp_path / "box.png").exists()
    assert draw(r, tmp_path / "solid.png", solid=True).exists()


def test_picture_of_all_kinds_of_shapes(tmp_path):
    pytest.importorskip("matplotlib")
    from duoti.view.images.overview import draw
    from duoti.view.images.solids import faces_of

    m = dt.Model("shapes")
    inertias = {
        "box": dt.Inertia.box(1.0, size=(1, 2, 3)), "rod": dt.Inertia.rod(1.0, length=1.0),
        "cylinder": dt.Inertia.cylinder(1.0, radius=0.1, length=1.0), "sphere": dt.Inertia.sphere(1.0, 0.5),
        "hollow": dt.Inertia.hollow_cylinder(1.0, inner_radius=0.1, outer_radius=0.2, length=1.0),
        "cone": dt.Inertia.cone(1.0, radius=0.1, height=1.0), "shell": dt.Inertia.shell(1.0, radius=0.5),
        "ellipsoid": dt.Inertia.ellipsoid(1.0, semi_axes=(1, 2, 3)), "torus": dt.Inertia.torus(1.0, 1.0, 0.1),
    }  # fmt: skip
    for k, (name, inertia) in enumerate(inertias.items()):
        body = m.add_body(name, inertia, position=(2.0 * k, 0, 0))
        m.add_joint(f"{name}_joint", dt.Prismatic("z"), m.ground, body, at=(2.0 * k, 0, 0))
        ((faces, _),) = faces_of(body, thin=0.01)
        assert np.isfinite(faces).all()
        # the centre of mass is the middle of what is drawn, but for the cone
        if name != "cone":
            assert np.allclose((faces.min(axis=(0, 1)) + faces.max(axis=(0, 1))) / 2, 0, atol=1e-12)
    m.bodies["box"].shapes.append(dt.Shape.capsule(0.1, 0.5, colour="red"))
    assert draw(dt.simulate(m, 0.1), tmp_path / "shapes.png", solid=True).exists()


def test_unknown_example_is_answered_with_suggestions():
    with pytest.raises(KeyError, match="furuta"):
        find_example("furutta")


def test_names_are_those_of_the_gallery_in_the_readme():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in re.findall(r"duoti run (\w+)(?![\w.])", text):
        assert name in NAMES
