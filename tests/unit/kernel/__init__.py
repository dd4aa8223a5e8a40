"""Errors, JSON, clock and failpoints."""
