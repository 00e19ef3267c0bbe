"""Friction and stops of joints in the event-driven engine, with and without contacts."""
