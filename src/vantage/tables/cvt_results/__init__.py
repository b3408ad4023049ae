"""CVT-Bench's printed results, recomputed from the answers of runs: one function a table, and some for its running text.

Each takes `chosen.Answers`, the runs with the items they answer, and returns a tidy frame keyed like the published numbers: `row`,
`column` and `value`, not rounded and in the unit that is printed. CVT-Indoor stands in for CVT-Real and answers for its columns. A number
whose runs are missing is left out, and so is a mean over cells unless all fifteen of a domain and regime are there. Nothing here is
copied from the print, and nothing is shared with the program that solves for reconstructed answers: this is what checks them.

`scores` has Tables 1 and S4, and what the text says of accuracy, persistence and coherence; `turns` Tables S5 to S8 and Supp. 3.6;
`robustness` Tables S9 and S10, Supp. 4.3 and 4.4; `controls` Tables S11 to S13 and Supp. 5. What rests on draws of ours, intervals above
all, stands apart: the paper prints how many draws it takes, not how.
"""
