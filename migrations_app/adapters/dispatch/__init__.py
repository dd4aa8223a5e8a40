"""Hints that a key has work: by Celery, or within this process."""
