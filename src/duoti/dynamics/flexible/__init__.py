"""The law of flexible bodies in the recursions: floating frame, modal coordinates, interfaces."""
