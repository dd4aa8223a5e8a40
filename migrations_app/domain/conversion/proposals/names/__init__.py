"""Names as words: their forms, spellings, synonyms, and words that say little."""
