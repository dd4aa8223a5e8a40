"""Commands on the logs of the data plane."""
