"""Approvals: requests, votes, windows, emergencies."""
