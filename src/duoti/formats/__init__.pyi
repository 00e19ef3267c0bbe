# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.formats.describe import json_schema
from duoti.formats.errors import ModelFileError
from duoti.formats.load import load
from duoti.formats.save import save
from duoti.formats.yaml_file import from_text, to_text

__all__ = [
    "ModelFileError",
    "from_text",
    "json_schema",
    "load",
    "save",
    "to_text",
]
