"""Digests and mismatches."""
