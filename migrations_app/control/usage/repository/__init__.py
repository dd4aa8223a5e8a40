"""Rows of what goes away: brown-outs and strategies of single keys."""
