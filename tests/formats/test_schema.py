"""The JSON schema: made from the same fields as the reader."""

import json

import pytest
import yaml

import duoti as dt
from duoti.formats import from_text, json_schema
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
