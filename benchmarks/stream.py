"""Streaming to a file: peak memory of runs of 1e4 to 4e6 steps, and throughput against runs in memory.

    python benchmarks/stream.py

Each run is a process of its own; "in memory" shows what streaming saves. Besides the run, the peak has the kernels and
the packages. Buffers and caches fill in the first 1e5 steps or so: what counts is that four times as many steps as 1e6
take no more memory.
"""

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

STEP = 1e-3
MOST_GROWTH = 5.0  # MB, from 1e6 to 4e6 steps, whose outputs are 300 MB
MOST_TIME = 1.25  # streamed against in memory, 1e6 steps: the noise of a shared machine is half of it


def model():
    import duoti as dt

    m = dt.Model("chain")
    last, x = m.ground, 0.0
    for k in range(5):
        link = m.add_body(f"link {k}", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(x + 0.5, 0, 0))
        m.add_joint(f"J{k}", dt.Revolute("y"), last, link, at=(x, 0, 0))
        last, x = link, x + 1.0
    return m


def child(kind, steps, path):
    import duoti as dt

    m = model()
    out = {"out": Path(path)} if path else {}
    if out:  # loads HDF5 and the kernels
        dt.simulate(m, 0.1, solver=dt.RK4(step=STEP), out=f"{path}.warm")
    dt.simulate(m, 0.1, solver=dt.RK4(step=STEP))
    outputs = "steps" if kind == "steps" else STEP
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.perf_counter()
    r = dt.simulate(m, steps * STEP, outputs=outputs, solver=dt.RK4(step=STEP), **out)
    seconds = time.perf_counter() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    size = Path(path).stat().st_size if path else 0
    print(json.dumps({"outputs": len(r), "seconds": seconds, "before": before, "peak": peak, "size": size}))


def run(kind, steps, path=""):
    command = [sys.executable, __file__, "child", kind, str(steps), str(path)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main():
    ok = True
    print(f"{'outputs':>8} {'steps':>9} {'':10} {'peak RSS':>10} {'growth':>9} {'time':>8} {'per step':>9} {'file':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("steps", "times"):
            before = 0.0
            for steps in (10_000, 100_000, 1_000_000, 4_000_000):
                streamed = run(kind, steps, Path(folder) / f"{kind}{steps}.h5")
                memory = run(kind, steps)
                for name, r in (("streamed", streamed), ("in memory", memory)):
                    growth = (r["peak"] - r["before"]) / 1024
                    print(
                        f"{kind:>8} {steps:9d} {name:10} {r['peak'] / 1024:7.0f} MB {growth:6.1f} MB "
                        f"{r['seconds']:6.2f} s {1e6 * r['seconds'] / steps:6.2f} us {r['size'] / 1e6:5.0f} MB"
                    )
                ratio, peak = streamed["seconds"] / memory["seconds"], streamed["peak"] / 1024
                # short runs pay for the file itself, some 20 ms: only the long ones say something about throughput
                good = (steps < 4_000_000 or peak - before <= MOST_GROWTH) and (steps < 1_000_000 or ratio <= MOST_TIME)
                before = peak
                print(f"{'':18} streamed takes {ratio:.2f} times as long: {'PASS' if good else 'FAIL'}")
                ok = ok and good
    return 0 if ok else 1


if __name__ == "__main__":
    if "child" in sys.argv:
        child(sys.argv[2], int(sys.argv[3]), sys.argv[4])
    else:
        sys.exit(main())
