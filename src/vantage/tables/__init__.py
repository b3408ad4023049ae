"""Tables: the papers' own, recomputed (`cvt`), and those of a reader's runs (`runs`). Each is one function on frames."""
