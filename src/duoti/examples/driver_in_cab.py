"""Driver in a cab: fifteen body segments on a sprung seat in a sprung cab, on a rough track.

A tractor's frame follows a rough track. Springs at front and rear carry a cab of 600 kg, and a spring in the cab
carries a seat of 25 kg. The driver of 73 kg holds the steering wheel with both hands and has both feet on the floor.
Seat, backrest and headrest deform like foam; springs and dampers in the joints of the body stand for muscles. The
mechanism is that of Yuan Quan et al. (Journal of China Agricultural University 5(4), 2000). Its 15 segments and 21
joints form 6 loops with the cab. Neck, waist, shoulders, hips, hands and feet have ball joints. Wrists and ankles have
universal joints, elbows and knees have hinges. The contacts with the seat also slide. Lengths and masses of the
segments follow P. de Leva (Journal of Biomechanics 29, 1996), rounded. The script compares the vertical accelerations
of frame, cab, seat and head.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 6.0
PICTURE = {
    "tip": "eyes",
    "instant": 3.0,
    "camera": (-1.1, 0.2),
    "channels": ["cab.acceleration.z", "head.acceleration.z"],
}
PARTS = ("driver_in_cab_arm.yaml", "driver_in_cab_leg.yaml")


def build() -> dt.Model:
    """Drawn at rest, the springs loaded by the weight."""
    return dt.load(Path(__file__).with_suffix(".yaml"))


def main() -> dt.Result:
    """Simulate; what reaches the head?"""
    model = build()
    loops = dt.topology(model)
    print(f"{len(model.bodies)} bodies, {len(model.joints)} joints, cut at {', '.join(loops.cut_joints)}")
    r = dt.simulate(model, DURATION)
    print(r.summary())
    shaken = r.t > 1.5
    for name in ("frame", "cab", "seat", "pelvis", "head"):
        print(f"{name:<7} vertical acceleration {np.std(r[f'{name}.acceleration'][shaken, 2]):.2f} m/s2 (r.m.s.)")
    return r


if __name__ == "__main__":
    main()
