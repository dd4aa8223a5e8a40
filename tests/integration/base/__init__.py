"""Tests of the base on real servers."""
