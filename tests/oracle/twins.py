"""Of a stream in stdin: for each name, how many ranges of PyTorch and API calls
are the only child of one of their name, which key_averages counts once."""

import collections
import json
import sys

threads = collections.defaultdict(list)
for order, line in enumerate(sys.stdin):
    r = json.loads(line)
    if r["kind"] == "api" or (r["kind"] == "range"
                              and r.get("domain") == "torch"):
        end = r["ts"] + r.get("dur", 0)
        threads[r.get("pid"), r.get("tid")].append(
            (r["ts"], -end, r["kind"] == "api", order, r["name"]))

twins = collections.Counter()
for calls in threads.values():
    stack, children = [], collections.defaultdict(list)
    for n, (ts, minus_end, _, _, _) in enumerate(sorted(calls)):
        # a call that crosses the end of another is not in it
        while stack and stack[-1][1] < -minus_end:
            stack.pop()
        if stack and stack[-1][1] > ts or stack and ts == -minus_end:
            children[stack[-1][0]].append(n)
        stack.append((n, -minus_end))
    calls.sort()
    for parent, inner in children.items():
        if len(inner) == 1 and calls[inner[0]][4] == calls[parent][4]:
            twins[calls[parent][4]] += 1
for name, count in sorted(twins.items()):
    print(name, count, sep="\t")
