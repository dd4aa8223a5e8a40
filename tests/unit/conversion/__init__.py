"""Tests of the conversion room."""
