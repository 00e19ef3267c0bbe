"""The version of duoti."""

__version__ = "0.1.0"
