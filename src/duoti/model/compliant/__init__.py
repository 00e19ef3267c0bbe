"""Compliant contacts as force elements."""
