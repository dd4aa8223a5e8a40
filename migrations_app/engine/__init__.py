"""Behaviour over ports."""
