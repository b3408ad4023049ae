"""FrameEvidence's printed results, recomputed from the answers of runs: one function a table, and one for its running text.

Each takes runs and items and returns a tidy frame keyed like the published numbers: `row`, `column` and `value`, not rounded and
in the unit that is printed. Runs are picked by their configuration; a row whose run is missing is left out, and so is a statement
about all configurations unless all are there. Nothing here is copied from the print, and nothing is shared with the program that
solves for reconstructed answers: this is what checks them.

`scores` has Tables 4, 6, 11 and 22; `contrasts` 5, 25 and 26; `strata` 3, 15 to 19 and 30; `failures` 8, 20, 21 and 31;
`executions` 7, 12 and 13; `stable_ids` Appendix E. Intervals stand apart from the points that they belong to, as they rest on draws
of ours: the papers print draws and seeds, not the algorithm.
"""
