"""Rates: events counted in windows of time, by one process or by all."""
