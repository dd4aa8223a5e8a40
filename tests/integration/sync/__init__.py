"""Copying and following on real PostgreSQL."""
