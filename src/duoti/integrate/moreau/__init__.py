"""Moreau and Jean's time stepping."""
