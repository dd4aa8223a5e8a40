"""Readers of published API definitions, each turning one kind of source into the schema IR."""
