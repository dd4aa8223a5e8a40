"""The command line `swy`: a client of the REST API, nothing more."""
