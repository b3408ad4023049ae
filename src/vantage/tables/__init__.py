"""Tables: the papers' own, recomputed (`cvt`), and those of a reader's runs (`runs` and, by theme, the others). Each is one function on frames."""
