"""The event-driven engine: contact states between events, and what happens at them."""
