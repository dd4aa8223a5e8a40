"""The logs of the data plane, kept in the data databases."""
