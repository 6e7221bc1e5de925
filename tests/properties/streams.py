"""streams.py - small streams of events, each made of a number

    python3 tests/properties/streams.py SEED    prints that stream

They are what tq-events(5) allows, and little else: few times, so that starts
and ends often meet; ranges that nest, cross, are equal or never end; calls that
share a correlation id; operations that begin before their call, on a clock that
is behind, or have no call; names that need escapes.
"""

import json
import random
import sys

# keys in canonical order, as far as they are used here
ORDER = """kind ts dur pid tid corr name version source id host rank priority
sym api device context stream counter grid block regs bytes copy src dst fill
mem graph graph_node sync ret gpu mode domain category color end_tid open
nesting cpu on state reason stack value address op what count severity text
uuid demangled unit frames args""".split()
RANK = {key: n for n, key in enumerate(ORDER)}

NAMES = ["step", "step 1", "forward", "backward", "a/b", 'a "quote"',
         "back\\slash", "tab\there", "größe", "日本", "=1+1", "x" * 40]
KERNELS = ["gemm_128", "ncclDevKernel_AllReduce", "add", "softmax<float>"]
CALLS = ["cudaLaunchKernel", "cudaMemcpyAsync", "cuLaunchKernel"]
SKEW = 1000000  # ns that a clock may be behind


def line(record):
    """The record as a canonical line."""
    keys = sorted(record, key=lambda key: RANK.get(key, len(RANK)))
    return json.dumps({key: record[key] for key in keys},
                      ensure_ascii=False, separators=(",", ":"))


class Stream:
    """One section; self.lines are its lines without their line feeds."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.tick = self.random.choice([1, 7, 1000, 90000])
        self.horizon = self.random.choice([10, 40, 150])
        self.counting = self.random.random() < 0.5  # calls have gpu
        self.events = []
        self.next_range = self.random.choice([1, 5])
        self.next_corr = 1
        self.lines = []
        self.make()

    # ---- dice ----

    def chance(self, p):
        return self.random.random() < p

    def few(self, most):
        return self.random.randint(0, most)

    def time(self):
        return self.few(self.horizon) * self.tick

    def length(self):
        return self.random.choice([0, 1, 1, 2, 3, 8, 20]) * self.tick

    # ---- events ----

    def add(self, kind, ts, dur=None, **keys):
        record = {"kind": kind, "ts": ts, **keys}
        if dur is not None:
            record["dur"] = dur
        self.events.append(record)
        return record

    def add_range(self, thread, ts, end, **keys):
        r = self.add("range", ts, end - ts, **thread, id=self.next_range,
                     name=self.random.choice(NAMES), **keys)
        self.next_range += 1
        if self.chance(0.2):
            r["domain"] = self.random.choice(["lib", "größe"])
        if self.chance(0.1):
            r["category"] = "io"
        if self.chance(0.1):
            r["color"] = "#00ff7f"
        if self.chance(0.05):
            del r["dur"]
            r["open"] = True

    def add_nested(self, thread, ts, end, depth):
        """ranges within [ts, end], and ranges within these"""
        for _ in range(self.few(2 if depth else 4)):
            a, b = sorted((self.random.randint(ts, end),
                           self.random.randint(ts, end)))
            self.add_range(thread, a * self.tick, b * self.tick, mode="push")
            if depth < 4:
                self.add_nested(thread, a, b, depth + 1)

    def add_crossing(self, thread, threads):
        ts = self.time()
        keys = {"mode": "start"}
        if self.chance(0.3):
            keys["end_tid"] = self.random.choice(threads)["tid"]
        self.add_range(thread, ts, ts + self.length(), **keys)

    def add_call(self, thread, corr, ts, dur, operations):
        call = self.add("api", ts, dur, **thread, corr=corr,
                        name=self.random.choice(CALLS), api="cuda-runtime",
                        ret=0)
        if self.counting and operations:
            call["gpu"] = operations
        if self.chance(0.2):  # the part of the driver
            a, b = sorted((self.random.randint(0, dur),
                           self.random.randint(0, dur)))
            self.add("api", ts + a, b - a, **thread, corr=corr,
                     name="cuLaunchKernel", api="cuda-driver")

    def add_operation(self, pid, ts, corr, graph):
        kind = self.random.choice(["kernel", "kernel", "memcpy", "memset",
                                   "graph"])
        op = self.add(kind, ts, self.length(), pid=pid,
                      device=self.few(self.devices - 1), context=1,
                      stream=self.random.choice([7, 13]))
        if corr is not None:
            op["corr"] = corr
        if kind == "kernel":
            op["sym"] = self.few(len(KERNELS) - 1)
            op["name"] = KERNELS[op["sym"]].split("<")[0]
            op["grid"], op["block"] = [1, 2, 1], [128, 1, 1]
            if graph:
                op["graph_node"] = self.few(5)
        elif kind == "graph":
            op["graph"] = 3
            op["name"] = "graph 3"
        else:
            op["bytes"] = self.few(1 << 20)
            op["name"] = "[CUDA %s]" % kind
            if kind == "memcpy":
                op.update(copy="HtoD", src="Pinned", dst="Device")

    def add_launch(self, threads):
        """a call, or two with one id, and what they launch"""
        thread = self.random.choice(threads)
        corr = self.next_corr
        self.next_corr += 1
        count = self.random.choice([0, 1, 1, 1, 1, 2, 3])
        ts, dur = self.time(), self.length()
        self.add_call(thread, corr, ts, dur, count)
        after = -3
        if self.chance(0.1):  # a second one, not in the first
            other = self.random.choice(
                [t for t in threads if t["pid"] == thread["pid"]])
            again = ts + dur + self.random.randint(1, 3) * self.tick
            self.add_call(other, corr, again, self.length(), count)
            ts, after = again, 1
        for _ in range(count):
            begin = ts + self.random.randint(after, 20) * self.tick
            if after < 0 and self.chance(0.03):
                begin = ts - SKEW - self.random.choice([-1, 0, 1, 5000])
            self.add_operation(thread["pid"], begin, corr, count > 1)

    def add_others(self, threads):
        for _ in range(self.few(12)):
            t = self.random.choice(threads)
            ts = self.time()
            self.random.choice([
                lambda: self.add("mark", ts, **t, name="a mark"),
                lambda: self.add("osrt", ts, self.length(), **t, name="read",
                                 ret=0, nesting=0),
                lambda: self.add("sched", ts, **t, cpu=self.few(3),
                                 on=self.chance(0.5)),
                lambda: self.add("sample", ts, **t, cpu=1,
                                 stack=self.few(1) + 1),
                lambda: self.add("counter", ts, device=0, counter=1,
                                 value=self.few(100)),
                lambda: self.add("alloc", ts, pid=t["pid"], device=0,
                                 bytes=self.few(1 << 30), mem="Device",
                                 address="0x7f00", op="alloc"),
                lambda: self.add("sync", ts, self.length(), pid=t["pid"],
                                 device=0, context=1, stream=7, sync="stream"),
                lambda: self.add("overhead", ts, self.length(), **t,
                                 name="buffer", what="flush"),
                lambda: self.add("diagnostic", ts, pid=t["pid"],
                                 severity="info", text="a message",
                                 source="test"),
                lambda: self.add("news", ts, 5, unheard="of", n=[1, 2]),
                lambda: self.add("api", ts, self.length(), **t,
                                 name="cudaDeviceSynchronize",
                                 api="cuda-runtime", ret=0),
            ])()
        for _ in range(self.few(2)):  # without a call
            t = self.random.choice(threads)
            self.add_operation(t["pid"], self.time(),
                               self.random.choice([None, 9999]), False)

    # ---- the section ----

    def definitions(self, threads):
        yield {"kind": "trace", "version": 1, "source": "test"}
        for pid in sorted({t["pid"] for t in threads}):
            yield {"kind": "process", "pid": pid, "name": "python3"}
            for d in range(self.devices):
                yield {"kind": "device", "pid": pid, "device": d,
                       "name": "GPU"}
            for s in (7, 13):
                yield {"kind": "stream", "pid": pid, "device": 0,
                       "context": 1, "stream": s, "name": "stream %d" % s}
        for t in threads:
            yield {"kind": "thread", **t, "name": "thread %d" % t["tid"]}
        for n, name in enumerate(KERNELS):
            yield {"kind": "symbol", "id": n, "name": name.split("<")[0],
                   "demangled": name + "(int)"}
        yield {"kind": "counterdef", "id": 1, "name": "SMs Active",
               "unit": "%", "device": 0}
        for n in (1, 2):
            yield {"kind": "stack", "id": n, "frames": ["leaf", "main"][-n:]}

    def make(self):
        self.devices = self.random.choice([1, 1, 2, 3])
        threads = [{"pid": pid, "tid": pid * 10 + n}
                   for pid in range(1, self.random.choice([2, 2, 3]))
                   for n in range(self.random.choice([1, 2, 3]))]
        for t in threads:
            self.add_nested(t, 0, self.horizon, 0)
            for _ in range(self.few(3)):
                self.add_crossing(t, [x for x in threads
                                      if x["pid"] == t["pid"]])
        for _ in range(self.few(25)):
            self.add_launch(threads)
        self.add_others(threads)
        self.random.shuffle(self.events)
        self.events.sort(key=lambda e: (
            e["ts"], 0 if e.get("open") else 1, -e.get("dur", -1)))
        records = [*self.definitions(threads), *self.events]
        self.lines = [line(r) for r in records]
        self.lines.append(line({"kind": "end", "events": len(records) - 1,
                                "dropped": 0}))


def stream(seed):
    return Stream(seed).lines


if __name__ == "__main__":
    print("\n".join(stream(int(sys.argv[1]))))
