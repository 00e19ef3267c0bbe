"""Height fields: as a shape, from files, and of MJCF against MuJoCo."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry
from support.contact_points import two

FIELD = """
<mujoco><asset>{asset}</asset><worldbody>
 <geom name="ground" type="hfield" hfield="hills" pos="0.1 -0.2 0.3" euler="0 0 30"/>
 <body name="b"><freejoint/><geom name="g" {geom}/></body>
</worldbody></mujoco>
"""
ELEVATION = np.random.default_rng(5).uniform(size=(5, 7))
NUMBERS = " ".join(map(repr, ELEVATION.ravel().tolist()))
INLINE = f'<hfield name="hills" nrow="5" ncol="7" size="1.5 1 0.4 0.1" elevation="{NUMBERS}"/>'


def test_a_heightfield_is_its_triangles(tmp_path: Path) -> None:
    """A slope of one cell each way: the gap of a ball is its distance from the plane; in files as in Python."""
    x, y = np.meshgrid(np.linspace(-1, 1, 5), np.linspace(-0.5, 0.5, 3), indexing="ij")
    shape = dt.Shape.heightfield(0.5 * x + 0.25 * y, (2, 1))
    n = np.array([-0.5, -0.25, 1.0]) / np.sqrt(1 + 0.25 + 0.0625)
    points = two(shape, dt.Shape.sphere(0.1))
    for place in ((0.3, 0.1, 0.5), (-0.7, 0.2, 0.1), (0.3, 0.1, 0.2)):
        gap, _, normal = points(np.r_[np.zeros(3), 1, 0, 0, 0, place, 1, 0, 0, 0])
        assert gap.min() == pytest.approx(n @ np.array(place) - 0.1, abs=1e-14)
        assert np.abs(normal[np.argmin(gap)]) == pytest.approx(np.abs(n), abs=1e-12)  # from a to b, which are sorted
    m = dt.Model("hills")
    m.ground.shapes.append(shape)
    m.save(tmp_path / "hills.yaml")
    assert dt.load(tmp_path / "hills.yaml").ground.shapes == [shape]
    (tmp_path / "short.yaml").write_text(
        "duoti: 1\nname: hills\nground: {shapes: [{heightfield: {heights: [[0, 1], [2, 3]], lengths: [1, 2]}}]}\n"
    )
    (short,) = dt.load(tmp_path / "short.yaml").ground.shapes
    assert short == dt.Shape.heightfield([[0, 1], [2, 3]], (1, 2))
    for heights, size, why in (([[1, 2], [3]], (1, 1), "length"), ([[1, 2]], (1, 1), "two rows"),
                               ([[1, 2], [3, 4]], (1, 0), "positive")):  # fmt: skip
        with pytest.raises(ValueError, match=why):
            dt.Shape.heightfield(heights, size)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    "geom",
    ['type="sphere" size="0.15"', 'type="box" size="0.1 0.15 0.2"', 'type="capsule" size="0.1 0.2"',
     'type="cylinder" size="0.15 0.2"', 'type="ellipsoid" size="0.1 0.15 0.2"'],
    ids=lambda geom: geom.split('"')[1],
)  # fmt: skip
def test_against_mujoco(geom: str, tmp_path: Path) -> None:
    """Bodies just above random hills: the smallest gap, against MuJoCo's distance of geoms.

    MuJoCo's height field is made of prisms, and its heights are of single precision: 1e-7 of 0.4 m; its convex
    distances have a tolerance of 1e-6.
    """
    mujoco = pytest.importorskip("mujoco")
    text = FIELD.format(asset=INLINE, geom=geom)
    (tmp_path / "hills.xml").write_text(text)
    model = dt.formats.load_mjcf(tmp_path / "hills.xml", contacts=True)
    system = dt.compile(model)
    points = ContactGeometry(system, rigid_contacts(system), biases=False)  # pyright: ignore[reportArgumentType]
    twin = mujoco.MjModel.from_xml_string(text)
    twin.geom_margin[:] = 0.01
    data = mujoco.MjData(twin)
    random, compared = np.random.default_rng(1), 0
    for _ in range(60):
        q = np.r_[random.uniform(-0.8, 0.8, size=2), 0.0, random.normal(size=4)]
        q[3:] /= np.linalg.norm(q[3:])
        q[2] = 2.0
        for _ in range(200):  # down by what is free, until it is 2 mm above the ground
            q[2] -= points.gaps(q).min() - 2e-3
        data.qpos[:] = q
        mujoco.mj_forward(twin, data)
        distances = [c.dist for c in data.contact]
        if len(distances) == 0:
            continue
        compared += 1
        assert points.gaps(q).min() == pytest.approx(min(distances), abs=3e-6)
    assert compared > 40


def write_png(path: Path, values: np.ndarray, bits: int) -> None:
    """A picture in grey, each line with another filter."""
    rows, step = [], bits // 8
    data = values.astype(">u2" if step == 2 else "u1").view(np.uint8).reshape(len(values), -1).astype(int)
    for i, line in enumerate(data):
        above = data[i - 1] if i else np.zeros_like(line)
        left, corner = np.r_[np.zeros(step, int), line[:-step]], np.r_[np.zeros(step, int), above[:-step]]
        p = left + above - corner
        choice = np.argmin([abs(p - left), abs(p - above), abs(p - corner)], axis=0)
        paeth = np.choose(choice, [left, above, corner])
        guess = [0 * line, left, above, (left + above) // 2, paeth][i % 5]
        rows.append(bytes([i % 5]) + ((line - guess) % 256).astype(np.uint8).tobytes())

    def piece(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", values.shape[1], values.shape[0], bits, 0, 0, 0, 0)
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + piece(b"IHDR", head) + piece(b"IDAT", zlib.compress(b"".join(rows)))
                     + piece(b"IEND", b""))  # fmt: skip


def test_files_of_heights_as_mujoco_reads_them(tmp_path: Path) -> None:
    """A picture and MuJoCo's own format: the same heights in the same places."""
    mujoco = pytest.importorskip("mujoco")
    values = np.random.default_rng(7).integers(0, 256, size=(11, 6))
    write_png(tmp_path / "grey.png", values, 8)
    own = np.random.default_rng(8).uniform(size=(4, 6)).astype("<f4")
    (tmp_path / "own.bin").write_bytes(struct.pack("<ii", 4, 6) + own.tobytes())
    flat = '<hfield name="hills" nrow="3" ncol="4" size="1.5 1 0.4 0.1"/>'
    named = '<hfield name="hills" file="{}" size="1.5 1 0.4 0.1"/>'
    for asset in (INLINE, named.format("grey.png"), named.format("own.bin"), flat):
        text = FIELD.format(asset=asset, geom='type="sphere" size="0.1"')
        (tmp_path / "hills.xml").write_text(text)
        model = dt.formats.load_mjcf(tmp_path / "hills.xml", contacts=True)
        (shape,) = (s for c in model.contacts.values() for s in c.shapes if s.kind == "heightfield")
        twin = mujoco.MjModel.from_xml_path(str(tmp_path / "hills.xml"))
        nrow, ncol = int(twin.hfield_nrow[0]), int(twin.hfield_ncol[0])
        wanted = 0.4 * twin.hfield_data.reshape(nrow, ncol).T
        np.testing.assert_allclose(shape.profile, wanted, atol=1e-7)  # single precision
        assert (shape["size_x"], shape["size_y"]) == (3.0, 2.0)


def test_sixteen_bits(tmp_path: Path) -> None:
    from duoti.formats.mjcf.hfields import read_png

    values = np.random.default_rng(7).integers(0, 65536, size=(7, 9))
    write_png(tmp_path / "grey.png", values, 16)
    np.testing.assert_array_equal(read_png(tmp_path / "grey.png"), values)


def test_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    (tmp_path / "no.png").write_bytes(b"no picture")
    for asset, why in (('<hfield name="hills" nrow="2" ncol="2" size="1 1 1 1" elevation="1 2 3"/>', "3 numbers"),
                       ('<hfield name="hills" file="no.png" size="1 1 1 1"/>', "no PNG"),
                       ('<hfield name="hills" file="none.png" size="1 1 1 1"/>', "none.png"),
                       ('<hfield name="hills" nrow="1" ncol="2" size="1 1 1 1"/>', "two of two"),
                       ('<hfield name="other" nrow="2" ncol="2" size="1 1 1 1"/>', "hills")):  # fmt: skip
        (tmp_path / "hills.xml").write_text(FIELD.format(asset=asset, geom='type="sphere" size="0.1"'))
        with pytest.raises(dt.ModelError, match=why):
            dt.formats.load_mjcf(tmp_path / "hills.xml", contacts=True)


def test_a_ball_and_a_crate_rest_on_a_field_of_a_file(tmp_path: Path) -> None:
    """Imported, rigid and compliant: at rest they weigh what they weigh."""
    (tmp_path / "hills.xml").write_text(FIELD.format(asset=INLINE, geom='type="box" size="0.2 0.2 0.1" pos="0 0 0.9"'))
    m = dt.formats.load_mjcf(tmp_path / "hills.xml", contacts=True)
    r = dt.simulate(m, 3.0, outputs=[3.0], solver=dt.Moreau(step=1e-3))
    (name,) = m.contacts
    assert r.ok, r.reason
    assert r[f"{name}.normal_force"][-1] > 0.9 * m.mass * 9.81
    assert r[f"{name}.force"][-1, 2] == pytest.approx(m.mass * 9.81 * np.sign(r[f"{name}.force"][-1, 2]), rel=1e-6)
    assert "soft" in str(m.import_notes)
