"""Published API definitions: read, compared, and planned as edges."""
