"""Commands on upgrades, their approvals and rollouts."""
