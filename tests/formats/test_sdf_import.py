"""SDFormat: poses, axes, laws and inertias, against URDF twins, closed forms and hand-made numbers.

Twins are the same robot in two formats, so that their equations agree to round-off: 1e-12 of the largest number.
"""

import numpy as np
import pytest

import duoti as dt
from duoti.formats import load_sdf, load_urdf

INERTIAL = """<inertial><pose>{com} {rpy}</pose><mass>{mass}</mass>
<inertia><ixx>0.02</ixx><iyy>0.03</iyy><izz>0.04</izz><ixy>0.001</ixy><ixz>-0.002</ixz><iyz>0.003</iyz></inertia></inertial>"""


def link(name, pose="0 0 0 0 0 0", mass=1.0, com="0.1 -0.05 0.2", rpy="0.3 -0.2 0.5", more="", attributes=""):
    inertial = INERTIAL.format(com=com, rpy=rpy, mass=mass)
    return f'<link name="{name}"><pose {attributes}>{pose}</pose>{inertial}{more}</link>'


def joint(name, kind, parent, child, more="", pose=""):
    return f'<joint name="{name}" type="{kind}">{pose}<parent>{parent}</parent><child>{child}</child>{more}</joint>'


def axis(xyz, more="", tag="axis", attributes=""):
    return f"<{tag}><xyz {attributes}>{xyz}</xyz>{more}</{tag}>"


def load(folder, text, version="1.9", name="robot.sdf", whole=False, **options):
    path = folder / name
    content = text if whole else f'<model name="robot">{text}</model>'
    path.write_text(f'<?xml version="1.0"?>\n<sdf version="{version}">{content}</sdf>')
    return load_sdf(path, **options)


def where(m, name, q=None):
    """World pose of a body or marker, from an evaluator of the system."""
    r = dt.simulate(m, 1e-9, outputs=1e-9)
    return r[f"{name}.position"][0], dt.Rotation(r[f"{name}.rotation"][0]).matrix if name in m.bodies else None


TWIN = """<robot name="twin">
<link name="a">{a}</link><link name="b">{b}</link><link name="c">{c}</link><link name="world"/>
<joint name="j1" type="revolute"><parent link="world"/><child link="a"/><origin xyz="0 0 1" rpy="0.1 0.2 0.3"/>
  <axis xyz="0 0.6 0.8"/><limit lower="-1" upper="2" effort="5" velocity="3"/><dynamics damping="0.4"/></joint>
<joint name="j2" type="prismatic"><parent link="a"/><child link="b"/><origin xyz="0.5 0.1 0" rpy="-0.4 0 0.7"/>
  <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="50" velocity="1"/></joint>
<joint name="j3" type="continuous"><parent link="b"/><child link="c"/><origin xyz="0 0.3 0.2" rpy="0 1.1 0"/>
  <axis xyz="0 0 1"/><dynamics damping="0.1" friction="0"/></joint>
</robot>"""
OF_URDF = """<inertial><origin xyz="0.1 -0.05 0.2" rpy="0.3 -0.2 0.5"/><mass value="{}"/>
<inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.001" ixz="-0.002" iyz="0.003"/></inertial>"""


def twin(folder):
    path = folder / "twin.urdf"
    path.write_text(TWIN.format(a=OF_URDF.format(1.0), b=OF_URDF.format(2.0), c=OF_URDF.format(0.5)))
    return load_urdf(path)


def laws(damping):
    return f"<dynamics><damping>{damping}</damping></dynamics>"


LIMIT = "<limit><lower>-1</lower><upper>2</upper><effort>5</effort><velocity>3</velocity></limit>"
SLIDE = "<limit><lower>-1</lower><upper>1</upper><effort>50</effort><velocity>1</velocity></limit>"


def relative():
    """The twin with each link placed relative to the joint that carries it: as URDF says it."""
    text = joint("j1", "revolute", "world", "a", axis("0 0.6 0.8", LIMIT + laws(0.4)))
    text += link("a", "0 0 1 0.1 0.2 0.3")
    text += link("b", "0.5 0.1 0 -0.4 0 0.7", 2.0, attributes='relative_to="a"')
    text += joint("j2", "prismatic", "a", "b", axis("1 0 0", SLIDE))
    text += link("c", "0 0 0 0 0 0", 0.5, attributes='relative_to="wrist"')
    text += '<frame name="wrist" attached_to="b"><pose>0 0.3 0.2 0 1.1 0</pose></frame>'
    return text + joint("j3", "continuous", "b", "c", axis("0 0 1", laws(0.1)))


def in_model_axes():
    """The same with all poses in the frame of the model and axes expressed in it: numbers of another way."""
    X_1 = dt.spatial.Pose(dt.Rotation.from_euler("xyz", (0.1, 0.2, 0.3)), (0, 0, 1))
    X_2 = X_1 @ dt.spatial.Pose(dt.Rotation.from_euler("xyz", (-0.4, 0, 0.7)), (0.5, 0.1, 0))
    X_3 = X_2 @ dt.spatial.Pose(dt.Rotation.from_euler("xyz", (0, 1.1, 0)), (0, 0.3, 0.2))

    def numbers(values):
        return " ".join(repr(float(x)) for x in values)

    def quaternion(X):
        w, x, y, z = X.rotation.quaternion
        return numbers([*X.position, x, y, z, w])

    quat = 'rotation_format="quat_xyzw"'
    expressed = 'expressed_in="__model__"'
    text = link("a", quaternion(X_1), attributes=quat) + link("b", quaternion(X_2), 2.0, attributes=quat)
    text += link("c", quaternion(X_3), 0.5, attributes=quat)
    directions = [X.rotation.matrix @ d for X, d in ((X_1, [0, 0.6, 0.8]), (X_2, [1, 0, 0]), (X_3, [0, 0, 1]))]
    text += joint("j1", "revolute", "world", "a", axis(numbers(directions[0]), LIMIT + laws(0.4), attributes=expressed))
    text += joint("j2", "prismatic", "a", "b", axis(numbers(directions[1]), SLIDE, attributes=expressed))
    return text + joint("j3", "continuous", "b", "c", axis(numbers(directions[2]), laws(0.1), attributes=expressed))


@pytest.mark.parametrize("text", [relative, in_model_axes])
def test_equations_of_a_twin(tmp_path, text):
    m, other = load(tmp_path, text()), twin(tmp_path)
    m.gravity = other.gravity
    assert list(m.joints) == ["j1", "j2", "j3"]
    for name in m.joints:
        mine, its = m.joints[name], other.joints[name]
        assert (mine.limits, mine.effort_limit, mine.velocity_limit) == (
            its.limits,
            its.effort_limit,
            its.velocity_limit,
        )
    random = np.random.default_rng(7)
    for _ in range(5):
        q, v = random.uniform(-1, 1, 3), random.uniform(-2, 2, 3)
        pairs = [
            (dt.mass_matrix(m, q), dt.mass_matrix(other, q)),
            (dt.accelerations(m, q, v), dt.accelerations(other, q, v)),
        ]
        for left, right in pairs:
            assert np.max(np.abs(left - right)) < 1e-12 * np.max(np.abs(right))


def test_joint_poses_do_not_move_links(tmp_path):
    """A joint may lie anywhere on its child; links are where the file has them. A door on its hinge, in closed form."""
    text = link("door", "1 0 0 0 0 0", com="0 0 0", rpy="0 0 0")
    text += joint("hinge", "revolute", "world", "door", axis("0 0 1"), pose="<pose>-0.5 0 0 0 0 0</pose>")
    m = load(tmp_path, text)
    m.joints["hinge"].q0 = np.pi / 2
    r = dt.simulate(m, 1e-6, outputs=1e-6)
    assert r["door.position"][0] == pytest.approx([0.5, 0.5, 0.0], abs=1e-12)
    M = dt.mass_matrix(m, [np.pi / 2])
    assert np.ravel(M) == pytest.approx(0.04 + 1.0 * 0.25, abs=1e-12), "the parallel axis theorem"


@pytest.mark.parametrize(("version", "flag", "along"), [
    ("1.4", "", [0, 1, 0]), ("1.5", "", [-1, 0, 0]), ("1.7", "", [-1, 0, 0]), ("1.12", "", [-1, 0, 0]),
    ("1.6", "<use_parent_model_frame>1</use_parent_model_frame>", [0, 1, 0]),
])  # fmt: skip
def test_axes_of_older_versions(tmp_path, version, flag, along):
    """Up to 1.4 an axis is in the frame of the model, later in that of the joint."""
    text = link("a", "0 0 0 0 0 1.5707963267948966", com="0 0 0", rpy="0 0 0")
    text += joint("j", "prismatic", "world", "a", axis("0 1 0", flag))
    m = load(tmp_path, text, version)
    m.joints["j"].q0 = 0.3
    assert where(m, "a")[0] == pytest.approx(0.3 * np.array(along), abs=1e-12)


def test_frames_placement_nesting_and_merging(tmp_path):
    """Poses through nested models, placement frames, and includes, by hand."""
    folder = tmp_path / "arm"
    folder.mkdir()
    inner = link("tip", "1 0 0 0 0 0") + '<frame name="grip" attached_to="tip"><pose>0 0.5 0 0 0 0</pose></frame>'
    (folder / "old.sdf").write_text('<sdf version="1.4"><model name="arm"/></sdf>')
    (folder / "new.sdf").write_text(f'<sdf version="1.8"><model name="arm">{inner}</model></sdf>')
    (folder / "model.config").write_text(
        '<model><sdf version="1.4">old.sdf</sdf><sdf version="1.8">new.sdf</sdf></model>'
    )
    turned = "0 0 0 0 0 90"
    text = '<world name="hall"><gravity>0 0 -3</gravity>'
    text += '<frame name="table"><pose>0 0 2 0 0 0</pose></frame>'
    text += "<include><uri>model://arm</uri><name>left</name><placement_frame>grip</placement_frame>"
    text += f'<pose relative_to="table" degrees="true">{turned}</pose></include>'
    text += f'<model name="cart"><pose>5 0 0 0 0 0</pose>{link("base")}'
    text += '<include merge="true"><uri>model://arm</uri><pose relative_to="base">0 1 0 0 0 0</pose></include>'
    text += f'<model name="box"><pose relative_to="tip">0 0 1 0 0 0</pose>{link("lid")}</model>'
    text += joint("weld", "fixed", "base", "tip") + joint("glue", "fixed", "tip", "box::lid") + "</model></world>"
    m = load(tmp_path, text, whole=True)
    assert np.allclose(m.gravity, (0, 0, -3))
    assert set(m.bodies) == {"left::tip", "cart::base", "cart::tip", "cart::box::lid"}
    # the grip lies on the table, turned by 90 degrees: the tip is 0.5 m beside it, in -y of the arm, which is +x
    assert where(m, "left::tip")[0] == pytest.approx([0.5, 0.0, 2.0], abs=1e-12)
    assert where(m, "left::grip")[0] == pytest.approx([0.0, 0.0, 2.0], abs=1e-12)
    assert where(m, "cart::tip")[0] == pytest.approx([6.0, 1.0, 0.0], abs=1e-12)
    assert where(m, "cart::box::lid")[0] == pytest.approx([6.0, 1.0, 1.0], abs=1e-12)
    assert where(m, "table")[0] == pytest.approx([0, 0, 2], abs=1e-12)
    assert sorted(j.child for j in m.joints.values() if j.kind == "free") == ["cart::base", "left::tip"]


def test_all_types_of_joints(tmp_path):
    """Each moves as its type says: coordinates, limits, springs, dampers."""
    names = "abcdefg"
    text = "".join(link(n, f"{k} 0 0 0 0 0", com="0 0 0", rpy="0 0 0") for k, n in enumerate(names))
    spring = (
        "<dynamics><spring_stiffness>20</spring_stiffness><spring_reference>0.1</spring_reference><damping>2</damping>"
    )
    spring += "<friction>0.5</friction></dynamics>"
    text += joint("A", "revolute", "world", "a", axis("0 0 1", spring))
    text += joint("B", "ball", "world", "b")
    text += joint("C", "universal", "world", "c", axis("1 0 0", laws(0.5)) + axis("0 1 0", LIMIT, "axis2"))
    text += joint("D", "revolute2", "world", "d", axis("1 0 0") + axis("0.6 0.8 0", tag="axis2"))
    text += joint("E", "screw", "world", "e", axis("0 0 1") + "<screw_thread_pitch>0.2</screw_thread_pitch>")
    text += joint("F", "screw", "world", "f", axis("0 0 1") + "<thread_pitch>-31.41592653589793</thread_pitch>")
    text += joint("G", "fixed", "world", "g")
    m = load(tmp_path, text)
    assert [e.kind for e in m.joints.values()] == [
        "revolute", "spherical", "universal", "composite", "screw", "screw", "fixed",
    ]  # fmt: skip
    assert m.joints["E"].joint.lead_per_turn == pytest.approx(0.2)
    assert m.joints["F"].joint.lead_per_turn == pytest.approx(0.2), "radians per metre of a left-handed thread"
    assert m.joints["C"].limits == [(-np.inf, np.inf), (-1.0, 2.0)]
    assert m.joints["C"].effort_limit == [np.inf, 5.0]
    assert (m.forces["A_spring"].stiffness, m.forces["A_spring"].rest, m.forces["A_damping"].damping) == (
        20.0,
        0.1,
        2.0,
    )
    assert m.forces["A_friction"].constant == 0.5
    assert (m.forces["C_spring_1"].damping, m.forces["C_spring_1"].coordinate) == (0.5, 0)
    m.joints["E"].q0 = np.pi
    assert where(m, "e")[0] == pytest.approx([4, 0, 0.1], abs=1e-12)
    assert dt.check(m).ok
    m.save(tmp_path / "all.yaml")
    assert list(dt.load(tmp_path / "all.yaml").joints) == list(m.joints)


def test_mimic_and_gearbox(tmp_path):
    """Followers follow: q_b = 2 (q_a - 0.1) + 0.3; angles of gears are -ratio of each other."""
    text = "".join(link(n, f"{k} 0 0 0 0 0") for k, n in enumerate(("arm", "one", "two", "hand")))
    text += joint("base", "fixed", "world", "arm")
    text += joint("J1", "revolute", "arm", "one", axis("0 0 1"))
    text += joint("J2", "revolute", "arm", "two", axis("0 0 -1"))
    mimic = '<mimic joint="J1"><multiplier>2</multiplier><offset>0.3</offset><reference>0.1</reference></mimic>'
    text += joint("J3", "revolute", "arm", "hand", axis("0 1 0", mimic))
    box = "<gearbox_reference_body>arm</gearbox_reference_body><gearbox_ratio>3</gearbox_ratio>"
    text += joint("G", "gearbox", "one", "two", axis("0 0 1") + axis("0 0 1", tag="axis2") + box)
    m = load(tmp_path, text)
    m.joints["J1"].q0 = 0.4
    r = dt.simulate(m, 0.1, outputs=0.05)
    assert r["J3.angle"] == pytest.approx(2 * (r["J1.angle"] - 0.1) + 0.3, abs=1e-9)
    assert -r["J2.angle"] == pytest.approx(-3 * r["J1.angle"], abs=1e-9), "J2 turns about -z"


def test_loops_are_closed(tmp_path):
    """A four-bar, which a URDF cannot hold."""
    text = "".join(link(n, f"{p} 0 0 0") for n, p in (("crank", "0 0 0"), ("rod", "0 0 1"), ("rocker", "2 0 0")))
    y = axis("0 1 0")
    text += joint("A", "revolute", "world", "crank", y) + joint("B", "revolute", "crank", "rod", y)
    text += joint("C", "revolute", "rod", "rocker", y, pose="<pose>0 0 1 0 0 0</pose>")
    text += joint("D", "revolute", "world", "rocker", y)
    m = load(tmp_path, text)
    assert len(dt.topology(m).loops) == 1
    assert dt.check(m).ok
    r = dt.simulate(m, 0.5)
    end = r["rocker.position"] + np.stack([dt.Rotation(q).matrix @ [0, 0, 1] for q in r["rocker.rotation"]])
    assert np.max(np.abs(np.linalg.norm(end - r["rod.position"], axis=1) - 2.0)) < 1e-8


SHAPED = """<visual name="v"><pose>0 0 1 0 0 0</pose><geometry>{}</geometry>
<material><diffuse>1 0.5 0 1</diffuse></material></visual>"""


@pytest.mark.parametrize(("geometry", "kind", "sizes"), [
    ("<box><size>1 2 3</size></box>", "box", {"size_x": 1.0, "size_y": 2.0, "size_z": 3.0}),
    ("<sphere><radius>0.5</radius></sphere>", "sphere", {"radius": 0.5}),
    ("<cylinder><radius>0.5</radius><length>2</length></cylinder>", "cylinder", {"radius": 0.5, "length": 2.0}),
    ("<capsule><radius>0.5</radius><length>2</length></capsule>", "capsule", {"radius": 0.5, "length": 2.0}),
    ("<ellipsoid><radii>1 2 3</radii></ellipsoid>", "ellipsoid", {"semi_x": 1.0, "semi_y": 2.0, "semi_z": 3.0}),
    ("<cone><radius>0.5</radius><length>2</length></cone>", "cone", {"radius": 0.5, "height": 2.0}),
    ("<plane><normal>0 0 1</normal></plane>", "plane", {}),
])  # fmt: skip
def test_shapes(tmp_path, geometry, kind, sizes):
    m = load(tmp_path, link("a", more=SHAPED.format(geometry)))
    (shape,) = m.bodies["a"].shapes
    assert (shape.kind, dict(shape.dimensions), shape.colour) == (kind, sizes, "#ff8000")
    assert shape.pose.position == pytest.approx([0, 0, 0.5 if kind == "cone" else 1.0])


def test_meshes_of_an_included_model_are_found(tmp_path):
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "a.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    mesh = "<mesh><uri>{}</uri><scale>2 2 2</scale></mesh>"
    inner = link("a", more=SHAPED.format(mesh.format("model://part/a.obj")))
    (tmp_path / "part" / "model.sdf").write_text(f'<sdf version="1.9"><model name="part">{inner}</model></sdf>')
    m = load(tmp_path, "<include><uri>model://part</uri></include>")
    (shape,) = m.bodies["part::a"].shapes
    assert shape.file == str(tmp_path / "part" / "a.obj")
    assert shape["scale_x"] == 2.0
    m = load(tmp_path, link("a", more=SHAPED.format(mesh.format("none.obj"))))
    assert any("there is no file none.obj" in note.message for note in m.import_notes)


def test_inertias(tmp_path):
    """Those of a link without inertial, and of collisions: closed forms."""
    collision = '<collision name="c"><geometry><box><size>0.2 0.3 0.4</size></box></geometry></collision>'
    text = f'<link name="a"/><link name="b"><inertial auto="true"><density>500</density></inertial>{collision}</link>'
    m = load(tmp_path, text)
    assert m.bodies["a"].inertia.mass == 1.0
    assert np.allclose(m.bodies["a"].inertia.matrix, np.eye(3))
    mass = 500 * 0.2 * 0.3 * 0.4
    assert m.bodies["b"].inertia.mass == pytest.approx(mass)
    assert m.bodies["b"].inertia.matrix[0, 0] == pytest.approx(mass / 12 * (0.3**2 + 0.4**2))


def ball(name, height, mu, more=""):
    surface = f"<surface><friction><ode><mu>{mu}</mu></ode></friction></surface>"
    shape = "<geometry><sphere><radius>0.1</radius></sphere></geometry>"
    collision = f'<collision name="c">{shape}{surface}</collision>'
    body = link("l", com="0 0 0", rpy="0 0 0", more=collision)
    return f'<model name="{name}"><pose>0 0 {height} 0 0 0</pose>{body}{more}</model>'


def test_contacts_by_the_rules_of_the_file(tmp_path):
    """Models touch each other and what is static, with the smaller friction; links of one model do not."""
    floor = '<collision name="c"><geometry><plane/></geometry></collision>'
    text = f'<world name="w"><model name="floor"><static>true</static><link name="l">{floor}</link></model>'
    text += ball("one", 0.15, 0.3) + ball("two", 0.4, 0.7) + "</world>"
    m = load(tmp_path, text, whole=True)
    assert not m.contacts
    m = load(tmp_path, text, whole=True, contacts=True)
    found = {frozenset((tuple(c.a), tuple(c.b))): c.law.friction for c in m.contacts.values()}
    assert found == {
        frozenset({("floor::l",), ("one::l",)}): 0.3, frozenset({("floor::l",), ("two::l",)}): 0.7,
        frozenset({("one::l",), ("two::l",)}): 0.3,
    }  # fmt: skip
    r = dt.simulate(m, 1.0, solver=dt.Moreau(step=1e-3), outputs=0.01)
    assert r["one::l.position.z"][-1] == pytest.approx(0.1, abs=2e-3)
    assert r["two::l.position.z"][-1] == pytest.approx(0.3, abs=5e-3)
    soft = load(tmp_path, text, whole=True, contacts=dt.CompliantContact(1e5))
    assert len(soft.contacts) == 3
    assert all(isinstance(c.law, dt.CompliantContact) for c in soft.contacts.values())


def test_weightless_links(tmp_path):
    text = link("a", more="<gravity>false</gravity>")
    r = dt.simulate(load(tmp_path, text), 1.0, outputs=0.5)
    assert np.max(np.abs(r["a.position"])) < 1e-12


def test_what_is_left_out_is_named(tmp_path):
    text = link("a", more='<sensor name="s" type="imu"/><frobnicate/>') + '<plugin name="p" filename="x"/>'
    with pytest.warns(dt.errors.LeftOutWarning, match="plugins are left out"):
        m = load(tmp_path, text)
    said = " ".join(str(note) for note in m.import_notes)
    assert all(word in said for word in ("sensor", "frobnicate", "plugin"))
    with pytest.raises(dt.ModelError, match="plugins"):
        load(tmp_path, text, strict=True)


@pytest.mark.parametrize(("text", "said"), [
    (link("a") + joint("j", "revolute", "a", "b", axis("0 0 1")), 'there is no link or frame "b"'),
    (link("a") + joint("j", "revolut", "world", "a", axis("0 0 1")), "Did you mean 'revolute'"),
    (link("a") + joint("j", "revolute", "world", "a"), "it has no axis"),
    (link("a") + joint("j", "revolute", "world", "a", axis("0 0 0")), "no direction"),
    (link("a") + joint("j", "revolute", "world", "a", axis("0 0 1", attributes='expressed_in="x"')), 'no frame "x"'),
    (link("a") + link("a"), 'a second "a"'),
    (link("a", attributes='relative_to="a"'), "depends on itself"),
    ('<frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>' + link("a"), "circle"),
    (link("a", "1 2 3"), "has 3 numbers, not 6"),
    ("<include><uri>model://none</uri></include>" + link("a"), "none"),
    ("", "there is no link in it"),
])  # fmt: skip
def test_faults(tmp_path, text, said):
    with pytest.raises(dt.ModelError, match=said):
        load(tmp_path, text)


def test_by_its_ending_and_on_the_command_line(tmp_path, monkeypatch):
    load(tmp_path, relative())
    assert list(dt.load(tmp_path / "robot.sdf").joints) == ["j1", "j2", "j3"]
    from duoti.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["duoti", "convert", "robot.sdf", "robot.yaml"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert list(dt.load("robot.yaml").joints) == ["j1", "j2", "j3"]
    with pytest.raises(TypeError, match="law of contact"):
        load_sdf(tmp_path / "robot.sdf", contacts="all")
