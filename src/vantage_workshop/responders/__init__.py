"""Responders that really answer the items: those of known mechanism are frozen as `reference` sets, the fitted ones and constant
letters as `measured` sets.

`cvt` has those for CVT items, `triplets` those for FrameEvidence-Open; in both, `roster` lists them and `runs` puts the items to them.
"""
