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
kinds = []  # of native samples, by their event, the first one first
hz = {}  # of native samples and of Python


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
        for state in {s for s, _ in samples}:
            # of one kind, Python last
            kind = min((k for s, k in samples if s == state),
                       key=lambda k: kinds.index(k) if k in kinds else 1e9)
            count, known = samples[state, kind]
            row(thread, state)[1] += count
            if not switches:
                row(thread, state)[2] += known
    threads.clear()
    names.clear()
    kinds.clear()


def sampled_time(e, kind):
    args = e.get("args", {})
    ns = args.get("weight_ns", 0)
    if str(args.get("event")).startswith(("cpu-clock", "task-clock")):
        ns = ns or args.get("period", 0)
    if not ns and not args.get("period") and hz.get(kind == "python"):
        ns = 10**9 // hz[kind == "python"]
    return ns * e.get("count", 1)


for line in sys.stdin:
    e = json.loads(line)
    if e["kind"] == "trace":
        close()
        hz = {word == "python": int(n) for word, n in re.findall(
            r"(sample|python):[^@]*@(\d+)", e.get("mode", ""))}
    elif e["kind"] == "process":
        names[e.get("pid")] = e.get("name")
    elif e["kind"] == "thread":
        names[e.get("pid"), e.get("tid")] = e.get("name")
    elif e["kind"] in ("sched", "sample"):
        own = threads.setdefault((e.get("pid"), e.get("tid")),
                                 ([], defaultdict(lambda: [0, 0])))
        if e["kind"] == "sched":
            own[0].append(e)
        else:
            state = SAMPLED.get(e.get("state"), "Off CPU")
            kind = e.get("what") or e.get("args", {}).get("event")
            if kind != "python" and kind not in kinds:
                kinds.append(kind)
            if e.get("count", 1):
                own[1][state, kind][0] += e.get("count", 1)
                own[1][state, kind][1] += sampled_time(e, kind)
close()
for key, (times, samples, sampled) in sorted(rows.items()):
    print(*key, len(times), sum(times) + sampled if times or sampled else "",
          max(times, default=""), samples, sep="\t")
