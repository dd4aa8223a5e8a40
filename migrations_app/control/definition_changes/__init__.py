"""Definitions that take the place of those that are served: what would change, for whom, and whether it may."""
