"""Derivatives of the equations of motion by state and by parameters."""
