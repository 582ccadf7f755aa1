"""The whole of ``derivations/`` built and verified in one process; ``extra_info``: processor seconds, the slowest."""

from __future__ import annotations

import time

from symbolic_scaling import catalogue


def test_all_derivations(benchmark) -> None:
    seconds: dict[str, float] = {}

    def everything() -> None:
        for name in catalogue.names():
            start = time.process_time()
            assert not catalogue.run(name).surprises
            seconds[name] = time.process_time() - start

    benchmark.pedantic(everything, rounds=1, iterations=1)
    slowest = dict(sorted(seconds.items(), key=lambda pair: -pair[1])[:5])
    benchmark.extra_info |= {"processor_seconds": sum(seconds.values()), "slowest": slowest}
