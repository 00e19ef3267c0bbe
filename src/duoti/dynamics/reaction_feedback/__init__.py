"""Reactions and multipliers that laws read."""
