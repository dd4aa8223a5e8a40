"""The processes of the product: addresses, settings, command line."""
