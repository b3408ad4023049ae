"""One comparison: ours and the plain way, timed in turn in the same run."""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True)
class Measurement:
    """Seconds for `n` pieces of work, ours and the plain way; `ratio` is how many times faster ours is."""

    ours_s: float
    plain_s: float
    n: int

    @property
    def ratio(self) -> float:
        return self.plain_s / self.ours_s


def compare(ours: Callable[[], object], plain: Callable[[], object], n: int, repeats: int = 3) -> Measurement:
    """The shortest time of each over some repeats; the shortest, because whatever else runs can only make it longer.

    Both return their results, which must be equal: a faster wrong answer is no measurement. Raises `AssertionError` if they differ.
    """
    ours_s, plain_s = float("inf"), float("inf")
    for _ in range(repeats):
        start = perf_counter()
        our_results = ours()
        between = perf_counter()
        plain_results = plain()
        ours_s, plain_s = min(ours_s, between - start), min(plain_s, perf_counter() - between)
    if our_results != plain_results:
        raise AssertionError("expected both ways to give the same results, found different ones")
    return Measurement(ours_s, plain_s, n)
