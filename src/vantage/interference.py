"""What competing scenes do: interference gaps, prompt partitions, position in the prompt (CVT-Bench, Supp. 2.4, 4.4, S3).

The interference gap of a metric M is M(control) - M(competing), positive where competition harms. Both are taken on the
same scenes, summed within the same clusters, (clusters, columns), as `vantage.bootstrap` explains;
`vantage.bootstrap.paired_gap` gives the gap with its interval, and a block here is such a cluster: one competing
prompt.
"""

import numpy as np
from numpy.typing import NDArray

from vantage.bootstrap import Statistic


def block_gaps(
    control: NDArray[np.float64], competing: NDArray[np.float64], statistic: Statistic
) -> NDArray[np.float64]:
    """The gap within each prompt block, (blocks,) (Supp. 4.4: how many are positive?)."""
    return statistic(control) - statistic(competing)


def leave_one_out_gaps(
    control: NDArray[np.float64], competing: NDArray[np.float64], statistic: Statistic
) -> NDArray[np.float64]:
    """The gap over all blocks but one, for each block left out, (blocks,); not a number where it is the only one.

    Their range keeps its sign where no single prompt carries the gap (Supp. 4.4).
    """
    return block_gaps(control.sum(axis=0) - control, competing.sum(axis=0) - competing, statistic)


def positions_in_prompt(blocks: NDArray[np.integer], order: NDArray[np.integer]) -> NDArray[np.intp]:
    """The place of each scene in its competing prompt, from 0, (scenes,); the horizontal axis of Figure S3.

    `blocks` has each scene's block and `order` its place in the frozen order, in which prompts list their scenes
    (Supp. 1.4).

    >>> positions_in_prompt(np.array([0, 1, 0, 1]), np.array([3, 2, 1, 4])).tolist()
    [1, 0, 0, 1]
    """
    ranked = np.lexsort((order, blocks))
    starts = np.flatnonzero(np.diff(blocks[ranked], prepend=np.iinfo(np.int64).min))
    sizes = np.diff(starts, append=len(blocks))
    positions = np.empty(len(blocks), dtype=np.intp)
    positions[ranked] = np.arange(len(blocks)) - np.repeat(starts, sizes)
    return positions
