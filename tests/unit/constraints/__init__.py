"""Constraints between resources, as pure rules."""
