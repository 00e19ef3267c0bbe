"""Checks of a compiled model and of what a simulation of it begins with: one file for each subject."""
