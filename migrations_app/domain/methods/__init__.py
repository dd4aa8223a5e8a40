"""Handlers of custom methods: how a service gives them, and what they may do."""
