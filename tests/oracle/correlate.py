"""correlate.py - what tq-correlate makes of a section, computed from its man
page: every rule is a look at all records, and no memory is saved

    python3 tests/oracle/correlate.py [--path] [--scope process] < stream

prints the records as tq-correlate does, but for the gpu-range records, which
stand together at the end: expected() gives both apart.
"""

import argparse
import json
import math
import re
import sys

WORK = ("kernel", "memcpy", "memset", "graph")
GRAPH_LAUNCH = re.compile("(cu|cuda|hip)GraphLaunch")
SKEW = 1000000  # ns that the clock of a device may be behind


def text(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def append(line, members):
    """The line with members added, as it is otherwise."""
    return line[:-1] + "".join(
        "," + text(key) + ":" + text(value) for key, value in members) + "}"


def end_of(r):
    return r["ts"] + max(r["dur"], 0) if "dur" in r else math.inf


def is_open_at(r, ts, instant):
    """Is the range open for what starts at ts, and takes no time if instant?"""
    return r["ts"] <= ts and (ts < end_of(r) or (instant and ts == end_of(r)))


def takes_no_time(r):
    return "dur" in r and end_of(r) == r["ts"]


class Section:
    def __init__(self, records, per_process):
        self.records = records
        for n, r in enumerate(records):
            r["#"] = n
        self.per_process = per_process
        self.ranges = [r for r in records if r["kind"] == "range"]
        self.calls = [r for r in records if r["kind"] == "api" and "corr" in r]
        if any("gpu" in c for c in self.calls):
            self.calls = [c for c in self.calls if c.get("gpu", 0) > 0]
        for r in self.ranges:
            self.find_parent(r)
        for r in self.ranges:
            r["depth#"] = self.depth(r)
        for c in self.calls:
            c["enclosing#"] = self.enclosing(c)
        self.nodes = {}
        for r in records:
            self.create_node(r)
        for op in records:
            if op["kind"] in WORK:
                self.find_call(op)

    # ---- ranges ----

    @staticmethod
    def has_no_thread(r):
        return r.get("end_tid", r.get("tid")) != r.get("tid")

    def find_parent(self, r):
        """the shortest that encloses it; of equally long ones the latest"""
        r["parent#"] = None
        if "dur" not in r or self.has_no_thread(r):
            return
        around = [p for p in self.ranges
                  if p["#"] < r["#"] and "dur" in p and
                  not self.has_no_thread(p) and
                  (p.get("pid"), p.get("tid"), p.get("domain")) ==
                  (r.get("pid"), r.get("tid"), r.get("domain")) and
                  p["ts"] <= r["ts"] and end_of(p) >= end_of(r)]
        if around:
            r["parent#"] = min(around, key=lambda p: (p["dur"], -p["#"]))

    def depth(self, r):
        return 0 if r["parent#"] is None else 1 + self.depth(r["parent#"])

    def around(self, x, ranges):
        """the ranges open when x starts, the innermost last"""
        if not self.per_process:
            ranges = [r for r in ranges if r.get("tid") == x.get("tid") and
                      not self.has_no_thread(r)]
        ranges = [r for r in ranges if r.get("pid") == x.get("pid") and
                  is_open_at(r, x["ts"], takes_no_time(x))]
        return sorted(ranges, key=lambda r: (r["ts"], -end_of(r), r["#"]))

    def enclosing(self, call):
        return self.around(call, self.ranges)

    @staticmethod
    def path_of(ranges):
        return [(r["domain"] + ":" if "domain" in r else "") + r["name"]
                for r in ranges]

    def path_to(self, r):
        """the names of the ranges around a range, and its own"""
        before = [p for p in self.ranges if p["#"] < r["#"]]
        return self.path_of(self.around(r, before) + [r])

    # ---- calls ----

    @staticmethod
    def is_inside(c, outer):
        return (c.get("tid") == outer.get("tid") and c["#"] > outer["#"] and
                c["ts"] >= outer["ts"] and end_of(c) <= end_of(outer))

    def find_call(self, op):
        op["call#"] = None
        if "corr" not in op:
            return
        calls = [c for c in self.calls
                 if (c["pid"], c["corr"]) == (op.get("pid"), op["corr"])]
        calls = [c for c in calls
                 if not any(self.is_inside(c, o) for o in calls)]
        calls = [c for c in calls if c["ts"] <= op["ts"] + SKEW]
        if calls:
            op["call#"] = calls[-1]
            op["ambiguous#"] = len(calls) > 1
            calls[-1].setdefault("operations#", []).append(op)

    # ---- nodes of graphs ----

    def create_node(self, r):
        """a node has the ranges around its creation, or its original's"""
        ids = r.get("args", {})
        if (r["kind"] != "api" or "graphNodeId" not in ids or
                not r.get("name", "").startswith("Graph Node ")):
            return
        key = r.get("pid"), ids["graphNodeId"]
        if "originalGraphNodeId" in ids:
            original = r.get("pid"), ids["originalGraphNodeId"]
            self.nodes[key] = self.nodes.get(original)
        else:
            self.nodes.setdefault(
                key, (self.path_of(self.around(r, self.ranges)),
                      ids["graphNodeId"] & 0xffffffff))

    def name(self, op):
        """(path, index) of the node of an operation, or None"""
        return self.nodes.get((op.get("pid"), op.get("graph_node")))

    @staticmethod
    def name_members(call, name):
        launch = []
        if call is not None and GRAPH_LAUNCH.match(call["name"]):
            launch = Section.path_of(call["enclosing#"])
        members = [("node_index", name[1]), ("proof", "node")]
        if launch or name[0]:
            members[:0] = [("path", launch + name[0]),
                           ("graph_depth", len(launch))]
        return members

    # ---- what is written ----

    def operation(self, op, line, paths):
        call, name = op["call#"], self.name(op)
        if call is None:
            return append(line, self.name_members(None, name)) if name \
                else line
        members = [("tid", call["tid"]), ("api_ts", call["ts"])]
        if "dur" in call:
            members.append(("api_dur", call["dur"]))
        members.append(("api_name", call["name"]))
        if call["enclosing#"]:
            members.append(("range", call["enclosing#"][-1]["id"]))
            if paths and not name:
                members.append(("path", self.path_of(call["enclosing#"])))
        if name:
            members += self.name_members(call, name)
        return append(line, members)

    @staticmethod
    def range(r, line):
        members = [("depth", r["depth#"])]
        if r["parent#"] is not None:
            members.insert(0, ("parent", r["parent#"]["id"]))
        return append(line, members)

    def gpu_ranges(self, r, paths):
        if r.get("cut"):
            return
        devices = {}
        for c in self.calls:
            if r in c["enclosing#"] and end_of(c) <= end_of(r):
                for op in c.get("operations#", []):
                    devices.setdefault(op["device"], []).append((op, c["#"]))
        for device, work in devices.items():
            spans = [(op["ts"], end_of(op)) for op, _ in work]
            record = {"kind": "gpu-range", "device": device,
                      "range": r["id"], "depth": r["depth#"],
                      "ts": min(ts for ts, _ in spans),
                      "dur": max(e for _, e in spans) -
                      min(ts for ts, _ in spans),
                      "ops": len(work),
                      "launches": len({call for _, call in work}),
                      "busy": covered(spans), "range_ts": r["ts"],
                      "last#": max(op["#"] for op, _ in work),
                      "end#": end_of(r)}
            for key in ("pid", "tid", "name", "domain", "category", "color"):
                if key in r:
                    record[key] = r[key]
            if "dur" in r:
                record["range_dur"] = r["dur"]
            if r["parent#"] is not None:
                record["parent"] = r["parent#"]["id"]
            if paths:
                record["path"] = self.path_to(r)
            yield record

    def counts(self):
        ops = [op for op in self.records if op["kind"] in WORK]
        found = [op for op in ops if op["call#"] is not None]
        graphs = [op for op in ops if "graph_node" in op or
                  GRAPH_LAUNCH.match((op["call#"] or {}).get("name", ""))]
        named = sum("proof" in op or self.name(op) is not None
                    for op in graphs)
        more = {"args": {
            "graph_ops": len(graphs), "graph_named": named,
            "graph_ambiguous": 0, "graph_refused": len(graphs) - named,
        }} if graphs else {}
        return {
            "resolved": len(found),
            "by_graph": sum("graph" in op or "graph_node" in op or
                            len(op["call#"]["operations#"]) > 1 or
                            op["call#"].get("gpu", 0) > 1 for op in found),
            "unresolved": len(ops) - len(found),
            "ambiguous": sum(op["ambiguous#"] for op in found), **more}


def covered(spans):
    """the time in which at least one of them lasts"""
    total, until = 0, -math.inf
    for ts, end in sorted(spans):
        total += max(0, end - max(ts, until))
        until = max(until, end)
    return total


def expected(lines, paths=False, per_process=False):
    """The lines without gpu-range records and without end, the gpu-range
    records, and the end record, of the lines of one section."""
    records = [json.loads(line) for line in lines]
    end = records.pop() if records[-1]["kind"] == "end" else {}
    s = Section(records, per_process)
    out = []
    for r, line in zip(records, lines):
        if r["kind"] in WORK:
            line = s.operation(r, line, paths)
        elif r["kind"] == "range":
            line = s.range(r, line)
        out.append(line)
    summaries = [g for r in s.ranges for g in s.gpu_ranges(r, paths)]
    end = {"kind": "end", "events": len(records) - 1 + len(summaries),
           "dropped": end.get("dropped", 0), **s.counts()}
    return out, summaries, end


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--path", action="store_true")
    options.add_argument("--scope", default="thread")
    options = options.parse_args()
    out, summaries, end = expected(sys.stdin.read().rstrip("\n").split("\n"),
                                   options.path, options.scope == "process")
    for line in out:
        print(line)
    for g in summaries:
        print(text({k: v for k, v in g.items() if not k.endswith("#")}))
    print(text(end))


if __name__ == "__main__":
    main()
