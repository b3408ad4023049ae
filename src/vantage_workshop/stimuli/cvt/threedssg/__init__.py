"""A user's own licensed copy of 3RScan and 3DSSG, read into items of the domain `real`: the same files as CVT-Indoor's.

What comes out is the user's own making from the source that CVT-Bench names (Supp. 1.3), not the authors' CVT-Real: their choice
of scans and frames is not public.
"""
