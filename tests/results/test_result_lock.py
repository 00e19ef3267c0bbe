"""Two writers of one result file: one of them is refused, and the file is that of the other."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import duoti as dt
from duoti.results.file.lock import writing_lock


def pendulum() -> dt.Model:
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    return m


def in_another_process(code: str) -> subprocess.Popen:
    child = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "go\n"
    return child


HOLD = """
import sys
from pathlib import Path
from duoti.results.file.lock import writing_lock
with writing_lock(Path(sys.argv[1] if len(sys.argv) > 1 else {path!r})):
    print("go", flush=True)
    sys.stdin.readline()
"""


def test_all_ways_of_writing_are_refused_while_another_process_writes(tmp_path):
    path = tmp_path / "run.h5"
    other = dt.simulate(pendulum(), 0.1)
    dt.simulate(pendulum(), 0.5, out=path)
    kept = path.read_bytes()
    child = in_another_process(HOLD.format(path=str(path)))
    try:
        for write in (
            lambda: dt.simulate(pendulum(), 1.0, out=path),
            lambda: dt.resume(path, duration=1.0),
            lambda: other.save(path),
        ):
            with pytest.raises(
                dt.errors.ResultFileError, match=rf"process {child.pid} is writing a run into it, since"
            ):
                write()
        assert len(dt.resume(path).t) == 1001  # finished: nothing is written
    finally:
        child.communicate("\n")
    assert path.read_bytes() == kept
    assert os.listdir(tmp_path) == ["run.h5"]
    assert dt.resume(path, duration=1.0).ok


@pytest.mark.skipif(os.name == "nt", reason="kill -9")
def test_the_lock_of_a_killed_process_does_not_block(tmp_path):
    path = tmp_path / "run.h5"
    child = in_another_process(HOLD.format(path=str(path)))
    child.kill()
    child.communicate()
    assert os.listdir(tmp_path) == ["run.h5.lock"]
    assert dt.simulate(pendulum(), 0.1, out=path).ok
    assert os.listdir(tmp_path) == ["run.h5"]


def test_the_lock_is_given_up_when_a_run_does_not_begin(tmp_path):
    path = tmp_path / "run.h5"
    m = pendulum()
    m.add_force("bad", dt.JointTorque("A", "unknown + 1"))
    for _ in range(2):
        with pytest.raises(dt.ModelError):
            dt.simulate(m, 1.0, out=path)
    assert os.listdir(tmp_path) == []


def at_once(n: int, action) -> tuple[list, list]:
    """What n threads that begin together return, and what they raise."""
    barrier, done, refused = threading.Barrier(n), [], []

    def run():
        barrier.wait()
        try:
            done.append(action())
        except dt.errors.ResultFileError as error:
            refused.append(str(error))

    threads = [threading.Thread(target=run) for _ in range(n)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done, refused


def test_many_at_once_exclude_each_other(tmp_path):
    """Each of them makes a counter in a file larger by one; nothing is lost."""
    path, counter = tmp_path / "run.h5", tmp_path / "counter"
    counter.write_text("0")
    said = {True}

    def count():
        for _ in range(50):
            while True:
                try:
                    with writing_lock(path):
                        counter.write_text(str(int(counter.read_text()) + 1))
                    break
                except dt.errors.ResultFileError as error:
                    said.add("writing a run into it" in str(error))

    at_once(4, count)
    assert counter.read_text() == "200"
    assert said == {True}


def test_two_resume_of_one_file(tmp_path):
    path = tmp_path / "run.h5"
    alone = dt.simulate(pendulum(), 2.0, outputs=1e-3)
    dt.simulate(pendulum(), 1.0, outputs=1e-3, out=path)
    done, refused = at_once(3, lambda: dt.resume(path, duration=2.0))
    assert done
    assert len(done) + len(refused) == 3  # one that comes when all is done finds a finished run
    np.testing.assert_allclose(dt.open_result(path)["A.angle"], alone["A.angle"], atol=1e-7)


def test_two_simulate_into_one_file(tmp_path):
    path = tmp_path / "run.h5"
    systems = dt.compile(pendulum())
    done, refused = at_once(3, lambda: dt.simulate(systems, 5.0, outputs=1e-3, out=path))
    assert done
    assert len(done) + len(refused) == 3  # one that comes when all is done overwrites a finished run
    assert len(dt.open_result(path).t) == 5001
    assert os.listdir(tmp_path) == ["run.h5"]
