"""The registry's wire contract: the Meta API, as existing clients of such a registry speak it."""
