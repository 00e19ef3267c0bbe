"""Files that models come from and go to: duoti's own YAML, URDF, MJCF, SDFormat."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.formats.schema.json_schema": "json_schema",
    "duoti.formats.errors": "ModelFileError",
    "duoti.formats.load": "load",
    "duoti.formats.mjcf": "load_mjcf",
    "duoti.formats.mjcf.save": "save_mjcf",
    "duoti.formats.save": "save",
    "duoti.formats.csv_tables": "read_table",
    "duoti.formats.sdf.load": "load_sdf",
    "duoti.formats.urdf.load": "load_urdf",
    "duoti.formats.urdf.save": "save_urdf",
    "duoti.formats.yaml.file": "from_text, to_text",
    "duoti.model.import_note": "ImportNote, ImportNotes",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
