"""Modules that declare cases (`@case`), each about one subject."""

ORDER = ("trees", "derivatives", "calls", "linearise", "pendulum", "setup", "start", "loops", "mechanisms")
"""As the page shows them."""
