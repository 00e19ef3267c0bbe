"""Complementarity problems: solvers on plain matrices, and those of a time step."""
