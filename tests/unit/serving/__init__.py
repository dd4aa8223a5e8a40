"""Serving resources, with everything in memory."""
