"""Queries: reads without side effects."""
