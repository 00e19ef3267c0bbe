"""A model or a motion as the page of the viewer wants it."""
