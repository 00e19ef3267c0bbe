"""The JSON schema: made from the same fields as the reader."""

import json
from pathlib import Path
from urllib.request import urlopen

import pytest
import yaml

import duoti as dt
import duoti.cli
import duoti.examples
from duoti.formats import from_text, json_schema
from duoti.formats.schema.json_schema import SHIPPED, schema_text
from support.model_files import seeds

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
WORDS = {
    "$ref", "anyOf", "const", "enum", "type", "properties", "required", "additionalProperties", "items", "minItems",
    "maxItems", "description", "$schema", "title", "$defs",
}  # fmt: skip
NUMBERS = {"number": (int, float), "integer": int}


def conforms(data, schema, root):
    """A validator for the part of JSON schema that ours uses; it refuses words that it does not know."""
    assert set(schema) <= WORDS, schema
    if "$ref" in schema:
        return conforms(data, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root)
    if "anyOf" in schema and not any(conforms(data, each, root) for each in schema["anyOf"]):
        return False
    if ("const" in schema and data != schema["const"]) or ("enum" in schema and data not in schema["enum"]):
        return False
    if "type" in schema:
        kinds = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if not any(isinstance(data, TYPES[k]) if k in TYPES else isinstance(data, NUMBERS[k]) and data is not True
                   for k in kinds):  # fmt: skip
            return False
    if isinstance(data, dict):
        known, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        for key, value in data.items():
            inner = known.get(key, rest)
            if inner is False or (isinstance(inner, dict) and not conforms(value, inner, root)):
                return False
        return all(key in data for key in schema.get("required", ()))
    if isinstance(data, list):
        size = schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", len(data))
        return size and all(conforms(item, schema.get("items", {}), root) for item in data)
    return True


@pytest.mark.parametrize("name", ["everything", "forces", "constraints", "short"])
def test_good_files_conform(name):
    schema = json_schema()
    assert conforms(yaml.safe_load(seeds()[name]), schema, schema)


@pytest.mark.parametrize(("old", "new"), [
    ("stiffness", "stifness"), ("spring_damper", "spring"), ("mass: 1.0", "mas: 1.0"), ("axis: x", "axis: q"),
    ("[=r/2, 0, 0]", "[=r/2, 0]"), ("bodies:", "bodys:"), ("type: spherical, ", ""), ("terminal: true", "terminal: 3"),
    ("between: [rod, slider]", "between: [rod]"), ("duoti: 1", "duoti: 2"),
])  # fmt: skip
def test_what_the_reader_refuses_does_not_conform(old, new):
    text = seeds()["everything"].decode()
    assert old in text
    schema = json_schema()
    wrong = text.replace(old, new, 1)
    assert not conforms(yaml.safe_load(wrong), schema, schema)
    with pytest.raises(dt.errors.ModelFileError):
        from_text(wrong)


def test_the_schema_is_json():
    assert json.loads(json.dumps(json_schema())) == json_schema()


# ------------------------------------------------------------------------------------------ the file that is shipped

FOLDER = Path(duoti.examples.__file__).parent
TEMPLATES = Path(duoti.cli.__file__).parent / "templates"


def checker():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(SHIPPED.read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def test_the_shipped_file_is_that_of_today():
    """`python -m duoti.formats.schema.json_schema` writes it anew."""
    assert SHIPPED.read_text("utf-8") == schema_text()


@pytest.mark.parametrize("path", sorted([*FOLDER.glob("*.yaml"), *TEMPLATES.glob("*.yaml")]), ids=lambda p: p.stem)
def test_bundled_files_conform_and_their_faults_are_found(path):
    """By the validator that editors are like: the file as it is, and with faults that one makes while writing."""
    validator, text = checker(), path.read_text("utf-8")
    data = yaml.safe_load(text)
    assert [error.message for error in validator.iter_errors(data)] == []
    wrong = [{**data, "bodyes": {}}, {**data, "gravity": [0, 0]}, {k: v for k, v in data.items() if k != "duoti"}]
    for section, key in (("bodies", "positon"), ("joints", "betwen"), ("forces", "stifness"), ("submodels", "mirrow")):
        for name, entry in (data.get(section) or {}).items():
            if isinstance(entry, dict):
                wrong.append({**data, section: {**data[section], name: {**entry, key: 1.0}}})
            if isinstance(entry, dict) and section != "bodies" and "type" in entry:
                wrong.append({**data, section: {**data[section], name: {**entry, "type": "none such"}}})
    assert len(wrong) > 3
    for each in wrong:
        assert not validator.is_valid(each)


def test_descriptions_for_editors():
    spring = next(
        each for each in json_schema()["properties"]["forces"]["additionalProperties"]["anyOf"]
        if each["properties"]["type"] == {"const": "spring_damper"}
    )  # fmt: skip
    assert spring["description"] == dt.SpringDamper.__doc__.strip().splitlines()[0]


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    """What is printed is the file; a new model file names it, and an editor finds it there."""

    def run(*words):
        monkeypatch.setattr("sys.argv", ["duoti", *words])
        with pytest.raises(SystemExit) as end:
            duoti.cli.main()
        assert end.value.code == 0
        return capsys.readouterr().out

    monkeypatch.chdir(tmp_path)
    assert json.loads(run("schema")) == json_schema()
    address = run("schema", "--path").strip()
    with urlopen(address) as stream:
        assert json.load(stream) == json_schema()
    run("new", "swing")
    first = (tmp_path / "swing.yaml").read_text("utf-8").splitlines()[0]
    assert first == f"# yaml-language-server: $schema={address}"
    assert " " not in address, "the language server reads up to the first space"
    assert dt.load("swing.yaml").name == "swing"
