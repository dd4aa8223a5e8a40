"""Filters: syntax tree, parser, evaluator."""
