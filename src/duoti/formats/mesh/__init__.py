"""Triangles from mesh files."""
