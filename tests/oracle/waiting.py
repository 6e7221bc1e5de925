"""Who waits for whom, as man/tq-stats.1 defines it, from a stream on stdin.

Prints the columns of collectives, stragglers, ranks and critical that it knows,
a JSON object a line.  Operations are matched from the last one backwards, which
is right where recordings end together and lack operations at their beginning
only; kinds are those of ranges of NCCL around the launching call, or the name
of the kernel.
"""

import json
import statistics
import sys

KINDS = {"AllReduce": "all-reduce", "Broadcast": "broadcast", "Reduce": "reduce",
         "AllGather": "all-gather", "ReduceScatter": "reduce-scatter"}
PARTS = ["compute", "copy", "late", "idle"]


def kind_of(name):
    for prefix in ("ncclDevKernel_", "nccl"):
        if name.startswith(prefix):
            name = name[len(prefix):]
    best = [k for k in KINDS if name.startswith(k)]
    return KINDS[max(best, key=len)] if best else None


class Rank:
    def __init__(self, number, node, pid, spread):
        self.number, self.node, self.pid, self.spread = number, node, pid, spread
        self.work, self.ops, self.steps, self.says = [], [], [], []


def read(stream):
    """The ranks: a process of a section each, on one device."""
    ranks, section, open_section = [], {}, {}
    for line in stream:
        e = json.loads(line)
        kind = e["kind"]
        if kind == "trace":
            section = {}
            open_section = e
        elif kind == "process":
            section.setdefault(e["pid"], Rank(
                e.get("rank", open_section.get("rank")),
                e.get("host", open_section.get("host", "")), e["pid"],
                open_section.get("clock_spread", 0)))
        elif kind in ("kernel", "memcpy", "memset", "range"):
            pid = e["pid"]
            if pid not in section:
                section[pid] = Rank(open_section.get("rank"),
                                    open_section.get("host", ""), pid,
                                    open_section.get("clock_spread", 0))
            r = section[pid]
            if r not in ranks:
                ranks.append(r)
            if kind == "range":
                if e["name"].startswith("nccl"):
                    r.says.append(e)
                elif e["name"].lower().startswith("step"):
                    r.steps.append((e["ts"], e["ts"] + e["dur"], e["name"]))
            else:
                r.work.append(e)
    for r in ranks:
        find_operations(r)
    return [r for r in ranks if r.work]


def find_operations(r):
    """The operations of the rank, and the number of each step."""
    for e in r.work:
        if e["kind"] != "kernel" or not e["name"].startswith("nccl"):
            continue
        kind, comm, size, root, me = kind_of(e["name"]), "", None, None, None
        for s in r.says:
            if s["ts"] <= e.get("api_ts", -1) <= s["ts"] + s["dur"]:
                args = s.get("args", {})
                kind = kind_of(s["name"]) or kind
                comm = args.get("comm", comm)
                size = args.get("Message size [bytes]", size)
                root, me = args.get("Root", root), args.get("Rank", me)
        r.ops.append({"rank": r, "kind": kind, "comm": comm or "stream 0",
                      "size": size, "root": root is not None and root == me,
                      "s": e["ts"], "e": e["ts"] + e["dur"]})
    numbered = []
    for i, (a, b, name) in enumerate(r.steps):
        digits = name[len(name.rstrip("0123456789")):]
        numbered.append((int(digits) if digits else i, a, b))
    r.steps = numbered


def union(intervals):
    out = []
    for a, b in sorted(intervals):
        if a >= b:
            continue
        if out and a <= out[-1][1]:
            out[-1][1] = max(out[-1][1], b)
        else:
            out.append([a, b])
    return out


def minus(these, others):
    out = []
    for a, b in these:
        for c, d in others:
            if d <= a or c >= b:
                continue
            if c > a:
                out.append([a, c])
            a = max(a, d)
        if a < b:
            out.append([a, b])
    return out


def inside(intervals, a, b):
    return sum(max(0, min(d, b) - max(c, a)) for c, d in intervals)


def divide(r):
    """What the time of the rank goes into."""
    def of(chosen):
        return union([(e["ts"], e["ts"] + e["dur"]) for e in r.work if chosen(e)])

    def communicates(e):
        return e["kind"] == "kernel" and e["name"].startswith("nccl")
    compute = of(lambda e: e["kind"] == "kernel" and not communicates(e))
    comm = minus(of(communicates), compute)
    copy = minus(minus(of(lambda e: e["kind"] != "kernel"), compute), of(communicates))
    busy = of(lambda e: True)
    late, idle = [], []
    for (_, a), (b, _) in zip(busy, busy[1:]):
        next_one = min((e for e in r.work if e["ts"] == b), key=lambda e: -e["dur"])
        back = next_one["api_ts"] + next_one["api_dur"] if "api_ts" in next_one else a
        middle = max(a, min(back, b))
        late.append([a, middle])
        idle.append([middle, b])
    r.time = {"compute": compute, "copy": copy, "late": late, "idle": idle,
              "communication": comm}
    r.wall = max(e["ts"] + e["dur"] for e in r.work) - min(e["ts"] for e in r.work)


def sequences(ranks):
    """Operations of each communicator by rank, in order."""
    comms = {}
    for r in ranks:
        before = {}
        for op in r.ops:
            comms.setdefault(op["comm"], {}).setdefault(r, []).append(op)
            op["after"] = before.get(op["comm"])
            before[op["comm"]] = op["e"]
    return comms


def waits_for(kind, leaves, enters):
    if kind == "broadcast":
        return enters["root"]
    if kind == "reduce":
        return leaves["root"]
    return True


def judge(ops):
    """Waits, and what the last rank cost."""
    entry = max(o["s"] for o in ops)
    for o in ops:
        others = [p["s"] for p in ops if p is not o and waits_for(o["kind"], o, p)]
        until = min(max(others + [o["s"]]), o["e"])
        o["wait"] = max(0, until - o["s"])
    last, second = sorted(ops, key=lambda o: (-o["s"], o["rank"].number))[:2]
    awaited = any(waits_for(o["kind"], o, last) for o in ops if o is not last)
    return {"ops": ops, "entry": entry, "until": max(o["e"] for o in ops),
            "first": min(o["s"] for o in ops), "last": last if awaited else None,
            "lead": last["s"] - second["s"] if awaited else 0,
            "off": last["rank"].spread + second["rank"].spread,
            "cost": sum(o["wait"] for o in ops)}


def instances(comms):
    for comm, by_rank in comms.items():
        most = min(len(v) for v in by_rank.values())
        if len(by_rank) < 2:
            continue
        for i in range(-most, 0):
            yield comm, judge([v[i] for v in by_rank.values()])


def middle(values):
    values = sorted(values)
    n = len(values)
    return values[n // 2] if n % 2 else (values[n // 2 - 1] + values[n // 2]) // 2


def add_excess(instance):
    """What each did before, minus the median of the others; in place."""
    ops = instance["ops"]
    if any(o["after"] is None for o in ops):
        return
    for o in ops:
        o["did"] = [inside(o["rank"].time[p], o["after"], o["s"]) for p in PARTS]
    for o in ops:
        others = [p["did"] for p in ops if p is not o]
        o["excess"] = [o["did"][k] - middle(d[k] for d in others)
                       for k in range(len(PARTS))]


def step_of(r, ts):
    return next((n for n, a, b in r.steps if a <= ts < b), None)


def put(report, **columns):
    print(json.dumps({"report": report, **columns}))


def print_collectives(ranks, all_instances):
    rows = {}
    for r in ranks:
        for o in r.ops:
            size = None if o["size"] is None else 1 << (o["size"].bit_length() - 1)
            key = (o["comm"], o["kind"], size)
            row = rows.setdefault(key, dict(operations=0, instances=0, matched=0,
                                            time=0, wait=0, transfer=0, skew=0))
            row["operations"] += 1
            row["time"] += o["e"] - o["s"]
            o["row"] = row
    for _, i in all_instances:
        row = i["ops"][0]["row"]
        row["instances"] += 1
        row["matched"] += len(i["ops"])
        row["skew"] = max(row["skew"], i["entry"] - i["first"])
        for o in i["ops"]:
            row["wait"] += o["wait"]
            row["transfer"] += o["e"] - o["s"] - o["wait"]
    for (comm, kind, size), row in rows.items():
        put("collectives", communicator=comm, operation=kind, size_from_b=size,
            operations=row["operations"], instances=row["instances"],
            unmatched=row["operations"] - row["matched"], total_ns=row["time"],
            wait_ns=row["wait"], transfer_ns=row["transfer"],
            skew_max_ns=row["skew"])


def print_stragglers(ranks, all_instances):
    for r in ranks:
        mine = [(i, o) for _, i in all_instances for o in i["ops"] if o["rank"] is r]
        last = [i for i, o in mine if i["last"] is o and i["lead"] >= i["off"]]
        excess = [o["excess"] for _, o in mine if "excess" in o]
        sums = [sum(x[k] for x in excess) for k in range(len(PARTS))]
        totals = [sum(x) for x in excess]
        finding = ""
        if len(totals) > 1 and sum(sums) * 100 >= r.wall:
            error = statistics.stdev(totals) / len(totals) ** 0.5
            if error > 0 and statistics.mean(totals) / error >= 4:
                finding = PARTS[sums.index(max(sums))]
        put("stragglers", rank=r.number, node=r.node, pid=r.pid,
            instances=len(mine), last=len(last),
            undecided=sum(i["last"] is o and i["lead"] < i["off"] for i, o in mine),
            wait_ns=sum(o["wait"] for _, o in mine),
            cost_ns=sum(i["cost"] for i in last), lead_ns=sum(i["lead"] for i in last),
            excess_compute_ns=sums[0], excess_copy_ns=sums[1],
            excess_late_ns=sums[2], excess_idle_ns=sums[3], finding=finding)


def print_ranks(ranks, all_instances):
    for r in ranks:
        mine = [o for _, i in all_instances for o in i["ops"] if o["rank"] is r]
        if r.steps:
            mine = [o for o in mine if step_of(r, o["s"]) is not None]
        windows = [(a, b) for _, a, b in r.steps] or [(-10 ** 18, 10 ** 18)]
        put("ranks", rank=r.number, node=r.node, pid=r.pid,
            steps=len(r.steps) or None, wait_ns=sum(o["wait"] for o in mine),
            **{p + "_ns": sum(inside(r.time[p], a, b) for a, b in windows)
               for p in ("compute", "communication", "copy")})


def print_critical(all_instances):
    steps = {}
    for _, i in all_instances:
        first = min(i["ops"], key=lambda o: o["rank"].number)
        step = step_of(first["rank"], first["s"])
        if step is None:
            continue
        of_step = steps.setdefault(step, {"instances": 0, "by": {}})
        of_step["instances"] += 1
        if i["last"] is not None and i["lead"] >= i["off"]:
            of_step["by"].setdefault(i["last"]["rank"], []).append(i)
    for step, of_step in sorted(steps.items()):
        if not of_step["by"]:
            continue
        rank, last = min(of_step["by"].items(), key=lambda x: (
            -sum(i["lead"] for i in x[1]), x[0].number))
        excess = [sum(i["last"].get("excess", [0] * 4)[k] for i in last)
                  for k in range(len(PARTS))]
        put("critical", step=step, rank=rank.number, node=rank.node, pid=rank.pid,
            part=PARTS[excess.index(max(excess))] if max(excess) > 0 else "",
            lead_ns=sum(i["lead"] for i in last), cost_ns=sum(i["cost"] for i in last),
            last=len(last), instances=of_step["instances"],
            excess_compute_ns=excess[0], excess_copy_ns=excess[1],
            excess_late_ns=excess[2], excess_idle_ns=excess[3])


def main():
    ranks = read(sys.stdin)
    for i, r in enumerate(sorted(ranks, key=lambda r: r.pid)):
        if r.number is None:
            r.number = i
    ranks.sort(key=lambda r: r.number)
    for r in ranks:
        divide(r)
    all_instances = list(instances(sequences(ranks)))
    for _, i in all_instances:
        add_excess(i)
    print_collectives(ranks, all_instances)
    print_stragglers(ranks, all_instances)
    print_ranks(ranks, all_instances)
    print_critical(all_instances)


main()
