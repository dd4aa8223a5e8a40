"""Constraints between deployments that are under way."""
