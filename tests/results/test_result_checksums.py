"""A flipped bit, a hole or bytes from elsewhere in a result file: found by name, never a number."""

import os
import time

import h5py
import numpy as np
import pytest

import duoti as dt
from support.long_runs import pendulum, slider_crank


def offset_of(path, name, chunk=0):
    """Where a chunk of an array begins in the file: some versions of HDF5 count from the end of the user block."""
    with h5py.File(path) as file:
        rows = file[name].chunks[0]
        values = file[name][chunk * rows : (chunk + 1) * rows].tobytes()
        stated, data = file[name].id.get_chunk_info(chunk).byte_offset, path.read_bytes()
        return next(at for at in (stated, stated + file.userblock_size) if data[at : at + len(values)] == values)


def flip(path, at, bit=3):
    with path.open("r+b") as file:
        file.seek(at)
        byte = file.read(1)[0]
        file.seek(at)
        file.write(bytes([byte ^ (1 << bit)]))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """3000 outputs: blocks that are complete, and one that is not."""
    path = tmp_path_factory.mktemp("run") / "run.h5"
    m = slider_crank()
    r = dt.simulate(m, 3.0, outputs=1e-4, solver=dt.GeneralisedAlpha(step=1e-2), out=path)
    assert r.ok
    assert len(r) == 30_001
    return path, m


@pytest.mark.parametrize("name", ["t", "y", "x"])
@pytest.mark.parametrize("row", [5, 20_000, 30_000])
def test_a_flipped_bit_is_found_where_it_is(run, tmp_path, name, row):
    source, m = run
    path = tmp_path / "copy.h5"
    path.write_bytes(source.read_bytes())
    with h5py.File(path) as file:
        rows = file[name].chunks[0]
        width = 8 * int(np.prod(file[name].shape[1:], dtype=int))
        block, last = row // rows, 30_001 // rows
        assert last > 0
    flip(path, offset_of(path, name, block) + (row % rows) * width + 2)
    r = dt.open_result(path, m)
    arrays = {"t": lambda r: r.t, "y": lambda r: np.asarray(r.states), "x": lambda r: r.record[:]}
    with pytest.raises(
        dt.errors.ResultFileError, match=f"rows {block * rows} to .* of '{name}' are not those that were written"
    ):
        arrays[name](r)
    if name == "y" and block:  # what stands before is not lost
        assert np.array_equal(r.states[: block * rows], dt.open_result(source, m).states[: block * rows])


def test_columns_and_strides_are_those_of_the_whole(run):
    r = dt.open_result(*run)
    whole = np.asarray(r.states)
    for key in (np.s_[7:29_000:333], np.s_[::1999, 2:4], np.s_[10_000:20_000, [3, 0]], np.s_[30_000:], np.s_[5:5]):
        assert np.array_equal(r.states[key], whole[key])


def test_a_file_cut_while_it_is_written(tmp_path):
    """Whoever truncates the file: the run goes on, and the hole is no row of zeros."""
    path, seen = tmp_path / "run.h5", []

    def cut(t):
        if t > 90.0 and not seen and path.exists():
            seen.append(path.stat().st_size)
            os.truncate(path, 100_000)  # states of long ago, which HDF5 no longer has in memory, become a hole
        return 0.0

    m = pendulum()
    m.add_force("cut", dt.JointTorque("A", cut))
    try:
        dt.simulate(m, 100.0, outputs=1e-3, out=path, checkpoint=0.0)
    except dt.errors.ResultFileError:
        return
    assert seen
    with pytest.raises(dt.errors.ResultFileError, match=r"damaged|cannot be read|cut short"):
        np.asarray(dt.open_result(path, m).states)


def test_resuming_continues_the_checksums(tmp_path):
    path = tmp_path / "run.h5"
    dt.simulate(pendulum(), 3.0, outputs=1e-3, out=path)
    dt.resume(path, pendulum(), duration=6.5)
    r = dt.open_result(path, pendulum())
    assert len(np.asarray(r.states)) == 6501
    whole = dt.simulate(pendulum(), 3.0, outputs=1e-3)
    assert np.array_equal(r.states[:3001], np.asarray(whole.states))


def test_what_a_resumed_run_goes_on_from_is_verified(tmp_path):
    path = tmp_path / "run.h5"
    dt.simulate(pendulum(), 3.0, outputs=1e-3, out=path)
    flip(path, offset_of(path, "y") + 1000)
    with pytest.raises(dt.errors.ResultFileError, match="of 'y' are not those that were written"):
        dt.resume(path, pendulum(), duration=6.0)


def test_a_file_without_checksums_is_read(tmp_path):
    path = tmp_path / "run.h5"
    want = dt.simulate(pendulum(), 1.0, outputs=1e-2, out=path)
    want = np.asarray(want.states)
    with h5py.File(path, "r+") as file:
        del file["checksums"]
    assert np.array_equal(np.asarray(dt.open_result(path, pendulum()).states), want)


# ------------------------------------------------------------------------------------- files that reach for other files


def forged(tmp_path, how):
    """A result whose states are the bytes of another file of the user's."""
    secret = tmp_path / "secret.txt"
    secret.write_bytes(b"password".ljust(8 * 404))
    path = tmp_path / "run.h5"
    dt.simulate(pendulum(), 1.0, outputs=1e-2, out=path)
    with h5py.File(path, "r+") as file:
        shape = file["y"].shape
        del file["y"]
        if how == "external storage":
            file.create_dataset("y", shape, "f8", external=[(str(secret), 0, h5py.h5f.UNLIMITED)])
        elif how == "virtual dataset":
            layout = h5py.VirtualLayout(shape, "f8")
            layout[:] = h5py.VirtualSource(str(secret), "y", shape)
            file.create_virtual_dataset("y", layout)
        elif how == "external link":
            file["y"] = h5py.ExternalLink(str(secret), "/y")
        else:
            file["y"] = h5py.SoftLink("/t")
    return path


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("external storage", "external storage"),
        ("virtual dataset", "virtual dataset"),
        ("external link", "is a link"),
        ("soft link", "is a link"),
    ],
)
def test_numbers_from_other_files_are_refused(tmp_path, how, words):
    path = forged(tmp_path, how)
    for open_it in (dt.open_result, dt.resume):
        with pytest.raises(dt.errors.ResultFileError, match=words) as caught:
            open_it(path, pendulum())
        assert '"y"' in str(caught.value)


def test_a_damaged_file_that_claims_to_be_written_makes_nobody_wait(tmp_path):
    """HDF5's mode for readers beside a writer would try a hundred times, with growing pauses, for each bad block."""
    from duoti.results.file.lock import this_process
    from duoti.results.file.superblock import BEGIN, FLAGS, SIZE, checksum, write_title

    path = tmp_path / "run.h5"
    dt.simulate(pendulum(), 1.0, outputs=1e-2, out=path)
    data = bytearray(path.read_bytes())
    block = data[BEGIN : BEGIN + SIZE]
    block[FLAGS] = 5
    block[-4:] = checksum(bytes(block[:-4])).to_bytes(4, "little")
    data[BEGIN : BEGIN + SIZE] = block
    for at in range(BEGIN + SIZE, len(data), 97):
        data[at] ^= 0xFF
    path.write_bytes(bytes(data))
    write_title(path, this_process() | {"pid": os.getppid(), "born": _born(os.getppid())})  # lives, and writes nothing
    before = time.process_time()
    with pytest.raises(dt.errors.ResultFileError):
        dt.open_result(path, pendulum())
    assert time.process_time() - before < 20  # 2 s of patience, and most of them asleep


def _born(pid):
    from duoti.results.file.lock import _born

    return _born(pid)


def test_a_disk_that_is_nearly_full_is_said_before_hdf5_meets_it(tmp_path, monkeypatch):
    """HDF5 does not survive it: tracebacks from its depths, and a file left behind."""
    import shutil

    r = dt.simulate(pendulum(), 1.0)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(10**9, 10**9 - 10**5, 10**5))
    with pytest.raises(dt.errors.ResultFileError, match="No space left"):
        r.save(tmp_path / "run.h5")
    assert not list(tmp_path.iterdir())
