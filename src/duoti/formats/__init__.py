"""Model files: YAML, URDF, MJCF."""
