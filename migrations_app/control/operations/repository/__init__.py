"""Rows and values."""
