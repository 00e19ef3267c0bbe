"""The `duoti` command: one file for each of its commands."""

from duoti.cli.app import app, main

__all__ = ["app", "main"]
