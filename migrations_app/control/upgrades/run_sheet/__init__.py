"""The run sheet of an upgrade as a file: what was recorded until a moment, drawn, written and signed."""
