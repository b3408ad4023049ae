"""How the printed numbers of a paper come into `data/published`: tables by script, text by hand, both proof-read.

`python -m vantage_workshop.published PAPER PAPER_TEXT` writes the table rows of `PAPER.csv` (`cvt` or `frame_evidence`)
from a text copy of that paper; with `--check` it proof-reads the whole file against that copy and writes nothing. The
copies are not part of the compendium. `cvt` and `frame_evidence` know how each copy is laid out; the rest is shared.
"""
