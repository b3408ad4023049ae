"""Where the chance in responders comes from."""

from zlib import crc32

import numpy as np
from numpy.random import Generator

SEED = 20261130
"""Default seed of all responders."""


def generator(set_name: str, seed: int) -> Generator:
    """The PCG64 generator of one set, seeded with the seed and its name, so that adding a responder changes no other."""
    return np.random.default_rng([seed, crc32(set_name.encode())])
