"""Tests of the Python client without a console."""
