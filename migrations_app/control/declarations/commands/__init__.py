"""Commands: check, change, ledger entry, event, in one transaction."""
