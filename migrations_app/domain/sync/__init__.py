"""Positions, progress and time estimates of a synchronisation."""
