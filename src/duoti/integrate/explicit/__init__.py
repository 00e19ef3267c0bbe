"""Explicit one-step methods."""
