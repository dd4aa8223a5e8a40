"""Codecs: named pairs of functions between two ways of writing a value, one family per file."""
