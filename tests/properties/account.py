"""What tq-stats says the time of a unit goes into, against what its man page
says, moment by moment, on small streams made of random numbers.

    account.py SEED ...
"""

import json
import random
import subprocess
import sys

PARTS = ("compute", "communication", "copy", "sync", "host", "launch", "next",
         "queue", "unknown")
NAMES = ("gemm", "ncclDevKernel_AllReduce", "tick", "relu")
END = 400
SHORT = 40  # of the oracle: no gap is near the 10 us of "next"


def make_stream(rng):
    """Records of two processes, of which one has two devices."""
    all_ = []
    for pid in (1, 2):
        at = 0
        for n in range(rng.randint(0, 4)):
            at += rng.randint(0, 40)
            dur = rng.randint(1, 90)
            all_.append({"kind": "range", "ts": at, "dur": dur, "pid": pid,
                         "tid": rng.choice((1, 1, 2)), "name": f"step {n}"})
            at += rng.choice((0, dur))
        for _ in range(rng.randint(0, 30)):
            kind = rng.choice(("kernel", "kernel", "kernel", "memcpy"))
            op = {"kind": kind, "ts": rng.randint(0, END),
                  "dur": rng.randint(0, 30), "pid": pid,
                  "device": rng.randint(0, 1) if pid == 1 else 0}
            if kind == "kernel":
                op["name"] = rng.choice(NAMES)
            else:
                op["copy"] = "HtoD"
            if rng.random() < 0.8:
                op["tid"] = rng.randint(1, 2)
                op["api_ts"] = max(0, op["ts"] - rng.randint(0, 30))
                op["api_dur"] = rng.randint(0, 30)
            all_.append(op)
        for _ in range(rng.randint(0, 8)):
            all_.append({"kind": "api", "ts": rng.randint(0, END),
                         "dur": rng.randint(1, 30), "pid": pid,
                         "tid": rng.randint(1, 2),
                         "name": "cudaDeviceSynchronize"})
    rng.shuffle(all_)
    all_.sort(key=lambda r: (r["ts"], -r["dur"]))
    return all_


def group(op):
    if op["kind"] == "memcpy":
        return 2
    return 1 if "nccl" in op["name"] else 0


def title(op):
    return op.get("name", "[CUDA memcpy HtoD]")


def idle_part(now, op, last, waits):
    """The part of an idle moment, which op will end, or nothing."""
    tid = op.get("tid") if op else last.get("tid") if last else None
    called = op["api_ts"] if op and "api_ts" in op else None
    gap = last_end(last)
    if op is None or (called is not None and called > max(gap, BEGIN)
                      and now < called):
        if any(t == tid and a <= now < b for t, a, b in waits):
            return 3
        return 4
    if called is None:
        return 8
    if called > max(gap, BEGIN):
        return 5
    return 5 if called + op["api_dur"] > max(gap, BEGIN) else 6


def last_end(last):
    return last["busy"] if last else BEGIN


def moments(ops, waits, end):
    """For each ns of a device: the part, the operation that has it or ends it,
    and whether it is idle."""
    all_ = []
    for now in range(BEGIN, end):
        running = [o for o in ops if o["ts"] <= now < o["ts"] + o["dur"]]
        if running:
            op = min(running, key=lambda o: (group(o), o["n"]))
            all_.append((group(op), op, False))
            continue
        before = [o for o in ops if o["ts"] <= now]
        after = [o for o in ops if o["ts"] > now]
        last = None
        if before:
            last = dict(before[-1],
                        busy=max(o["ts"] + o["dur"] for o in before))
        op = after[0] if after else None
        all_.append((idle_part(now, op, last, waits), op, True))
    return all_


def find_steps(records, pid):
    """Steps without those within others of their thread."""
    all_, until = [], {}
    for r in records:
        if r["kind"] != "range" or r["pid"] != pid:
            continue
        end = r["ts"] + r["dur"]
        if end <= until.get(r["tid"], -1):
            continue
        until[r["tid"]] = end
        all_.append(dict(r, end=end, n=len(all_)))
    return all_


def step_of(op, steps):
    """The number of the step that launched it: of its thread, the last one."""
    call = op.get("api_ts", op["ts"])
    open_ = [s for s in steps if s["ts"] <= call < s["end"]]
    own = [s for s in open_ if s["tid"] == op.get("tid")]
    last = max(own or open_, key=lambda s: (s["ts"], -s["n"]), default=None)
    return last["n"] if last else None


def expect(records):
    """(pid, device) -> units of parts; (pid, device, name) -> n, dur, exposed"""
    global BEGIN
    BEGIN = records[0]["ts"]
    end = max(r["ts"] + r["dur"] for r in records)
    units, rows = {}, {}
    ops = [dict(r, n=i) for i, r in enumerate(records) if "device" in r]
    for pid, device in sorted({(o["pid"], o["device"]) for o in ops}):
        mine = [o for o in ops if (o["pid"], o["device"]) == (pid, device)]
        waits = [(r["tid"], r["ts"], r["ts"] + r["dur"]) for r in records
                 if r["kind"] == "api" and r["pid"] == pid]
        time = moments(mine, waits, end)
        units[pid, device] = []
        steps = find_steps(records, pid)
        of = {o["n"]: step_of(o, steps) for o in mine}
        for s in steps[1:] if len(steps) > 1 else steps:
            parts = [0] * len(PARTS)
            for now, (part, op, idle) in enumerate(time, BEGIN):
                if not op or of[op["n"]] != s["n"] or \
                        (idle and s["n"] == 0 and now < s["ts"]):
                    continue
                parts[part] += 1
                if not idle:
                    row = rows.setdefault((pid, device, title(op)), [0, 0, 0])
                    row[2] += 1
            launched = [o for o in mine if of[o["n"]] == s["n"]]
            if launched:
                units[pid, device].append(parts)
            for o in launched:
                row = rows.setdefault((pid, device, title(o)), [0, 0, 0])
                row[0] += 1
                row[1] += o["dur"]
    return units, {k: v for k, v in rows.items() if any(v)}


def account_of(records):
    lines = [{"kind": "trace", "version": 1, "source": "test"}, *records,
             {"kind": "end", "events": len(records), "dropped": 0}]
    text = "".join(json.dumps(r, separators=(",", ":")) + "\n" for r in lines)
    out = subprocess.run(
        ["tq-stats", "--partial", "-r", "account", "--per", "step", "-"],
        input=text, capture_output=True, text=True, check=True).stdout
    devices, units, rows = [], {}, {}
    for line in (json.loads(x).get("args", {}) for x in out.splitlines()):
        if "device" in line:
            devices.append(tuple(line["device"][1:3]))
            units[devices[-1]] = []
        elif "unit" in line:
            units[devices[line["unit"][0]]].append(line["unit"][5:])
        elif "row" in line:
            on = line["on"]
            for i in range(0, len(on), 4):
                key = (*devices[on[i]], line["row"][2])
                if any(on[i + 1:i + 4]):
                    rows[key] = on[i + 1:i + 4]
    return units, rows, text


def main():
    for seed in map(int, sys.argv[1:]):
        records = make_stream(random.Random(seed))
        if not any("device" in r for r in records):
            continue
        units, rows, text = account_of(records)
        if (units, rows) != expect(records):
            sys.stdout.write(text)
            print("seed", seed, units, rows, *expect(records), sep="\n")
            sys.exit(1)


if __name__ == "__main__":
    main()
