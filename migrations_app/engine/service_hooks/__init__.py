"""Calls of the installed service hooks: in the transaction of a write, and on the way out of a response."""
