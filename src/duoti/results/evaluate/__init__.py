"""From stored states to quantities: channels, reactions, contact forces, energies."""
