"""Who must agree before a switch, what a vote is worth, and when switching is allowed at all."""
