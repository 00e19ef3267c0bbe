"""Closed loops: constraint equations, factors, projection, and the constraint methods."""
