"""The witness of FrameEvidence: strata and answers solved for so that they agree with what the paper printed.

A witness shows that the printed numbers can hold together. What the print does not determine is a solver's choice in it
and says nothing about a model, or about the authors' items.

- `targets`: the printed numbers as integers: how many groups or questions each cell counts.
- `composition`: what the strata of the 320 groups must be, and a check of a file that needs no solver.
- `metadata_rules`: the three rules of Table 10 that see no image, fitted on the training questions.
- `letters`: gold letters and base sizes under which those rules score as printed.
- `strata`: the strata, solved together with the joint scores; writes `data/frame_evidence/strata.csv`.
- `frame_evidence`: answers to all test questions on those strata, one configuration after the other.
"""
