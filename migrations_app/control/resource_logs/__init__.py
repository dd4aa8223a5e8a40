"""The logs of the data plane: what clients changed, and who called what."""
