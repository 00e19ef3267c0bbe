"""Faults of model files: what is said, with file and line; all at once; and nothing can hurt."""

import time
import tracemalloc

import pytest
import yaml

import duoti as dt
from duoti.formats import from_text
from duoti.formats.yaml.nodes import MAX_BYTES

GOOD = """\
duoti: 1
parameters: {r: 0.3}
bodies:
  a: {inertia: {sphere: {mass: 1, radius: =r}}, position: [0, 0, 1]}
joints:
  A: {type: revolute, axis: y, between: [ground, a], at: [0, 0, 0]}
forces:
  spring: {type: spring_damper, marker_a: ground, marker_b: a, stiffness: 3}
  motor: {type: joint_torque, joint: A, value: 3*sin(t)}
"""


def faults(text, **options):
    """(line, message) of all faults."""
    with pytest.raises(dt.errors.ModelFileError) as error:
        from_text(text, name="m.yaml", **options)
    report = error.value.report
    assert all(f.place is not None and f.place.file == "m.yaml" for f in report.errors)
    assert f"m.yaml:{report.errors[0].place.line or ''}".rstrip(":") in str(error.value)
    return [(f.place.line, f.what) for f in report.errors]


def test_the_file_is_good():
    assert dt.check(from_text(GOOD)).ok


CHANGES = {
    "missing mass": (
        "mass: 1, ", "", 4,
        "bodies.a.inertia.sphere: sphere: give exactly one of mass= or density=, got neither",
    ),
    "missing inertia": (
        "inertia: {sphere: {mass: 1, radius: =r}}, ", "", 4,
        "bodies.a: 'inertia' is missing: a body needs an inertia",
    ),
    "missing radius": (
        ", radius: =r", "", 4,
        "bodies.a.inertia.sphere: 'radius' is missing: sphere needs a number [m]",
    ),
    "unknown key": (
        "stiffness", "stifness", 8,
        "forces.spring: unknown key 'stifness' of spring_damper. Did you mean 'stiffness'?",
    ),
    "unknown section": (
        "forces:", "froces:", 7,
        "unknown key 'froces' of a model file. Did you mean 'forces'?",
    ),
    "unknown type": (
        "spring_damper", "spring_dampr", 8,
        "forces.spring: there is no force type 'spring_dampr'. Did you mean 'spring_damper'?",
    ),
    "no type": (
        "type: revolute, ", "", 6,
        "joints.A: 'type' is missing: joint needs one of composite, cylindrical, fixed, free, planar, "
        "prismatic, revolute, screw, spherical, translation, universal",
    ),
    "unknown shape": (
        "sphere", "spere", 4,
        "bodies.a.inertia: unknown key 'spere' of inertia. Did you mean 'sphere'?",
    ),
    "no number": (
        "mass: 1", "mass: one", 4,
        "bodies.a.inertia.sphere.mass: 'one' is not a number",
    ),
    "no =": (
        "radius: =r", "radius: r/2", 4,
        "bodies.a.inertia.sphere.radius: 'r/2' is not a number; to compute it from parameters, write "
        "=r/2",
    ),
    "wrong unit": (
        "mass: 1", "mass: 1 mm", 4,
        "bodies.a.inertia.sphere.mass: '1 mm' is a length [m], but a mass [kg] is needed here",
    ),
    "no unit": (
        "mass: 1", "mass: 1 kgg", 4,
        "bodies.a.inertia.sphere.mass: there is no unit 'kgg'. Did you mean 'kg' or 'Gg'?",
    ),
    "nan": (
        "mass: 1", "mass: .nan", 4,
        "bodies.a.inertia.sphere.mass: .nan is not finite; a number [kg] is needed",
    ),
    "infinite": (
        "mass: 1", "mass: -.inf", 4,
        "bodies.a.inertia.sphere.mass: -.inf is not finite; a number [kg] is needed",
    ),
    "too large": (
        "mass: 1", "mass: 1e999", 4,
        "bodies.a.inertia.sphere.mass: 1e999 is too large; no number of a model is beyond 1e+100",
    ),
    "huge int": (
        "mass: 1", f"mass: {'7' * 5000}", 4,
        f"bodies.a.inertia.sphere.mass: {'7' * 40} is too large; no number of a model is beyond 1e+100",
    ),
    "negative": (
        "mass: 1", "mass: -1", 4,
        "bodies.a.inertia.sphere: sphere: mass = -1.0 is not a mass in kg; give a finite number, zero "
        "or more",
    ),
    "nothing": (
        "mass: 1", "mass: null", 4,
        "bodies.a.inertia.sphere: sphere: give exactly one of mass= or density=, got neither",
    ),
    "short vector": (
        "[0, 0, 1]", "[0, 1]", 4,
        "bodies.a.position: a list of 2; 3 numbers are needed",
    ),
    "no vector": (
        "[0, 0, 1]", "3", 4,
        "bodies.a.position: '3', but a list [...] is needed",
    ),
    "no axis": (
        "axis: y", "axis: up", 6,
        "joints.A.axis: 'up' is no axis; write x, y, z, -x, ... or [0, 0, 1]",
    ),
    "one body": (
        "[ground, a]", "[a]", 6,
        "joints.A.between: a list of 1; two bodies or markers, [parent, child], are needed",
    ),
    "no such body": (
        "[ground, a]", "[ground, b]", 6,
        'joint "A": its child "b" does not exist',
    ),
    "no such joint": (
        "joint: A", "joint: B", 9,
        'force "motor": its joint "B" does not exist',
    ),
    "ground": (
        "a: {inertia", "ground: {inertia", 4,
        'body "ground": this name is kept for the fixed body',
    ),
    "unknown parameter": (
        "=r}", "=rr}", 4,
        'bodies.a.inertia.sphere.radius: fault in an expression:\n  rr\n  ^^\n  unknown name "rr"; did you '
        "mean r?\n  names: e, pi, r, tau",
    ),
    "time": (
        "=r}", "=r*t}", 4,
        'bodies.a.inertia.sphere.radius: fault in an expression:\n  r*t\n    ^\n  unknown name "t"\n  '
        "names: e, pi, r, tau\n  a law of the time is written without the =",
    ),
    "no value": (
        "=r}", "=1/(r-0.3)}", 4,
        "bodies.a.inertia.sphere.radius: '=1/(r-0.3)' is inf",
    ),
    "reserved": (
        "{r:", "{pi: 3, r:", 2,
        "parameters.pi: the name 'pi' is taken by the language of expressions; choose another",
    ),
    "version": (
        "duoti: 1", "duoti: 2", 1,
        "duoti: '2'; this program reads version 1",
    ),
    "no version": (
        "duoti: 1", "name: x", 1,
        "'duoti: 1' is missing; a model file begins with it",
    ),
    "twice": (
        "stiffness: 3", "stiffness: 3, stiffness: 4", 8,
        "'stiffness' is given twice, first in line 8",
    ),
    "comma": (
        "3*sin(t)", "step(t, 0", 9,
        "'0' has no value; a text with a comma, such as \"step(t, 0, 0, 1, 1)\", needs quotes within "
        "{...} and [...]",
    ),
    "tag": (
        "mass: 1", "mass: !!float 1", 4,
        "the tag 'tag:yaml.org,2002:float': tags are not allowed in model files; leave it out",
    ),
    "merge": (
        "mass: 1", "<<: {mass: 1}", 4,
        'merging with "<<" is no part of model files; use parameters or submodels',
    ),
    "alias": (
        "=r}", "*r}", 4,
        'there is no &r before *r (a text that begins with "*" needs quotes)',
    ),
    "a key that is no word": (
        "mass: 1", "[1]: 1", 4,
        "a key must be a word, not a list or a mapping",
    ),
    "tab": (
        "  a: {", "\ta: {", 4,
        "no YAML: while scanning for the next token found character that cannot start any token (a tab? "
        "indent with spaces; a text that begins with %, @ or ` needs quotes)",
    ),
    "second document": (
        "joints:", "---\njoints:", 5,
        "a second document begins; a model file holds one",
    ),
    "control character": (
        "mass: 1", "mass: \x07", 4,
        "a control character, which text must not hold; is this a text?",
    ),
    "surrogate": (
        "mass: 1", "mass: \ud800", 4,
        "a character that does not exist in Unicode",
    ),
    "no mapping": (
        "joints:\n  A: {type: revolute, axis: y, between: [ground, a], at: [0, 0, 0]}", "joints: []", 5,
        "joints: a list, but a mapping of names is needed",
    ),
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_one_fault(change):
    old, new, line, message = CHANGES[change]
    assert old in GOOD
    found = faults(GOOD.replace(old, new, 1))
    assert (line, message) in found
    follow_ups = {"no such body", "ground", "comma", "missing mass", "nothing", "tag", "a key that is no word", "merge"}
    assert len(found) == 1 or change in follow_ups, found


def test_all_faults_come_at_once():
    text = """\
duoti: 1
parameters: {a: =b, b: =a, c: 3 foo}
bodies:
  one: {inertia: {point: {mass: =a}}, position: [0, 0]}
  two: {inertia: {point: {mass: 1}}, positon: [0, 0, 0]}
  three: {inertia: {point: {mass: 1}}}
joints:
  A: {type: revolute, axis: y, between: [ground, one]}
  B: {type: revolute, axis: [0, 0, 0], between: [one, three]}
  C: {type: revolute, axis: y, between: [three, nowhere]}
forces:
  f: {type: joint_torque, joint: A, value: 3*tt}
events:
  e: {value: 1, terminal: maybe}
"""
    found = faults(text)
    law = found.pop(6)
    assert law[0] == 12
    assert law[1].startswith('force "f": its value: fault in an expression:\n  3*tt\n    ^^\n  unknown name "tt"')
    assert found == [
        (2, "parameters.c: there is no unit 'foo'."),
        (2, "parameters.a: it depends on itself: a -> b -> a"),
        (4, "bodies.one.position: a list of 2; 3 numbers are needed"),
        (5, "bodies.two: unknown key 'positon' of a body. Did you mean 'position'?"),
        (9, 'joint "B" (revolute): axis: axis (0, 0, 0) has no direction; give a vector that is not zero'),
        (10, 'joint "C": its child "nowhere" does not exist'),
        (14, "events.e.terminal: 'maybe'; write true or false"),
    ]


def test_what_a_check_finds_has_lines_too():
    model = from_text(GOOD.replace("[ground, a], at", "[ground, a], q0: 1, limits: [2, 3], at"), name="m.yaml")
    (warning,) = [f for f in dt.check(model).findings if f.code == "limits"]
    assert str(warning.place) == "m.yaml:6"
    text = GOOD.replace("  a: {", "  lost: {inertia: {point: {mass: 1}}}\n  a: {")
    report = dt.check(from_text(text, name="m.yaml"))  # it may be a part of another model, so it can be loaded
    (error,) = report.errors
    assert (str(error.place), error.what) == ("m.yaml:4", 'body "lost" is attached to nothing')
    with pytest.raises(dt.ModelError, match=r"m\.yaml:4"):
        dt.simulate(from_text(text, name="m.yaml"), 1.0)


def test_faults_are_counted_but_not_all_shown():
    text = "duoti: 1\nbodies:\n" + "".join(f"  b{i}: {{}}\n" for i in range(5000))
    with pytest.raises(dt.errors.ModelFileError, match="and 4900 more errors") as error:
        from_text(text)
    assert len(error.value.report.errors) == 100


# ---------------------------------------------------------------------------------------------------- files as such


@pytest.mark.parametrize(("name", "data", "message"), [
    ("a.yaml", b"", "the file is empty"),
    ("a.yaml", b"# nothing\n", "the file is empty"),
    ("a.yaml", bytes(range(256)) * 10, "binary data; save the file as UTF-8 text"),
    ("a.yaml", b"duoti: 1\nname: \xe9t\xe9\n", "text in another encoding than UTF-8; save the file as UTF-8 text"),
    ("a.yaml", "duoti: 1\n".encode("utf-16"), "binary data; save the file as UTF-8 text"),
    ("a.yaml", b"\x7fELF\x02\x01\x01\x00" + b"\x00" * 100, "a control character, which text must not hold"),
    ("a.yaml", b"hello", "'hello', but a mapping (duoti: 1, name: ...) is needed"),
    ("a.txt", b"duoti: 1", "no format is known for the ending '.txt'; there are .yaml, .yml, .urdf, .xacro"),
    ("a", b"duoti: 1", "no format is known for the ending ''"),
    ("missing.yaml", None, "there is no such file"),
])  # fmt: skip
def test_files_that_are_no_models(tmp_path, name, data, message):
    path = tmp_path / name
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(dt.errors.ModelFileError) as error:
        dt.load(path)
    (finding,) = error.value.report.errors
    assert message in finding.what
    assert finding.place.file == str(path)


def test_a_byte_order_mark_is_no_fault(tmp_path):
    (tmp_path / "a.yaml").write_text(GOOD, encoding="utf-8-sig")
    assert dt.check(dt.load(tmp_path / "a.yaml")).ok
    (tmp_path / "b.yaml").write_bytes(GOOD.replace("\n", "\r\n").encode())
    assert dt.check(dt.load(tmp_path / "b.yaml")).ok


def lists(levels, width=9):
    """Lists of aliases of lists of aliases, ...: the "billion laughs"."""
    lines = ["duoti: 1", f"a0: &a0 [{', '.join('x' * width)}]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * width)}]" for i in range(1, levels)]
    return "\n".join(lines)


def tables(levels):
    lines = ["duoti: 1", "a0: &a0 {a: 1, b: 2}"]
    lines += [f"a{i}: &a{i} {{a: *a{i - 1}, b: *a{i - 1}}}" for i in range(1, levels)]
    return "\n".join(lines)


BOMBS = {
    "lists": lists(12),
    "mappings": tables(40),
    "itself": "duoti: 1\na: &a [*a]",
    "itself by a key": "duoti: 1\na: &a {b: {c: *a}}",
    "deep lists": "duoti: 1\na: " + "[" * 100_000,
    "deep mappings": "duoti: 1\na: " + "{a: " * 100_000,
    "deep blocks": "duoti: 1\n" + "\n".join(" " * i + "a:" for i in range(2000)),
    "deep dashes": "duoti: 1\na:\n " + "- " * 100_000,
    "many anchors": "duoti: 1\n" + "\n".join(f"a{i}: &a{i} 1" for i in range(20_000)),
    "many keys": "duoti: 1\nbodies: {" + ", ".join(f"a{i}: 1" for i in range(20_000)) + "}",
    "the same key": "duoti: 1\n" + "a: 1\n" * 20_000,
    "long word": "duoti: 1\nname: " + "x" * 2_000_000 + "\nbodies: 3",
    "long number": "duoti: 1\ngravity: [" + "1" * 200_000 + ", 0, 0]",
    "long expression": "duoti: 1\nparameters: {a: =" + "1+" * 20_000 + "1}",
    "nested expression": "duoti: 1\nparameters: {a: =" + "(" * 2_000 + "1" + ")" * 2_000 + "}",
    "power tower": "duoti: 1\nparameters: {a: =9^9^9^9^9}",
    "chain of parameters": "duoti: 1\nparameters:\n  a0: 1\n" + "".join(f"  a{i}: =a{i - 1}\n" for i in range(1, 1500))
    + "  b: =1/0",
    "long unit": "duoti: 1\ngravity: [1 " + "m " * 20_000 + ", 0, 0]",
    "long key": "duoti: 1\n" + "k" * 100_000 + ": 1",
    "many directives": "%YAML 1.2\n" * 10_000,
    "quotes": "duoti: 1\nname: '" + "''" * 100_000,
    "backslashes": 'duoti: 1\nname: "' + "\\x41" * 100_000 + '"\nx: 1',
}  # fmt: skip


@pytest.mark.full("many anchors", "the same key", "many keys")
@pytest.mark.parametrize("bomb", BOMBS)
def test_bombs_do_no_harm(bomb):
    text = BOMBS[bomb]
    tracemalloc.start()
    began = time.process_time()
    with pytest.raises(dt.errors.ModelFileError) as error:
        from_text(text)
    seconds = time.process_time() - began
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(str(error.value)) < 50_000  # 100 findings of one line each, which names all sections
    assert (
        seconds < 5.0
    )  # a second without tracemalloc, which makes it some times slower; processor time, as machines are busy
    assert peak < 100e6


def test_files_of_absurd_size_are_not_read(tmp_path):
    path = tmp_path / "a.yaml"
    with path.open("wb") as stream:
        stream.write(b"duoti: 1\n#")
        stream.truncate(100 * MAX_BYTES)  # sparse: takes no room
    began = time.process_time()
    with pytest.raises(dt.errors.ModelFileError, match="larger than 20 MB, which no model file should be"):
        dt.load(path)
    assert time.process_time() - began < 1.0


def test_files_execute_nothing(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for payload in (
        "!!python/object/apply:os.system ['touch harm']",
        "!!python/object/new:subprocess.check_output [['touch', 'harm']]",
        "=__import__('os').system('touch harm')",
        "__import__('os').system('touch harm')",
        "${touch harm}",
    ):
        for text in (
            GOOD.replace("3*sin(t)", f'"{payload}"'),
            GOOD.replace("3*sin(t)", payload),
            f"duoti: 1\nx: {payload}",
        ):
            with pytest.raises(dt.errors.ModelFileError):
                from_text(text)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("bomb", [b for b in BOMBS if not b.startswith(("many", "the same", "long"))])
def test_the_parser_in_python_is_as_safe(monkeypatch, bomb):
    """Where PyYAML comes without libyaml."""
    monkeypatch.delattr(yaml, "CSafeLoader")
    assert dt.check(from_text(GOOD)).ok
    began = time.process_time()
    with pytest.raises(dt.errors.ModelFileError):
        from_text(BOMBS[bomb])
    assert time.process_time() - began < 30.0  # no hang; it reads some ten thousand values in a second


def test_names_of_faulty_elements_are_suggested():
    with pytest.raises(dt.errors.ModelFileError) as caught:
        from_text(
            "duoti: 1\n"
            "bodies: {rod: {inertia: {rod: {length: 1}}}}\n"
            "joints: {A: {type: revolut, axis: y, between: [ground, rood]}, B: {type: free, between: [ground, rood]}}\n"
            "forces: {motor: {type: joint_torque, joint: AA, value: 1}}\n"
        )
    text = str(caught.value)
    assert "Did you mean 'rod'" in text
    assert "Did you mean 'A'" in text
    assert len(caught.value.report.errors) == 5  # no mass, no such type, no such body of A and of B, no such joint


def test_files_together_have_a_limit(tmp_path, monkeypatch):
    """A hundred files within theirs would still be two gigabytes of memory."""
    monkeypatch.setattr("duoti.formats.yaml.read.MAX_ALL_BYTES", 2000)
    for k in range(3):
        (tmp_path / f"part{k}.yaml").write_text("duoti: 1\nparameters: {}\n" + "# nothing\n" * 90, encoding="utf-8")
    path = tmp_path / "model.yaml"
    path.write_text("duoti: 1\ninclude: [part0.yaml, part1.yaml, part2.yaml]\n", encoding="utf-8")
    with pytest.raises(dt.ModelError, match="the files of this model have more than"):
        dt.load(path)
