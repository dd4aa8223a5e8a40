"""Copies of what other regions own, and what tells every resource where it is kept."""
