"""Checks of a model before any equation is built: one file for each subject."""
