"""Handlers of custom methods: installed in this process, or behind an address of the service."""
