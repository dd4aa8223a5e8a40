"""Upgrades: planned, started, watched, acted on."""
