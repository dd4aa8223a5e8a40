"""Celery wakes threads, which take due keys from the table; nothing is decided here."""
