"""The SDK against real processes."""
