"""The Meta API against message definitions written from its contract."""
