"""The files of a definition: their paths, and those of a folder on this machine."""
