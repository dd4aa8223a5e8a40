"""Engines generated from plans: straight-line Python, and SQL over jsonb."""
