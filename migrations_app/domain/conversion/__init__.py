"""Lossless conversion of resources between versions."""
