"""Reads of the logs."""
