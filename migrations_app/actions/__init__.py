"""One verb per file: check, change, ledger and outbox, in one transaction."""
