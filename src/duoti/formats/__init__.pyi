# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.formats.csv_tables import read_table
from duoti.formats.errors import ModelFileError
from duoti.formats.load import load
from duoti.formats.mjcf import load_mjcf
from duoti.formats.mjcf.save import save_mjcf
from duoti.formats.save import save
from duoti.formats.schema.json_schema import json_schema
from duoti.formats.sdf.load import load_sdf
from duoti.formats.urdf.load import load_urdf
from duoti.formats.urdf.save import save_urdf
from duoti.formats.yaml.file import from_text, to_text
from duoti.model.import_note import ImportNote, ImportNotes

__all__ = [
    "ImportNote",
    "ImportNotes",
    "ModelFileError",
    "from_text",
    "json_schema",
    "load",
    "load_mjcf",
    "load_sdf",
    "load_urdf",
    "read_table",
    "save",
    "save_mjcf",
    "save_urdf",
    "to_text",
]
