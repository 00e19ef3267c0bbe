"""The compiled form of a model."""
