"""Rows of evidence: what clients use, what was decided about definitions, what retires."""
