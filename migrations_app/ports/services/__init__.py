"""Ports of what services bring themselves: methods, hooks, fixtures, and how they are used."""
