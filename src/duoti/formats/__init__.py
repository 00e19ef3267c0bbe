"""Files that models come from and go to: duoti's own YAML, URDF, MJCF."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.formats.describe": "json_schema",
    "duoti.formats.errors": "ModelFileError",
    "duoti.formats.load": "load",
    "duoti.formats.save": "save",
    "duoti.formats.yaml_file": "from_text, to_text",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
