"""The witness of FrameEvidence: strata and answers solved for so that they agree with what the paper printed.

A witness shows that the printed numbers can hold together. What the print does not determine is a solver's choice in it
and says nothing about a model, or about the authors' items.

Without the solver:
- `targets`: the printed numbers as integers: how many groups or questions each cell counts.
- `pairs`: what the paper says about two configurations together, and choices of ours that both solvers need.
- `composition`: what the strata of the 320 groups must be, and the check of a file.
- `metadata_rules`: the three rules of Table 10 that see no image, fitted on the training questions.
- `scored`: what the answers of one run score, held against the print.
- `scored_experiments`: what runs score together.
- `runs`: what the runs of the reconstructed set are called, and their rows in the file.

With it:
- `letters`: gold letters and base sizes under which the metadata rules score as printed.
- `outcomes`: which groups a configuration solves, beside strata that may be unknown.
- `strata`: the strata, solved together with the joint scores; writes `data/frame_evidence/strata.csv`.
- `macros`: the counts behind printed macro averages.
- `answers`: the unknown answers of one run, as a model.
- `controls`, `rotations`, `stable_ids`: the experiments beside the main one.
- `frame_evidence`: all runs on those strata, one after another. `python -m vantage_workshop.witness` freezes them.

Where the print leaves a choice, points that look ordinary are preferred: of the counts of letters that a macro average
allows the most even ones, then counts of letters near their share in each condition and among the wrong answers to each gold
letter, the same answer to the same input, adapters of one base that lack the same letter. Beyond that answers are dealt at
random among groups that are alike. `frozen_predictions/README.md` lists what remains arbitrary.
"""
