"""Tables, each one function on frames: the papers' own, recomputed (`cvt`), and by theme those of a reader's runs (the others)."""
