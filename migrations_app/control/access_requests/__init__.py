"""Requests for access that one does not have."""
