"""Compatibility of service definitions, and waivers."""
