"""Details of MJCF against MuJoCo: limits of actuators, shortcuts and their defaults, copies, attached models, meshes.

Tolerance 1e-9, as in `test_mujoco`; what comes from vertices that MuJoCo keeps in single precision is given its own.
"""

from __future__ import annotations

import struct

import numpy as np
import pytest

import duoti as dt

mujoco = pytest.importorskip("mujoco")
from support.mujoco_twin import Twin  # noqa: E402

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")]
TOLERANCE = 1e-9
BODIES = """<body name="b1" gravcomp="0.8"><joint name="one" axis="0 1 0" ref="15" {}/>
    <geom type="box" size=".1 .2 .3"/><site name="s1" pos="0.3 0 0.2"/>
    <body pos=".3 0 0" gravcomp="1"><joint name="two" axis="1 0 0" {}/><geom size=".1" pos="0 0 0.3"/>
      <body name="b3" pos="0 0 .6" gravcomp="0.5"><joint name="three" type="slide" axis="0 1 1" {}/><geom size=".1"/>
      <site name="s3" pos="0 0 .1" euler="20 30 40"/></body></body></body>"""


def controlled(tmp_path, text: str, seed: int = 1, tolerance: float = TOLERANCE) -> Twin:
    """The file in both programs, with the same random controls and activations, compared in random states."""
    path = tmp_path / "model.xml"
    path.write_text(text)
    twin = Twin(path)
    rng = np.random.default_rng(seed)
    assert len(twin.ours.parameters) == twin.theirs.nu
    for _ in range(4):
        twin.data.ctrl[:] = rng.uniform(-3.0, 3.0, twin.theirs.nu)
        for name, value in zip(twin.ours.parameters, twin.data.ctrl, strict=True):
            twin.ours.parameters[name] = float(value)
        twin.system = dt.compile(twin.ours)
        found = twin.disagreement(rng)
        assert max(found.values()) < tolerance, found
    return twin


def test_limits_of_the_actuators_of_a_joint_count_their_sum(tmp_path):
    """With and without weights that the actuators carry; without the limits the forces are other ones."""
    limits = ['actuatorfrcrange="-3 2" actuatorgravcomp="true"', 'actuatorfrcrange="-4 1.5"',
              'actuatorfrcrange="-2 2.5" actuatorgravcomp="true"']  # fmt: skip
    actuators = """<tendon><fixed name="t"><joint joint="one" coef="0.5"/><joint joint="three" coef="2"/></fixed>
      </tendon><actuator><motor joint="one" gear="3"/>
      <position joint="one" kp="4" kv="0.3"/><motor joint="two" gear="4"/>
      <motor joint="three" gear="5"/><position tendon="t" kp="3"/></actuator>"""
    text = "<mujoco><worldbody>{}</worldbody>" + actuators + "</mujoco>"
    controlled(tmp_path, text.format(BODIES.format(*limits)))
    free = controlled(tmp_path, text.format(BODIES.format("", "", "")))
    assert np.abs(free.data.qfrc_actuator).max() > 4.0


def test_limits_of_the_actuators_of_a_tendon(tmp_path):
    text = f"""<mujoco><worldbody>{BODIES.format("", "", "")}<site name="top" pos="1 1 2"/></worldbody><tendon>
      <fixed name="t" actuatorfrcrange="-1.5 2"><joint joint="one" coef="0.5"/><joint joint="three" coef="2"/></fixed>
      <spatial name="u" actuatorfrcrange="-1 0.5"><site site="top"/><site site="s1"/></spatial></tendon>
      <actuator><motor tendon="t" gear="3"/><position tendon="t" kp="3" gear="3"/><motor tendon="u" gear="2"/>
      </actuator></mujoco>"""
    controlled(tmp_path, text)


def test_switches_of_actuators(tmp_path):
    bodies = BODIES.format("", "", "")
    for option in ('<option><flag clampctrl="disable"/></option>', ""):
        controlled(tmp_path, f"""<mujoco>{option}<worldbody>{bodies}</worldbody><actuator>
          <motor joint="one" ctrlrange="-1 1"/></actuator></mujoco>""")  # fmt: skip
    path = tmp_path / "model.xml"
    path.write_text(f"""<mujoco><option actuatorgroupdisable="2 4"/><worldbody>{bodies}</worldbody><actuator>
      <position joint="one" kp="5" group="2"/><position joint="two" kp="5" group="3"/></actuator></mujoco>""")
    twin = Twin(path)
    assert max(twin.disagreement(np.random.default_rng(1)).values()) < TOLERANCE
    assert list(twin.ours.parameters) == ["two_control"]
    assert "this actuator is left out: an option switches it off" in str(twin.ours.import_notes)


def test_ranges_are_inherited(tmp_path):
    joints = ['range="-30 40"', 'range="-10 60"', 'range="-1 2"']
    text = f"""<mujoco><worldbody>{BODIES.format(*joints)}</worldbody><tendon><fixed name="t" range="-0.3 0.7">
      <joint joint="one" coef="1"/></fixed></tendon><actuator><position joint="one" kp="2" inheritrange="0.9" gear="2"/>
      <position joint="three" kp="3" inheritrange="1"/><position tendon="t" kp="4" inheritrange="0.5"/></actuator>
      </mujoco>"""
    controlled(tmp_path, text)


def test_forces_at_a_site(tmp_path):
    text = f"""<mujoco><worldbody>{BODIES.format("", "", "")}</worldbody><actuator>
      <motor site="s3" gear="1 2 3 0.4 0.5 0.6"/><general site="s1" gear="0 0 1" gainprm="3" biastype="affine"
      biasprm="0.5 7 0" ctrlrange="-1 1"/></actuator></mujoco>"""
    controlled(tmp_path, text)


def test_spring_and_damper_by_time_constant(tmp_path):
    joints = ['springdamper="0.2 0.7" springref="20"', 'springdamper="0.5 1" armature="0.1"', 'springdamper="0.3 2"']
    controlled(tmp_path, f"<mujoco><worldbody>{BODIES.format(*joints)}</worldbody></mujoco>")


SHORTCUTS = ("general", "motor", "position", "intvelocity", "velocity", "damper", "cylinder")


def _shortcut(rng: np.random.Generator, tag: str) -> str:
    def number() -> str:
        return f"{rng.integers(1, 90) / 10}"

    known = {
        "general": {"gaintype": str(rng.choice(["fixed", "affine"])), "biastype": str(rng.choice(["none", "affine"])),
                    "gainprm": f"{number()} {number()}", "biasprm": f"-{number()} -{number()} -{number()}"},
        "motor": {}, "velocity": {"kv": number()}, "damper": {"kv": number()},
        "position": {"kp": number(), str(rng.choice(["kv", "dampratio"])): number(), "timeconst": number()},
        "intvelocity": {"kp": number(), str(rng.choice(["kv", "dampratio"])): number()},
        "cylinder": {"area": number(), "bias": f"{number()} {number()} -{number()}", "timeconst": number()},
    }[tag]  # fmt: skip
    chosen = {name: value for name, value in known.items() if rng.random() < 0.6}
    return f"<{tag} " + " ".join(f'{name}="{value}"' for name, value in chosen.items())


@pytest.mark.parametrize("seed", range(12))
def test_defaults_of_shortcuts(tmp_path, seed):
    """Random default classes of actuators, one in the other, and actuators of all kinds on top of them."""
    rng = np.random.default_rng(seed)
    classes = ["".join(_shortcut(rng, str(tag)) + "/>" for tag in rng.permutation(SHORTCUTS)[: rng.integers(0, 3)])
               for _ in range(3)]  # fmt: skip
    default = f'<default>{classes[0]}<default class="a">{classes[1]}<default class="b">{classes[2]}' + "</default>" * 3
    actuators = ""
    for tag in SHORTCUTS:
        if tag == "damper" and "affine" in "".join(classes):
            continue  # MuJoCo refuses a default gain as a damper's
        name = str(rng.choice(["a", "b"]))
        more = 'actrange="-9 9"' if tag == "intvelocity" else ""
        actuators += (
            f'{_shortcut(rng, tag)} class="{name}" joint="{rng.choice(["one", "three"])}" ctrlrange="0 5" {more}/>'
        )
    text = f"""<mujoco>{default}<worldbody>{BODIES.format("", "", "")}</worldbody>
      <actuator>{actuators}</actuator></mujoco>"""
    controlled(tmp_path, text, seed)


def test_a_servo_by_default_does_not_damp_a_velocity_servo(tmp_path):
    text = f"""<mujoco><default><position kp="20" dampratio="1"/></default><worldbody>{BODIES.format("", "", "")}
      </worldbody><actuator><velocity name="v" joint="one" kv="5"/><position joint="two"/></actuator></mujoco>"""
    twin = controlled(tmp_path, text)
    assert twin.theirs.actuator_biasprm[0, 2] == -5.0


def test_what_refers_to_copies_is_copied(tmp_path):
    text = """<mujoco><worldbody><site name="w" pos="0 0 3"/><replicate count="3" offset="1 0 0" sep="_">
      <body name="b"><joint name="j" axis="1 0 0"/><geom size=".1" pos="0 0 .1"/><site name="s" pos="0 .1 0"/>
      <replicate count="2" offset="0 0.2 0" euler="0 0 20"><body name="c" pos="0 0 .2"><joint name="k" axis="0 1 0"/>
      <geom size=".1" pos=".1 0 0"/></body></replicate></body></replicate></worldbody>
      <tendon><fixed name="t" stiffness="2"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed>
      <spatial name="sp" stiffness="3" springlength="1"><site site="w"/><site site="s"/></spatial></tendon>
      <actuator><motor name="a" joint="j" gear="2"/><position name="at" tendon="t" kp="3"/></actuator></mujoco>"""
    twin = controlled(tmp_path, text)
    names = [twin.theirs.actuator(i).name for i in range(twin.theirs.nu)]
    assert [f"{name}_control" for name in names] == list(twin.ours.parameters)  # in the same order, for keyframes
    assert len(names) == 9


ARM = """<mujoco model="arm"><compiler angle="radian" eulerseq="zyx"/><default><joint damping="0.3"/>
  <position kp="7"/><default class="big"><geom size="0.2"/></default></default>
  <worldbody><body name="base" pos="0 0 1" euler="0.1 0.2 0.3"><joint name="j" axis="0 1 0" range="-1 1" ref="0.2"
    springref="0.5" stiffness="2"/><geom class="big"/><site name="s" pos="0 0 0.2"/>
    <body name="tip" pos="0 0 .3"><joint name="k" axis="1 0 0"/><geom size="0.1"/></body></body>
    <body name="other"><joint name="o"/><geom size=".1"/></body></worldbody>
  <tendon><fixed name="t" stiffness="3"><joint joint="j" coef="1"/><joint joint="k" coef="2"/></fixed></tendon>
  <equality><joint joint1="j" joint2="k" polycoef="0 0.5"/></equality>
  <actuator><position name="p" joint="k"/><motor name="m" joint="o"/></actuator></mujoco>"""


def test_attached_models(tmp_path):
    """Twice, with names, default classes, angles and actuators of their own."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(ARM)
    text = """<mujoco><default><joint armature="0.7"/></default><asset><model name="arm" file="parts/arm.xml"/></asset>
      <worldbody><frame pos="1 0 0" euler="0 0 90"><attach model="arm" body="base" prefix="L_"/></frame>
      <body name="cart"><joint type="slide" name="x" axis="1 0 0"/><geom size=".1"/><attach model="arm" {}
      prefix="R_"/></body></worldbody><actuator><motor joint="R_k" name="own"/></actuator></mujoco>"""
    for given in ('body="base"', ""):
        twin = controlled(tmp_path, text.format(given))
        assert len(twin.ours.constraints) == twin.theirs.neq == 2


@pytest.mark.parametrize("fit", ["false", "true"])
@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "ellipsoid", "box"])
def test_primitives_fitted_to_meshes(tmp_path, kind, fit):
    """MuJoCo finds the principal axes to 1e-7, and bounding boxes from turned vertices in single precision.

    Half a unit in the last place of 0.4 m is 3e-8 m, which with the weight of 2700 N is 1e-5 of the torques here.
    """
    points = np.random.default_rng(1).normal(size=(12, 3)) * (0.1, 0.2, 0.4)
    mesh = f'<mesh name="m" vertex="{" ".join(f"{x:.5f}" for x in points.ravel())}"/>'
    text = f"""<mujoco><compiler fitaabb="{fit}"/><asset>{mesh}</asset><worldbody><body pos="0 0 1">
      <joint axis="1 2 3"/><geom type="{kind}" mesh="m" fitscale="1.3" pos=".1 .2 .3" euler="10 20 30"/>
      </body></worldbody></mujoco>"""
    controlled(tmp_path, text, tolerance=3e-5 if fit == "true" else 1e-6)


def _box_with_bent_sides(rng: np.random.Generator) -> list[str]:
    corners = np.array([[x, y, z] for z in (0, 1) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]) * (0.3, 0.2, 0.1)
    corners += rng.normal(size=corners.shape) * 0.02  # the four corners of a side are then in no plane
    return [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in corners]


def test_quadrilaterals_are_split_along_the_shorter_diagonal(tmp_path):
    rng = np.random.default_rng(4)
    for i in range(5):
        faces = ["f 4 3 2 1", "f 5 6 7 8", "f 1 2 6 5", "f 2 3 7 6", "f 3 4 8 7", "f 4 1 5 8"]
        (tmp_path / f"m{i}.obj").write_text("\n".join(_box_with_bent_sides(rng) + faces))  # MuJoCo caches by name
        text = f"""<mujoco><asset><mesh name="m" file="m{i}.obj" inertia="exact"/></asset><worldbody><body>
          <joint axis="1 2 3"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>"""
        controlled(tmp_path, text, tolerance=1e-7)  # the precision of MuJoCo's principal axes


def test_large_faces_that_are_not_convex(tmp_path):
    """A star: a fan from its first corner would leave the face, which a shell and the legacy rule notice."""
    n = 12
    ring = [(0.3 * r * np.cos(a), 0.3 * r * np.sin(a)) for a, r in
            ((2.0 * np.pi * i / n, 1.0 if i % 2 else 0.35) for i in range(n))]  # fmt: skip
    lines = [f"v {x:.6f} {y:.6f} {z}" for z in (0.0, 0.1) for x, y in ring]
    lines += ["f " + " ".join(str(i) for i in range(n, 0, -1)), "f " + " ".join(str(n + i) for i in range(1, n + 1))]
    lines += [f"f {i + 1} {(i + 1) % n + 1} {(i + 1) % n + 1 + n} {i + 1 + n}" for i in range(n)]
    (tmp_path / "m.obj").write_text("\n".join(lines))
    for rule in ("legacy", "exact", "shell"):
        controlled(tmp_path, f"""<mujoco><asset><mesh file="m.obj" inertia="{rule}"/></asset><worldbody><body>
          <joint axis="1 2 3"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>""")  # fmt: skip


def test_msh_files(tmp_path):
    points = np.array([[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0, 0, 0.5]], dtype="<f4")
    faces = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], dtype="<i4")
    (tmp_path / "m.msh").write_bytes(struct.pack("<4i", 4, 0, 0, 4) + points.tobytes() + faces.tobytes())
    controlled(tmp_path, """<mujoco><asset><mesh file="m.msh"/></asset><worldbody><body><joint axis="1 2 3"/>
      <geom type="mesh" mesh="m"/></body></worldbody></mujoco>""")  # fmt: skip
