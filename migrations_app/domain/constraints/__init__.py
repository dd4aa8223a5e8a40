"""Constraints: references between resources, and what may be deleted."""
