"""Watches: what happened to resources, told to clients in their version."""
