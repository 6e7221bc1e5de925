#!/usr/bin/env python3
"""Plant a difference into a correlated stream, stdin to stdout.

slow:REGEX:PERCENT    kernels of that name take so much longer
jitter:SEED:PERCENT   all operations do, by a factor of the recording that
                      varies by so much, and each by a third of that
rename:REGEX:NAME     kernels of that name have another one
drop:REGEX            kernels of that name are not there
step:REGEX            ranges of that name are left out

What comes later moves by what was added before it.  Another origin makes it
another recording.  stderr: the ns that were added.
"""
import bisect
import json
import random
import re
import sys

what, *args = sys.argv[1].split(":")
operations = ("kernel", "memcpy", "memset", "graph")
records = [json.loads(line) for line in sys.stdin]


def added(e, rnd, factor):
    if e["kind"] not in operations or "dur" not in e:
        return 0
    if what == "slow" and e["kind"] == "kernel" and \
            re.search(args[0], e["name"]):
        return round(e["dur"] * float(args[1]) / 100)
    if what == "jitter":
        each = 1 + rnd.gauss(0, float(args[1]) / 300)
        return round(e["dur"] * (factor * each - 1))
    return 0


rnd = random.Random(args[0] if what == "jitter" else 0)
factor = 1 + rnd.gauss(0, float(args[1]) / 100) if what == "jitter" else 1
longer = sorted((e["ts"] + e["dur"], added(e, rnd, factor))
                for e in records if "dur" in e and "ts" in e)
ends = [end for end, ns in longer]
sums = [0]
for end, ns in longer:
    sums.append(sums[-1] + ns)


def moved(ts):
    return ts + sums[bisect.bisect_right(ends, ts)]


out = []
for e in records:
    if what in ("drop", "rename") and e["kind"] == "kernel" and \
            re.search(args[0], e["name"]):
        if what == "drop":
            continue
        e["name"] = args[1]
        e.pop("sym", None)
    if what == "step" and e["kind"] == "range" and \
            re.search(args[0], e["name"]):
        continue
    if e["kind"] == "trace":
        origin = int(e.get("origin_utc_ns", "0"))
        e["origin_utc_ns"] = str(origin + sum(sys.argv[1].encode()) + 1)
    for start, length in (("api_ts", "api_dur"), ("range_ts", "range_dur"),
                          ("ts", "dur")):
        if start in e:
            ts, end = e[start], e[start] + e.get(length, 0)
            e[start] = moved(ts)
            if length in e:
                e[length] = max(moved(end) - e[start], 0)
    if e["kind"] == "end":
        e["events"] = len(out) - 1
    out.append(e)
timed = sorted((e for e in out if "ts" in e), key=lambda e: e["ts"])
for e in [e for e in out[:-1] if "ts" not in e] + timed + out[-1:]:
    print(json.dumps(e, separators=(",", ":"), ensure_ascii=False))
print(sums[-1], file=sys.stderr)
