"""OpenCRG files, written here, against a direct evaluation of what the standard says: bilinear along a polyline."""

import numpy as np
import pytest

import duoti as dt

RNG = np.random.default_rng(7)
COUNT, STEP = 41, 0.5
V = np.array([-1.5, -0.75, 0.0, 1.0, 1.5])
PHI = np.concatenate([[0.1], 0.1 + np.cumsum(0.04 * np.sin(np.arange(COUNT - 1) / 6))])
BANK, SLOPE = 0.02 * np.sin(np.arange(COUNT) / 9), 0.05 * np.cos(np.arange(COUNT) / 7)
Z = np.round(RNG.normal(0.0, 0.02, (COUNT, len(V))), 6)
HEAD = f"""$CT
A road of a test, with an ! and a * in the comment
$ROAD_CRG                                 ! parameters
REFERENCE_LINE_START_U   = 10.0
REFERENCE_LINE_START_X   = 3.0
REFERENCE_LINE_START_Y   = -2.0
REFERENCE_LINE_START_Z   = 0.25
REFERENCE_LINE_START_PHI = 0.1
REFERENCE_LINE_INCREMENT = {STEP}
* a remark
"""


def crg(path, form, rows, channels, head=HEAD):
    """Write a file."""
    text = head + "$KD_DEFINITION\n#:" + form + "\n" + "".join(f"D:{each}\n" for each in channels) + "$" * 72 + "\n"
    if form in ("KRBI", "KDBI"):
        path.write_bytes(text.encode() + rows.astype(">f4" if form == "KRBI" else ">f8").tobytes())
        return path
    width = 10 if form == "LRFI" else 20
    for row in rows:
        cells = ["**unused**".rjust(width) if np.isnan(x) else f"{x:{width}.{width - 4}f}" for x in row]
        for k in range(0, len(cells), 80 // width):
            text += "".join(cells[k : k + 80 // width]) + "\n"
    path.write_text(text)
    return path


FULL = (
    ["reference line phi,rad", "reference line banking,m/m", "reference line slope,m/m"]
    + [f"long section at v = {v:.3f},m" for v in V[::-1]]  # from the left, to be sorted
)
ROWS = np.column_stack([PHI, BANK, SLOPE, Z[:, ::-1]])
ROWS[0, 0] = np.nan


def line():
    """Nodes of the reference line, and heights of it."""
    x = 3.0 + STEP * np.concatenate([[0.0], np.cumsum(np.cos(PHI[1:]))])
    y = -2.0 + STEP * np.concatenate([[0.0], np.cumsum(np.sin(PHI[1:]))])
    return x, y, 0.25 + STEP * np.concatenate([[0.0], np.cumsum(SLOPE[1:])])


def place(u, v):
    """A place on the road: on the bisected normals of the polyline between two nodes."""
    x, y, _ = line()
    k = min(int(u / STEP), COUNT - 2)
    tangents = np.stack([np.gradient(x), np.gradient(y)], axis=1)
    s = u / STEP - k
    chord = np.array([x[k + 1] - x[k], y[k + 1] - y[k]]) / STEP
    normal = np.array([-chord[1], chord[0]])
    ends = []
    for node in (k, k + 1):
        across = np.array([-tangents[node, 1], tangents[node, 0]])
        ends.append(np.array([x[node], y[node]]) + v / (across @ normal) * across)
    return (1 - s) * ends[0] + s * ends[1]


def direct(u, v):
    """Height by the standard: grid, banking and slope, each linear in u and v; v of the banking within the grid."""
    u, w = np.clip(u, 0.0, STEP * (COUNT - 1)), np.clip(v, V[0], V[-1])
    at = STEP * np.arange(COUNT)
    along = np.array([np.interp(u, at, column) for column in Z.T])
    return np.interp(w, V, along) + np.interp(u, at, line()[2]) + w * np.interp(u, at, BANK)


@pytest.mark.parametrize(("form", "near"), [("LRFI", 2e-6), ("LDFI", 1e-12), ("KRBI", 2e-7), ("KDBI", 1e-12)])
def test_curved_banked_and_sloped(tmp_path, form, near):
    """In all four formats; near: digits of text, or single precision, summed over the line."""
    rows = ROWS if form in ("LRFI", "LDFI") else np.nan_to_num(ROWS, nan=0.0)
    road = dt.Road.read(crg(tmp_path / "road.crg", form, rows, FULL), friction=0.8, interpolation="linear")
    u, v = RNG.uniform(0.0, 20.0, 500), RNG.uniform(-2.0, 2.0, 500)
    places = np.array([place(a, b) for a, b in zip(u, v, strict=True)])
    expected = np.array([direct(a, b) for a, b in zip(u, v, strict=True)])
    np.testing.assert_allclose(road.height(*places.T), expected, atol=20 * near)
    assert road.friction(0.0, 0.0) == 0.8


def test_slopes_and_smoothness(tmp_path):
    """Slopes are those of the heights; the cubic surface goes through the nodes, and its slopes are continuous."""
    path = crg(tmp_path / "road.crg", "KDBI", np.nan_to_num(ROWS), FULL)
    for interpolation in ("linear", "cubic"):
        road = dt.Road.read(path, interpolation=interpolation)
        h = 1e-6
        for u, v in ((3.21, 0.4), (11.9, -1.1), (17.3, 1.2)):
            x, y = place(u, v)
            by_difference = ((road.height(x + h, y) - road.height(x - h, y)) / (2 * h),
                             (road.height(x, y + h) - road.height(x, y - h)) / (2 * h))  # fmt: skip
            np.testing.assert_allclose(road.slope(x, y), by_difference, atol=1e-8)
    x, y, _ = line()
    np.testing.assert_allclose(road.height(x, y), [direct(STEP * k, 0.0) for k in range(COUNT)], atol=1e-12)
    ways = np.linspace(place(9.6, -1.0), place(10.4, 1.0), 4001)
    slopes = road.slope(*ways.T)
    assert np.abs(np.diff(slopes, axis=0)).max() < 5e-3 * np.ptp(slopes)


def test_straight_by_numbers(tmp_path):
    """Long sections by numbers, without a reference line; a hole is filled from the inner side; modifiers move it."""
    rows = Z.copy()
    rows[5, 0] = np.nan
    head = HEAD.replace("REFERENCE_LINE_START_PHI = 0.1", "REFERENCE_LINE_START_PHI = 0.0").replace(
        "* a remark", "LONG_SECTION_V_RIGHT = -1.0\nLONG_SECTION_V_INCREMENT = 0.5\n$ROAD_CRG_MODS\nSCALE_Z_GRID = 2\n"
        "REFPOINT_X = 0.0\nREFPOINT_Y = 0.0\nREFPOINT_PHI = 1.5707963267948966\n$",
    )  # fmt: skip
    channels = [f"long section {k + 1},m" for k in range(len(V))]
    road = dt.Road.read(crg(tmp_path / "road.crg", "LDFI", rows, channels, head), interpolation="linear")
    found = road.height(0.5, STEP * np.arange(COUNT))  # it goes along y, and -v along x
    np.testing.assert_allclose(found, 2 * Z[:, 1], atol=1e-12)
    assert road.height(1.0, 5 * STEP) == pytest.approx(2 * Z[5, 1], abs=1e-12)
    assert road.height(1.0, 6 * STEP) == pytest.approx(2 * Z[6, 0], abs=1e-12)


def test_closed_track(tmp_path):
    """A circle of 60 m that is asked to close: the seam is none."""
    n, radius = 189, 60.0
    step = float(2 * radius * np.sin(np.pi / n))
    phi = np.concatenate([[0.0], 2 * np.pi * np.arange(n) / n])
    z = np.stack([0.05 * np.sin(phi + np.arange(n + 1) * 2 * np.pi / n), np.zeros(n + 1)], axis=1)
    z[-1] = z[0]
    head = HEAD.replace("START_PHI = 0.1", "START_PHI = 0.0").replace(f"INCREMENT = {STEP}", f"INCREMENT = {step!r}")
    head = head.replace("* a remark", "$ROAD_CRG_OPTS\nREFLINE_CONTINUATION = 1\n$").replace(
        "START_U   = 10.0", "START_U = 0"
    )
    channels = ["reference line phi,rad", "long section at v = -2.0,m", "long section at v = 2.0,m"]
    road = dt.Road.read(crg(tmp_path / "road.crg", "KDBI", np.column_stack([phi, z]), channels, head))
    x, y = np.linspace(2.0, 4.0, 201), np.full(201, -1.5)
    heights = road.height(x, y)
    assert np.all(np.isfinite(heights))
    assert np.abs(np.diff(heights, 2)).max() < 1e-4


@pytest.mark.parametrize(("old", "new", "messages"), [
    ("START_PHI = 0.1", "START_PHI = left", [":8: ", "reference_line_start_phi", "'left'"]),
    ("REFERENCE_LINE_START_X", "REFERENCE_LINE_START_K", [":5: ", "no 'reference_line_start_k'", "Did you mean"]),
    ("#:LRFI", "#:LRFX", [":12: ", "LRFX", "KDBI"]),
    ("banking,m/m", "banking,%", [":14: ", "must be in m/m"]),
    ("* a remark", "$ROAD_CRG_MODS\nSCALE_WIDTH = 2\n$", ["scale_width = 2", "not supported"]),
    ("* a remark", "$ROAD_CRG_FILE\nother.crg\n$", ["refers to another file"]),
    ("* a remark", "$ROAD_CRG_OPTS\nBORDER_MODE_U = 4\n$", ["BORDER_MODE_U = 4"]),
    ("* a remark", "REFERENCE_LINE_END_U = 99", ["41 records"]),
    ("* a remark", "REFERENCE_LINE_END_X = 99", ["m off the end"]),
    ("v = 1.000", "v = -0.750", ["two long sections are at v = -0.75"]),
    ("$" * 72, "$", ["no line of $$$$"]),
    ("**unused**", "*missing!*", [":22: ", "'*missing!*'"]),
])  # fmt: skip
def test_faults(tmp_path, old, new, messages):
    """With their lines, all at once."""
    path = crg(tmp_path / "road.crg", "LRFI", ROWS, FULL)
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    with pytest.raises(dt.formats.ModelFileError) as error:
        dt.Road.read(path)
    for message in messages:
        assert message in str(error.value.report), str(error.value.report)


def test_damaged_files(tmp_path):
    """A file cut off, one that bends more than it is wide, one that is not there."""
    path = crg(tmp_path / "road.crg", "KDBI", np.nan_to_num(ROWS), FULL,
               HEAD.replace("* a remark", "REFERENCE_LINE_END_U = 30"))  # fmt: skip
    path.write_bytes(path.read_bytes()[:-1000])
    with pytest.raises(dt.formats.ModelFileError, match="cut off"):
        dt.Road.read(path)
    bent = ROWS.copy()
    bent[20:, 0] += 1.0
    with pytest.raises(dt.formats.ModelFileError, match="radius"):
        dt.Road.read(crg(path, "LDFI", bent, FULL))
    with pytest.raises(dt.formats.ModelFileError, match="cannot be read"):
        dt.Road.read(tmp_path / "none.crg")
