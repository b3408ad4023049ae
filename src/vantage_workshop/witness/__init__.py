"""The witness of FrameEvidence: strata and answers solved for so that they agree with what the paper printed.

A witness shows that the printed numbers can hold together. What the print does not determine is a solver's choice in it
and says nothing about a model, or about the authors' items.

Without the solver:
- `targets`: the printed numbers as integers: how many groups or questions each cell counts.
- `pairs`: what the paper says about two configurations together, and choices of ours that both solvers need.
- `composition`: what the strata of the 320 groups must be, and the check of a file.
- `metadata_rules`: the three rules of Table 10 that see no image, fitted on the training questions.
- `scored`: what answers score, held against the print.

With it:
- `letters`: gold letters and base sizes under which the metadata rules score as printed.
- `outcomes`: which groups a configuration solves, beside strata that may be unknown.
- `strata`: the strata, solved together with the joint scores; writes `data/frame_evidence/strata.csv`.
- `frame_evidence`: answers to all test questions on those strata, run by run. It shows that the strata admit them, and
  writes nothing.
- `ranges`: the least and the greatest value of counts that are not printed; writes `data/frame_evidence/ranges.csv`.
"""
