"""Plants a difference into a stream, and says how large it is.

    plant.py WHAT < a.tq > b.tq

    slow:NAME:PERCENT   kernels of that name last so much longer
    drop:NAME           they are gone, and so is their time
    rename:NAME:OTHER   they have another name
    idle:N:NS           every Nth kernel is launched so much later

Time is put in, or taken out, where a kernel ends or its call begins: all that
comes after moves, and what lies across lasts longer or shorter.  stderr gets
the ns of all these together.
"""

import bisect
import json
import sys


class Clock:
    """Old times to new ones: ns are added at some moments, or cut before."""

    def __init__(self):
        self.changes = []  # (moment, ns)

    def change(self, moment, ns):
        self.changes.append((moment, ns))

    def finish(self):
        self.changes.sort()
        self.moments, self.sums, total = [], [0], 0
        for moment, ns in self.changes:
            total += ns
            self.moments.append(moment)
            self.sums.append(total)

    def __call__(self, t):
        n = bisect.bisect_right(self.moments, t)
        new = t + self.sums[n]
        # within a time that is cut: its beginning
        if n < len(self.moments) and self.changes[n][1] < 0:
            moment, ns = self.changes[n]
            new = min(new, moment + ns + self.sums[n])
        return new

    def total(self):
        return self.sums[-1]


def kernel_name(record):
    return record.get("name") if record["kind"] == "kernel" else None


def plant(records, what):
    clock, kind, args = Clock(), what[0], what[1:]
    launches = 0
    for r in records:
        name = kernel_name(r)
        if name is None:
            continue
        launches += 1
        if kind == "slow" and name == args[0]:
            clock.change(r["ts"] + r["dur"],
                         r["dur"] * int(args[1]) // 100)
        elif kind == "drop" and name == args[0]:
            clock.change(r["ts"] + r["dur"], -r["dur"])
            r["kind"] = None
        elif kind == "idle" and launches % int(args[0]) == 0:
            if "api_ts" in r:
                clock.change(r["api_ts"], int(args[1]))
        elif kind == "rename" and name == args[0]:
            r["name"] = args[1]
            r.pop("sym", None)
    clock.finish()
    return clock


def move(record, clock):
    for ts, dur in (("ts", "dur"), ("api_ts", "api_dur")):
        if ts not in record:
            continue
        end = record[ts] + record.get(dur, 0)
        record[ts] = clock(record[ts])
        if dur in record:
            record[dur] = clock(end) - record[ts]


def main():
    records = [json.loads(line) for line in sys.stdin]
    clock = plant(records, sys.argv[1].split(":"))
    records = [r for r in records if r["kind"]]
    for r in records:
        if r["kind"] != "trace":
            move(r, clock)
    head = [r for r in records if "ts" not in r and r["kind"] != "end"]
    body = [r for r in records if "ts" in r]
    body.sort(key=lambda r: (r["ts"], -r.get("dur", 0)))
    for r in head + body:
        print(json.dumps(r, separators=(",", ":")))
    print(json.dumps({"kind": "end", "events": len(head) + len(body) - 1,
                      "dropped": 0}, separators=(",", ":")))
    print(clock.total(), file=sys.stderr)


main()
