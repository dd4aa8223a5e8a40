"""Proposals: what an edge file could still say, found by matching whole types with evidence."""
