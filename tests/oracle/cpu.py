"""cpu.py - cpu_sum of tq-stats, of a whole stream on stdin

prints process, thread, state, number of intervals, their time with that of
samples, the longest, and samples, tab separated, sorted.
"""

import json
import re
import sys
from collections import defaultdict

SAMPLED = {None: "Running", "Running": "Running", "running": "Running",
           "Interruptible": "Blocked", "Uninterruptible": "Blocked"}
rows = defaultdict(lambda: [[], 0, 0])
names = {}
threads = {}
hz = 0


def label(name, number):
    if number is None:
        return name or ""
    return f"{name} ({number})" if name else str(number)


def row(thread, state):
    pid, tid = thread
    return rows[label(names.get(pid), pid), label(names.get(thread), tid),
                state]


def state_after(e):
    if e.get("on"):
        return "Running"
    why = e.get("reason"), e.get("state")
    if why == (None, None):
        return "Off CPU"
    runnable = why[0] == "preempted" or why[1] in ("Running", "running")
    return "Preempted" if runnable else "Blocked"


def close():
    for thread, (switches, samples) in threads.items():
        for a, b in zip(switches, switches[1:]):
            state = state_after(a)
            if bool(a.get("on")) == bool(b.get("on")):
                state = "Unknown"
            row(thread, state)[0].append(b["ts"] - a["ts"])
        for state, count in samples.items():
            row(thread, state)[1] += count
            if not switches and hz:
                row(thread, state)[2] += count * (10**9 // hz)
    threads.clear()
    names.clear()


for line in sys.stdin:
    e = json.loads(line)
    if e["kind"] == "trace":
        close()
        found = re.search(r"sample:[^@]*@(\d+)", e.get("mode", ""))
        hz = int(found[1]) if found else 0
    elif e["kind"] == "process":
        names[e.get("pid")] = e.get("name")
    elif e["kind"] == "thread":
        names[e.get("pid"), e.get("tid")] = e.get("name")
    elif e["kind"] in ("sched", "sample"):
        own = threads.setdefault((e.get("pid"), e.get("tid")),
                                 ([], defaultdict(int)))
        if e["kind"] == "sched":
            own[0].append(e)
        else:
            state = SAMPLED.get(e.get("state"), "Off CPU")
            own[1][state] += e.get("count", 1)
close()
for key, (times, samples, sampled) in sorted(rows.items()):
    print(*key, len(times), sum(times) + sampled if times or sampled else "",
          max(times, default=""), samples, sep="\t")
