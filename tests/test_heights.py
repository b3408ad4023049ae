"""The gate for above and below as readers see it, against the protocol that makes the questions."""

import random
from itertools import combinations

from vantage import heights
from vantage_workshop.stimuli.cvt.indoor.rooms import sample_scene

PLACES = {"floor": 0.4, "wall": 0.2, "top": 0.3, "hung": 0.1, "ceiling": 0.0}


def test_gate_is_the_protocols():
    found = {True: 0, False: 0}
    for seed in range(6):
        scene = sample_scene(random.Random(seed), 9, PLACES)
        row = scene.row("indoor-001", 1)
        for one, other in combinations(range(len(scene.tagged)), 2):
            clean = scene.clearly_higher((one, other))
            assert (not heights.compare_heights(row, one, other).flaws) == clean
            found[clean] += 1
    assert min(found.values()) > 20
