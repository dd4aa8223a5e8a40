"""Proving that two namespaces hold the same resources, and mending what differs."""
