"""How long clients' writes take: noted by web processes, read by workers."""
