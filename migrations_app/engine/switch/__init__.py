"""The switch: steps that may be repeated, their rehearsal, and the director that takes them in order."""
