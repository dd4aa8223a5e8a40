"""The version switch as data: states, transitions, guards, plans."""
