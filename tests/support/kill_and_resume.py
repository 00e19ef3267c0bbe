"""Runs as a program of its own: begins a run of `long_runs` in a child process, kills it, resumes it, kills it again.

    python kill_and_resume.py NAME FILE KILLS SEED [fresh]

Children are forks of this process, which has the kernels loaded; with "fresh" each is a new Python. The run is left
killed (or finished, if it was quicker than the killer). Prints how often a child was killed before its end.
"""

import os
import random
import signal
import subprocess
import sys
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import duoti as dt
from duoti.results.file.superblock import read_beginning
from support.long_runs import RUNS

CHECKPOINT = 0.02  # seconds
LONGEST = 0.5  # seconds of a child's life, most often counted from when it writes
SHARE = 0.4  # of the time that the whole run takes here: the longest such life on a fast machine


def work(name, path):
    """What a child does: begin the run, or go on with it."""
    make, settings = RUNS[name]
    if path.exists():
        dt.resume(path, make(), progress=False)
    else:
        dt.simulate(make(), **settings, out=path, checkpoint=CHECKPOINT, progress=False)


def fork(name, path):
    pid = os.fork()
    if pid:
        return pid
    try:
        work(name, path)
        os._exit(0)
    except BaseException as error:
        print("child failed:", type(error).__name__, error, file=sys.stderr, flush=True)
        os._exit(1)


def fresh(name, path):
    return subprocess.Popen([sys.executable, __file__, name, str(path), "child"]).pid


def campaign(name, path, kills, seed, start, longest):
    chance = random.Random(seed)
    done = 0
    while done < kills:
        pid = start(name, path)
        if chance.random() < 0.75:  # the others may be killed while they begin
            wait_for(path, pid)
        time.sleep(longest * chance.random() ** 2)
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        if os.WIFEXITED(status):
            if os.WEXITSTATUS(status):
                raise SystemExit(f"a child failed after {done} kills")
            break  # it came to its end before it could be killed
        done += path.exists()
    print(done)


def wait_for(path, pid):
    """Until the child writes the file, or has ended."""
    for _ in range(12_000):
        if (path.exists() and read_beginning(path).writer["pid"] == pid) or ended(pid):
            return
        time.sleep(0.01)
    raise SystemExit("a child did not begin to write")


def ended(pid):
    """Whether a child is a zombie; it is waited for elsewhere."""
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def main():
    name, path, kills = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    if kills == "child":
        work(name, path)
        return
    make, settings = RUNS[name]
    with warnings.catch_warnings():  # the first run compiles what the children need, or loads it; the second is timed
        warnings.simplefilter("ignore")
        for _ in range(2):
            began = time.perf_counter()
            dt.simulate(make(), **(settings | {"duration": settings["duration"] / 100}), progress=False)
            whole = 100 * (time.perf_counter() - began)
        import h5py  # noqa: F401
    warnings.simplefilter("ignore", DeprecationWarning)  # of fork beside the threads of BLAS, which do nothing here
    start = fresh if "fresh" in sys.argv else fork
    campaign(name, path, int(kills), int(sys.argv[4]), start, min(LONGEST, SHARE * whole))


if __name__ == "__main__":
    main()
