"""Checks of a compiled model in its initial state."""
