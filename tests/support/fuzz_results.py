"""Runs as a program of its own: opens damaged copies of a result file; HDF5 is a C library, and might crash.

    python fuzz_results.py FILE FOLDER COUNT SEED

Each copy has bytes flipped, runs of bytes overwritten, or its end cut off. Reading it all must give a result or a clear
error within seconds. Prints how many were read, refused, and how the texts begin.
"""

import collections
import random
import signal
import sys
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np

import duoti as dt
from support.long_runs import RUNS

SECONDS = 10  # for one file


def damaged(data, chance):
    data = bytearray(data)
    kind = chance.randrange(4)
    if kind == 0:
        return bytes(data[: chance.randrange(len(data))])
    for _ in range(1 if kind == 1 else chance.randrange(1, 30)):
        # half of the damage goes to the first kilobytes, where most of the structure is
        at = chance.randrange(min(len(data), 20_000) if chance.random() < 0.5 else len(data))
        if kind == 3:
            length = min(chance.randrange(1, 200), len(data) - at)
            data[at : at + length] = chance.randbytes(length)
        else:
            data[at] ^= 1 << chance.randrange(8)
    return bytes(data)


def read_all(path, model):
    r = dt.open_result(path, model)
    return r.t, np.asarray(r.states), r.events, r.stats, r.reason, r.q, r[r.channels[0]]


def main():
    source, folder, count, seed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    data = source.read_bytes()
    model = RUNS["DOPRI5"][0]()
    found = collections.Counter()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)  # a hang ends the process
    warnings.simplefilter("ignore")
    for k in range(count):
        chance = random.Random(f"{seed} {k}")
        changed = damaged(data, chance)
        path = folder / "damaged.h5"
        path.write_bytes(changed)
        print(f"{seed} {k}", file=sys.stderr, flush=True)  # the last line tells which one it was
        signal.alarm(SECONDS)
        try:
            read_all(path, model)
            found["read"] += 1
        except dt.errors.ResultFileError:
            found["refused"] += 1
        if k % 10 == 0:
            try:
                dt.resume(path, model, progress=False)
                found["resumed"] += 1
            except dt.errors.ResultFileError:
                found["not resumed"] += 1
        signal.alarm(0)
    print(dict(found))


if __name__ == "__main__":
    main()
