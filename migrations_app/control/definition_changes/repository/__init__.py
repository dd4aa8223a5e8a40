"""What decisions rest on: what is stored, what clients were seen to do, and what was waived."""
