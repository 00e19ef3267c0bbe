"""The schema of model files."""
