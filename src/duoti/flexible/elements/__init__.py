"""Finite elements, one in a file: shape functions, quadrature, faces. What elements have in common is in `solid.py`."""
