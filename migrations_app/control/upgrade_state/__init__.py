"""The state of upgrades: rows, moves, evidence, snapshots."""
