"""Accounts, roles, tokens and sessions."""
