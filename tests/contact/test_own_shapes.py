"""A smooth convex shape of one's own: one file in `model/shapes`, no other edit.

The file is `support/added_shapes/pebble.py`: an ellipsoid with a ball rolled around it. Where its ball or its ellipsoid
vanishes, it is a sphere or an ellipsoid, known to the package: its twins. (Kernels as plain Python: a shape is part of
all kernels of convex pairs, which would be compiled anew.)
"""

import json
import math

import pytest

from support.added_types import run

BEGIN = """
import json, tempfile
from pathlib import Path
import numpy as np
from support.added_types import look_there
look_there("added_shapes")
import duoti as dt

def pebble(a, c, r):
    return dt.Shape("pebble", (("radius", a), ("semi_z", c), ("round", r)))

def touching(law, mine, other, at, rotation=None):
    m = dt.Model("touching", gravity=(0, 0, -9.81))
    tilt = dt.Rotation.from_euler("xyz", (0.3, 0.2, 0.1)) if rotation is None else rotation
    m.add_body("b", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.3)), position=at, rotation=tilt)
    m.add_joint("F", dt.Free(), m.ground, "b", v0={"velocity": (0.1, 0.2, -0.3), "angular_velocity": (1.0, -0.5, 2.0)})
    m.add_contact("c", law, m.ground, "b", shapes=(other, mine))
    return m
"""

TWINS = """
others = {
    "plane": (dt.Shape.plane(), (0, 0, 0.08)), "sphere": (dt.Shape.sphere(0.1), (0.1, 0.02, 0.12)),
    "box": (dt.Shape.box((0.2, 0.2, 0.2)), (0.03, 0.02, 0.18)),
    "capsule": (dt.Shape.capsule(0.1, 0.2, "x"), (0.02, 0.03, 0.18)),
    "cylinder": (dt.Shape.cylinder(0.1, 0.2), (0.02, 0.03, 0.18)),
    "ellipsoid": (dt.Shape.ellipsoid((0.1, 0.15, 0.1)), (0.02, 0.03, 0.18)),
}
twins = {
    "ball": (pebble(0.06, 0.06, 0.04), dt.Shape.sphere(0.1)),
    "ellipsoid": (pebble(0.1, 0.12, 0.0), dt.Shape.ellipsoid((0.1, 0.1, 0.12))),
}
found = {}
for name, (other, at) in others.items():
    for twin, pair in twins.items():
        law = dt.CompliantContact(1e4, damping=5.0, friction=0.3)
        each = []
        for shape in pair:
            system = dt.compile(touching(law, shape, other, at))
            q, v = system.initial_state()
            each.append(dt.accelerations(system, q, v))
        found[f"{name} {twin}"] = [float(np.max(np.abs(each[0] - each[1]))), float(np.max(np.abs(each[1])))]
print(json.dumps(found))
"""

RUN = """
law, straight = dt.RigidContact(restitution=0.0, friction=0.5), dt.Rotation.about("z", 0.0)
m = touching(law, pebble(0.1, 0.05, 0.03), dt.Shape.plane(), (0, 0, 0.09), straight)
folder = Path(tempfile.mkdtemp())
m.save(folder / "pebble.yaml")
again = dt.load(folder / "pebble.yaml")
again.joints["F"].v0 = {"velocity": (0, 0, -0.1)}
r = dt.simulate(again, 0.1, outputs=0.1, solver=dt.Moreau(step=5e-3))
assert r.ok, r.reason
from duoti.view.scene.parts import profile_mesh, profile_faces
faces = profile_faces(pebble(0.1, 0.05, 0.03), 64)
a, b, c, d = (faces[:, i] for i in range(4))
volume = (np.sum(a * np.cross(b, c)) + np.sum(a * np.cross(c, d))) / 6
print(json.dumps([float(r["b.position"][-1, 2]), float(volume), profile_mesh(pebble(0.1, 0.05, 0.03))[2].tolist()]))
"""


def program(text):
    done = run("-c", BEGIN + text, DUOTI_JIT="0")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_it_touches_as_its_twins_do():
    for what, (error, size) in program(TWINS).items():
        assert size > 20.0, what  # it touches: more than gravity acts
        assert error < 1e-6 * size, what  # points are found to 1e-9 of the size, forces follow them


def test_it_lies_on_a_floor_after_a_file_and_is_drawn():
    """At rest its centre is c + r high. Its volume is that of Steiner: V + S r + M r² + 4/3 pi r³."""
    height, volume, high = program(RUN)
    assert height == pytest.approx(0.08, abs=1e-6)
    a, c, r = 0.1, 0.05, 0.03
    e = math.sqrt(1 - c**2 / a**2)
    surface = 2 * math.pi * a**2 * (1 + (1 - e**2) / e * math.atanh(e))
    mean_curvature = 2 * math.pi * (c + a * math.asin(e) / e)  # integral of the mean curvature of an oblate spheroid
    exact = 4 / 3 * math.pi * a * a * c + surface * r + mean_curvature * r**2 + 4 / 3 * math.pi * r**3
    assert volume == pytest.approx(exact, rel=0.01)  # chords of 64 pieces around: 1 - (2 pi / 64)² / 6 and less
    assert volume < exact
    assert high == pytest.approx([0.13, 0.13, 0.08], rel=1e-6)
