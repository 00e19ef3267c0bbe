"""A page holds what it draws and is passed on: no file from elsewhere gets into it without a word from the user."""

import os
import struct

import pytest
from typer.testing import CliRunner

import duoti as dt
from duoti.cli.app import app
from duoti.view import Page

MODEL = """duoti: 1
name: outside
bodies:
  ball:
    inertia: {sphere: {mass: 1, radius: 0.1}}
    shapes: [{mesh: {file: %s}}]
joints:
  J: {type: revolute, between: [ground, ball], axis: y, at: [0, 0, 0]}
simulate: {duration: 0.1}
"""


def stl(path, size=1.25):
    corners = [(0, 0, 0), (size, 0, 0), (0, size, 0), (0, 0, size)]
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    data = b"".join(struct.pack("<12fH", 0, 0, 0, *(c for k in face for c in corners[k]), 0) for face in faces)
    path.write_bytes(bytes(80) + struct.pack("<I", 4) + data)


def notes(path, **options):
    return Page(dt.load(path, **options)).document["models"][0]["notes"]


@pytest.fixture
def places(tmp_path):
    (tmp_path / "private").mkdir()
    stl(tmp_path / "private" / "part.stl")
    folder = tmp_path / "model"
    (folder / "meshes").mkdir(parents=True)
    stl(folder / "meshes" / "own.stl")
    (folder / "link.stl").symlink_to(tmp_path / "private" / "part.stl")
    return tmp_path, folder


def written(folder, mesh):
    path = folder / "model.yaml"
    path.write_text(MODEL % mesh, encoding="utf-8")
    return path


def test_meshes_outside_the_folder_of_the_model(places):
    base, folder = places
    assert not notes(written(folder, "meshes/own.stl"))
    for mesh in ("../private/part.stl", str(base / "private" / "part.stl"), "link.stl"):
        path = written(folder, mesh)
        assert "is outside the folder of the file that names it" in str(notes(path))
        assert not notes(path, allow_outside=True)


def test_devices_and_pipes(places):
    _, folder = places
    (folder / "endless.stl").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.stl")
    for mesh in ("endless.stl", "pipe.stl"):
        assert "a device or a pipe" in str(notes(written(folder, mesh), allow_outside=True))


def test_meshes_of_a_result_in_another_folder(places, tmp_path):
    base, folder = places
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for out, outside in ((folder / "run.h5", False), (elsewhere / "run.h5", True)):
        dt.simulate(dt.load(written(folder, "meshes/own.stl")), 0.1, out=out)
        found = Page(dt.open_result(out)).document["models"][0]["notes"]
        assert ("outside the folder" in str(found)) == outside
        assert not Page(dt.open_result(out, allow_outside=True)).document["models"][0]["notes"]
    page = base / "page.html"
    run = CliRunner().invoke(app, ["view", str(elsewhere / "run.h5"), "--html", str(page), "--allow-outside"])
    assert run.exit_code == 0, run.output
    assert "outside the folder" not in page.read_text(encoding="utf-8")
