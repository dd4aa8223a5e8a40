"""Rows to values and back, one noun per file."""
