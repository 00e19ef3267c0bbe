"""The mechanism as a whole: placement, mobility, which joints are cut."""
