"""The witness of CVT-Bench: answers searched for so that they agree with what the paper printed about its 60 cells.

A witness shows that the printed numbers can hold together. What the print does not determine is a choice of the search and
says nothing about a model.

- `printed`: the printed numbers by id, and unrounded targets for the cells that round as all of Table 1 and its means do.
- `material`: the items of a domain as arrays.
- `sorts`: which scenes are realizable in which cell.
- `beginning`: answers that already look like those of a model, from which the search begins.
- `search`: the search itself, compiled: changes of answers, with every statistic kept up to date.
- `block`: the fifteen cells of a domain and regime, and what they aim at.
- `witness`: both domains, and what is printed about all 60 cells together.
- `fillers`: target scenes and attribute retrieval in the filler regimes.
- `runs`: what the runs are called, and their rows in the file.
- `ranges`: how far witnesses from several seeds differ in what is not printed.

`python -m vantage_workshop.witness.cvt` makes the set. It shares no code with what recomputes the printed numbers from it
(`vantage.tables.cvt_results`) beyond the plain statistics in which the search prepares its tables.
"""
