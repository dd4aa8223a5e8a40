"""Probes: one question to a server over a connection of its own."""
