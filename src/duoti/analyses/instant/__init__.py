"""The equations of motion at one instant."""
