"""What `docs/make_reference.py` is made of: discovery of types, docstrings, examples, pages."""
