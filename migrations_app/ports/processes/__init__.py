"""Ports of the processes: their pulses and wake-ups, the servers they ask, and what they call outside."""
