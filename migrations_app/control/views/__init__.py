"""Saved views of lists."""
