"""References, blockades, cascades and owners: facts in, verdicts out."""
