"""Consistent states: assembly, initial states, and what analyses can treat."""
