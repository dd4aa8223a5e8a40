"""The live stream as it is read."""
