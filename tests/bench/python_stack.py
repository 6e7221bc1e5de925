"""What a mark of NVTX costs 20 frames deep: prints "mark20 NS", the least of
many bursts."""

import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..",
                                "examples"))
os.environ["NVTX_EXAMPLE_LOADER"] = "1"
from nvtx import NVTX  # noqa: E402

BURSTS, BURST, FRAMES = 2000, 100, 20


def burst():
    mark = NVTX.nvtxMarkA
    start = time.perf_counter_ns()
    for _ in range(BURST):
        mark(b"x")
    return (time.perf_counter_ns() - start) / BURST


def deep(n):
    return deep(n - 1) if n > 0 else min(burst() for _ in range(BURSTS))


# this frame, that of deep(0), a generator's and that of burst() are frames, too
print("mark20 %.1f" % deep(FRAMES - 4))
