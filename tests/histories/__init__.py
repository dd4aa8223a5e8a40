"""Histories of upgrades as every surface showed them, recorded from real runs, and the laws that hold between the surfaces."""
