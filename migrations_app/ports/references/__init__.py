"""Ports of the rows that say which resources refer to which."""
