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
    times = {ours: float("inf"), plain: float("inf")}
    results = {}
    for _ in range(repeats):
        for run in times:
            start = perf_counter()
            results[run] = run()
            times[run] = min(times[run], perf_counter() - start)
    if results[ours] != results[plain]:
        raise AssertionError(f"{ours.__qualname__} and {plain.__qualname__} disagree")
    return Measurement(times[ours], times[plain], n)
