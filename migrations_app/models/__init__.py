"""Rows and database constraints; no verbs."""
