"""The audit ledger: entries, seals and anchors."""
