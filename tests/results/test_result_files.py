"""Results on disk: written while they are computed, saved, opened, turned into tables."""

import csv
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.outputs import output_times
from duoti.results.file.superblock import checksum
from support.long_runs import pendulum, slider_crank, top
from support.same import same

posix = pytest.mark.skipif(os.name != "posix", reason="signals and forks of POSIX")


# ---------------------------------------------------------------------------------------------------------- round trips


@pytest.mark.parametrize("outputs", ["steps", 0.004, None, [0.0, 0.0, 0.5, 0.5, 2.0]])
def test_a_streamed_run_is_the_same_as_one_in_memory(tmp_path, outputs):
    path = tmp_path / "run.h5"
    want = dt.simulate(pendulum(), 20.0, outputs=outputs)
    got = dt.simulate(pendulum(), 20.0, outputs=outputs, out=path, checkpoint=0)
    again = dt.open_result(path, pendulum())
    assert same(want, got)
    assert same(want, again)
    for r in (got, again):
        assert (r.ok, r.reason, r.status) == (True, "end time reached", "finished")
        assert np.array_equal(r["B.angle"], want["B.angle"])
        assert np.array_equal(r["b.position"], want["b.position"])
        assert np.array_equal(r.energy.residual, want.energy.residual)
        assert np.array_equal(r["A.reaction_force"], want["A.reaction_force"])
        assert r.summary().splitlines()[0] == want.summary().splitlines()[0]


@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_closed_loops_keep_their_constraint_method_and_coordinates(tmp_path, coordinates):
    path, model = tmp_path / "run.h5", slider_crank(driven=False)
    settings = {"constraints": dt.Baumgarte(alpha=20, beta=20), "coordinates": coordinates}
    want = dt.simulate(model, 1.0, outputs=0.01, **settings)
    dt.simulate(model, 1.0, outputs=0.01, out=path, **settings)
    got = dt.open_result(path, model)
    assert same(want, got)
    assert got.constraints == dt.Baumgarte(alpha=20, beta=20)
    assert np.array_equal(got["D.reaction_force"], want["D.reaction_force"])
    assert np.array_equal(got["slider.position"], want["slider.position"])


def test_save_and_open(tmp_path):
    path = tmp_path / "saved.h5"
    want = dt.simulate(pendulum(), 5.0, t=1.0)
    want.save(path)
    got = dt.open_result(path, pendulum())
    assert same(want, got)
    assert got.stats == want.stats
    with pytest.raises(dt.errors.ResultFileError, match="saved from memory"):
        dt.resume(path, pendulum(), duration=9.0)
    got.save(tmp_path / "copy.h5")
    assert same(want, dt.open_result(tmp_path / "copy.h5", pendulum()))


def test_a_file_says_what_it_holds(tmp_path):
    """Read by h5py alone, as another program would."""
    import h5py

    path = tmp_path / "run.h5"
    r = dt.simulate(slider_crank(), 0.5, outputs="steps", out=path, t=2.0)
    assert path.read_bytes()[:512].startswith(b"duoti result, an HDF5 file. ")
    with h5py.File(path) as file:
        about = {name: value.decode() if isinstance(value, bytes) else value for name, value in file.attrs.items()}
        assert about["format"] == "duoti result"
        assert about["format_version"] == 2
        assert about["model"] == "slider-crank"
        assert about["duoti_version"] == dt.__version__
        assert about["coordinates"] == "relative"
        assert about["start_time"] == 2.0
        assert json.loads(about["solver_settings"])["rtol"] == 1e-8
        assert json.loads(about["constraints_settings"]) == {"type": "Projection"}
        columns = [name.decode() for name in file["columns"]]
        units = dict(zip(columns, (unit.decode() for unit in file["column_units"]), strict=True))
        assert units["A.angle"] == "rad"
        assert units["A.rate"] == "rad/s"
        assert units["work supplied"] == "J"
        assert np.array_equal(file["y"][:, columns.index("lag")], r["lag"])
        assert np.array_equal(file["t"][:], r.t)
        assert file["t"].attrs["unit"] == b"s"
        channels = [name.decode() for name in file["channels"]]
        assert channels == r.channels
        at = channels.index("slider.acceleration")
        assert file["channel_units"][at] == b"m/s^2"
        status = json.loads(file["status"][()])
        assert status["state"] == "finished"
        assert status["stats"]["steps"] == r.stats.steps
        assert (status["rows"], status["duration"]) == (len(r), 0.5)


def test_units_of_all_columns(tmp_path):
    r = dt.simulate(top(), 0.01)
    assert r.layout.columns[:4] == [f"pivot.q[{i}]" for i in range(4)]
    assert r.layout.units == ["1"] * 4 + ["rad/s"] * 3 + ["J"] * 2
    r = dt.simulate(top(), 0.01, coordinates="absolute")
    assert r.layout.columns[0] == "body:top.q[0]"
    assert "" not in r.layout.units


def test_a_lazy_array_is_indexed_like_any_other(tmp_path):
    r = dt.simulate(pendulum(), 1.0, outputs=0.01, out=tmp_path / "run.h5")
    y = np.asarray(r.states)
    for key in (np.s_[:], np.s_[3:7], np.s_[-5:], np.s_[::7], np.s_[:, 1], np.s_[:, -2:], np.s_[2:9, [3, 0, 3]], 5, -1):
        key = (key[0], slice(1, 2)) if isinstance(key, tuple) and key[1] == 1 else key
        assert np.array_equal(r.states[key], y[key])
    assert r.states[:, np.array([], int)].shape == (101, 0)
    assert r.states.shape == y.shape
    assert not r.t.flags.writeable


# ------------------------------------------------------------------------------------------------------------- buffers


def test_one_step_may_pass_more_outputs_than_the_buffer_holds(tmp_path):
    """A body that only falls: steps as long as the run, 20 000 outputs in each."""
    m = dt.Model("falls")
    m.add_joint("J", dt.Free(), m.ground, m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1)), at=(0, 0, 0))
    for solver in (dt.DOPRI5(), dt.Radau(), "auto", dt.RK4(step=0.7)):
        want = dt.simulate(m, 2.0, outputs=1e-4, solver=solver)
        got = dt.simulate(m, 2.0, outputs=1e-4, solver=solver, out=tmp_path / "run.h5")
        assert len(got) == 20_001
        assert same(want, got)


def test_ida_streams_but_says_that_it_cannot_be_resumed(tmp_path):
    pytest.importorskip("sksundae")
    path = tmp_path / "run.h5"
    want = dt.simulate(slider_crank(), 1.0, outputs=1e-4, solver=dt.IDA())
    got = dt.simulate(slider_crank(), 1.0, outputs=1e-4, solver=dt.IDA(), out=path)
    assert same(want, got)
    with pytest.raises(dt.errors.ResultFileError, match="IDA keeps its memory inside SUNDIALS"):
        dt.resume(path, slider_crank(), duration=2.0)


@pytest.mark.parametrize("outputs", [0.1, 0.3, 1e-3, None, [0.5, 0.5, 2.0]])
def test_times_come_in_pieces_as_they_come_at_once(outputs):
    """Against the definition, with arrays: start, start + step, ..., end."""
    start, duration = 0.3, 2.0
    end = start + duration
    times = output_times(duration, outputs, start)
    if outputs is None:
        want = np.linspace(start, end, 1001)
    elif isinstance(outputs, float):
        want = start + outputs * np.arange(np.floor(duration / outputs * (1 + 1e-12)) + 1)
        want = np.minimum(want, end) if want[-1] >= end - 1e-9 * outputs else np.append(want, end)
    else:
        want = np.array(outputs)
    assert times.count == len(want)
    got = np.concatenate([times.between(k, k + 3) for k in range(0, times.count, 3)])
    assert np.array_equal(got[:-1], want[:-1])
    assert got[-1] == want[-1] or abs(got[-1] - want[-1]) <= 1e-15 * end
    for t in (start - 1, start, 0.5, 1.234, end):
        assert times.until(t) == np.count_nonzero(got <= t)


# ------------------------------------------------------------------------------------------------------ how a run ends


def test_a_failed_run_leaves_a_complete_file(tmp_path):
    m = pendulum()
    m.add_force("bad", dt.JointTorque("A", "1/(1 - t)^2 + log(1 - t)"))
    path = tmp_path / "run.h5"
    with pytest.warns(dt.errors.SimulationWarning):
        want = dt.simulate(m, 5.0)
    with pytest.warns(dt.errors.SimulationWarning):
        dt.simulate(m, 5.0, out=path)
    got = dt.open_result(path, m)
    assert same(want, got)
    assert (got.ok, got.status, got.reason) == (False, "failed", want.reason)
    with pytest.raises(dt.errors.ResultFileError, match="the run failed"):
        dt.resume(path, m)


def test_a_run_that_an_event_ends(tmp_path):
    m = pendulum()
    m.add_event("end", dt.Event("B.angle - 2", terminal=True))
    path = tmp_path / "run.h5"
    want, got = dt.simulate(m, 50.0), dt.simulate(m, 50.0, out=path)
    assert same(want, got)
    assert got.reason == want.reason
    with pytest.raises(dt.errors.ResultFileError, match='ended by event "end"'):
        dt.resume(path, m, duration=60.0)


INTERRUPTED = """
import signal, sys, duoti as dt
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {tests!r})
from support.long_runs import pendulum
r = dt.simulate(pendulum(), 1e5, outputs=0.01, out={path!r}, checkpoint=0.05)
assert r.status == "interrupted" and not r.ok and r.reason.startswith("interrupted by the user"), r
"""


@posix
def test_ctrl_c_leaves_a_file_that_can_be_resumed(tmp_path):
    path, tests = tmp_path / "run.h5", Path(__file__).parents[1]
    program = INTERRUPTED.format(tests=str(tests), path=str(path))
    with subprocess.Popen([sys.executable, "-c", program]) as child:
        while not path.exists():
            assert child.poll() is None
            time.sleep(0.02)
        while len(dt.open_result(path, pendulum()).t) < 100:  # some checkpoints
            assert child.poll() is None
            time.sleep(0.02)
        running = dt.open_result(path, pendulum())
        assert running.status == "running"
        assert f"process {child.pid}" in running.reason
        assert np.all(np.diff(running.t) > 0)
        with pytest.raises(dt.errors.ResultFileError, match=f"process {child.pid} is"):
            dt.resume(path, pendulum())
        with pytest.raises(dt.errors.ResultFileError, match=f"process {child.pid} is writing"):
            dt.simulate(pendulum(), 1.0, out=path)
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=600) == 0
    stopped = dt.open_result(path, pendulum())
    assert stopped.status == "interrupted"
    reached = float(stopped.t[-1])
    assert np.all(np.diff(stopped.t)[:-1] < 0.011)  # no gap between the last outputs and the state at the end
    with pytest.raises(ValueError, match="has already come to"):
        dt.resume(path, pendulum(), duration=0.5 * reached)
    end = np.ceil(reached) + 5.0
    got = dt.resume(path, pendulum(), duration=end)
    want = dt.simulate(pendulum(), end, outputs=0.01)
    assert got.ok
    n = np.count_nonzero(want.t < reached)
    assert np.array_equal(got.t, want.t)
    assert np.array_equal(np.asarray(got.states)[:n], np.asarray(want.states)[:n])


@posix
def test_no_room_on_the_disk_is_said(tmp_path):
    program = f"""
import resource, signal, sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
import duoti as dt
from support.long_runs import pendulum
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8_000_000, 8_000_000))
try:
    dt.simulate(pendulum(), 1e4, outputs=0.001, out={str(tmp_path / "run.h5")!r}, checkpoint=0.01)
except dt.errors.ResultFileError as error:
    print(error)
r = dt.open_result({str(tmp_path / "run.h5")!r})
print(r.status, len(r) > 1000, r.reason)
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    said = found.stdout.splitlines()
    assert said[0].endswith("run.h5: cannot be written: File too large")
    assert said[1].startswith("interrupted True stopped by ResultFileError")


def test_a_run_in_another_thread(tmp_path):
    """Ctrl-C is a matter of the main thread only; elsewhere nothing may be asked of it."""
    done = []
    worker = threading.Thread(target=lambda: done.append(dt.simulate(pendulum(), 1.0, out=tmp_path / "run.h5")))
    worker.start()
    worker.join()
    assert done[0].ok
    assert np.array_equal(dt.open_result(tmp_path / "run.h5").q, dt.simulate(pendulum(), 1.0).q)


# ------------------------------------------------------------------------------------------------------------ extension


@pytest.mark.parametrize("outputs", ["steps", 0.03, None])
def test_a_run_is_made_longer(tmp_path, outputs):
    path = tmp_path / "run.h5"
    first = dt.simulate(pendulum(), 2.0, outputs=outputs, out=path)
    n = len(first)
    head = np.asarray(first.states)
    longer = dt.resume(path, pendulum(), duration=5.0)
    truth = dt.simulate(pendulum(), 5.0, outputs=[5.0], rtol=1e-12, atol=1e-12)
    assert longer.t[-1] == 5.0
    assert np.all(np.diff(longer.t) > 0)
    assert np.array_equal(np.asarray(longer.states)[:n], head)
    # both solvers keep an error of 1e-8 per second or so; the motion doubles errors a few times in five seconds
    assert np.allclose(longer.q[-1], truth.q[-1], atol=1e-6)
    if outputs == "steps":
        assert longer.stats.steps > 1.5 * n
    assert dt.resume(path, pendulum()).status == "finished"  # nothing to do
    with pytest.raises(ValueError, match="has already come to"):
        dt.resume(path, pendulum(), duration=1.0)


def test_further_outputs_of_a_run_with_single_times(tmp_path):
    path = tmp_path / "run.h5"
    dt.simulate(pendulum(), 2.0, outputs=[0.5, 2.0], out=path)
    with pytest.raises(ValueError, match="single times"):
        dt.resume(path, pendulum(), duration=3.0)
    r = dt.resume(path, pendulum(), duration=3.0, outputs=0.25)
    assert r.t.tolist() == [0.5, 2.0, 2.25, 2.5, 2.75, 3.0]


# ------------------------------------------------------------------------------------------------- models and wrong use


def with_function():
    m = pendulum()
    m.add_force("push", dt.JointTorque("A", dt.Function(lambda t: 0.1 * t, inputs=["t"])))
    return m


def test_a_model_with_functions_has_to_be_given(tmp_path):
    path = tmp_path / "run.h5"
    want = dt.simulate(with_function(), 1.0, out=path)
    bare = dt.open_result(path)
    assert not bare.has_model
    assert np.array_equal(bare.q, want.q)
    assert np.array_equal(bare["A.angle"], want["A.angle"])
    assert bare.unit("A.rate") == "rad/s"
    assert "a.position" not in bare
    assert "without its model" in bare.summary()
    with pytest.raises(dt.errors.ChannelError, match="there is no column"):
        bare["a.position"]
    for ask in (
        lambda: bare.energy,
        lambda: bare.model,
        lambda: bare.reaction("A"),
        lambda: dt.resume(path, duration=2),
    ):
        with pytest.raises(dt.errors.ResultFileError, match=r"needs the model.*model=") as error:
            ask()
        assert "run.h5" in str(error.value)
    assert np.array_equal(dt.open_result(path, with_function())["a.position"], want["a.position"])


def test_another_model_is_refused(tmp_path):
    path = tmp_path / "run.h5"
    dt.simulate(pendulum(), 1.0, out=path)
    with pytest.raises(
        dt.errors.ResultFileError, match=r"among their coordinates, the file has A.angle.*the model pivot.q"
    ):
        dt.open_result(path, top())
    heavier = pendulum()
    heavier.gravity = (0, 0, -9.0)
    with pytest.raises(dt.errors.ResultFileError, match="other masses, places, forces or laws"):
        dt.open_result(path, heavier)


def test_the_model_comes_with_the_file(tmp_path):
    path = tmp_path / "run.h5"
    want = dt.simulate(slider_crank(), 1.0, out=path)
    got = dt.open_result(path)
    assert np.array_equal(got["slider.position"], want["slider.position"])
    assert np.array_equal(got["A.reaction_torque"], want["A.reaction_torque"])
    longer = dt.resume(path, duration=1.5)
    assert longer.t[-1] == 1.5


def test_another_version_does_not_go_on(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    dt.simulate(pendulum(), 1.0, out=path)
    monkeypatch.setattr("duoti.analyses.simulate.resume.__version__", "9.9.9")
    with pytest.raises(dt.errors.ResultFileError, match=r"begun by duoti .*; this is duoti 9.9.9"):
        dt.resume(path, pendulum(), duration=2.0)


def test_another_machine_goes_on_with_a_warning(tmp_path, monkeypatch):
    path = tmp_path / "run.h5"
    dt.simulate(pendulum(), 1.0, out=path)
    monkeypatch.setattr("duoti.analyses.simulate.resume.machine", lambda: "an abacus")
    with pytest.warns(dt.errors.SimulationWarning, match="on an abacus it goes on"):
        assert dt.resume(path, pendulum(), duration=2.0).ok


def test_what_is_in_the_way(tmp_path):
    path = tmp_path / "run.h5"
    with pytest.raises(dt.errors.ResultFileError, match="there is no folder"):
        dt.simulate(pendulum(), 1.0, out=tmp_path / "none" / "run.h5")
    with pytest.raises(dt.errors.ResultFileError, match="is a folder"):
        dt.simulate(pendulum(), 1.0, out=tmp_path)
    path.write_text("my thesis")
    with pytest.raises(dt.errors.ResultFileError, match="not overwritten"):
        dt.simulate(pendulum(), 1.0, out=path)
    assert path.read_text() == "my thesis"
    path.unlink()
    with pytest.raises(ValueError, match="give out="):
        dt.simulate(pendulum(), 1.0, checkpoint=1.0)
    with pytest.raises(ValueError, match="checkpoint=-1"):
        dt.simulate(pendulum(), 1.0, out=path, checkpoint=-1)
    first = dt.simulate(pendulum(), 1.0, out=path)
    dt.simulate(pendulum(), 2.0, out=path)  # a finished one is replaced
    with pytest.raises(dt.errors.ResultFileError, match="holds another run now"):
        first.q  # noqa: B018
    assert sorted(p.name for p in tmp_path.iterdir()) == ["run.h5"]


def test_files_that_are_none(tmp_path):
    import h5py

    path = tmp_path / "x.h5"
    with pytest.raises(dt.errors.ResultFileError, match=r"x.h5: cannot be read: No such file"):
        dt.open_result(path)
    path.write_bytes(b"")
    with pytest.raises(dt.errors.ResultFileError, match="is no HDF5 file"):
        dt.open_result(path)
    with h5py.File(path, "w") as file:
        file["x"] = 1
    with pytest.raises(dt.errors.ResultFileError, match="not a result of duoti"):
        dt.open_result(path)
    dt.simulate(pendulum(), 1.0, out=tmp_path / "run.h5")
    data = (tmp_path / "run.h5").read_bytes()
    path.write_bytes(data[:-100])
    with pytest.raises(dt.errors.ResultFileError, match="was cut short"):
        dt.open_result(path)
    path.write_bytes(data[:540] + b"\x00" + data[541:])
    with pytest.raises(dt.errors.ResultFileError, match="its beginning is damaged"):
        dt.open_result(path)


def test_the_checksum_of_hdf5():
    """Test value of lookup3.c by Bob Jenkins: hashlittle("Four score and seven years ago", 30, 0)."""
    assert checksum(b"Four score and seven years ago") == 0x17770551


# --------------------------------------------------------------------------------------------------------------- tables


@pytest.fixture(scope="module")
def moved():
    return dt.simulate(slider_crank(), 0.2, outputs=0.01)


CHOSEN = ["A.angle", "slider.position", "slider.rotation", "lag"]


def test_csv(moved, tmp_path):
    moved.to_csv(tmp_path / "r.csv", CHOSEN)
    with (tmp_path / "r.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    assert head[:5] == [
        "t [s]",
        "A.angle [rad]",
        "slider.position.x [m]",
        "slider.position.y [m]",
        "slider.position.z [m]",
    ]
    values = np.array(rows, float)
    assert np.array_equal(values[:, 0], moved.t)
    assert np.array_equal(values[:, 2:5], moved["slider.position"])
    assert np.array_equal(values[:, 9], moved["lag"])


def test_mat(moved, tmp_path):
    from scipy.io import loadmat

    moved.to_mat(tmp_path / "r.mat", [*CHOSEN, "A.angle"])
    found = loadmat(tmp_path / "r.mat")
    assert np.array_equal(found["t"][:, 0], moved.t)
    assert np.array_equal(found["slider_position"], moved["slider.position"])
    names = [[str(cell[0]) if cell.size else "" for cell in row] for row in found["names"]]
    assert names[:2] == [["t", "t", "s"], ["A_angle", "A.angle", "rad"]]
    assert names[-1] == ["A_angle_2", "A.angle", "rad"]


def test_parquet(moved, tmp_path):
    pq = pytest.importorskip("pyarrow.parquet")
    moved.to_parquet(tmp_path / "r.parquet", CHOSEN)
    table = pq.read_table(tmp_path / "r.parquet")
    assert table.schema.field("A.angle").metadata == {b"unit": b"rad"}
    assert table.schema.metadata[b"model"] == b"slider-crank"
    assert np.array_equal(table["slider.rotation.w"].to_numpy(), moved["slider.rotation.w"])


def test_xarray(moved):
    pytest.importorskip("xarray")
    data = moved.to_xarray(CHOSEN)
    assert data["slider.position"].dims == ("t", "xyz")
    assert data["slider.position"].attrs["units"] == "m"
    assert np.array_equal(data["slider.position"].sel(xyz="z"), moved["slider.position.z"])
    assert np.array_equal(data["t"], moved.t)
    assert moved.to_xarray()["A.q"].dims == ("t",)


def test_pandas(moved):
    pytest.importorskip("pandas")
    table = moved.to_pandas(CHOSEN)
    assert table.attrs["units"]["slider.position.x"] == "m"
    assert np.array_equal(table["lag"], moved["lag"])
    assert "lag" in moved.to_pandas().columns


@pytest.mark.parametrize(
    ("method", "package"), [("to_xarray", "xarray"), ("to_parquet", "pyarrow"), ("to_pandas", "pandas")]
)
def test_a_missing_package_is_named_with_its_extra(moved, monkeypatch, tmp_path, method, package):
    monkeypatch.setitem(sys.modules, package, None)
    arguments = [tmp_path / "x"] if method == "to_parquet" else []
    with pytest.raises(ImportError, match=rf'{method} needs {package}: pip install "duoti\[data\]"'):
        getattr(moved, method)(*arguments)


def test_wrong_channels_of_a_table(moved, tmp_path):
    with pytest.raises(dt.errors.ChannelError, match="slider"):
        moved.to_csv(tmp_path / "r.csv", ["slider.positoin"])
    with pytest.raises(TypeError, match="give a list of names"):
        moved.to_csv(tmp_path / "r.csv", "lag")


def test_the_name_of_a_file_says_its_kind(tmp_path):
    """Tables are written as tables; HDF5 goes into no file that promises something else, and nothing is left of it."""
    m = dt.Model("slide", gravity=(0, 0, 0))
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("x", dt.Prismatic("x"), m.ground, "b", v0=2.0)
    r = dt.simulate(m, 0.2, outputs=0.1)
    r.save(tmp_path / "run.csv")
    rows = (tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("t [s],x.q [m]")
    assert len(rows) == 4
    r.save(tmp_path / "run.MAT")
    assert (tmp_path / "run.MAT").read_bytes().startswith(b"MATLAB 5.0")
    for name, remedy in {"run.xlsx": "to_excel", "run.json": "to_json", "run.npz": "savez", "run.dat": "[.]h5"}.items():
        with pytest.raises(OSError, match=remedy):
            r.save(tmp_path / name)
        with pytest.raises(OSError, match=remedy):
            dt.simulate(m, 0.2, out=tmp_path / name)
        assert not (tmp_path / name).exists()
    with pytest.raises(OSError, match=r"afterwards: r\.save"):
        dt.simulate(m, 0.2, out=tmp_path / "new.csv")
    for name in ("run.h5", "run.hdf5", "run"):
        r.save(tmp_path / name)
        assert dt.open_result(tmp_path / name).ok


def test_a_reader_that_locks_the_file_is_waited_for(tmp_path, monkeypatch):
    """Readers lock a file while they open it: a run that opened it just then ended with BlockingIOError."""
    import h5py

    opened, refused = h5py.File, []

    def locked_at_first(path, mode="r", *arguments, **options):
        if mode == "r+" and len(refused) < 3:
            refused.append(path)
            raise BlockingIOError(11, "unable to lock file")
        return opened(path, mode, *arguments, **options)

    monkeypatch.setattr(h5py, "File", locked_at_first)
    r = dt.simulate(pendulum(), 0.5, outputs=0.1, out=tmp_path / "run.h5")
    assert r.ok
    assert len(refused) == 3
