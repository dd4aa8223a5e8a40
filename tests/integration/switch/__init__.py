"""Switching and going back on real PostgreSQL."""
