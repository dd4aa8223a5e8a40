"""Ports of the logs of the data plane."""
