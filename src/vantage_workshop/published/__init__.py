"""How the printed numbers of a paper come into `data/published`: tables by script, text by hand, both proof-read.

`python -m vantage_workshop.published PAPER_TEXT` writes the table rows of `cvt.csv` from a text copy of the CVT-Bench
paper; with `--check` it proof-reads the whole file against that copy and writes nothing. The copy is not part of the
compendium.
"""
