"""Rollouts of upgrades over regions and services."""
