"""Fences: on PostgreSQL, and in memory."""
