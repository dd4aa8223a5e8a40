"""How names of resources map between two versions: patterns and segments."""
