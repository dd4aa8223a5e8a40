"""Starts the servers that tests need, before Django reads its settings."""
