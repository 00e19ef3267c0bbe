"""Poses across joints by their laws, beside the elementary motions that their types claim.

`python tests/support/joint_motions.py` writes some of them for the tests of the page, in viewer/tests/motions.json.
"""

import json
from pathlib import Path

import numpy as np

import duoti as dt
from duoti.model.joints import JOINT_TYPES
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.topology import DOF
from duoti.view.scene.scene import motion_numbers
from support.random_models import random_inertia, random_pose, random_state

FILE = Path(__file__).parents[2] / "viewer" / "tests" / "motions.json"


def law_pose(joint, rng):
    """Random coordinates of a joint, with rotation matrix and position of M in F by the compiled law."""
    m = dt.Model("lone")
    X = random_pose(rng)
    body = m.add_body("b", random_inertia(rng), position=X.position, rotation=X.rotation)
    m.add_joint("J", joint, m.ground, body, at=rng.normal(size=3))
    system = dt.compile(m)
    q, v, _ = random_state(rng, system)
    place = system.joints["J"]
    markers = [place.parent_marker, place.child_marker]
    F, M = observe(system, np.zeros(1), system.whole_state(q, v)[None], FRAMES, markers).frames[0]
    R_F = F[:9].reshape(3, 3)
    return q[place.q], R_F.T @ M[:9].reshape(3, 3), R_F.T @ (M[9:12] - F[9:12])


def examples():
    """Joints of every kind that the package has, in random configurations."""
    rng = np.random.default_rng(7)
    found = []
    for kind in (*DOF, "composite"):
        joint = JOINT_TYPES[kind].sample(rng)
        q, R, p = law_pose(joint, rng)
        found.append({"kind": kind, "motions": motion_numbers(joint), "q": q.tolist(), "R": R.ravel().tolist(),
                      "p": p.tolist()})  # fmt: skip
    return found


if __name__ == "__main__":
    FILE.write_text(json.dumps(examples(), indent=1) + "\n", encoding="utf-8")
