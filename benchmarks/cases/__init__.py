"""Modules that declare cases (`@case`), each about one subject."""

ORDER = ("trees", "derivatives", "calls")
"""As the page shows them."""
