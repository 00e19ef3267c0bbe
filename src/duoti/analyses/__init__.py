"""Analyses: functions of a model or a compiled system."""
