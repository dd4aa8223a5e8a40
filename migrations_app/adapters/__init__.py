"""Ports made of real materials, named by their material."""
