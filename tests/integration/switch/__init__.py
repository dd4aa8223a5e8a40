"""Switching and rolling back on real PostgreSQL."""
