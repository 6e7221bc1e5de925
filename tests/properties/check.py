"""check.py - what holds for every stream, tried on many

    python3 tests/properties/check.py [--seed N] [--count N] [--time SECONDS]
        [--file FILE ...] [property ...]

takes small streams made of the numbers from --seed on (streams.py), or those in
files, and tries each property on each of them; --time ends it before its count.
A stream that breaks one is a line with the number and what is wrong.  The last
line says how many streams, properties and executions of tools there were; exits
1 where one was broken.  The tools are those in PATH.
"""

import argparse
import decimal
import functools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "oracle"))
import correlate  # noqa: E402
import streams  # noqa: E402

executions = 0
properties = {}


class Broken(Exception):
    """A property does not hold."""


def prop(function):
    properties[function.__name__.replace("_", "-")] = function
    return function


# ---- tools ----

def run(command, text=b"", status=0):
    global executions
    executions += 1
    p = subprocess.run(command, input=text, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    if p.returncode != status:
        raise Broken("%s: exit status %d: %s" % (
            " ".join(command), p.returncode, p.stderr.decode()[:200]))
    return p.stdout


def pipe(text, *commands):
    for command in commands:
        text = run(command.split(), text)
    return text


def joined(lines):
    return ("\n".join(lines) + "\n").encode()


def number(text):
    """1.0 and 1e3 are integers, too."""
    d = decimal.Decimal(text)
    return int(d) if d == d.to_integral_value() else float(d)


def records(text):
    return [json.loads(line, parse_float=number) for line in text.splitlines()]


def same(a, b, what):
    """Both texts are equal; else says where they part."""
    if a == b:
        return
    x, y = a.splitlines(), b.splitlines()
    for n in range(max(len(x), len(y))):
        p, q = [(z[n] if n < len(z) else b"(nothing)") for z in (x, y)]
        if p != q:
            raise Broken("%s: line %d: %s, not %s" % (
                what, n + 1, *[z.decode(errors="replace")[:400]
                                for z in (p, q)]))


def same_records(a, b, what):
    same(*[b"\n".join(json.dumps(r, sort_keys=True).encode()
                      for r in records(x)) for x in (a, b)], what)


# ---- spellings ----

def escape(c, dice):
    """JSON of a character in a string: itself, or one of its escapes."""
    units = c.encode("utf-16-be", "surrogatepass")
    spelt = "".join("\\u%04x" % int.from_bytes(units[i:i + 2], "big")
                    for i in range(0, len(units), 2))
    return dice.choice([spelt, spelt.replace("\\u", "\\U").upper().replace(
        "\\U", "\\u"), "\\/" if c == "/" else spelt])


def respell_string(s, dice):
    """JSON of a string, with escapes that need not be."""
    often = dice.choice([0, 0.1, 1])
    return '"' + "".join(
        escape(c, dice) if dice.random() < often else
        c if c == "\x7f" else json.dumps(c, ensure_ascii=False)[1:-1]
        for c in s) + '"'


class Fraction(float):
    """A number that has the digits of its source."""

    def __new__(cls, text):
        self = super().__new__(cls, text)
        self.text = text
        return self


def respell_number(n, dice):
    """JSON of an integer, as a decimal, too."""
    if isinstance(n, bool) or not isinstance(n, int):
        return unchanged(n)
    zeros = len(str(n)) - len(str(n).rstrip("0")) if n else 0
    return dice.choice([
        str(n), str(n), "%d.0" % n, "%dE0" % n,
        "%d0.0e-1" % n if n else "0e7",
        "%de+%d" % (n // 10 ** zeros, zeros) if n > 0 else str(n)])


def unchanged(v):
    return v.text if isinstance(v, Fraction) else json.dumps(v)


def respell_value(v, dice, ours):
    """ours: a key of tq-events(5) but args, whose integers are known as such;
    other values have the digits of their source."""
    blank = dice.choice(["", "", " ", "\t"])
    if isinstance(v, str):
        return blank + respell_string(v, dice) + blank
    if isinstance(v, list):
        return "[" + ("," + blank).join(
            respell_value(x, dice, ours) for x in v) + blank + "]"
    if isinstance(v, dict):
        members = list(v.items())
        dice.shuffle(members)
        return blank + "{" + ",".join(
            respell_string(key, dice) + ":" + respell_value(x, dice, False)
            for key, x in members) + "}"
    return blank + (respell_number(v, dice) if ours else unchanged(v)) + blank


def another(v):
    """JSON of another value of the type of v."""
    for kind, text in ((bool, "true"), (int, "77"), (float, "0.5"),
                       (str, '"other"'), (list, "[]"), (dict, "{}")):
        if isinstance(v, kind):
            return text
    return "null"


@functools.cache
def known_keys():
    return {r["key"] for r in records(run(["tq-extract", "--schema"]))
            if "key" in r}


def respell_object(record, dice):
    keys = list(record)
    if dice.random() < 0.7:
        dice.shuffle(keys)
    members = [respell_string(key, dice) + dice.choice(["", " "]) + ":" +
               respell_value(record[key], dice, key in known_keys())
               for key in keys]
    key = dice.choice(keys or ["kind"])
    # the last of equal keys counts where all of the line is checked
    if key != "kind" and dice.random() < 0.1:
        members.insert(0, respell_string(key, dice) + ":" +
                       dice.choice(["null", another(record[key])]))
    return "{" + ",".join(members) + "}"


def respelt(lines, seed):
    """The same records in any order of keys, with blanks, escapes, decimals."""
    dice = random.Random(seed)
    return [respell_object(json.loads(line, parse_float=Fraction), dice) +
            dice.choice(["", "", "\r", "\n"]) for line in lines]


def decode(trace):
    """What a trace of tq-perfetto draws, as lines of JSON, without the number
    of its packets."""
    out = run(["perl", os.path.join(HERE, "..", "perfetto.pl")], trace)
    return b"\n".join(x for x in out.splitlines()
                      if not x.startswith(b'{"what":"file"'))


# ---- tq-correlate and its oracle ----

def check_places(got, waiting):
    """A gpu-range stands behind those of the ranges within its range, and
    behind the end of that; not so where records wait for a call."""
    for n, r in enumerate(got):
        if r["kind"] != "gpu-range":
            continue
        end = r["range_ts"] + r.get("range_dur", float("inf"))
        if not waiting and any(x["ts"] <= end for x in got[n:]
                               if "ts" in x and x["kind"] != "gpu-range"):
            raise Broken("the gpu-range of %d is before the end of its range"
                         % r["range"])
        if any(x.get("parent") == r["range"] and x["device"] == r["device"]
               for x in got[n:] if x["kind"] == "gpu-range"):
            raise Broken("a gpu-range is before one within it")


def check_correlate(lines, command, **how):
    out, summaries, end = correlate.expected(lines, **how)
    got = run(command, joined(lines)).decode().rstrip("\n").split("\n")
    parsed = [json.loads(line) for line in got]
    places = {(r["range"], r["device"]): n for n, r in enumerate(parsed)
              if r["kind"] == "gpu-range"}
    for g in summaries:
        key = (g["range"], g["device"])
        if key not in places:
            raise Broken("no gpu-range of range %d on device %d" % key)
        before = sum(r["kind"] != "gpu-range"
                     for r in parsed[:places[key]])
        if before <= g["last#"]:
            raise Broken("the gpu-range of %d is before an operation" % key[0])
        want = {k: v for k, v in g.items() if not k.endswith("#")}
        have = parsed[places.pop(key)]
        if have != want:
            raise Broken("%s, not %s" % (have, want))
    if places:
        raise Broken("a gpu-range too many: %s" % list(places))
    check_places(parsed, any(
        r["kind"] in correlate.WORK and r.get("api_ts", r["ts"]) >= r["ts"]
        for r in parsed))
    plain = [x for x, r in zip(got, parsed) if r["kind"] != "gpu-range"]
    same(joined(plain), joined(out + [correlate.text(end)]), "correlated")


@prop
def oracle(lines, seed):
    """tq-correlate prints what its man page says"""
    check_correlate(lines, ["tq-correlate"])
    check_correlate(lines, ["tq-correlate", "--path"], paths=True)
    check_correlate(lines, ["tq-correlate", "--scope=process", "--path"],
                    paths=True, per_process=True)


# ---- filters ----

EXPRESSIONS = ["kind == 'kernel'", "dur > 5us", "name ~ /e/", "tid == 10",
               "ts % 3 == 0", "has(corr) && !(dur < 2)", "device == 1",
               "kind == 'range' and ts > 20", "bytes >= 1KiB or sym == 1"]


@prop
def cat(lines, seed):
    """tq-filter true passes every byte, in any spelling"""
    text = joined(lines)
    same(run(["tq-filter", "true"], text), text, "tq-filter true")
    other = [x.strip("\r\n") for x in respelt(lines, seed)]
    got = run(["tq-filter", "true"], joined(other)).splitlines()
    same(b"\n".join(got[:-1]), joined(other[:-1]).rstrip(b"\n"), "respelt")


@prop
def idempotence(lines, seed):
    """What a tool has done to a stream it does not do again"""
    text = joined(lines)
    expression = EXPRESSIONS[seed % len(EXPRESSIONS)]
    for command in (["tq-correlate"], ["tq-correlate", "--path"],
                    ["tq-extract"],
                    ["tq-filter", "-k", "kernel,api,range", "device == 1"],
                    ["tq-filter", "-k", "kernel,range,api"],
                    ["tq-filter", "--no-closure", expression],
                    ["tq-filter", "--pid", "1", "kind != 'api'"],
                    ["tq-filter", "kind == 'kernel' && dur > 3"]):
        once = run(command, text)
        same(run(command, once), once, " ".join(command) + ", twice")


@prop
def halves(lines, seed):
    """An expression and its contrary share the records between them"""
    text = joined(lines)
    for expression in EXPRESSIONS:
        yes = run(["tq-filter", "--no-closure", expression], text)
        no = run(["tq-filter", "-v", expression], text)
        both = sorted(yes.splitlines()[1:-1] + no.splitlines()[1:-1])
        want = sorted(text.splitlines()[1:-1])
        same(b"\n".join(both), b"\n".join(want), expression)


@prop
def spelling(lines, seed):
    """Another spelling of the records, as jq's, changes nothing downstream"""
    text = joined(lines)
    other = joined(respelt(lines, seed))
    jq = run(["jq", "-c", "."], text)
    for command in (["tq-correlate", "--path"], ["tq-filter", "dur > 2us"],
                    ["tq-extract"]):
        want = run(command, text)
        same_records(run(command, other), want, " ".join(command))
        same_records(run(command, jq), want, " ".join(command) + ", of jq")
    text, other, jq = [run(["tq-correlate"], x) for x in (text, other, jq)]
    for command in (["tq-chrome", "-q"], ["tq-perfetto", "-q"],
                    ["tq-stats", "-q", "-f", "tsv"],
                    ["tq-stats", "-q", "-f", "csv", "-r",
                     "run,cuda_gpu_trace,nvtx_gpu_proj_trace"]):
        want = run(command, text)
        same(run(command, other), want, " ".join(command))
        same(run(command, jq), want, " ".join(command) + ", of jq")


def all_reports():
    """the names of all reports of tq-stats"""
    return [line.split()[0] for line in
            run(["tq-stats", "--help-reports"]).decode().splitlines()
            if line.startswith("  ")]


SELECTIONS = [
    [x] for x in EXPRESSIONS + [
        "api == 'cuda-runtime'", "name == 'a \"quote\"'", "grid[0] > 1",
        "args.payload == 7", "unheard == 'of'", "frames[0] ~ /leaf/",
        "role == 'launch'", "has(copy) && copy != 'HtoD'"]]

CHANGES = ["--redact", "--key=k"], ["--tag=default"], ["--clip"], \
    ["--set", "category=name", "true"], ["--merge-short=3ns"], ["--top=3"], \
    ["--range=step@*"], ["--step=1"], ["--pid=1"], ["--tid=10"], \
    ["--depth=1"], ["-k", "nvtx"], ["--stream=7"]


def outcome(command, text=b""):
    """exit status, output and messages of a command that may refuse"""
    global executions
    executions += 1
    p = subprocess.run(command, input=text, stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, check=False)
    if p.returncode < 0:
        raise Broken("%s: signal %d" % (" ".join(command), -p.returncode))
    return p.stdout, b"status %d\n" % p.returncode + p.stderr


def same_outcome(command, texts, compare=same):
    """A command does the same with two spellings of a stream."""
    (a, why_a), (b, why_b) = [outcome(command, x) for x in texts]
    same(why_a, why_b, " ".join(command))
    compare(a, b, " ".join(command))


@prop
def respelling(lines, seed):
    """All reports, viewers and comparisons of a stream are the same, byte for
    byte, in any spelling of its records"""
    texts = joined(respelt(lines, seed)), joined(lines)
    for command in (
            ["tq-extract"], ["tq-correlate", "--path", "--gaps"],
            ["tq-correlate", "--scope=process"], ["tq-advise", "--marks"],
            ["tq-align", "--rank=0", "--points"],
            *(["tq-filter", *x] for x in [*SELECTIONS, *CHANGES])):
        same_outcome(command, texts, same_records)
    correlated = [outcome(["tq-correlate", "--path"], x)[0] for x in texts]
    gaps = [outcome(["tq-correlate", "--gaps"], x)[0] for x in texts]
    reports = ["tq-stats", "-q", "-r", ",".join(all_reports())]
    for form in ("csv", "ndjson", "html"):
        same_outcome([*reports, "-f", form], correlated)
    same_outcome([*reports, "--partial"], gaps)
    for command in (["tq-stats"], ["tq-stats", "--approx"],
                    ["tq-stats", "-f", "openmetrics"],
                    ["tq-stats", "-f", "ndjson", "-g", "name,api,args.n"],
                    ["tq-stats", "--by-rank", "-f", "csv"],
                    ["tq-advise", "-v", "-f", "json"],
                    ["tq-advise", "-r", "nsys", "-f", "csv"],
                    ["tq-chrome"], ["tq-chrome", "--rank-flows"],
                    ["tq-perfetto", "--cpu-profile"],
                    ["tq-perfetto", "--gpu-model=render-stages"]):
        same_outcome(command, correlated)
        if command[0] in ("tq-stats", "tq-advise", "tq-chrome"):
            same_outcome(command, gaps)
    with tempfile.TemporaryDirectory() as d:
        one, two = os.path.join(d, "one.tq"), os.path.join(d, "two.tq")
        with open(two, "wb") as f:
            f.write(run(["tq-correlate"], joined(streams.stream(seed + 1))))
        for command in (["tq-diff", "-f", "json", "-n", "0", one, two],
                        ["tq-diff", "--per", "span", two, one],
                        ["tq-align", "--by=utc", "--report", one, two],
                        ["tq-align", "--report", one, two]):
            results = []
            for text in correlated:
                with open(one, "wb") as f:
                    f.write(text)
                results.append(outcome(command))
            for a, b in zip(*results):
                same(a, b, " ".join(command))


def backward(lines, seed, negative):
    """The same durations are 0 each time, or less than that."""
    dice = random.Random(seed)
    changed = []
    for text in lines:
        r = json.loads(text, parse_float=Fraction)
        for key in ("dur", "api_dur", "range_dur"):
            below = -dice.randint(1, 10 ** dice.randint(1, 18))
            # an operation of no time at no time was not recorded
            if key in r and r["ts"] != 0 and dice.random() < 0.3:
                r[key] = below if negative else 0
        changed.append(streams.line(r))
    return changed


def without_dur(a, b, what):
    """Both are the same, but for durations below 0, which stay as they are."""
    same_records(*[re.sub(rb'dur":-[0-9]+', b'dur":0', x) for x in (a, b)],
                 what)


@prop
def durations(lines, seed):
    """A negative duration counts as 0 in every report, trace and comparison"""
    texts = [joined(backward(lines, seed, x)) for x in (True, False)]
    for command in (["tq-correlate", "--path", "--gaps"], ["tq-extract"],
                    ["tq-filter", "--time=0:"], ["tq-filter", "--range=step@*"],
                    ["tq-filter", "--clip"], ["tq-filter", "--merge-short=3ns"],
                    ["tq-filter", "--step=1"], ["tq-align", "--rank=0"]):
        same_outcome(command, texts, without_dur)
    correlated = [outcome(["tq-correlate", "--path"], x)[0] for x in texts]
    # the evidence counts them
    reports = ",".join(r for r in all_reports()
                       if r not in ("run", "next", "overview"))
    for command in (["tq-stats", "-q", "-f", "csv", "-r", reports],
                    ["tq-stats", "-q", "--partial", "-r", reports],
                    ["tq-stats", "-f", "openmetrics"],
                    ["tq-advise", "-r", "nsys", "-f", "csv"]):
        same_outcome(command, correlated)
    for tool, drawing in (("tq-chrome", chrome_drawing),
                          ("tq-perfetto", perfetto_drawing)):
        a, b = [repr(drawing(run([tool, "-q"], x))).encode()
                for x in correlated]
        same(a, b, tool)


@prop
def concatenation(lines, seed):
    """Sections one after the other become what each becomes alone"""
    a, b = joined(lines), joined(streams.stream(seed + 1))
    files = []
    for text in (a, b):
        f = tempfile.NamedTemporaryFile(suffix=".tq")
        f.write(text)
        f.flush()
        files.append(f)
    names = [f.name for f in files]
    for command in (["tq-filter", "dur > 2us"], ["tq-correlate", "--path"],
                    ["tq-filter", "--top", "3"], ["tq-extract"]):
        want = run(command, a) + run(command, b)
        same(run(command, a + b), want, " ".join(command))
        same(run(command + names), want, " ".join(command) + " of files")
    for command in (["tq-stats", "-q", "-f", "tsv"], ["tq-chrome", "-q"],
                    ["tq-perfetto", "-q"]):
        got = run(command + names)
        # commands that are printed name the files
        same(got.replace(" ".join(names).encode(), b"FILE"),
             run(command, a + b), " ".join(command) + " of files")


SUMS = ("cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_gpu_mem_size_sum,"
        "cuda_gpu_sum,cuda_api_sum,cuda_api_gpu_sum,osrt_sum,nvtx_sum,"
        "nvtx_pushpop_sum,nvtx_startend_sum,launch,memory,range_self,"
        "cpu_sum")


@prop
def merge(lines, seed):
    """Sums of parts, merged, are the sums of the whole"""
    a, b = [run(["tq-correlate"], joined(x))
            for x in (lines, streams.stream(seed + 1))]
    with tempfile.TemporaryDirectory() as d:
        for name, text in (("a", a), ("b", b)):
            with open(os.path.join(d, name), "wb") as f:
                f.write(run(["tq-stats", "-q", "--partial", "-r", SUMS],
                            text))
        parts = [os.path.join(d, name) for name in "ab"]
        for form in ("csv", "json1"):
            want = run(["tq-stats", "-q", "-f", form, "-r", SUMS], a + b)
            same(run(["tq-stats", "-q", "-f", form, "--merge", *parts]), want,
                 "--merge -f " + form)


OPERATIONS = "kernel,memcpy,memset,graph"


def lines_of(text, kinds):
    return [x for x in text.splitlines()
            if json.loads(x)["kind"] in kinds.split(",")]


@prop
def windows(lines, seed):
    """Of consecutive time windows each operation is in exactly one"""
    text = joined(lines)
    if seed % 2:
        text = run(["tq-correlate"], text)
    times = sorted(r["ts"] for r in records(text) if "ts" in r)
    if not times or times[0] < 0:
        return  # a time before the origin counts from the end
    cuts = ["", *[f"{t}ns" for t in sorted({
        times[len(times) // 3], times[len(times) * 2 // 3]})], ""]
    for how in ([], ["--by", "time"], ["--no-closure"]):
        parts = [run(["tq-filter", "--time", a + ":" + b, *how], text)
                 for a, b in zip(cuts, cuts[1:])]
        want = lines_of(text, OPERATIONS)
        got = [x for p in parts for x in lines_of(p, OPERATIONS)]
        same(b"\n".join(sorted(got)), b"\n".join(sorted(want)),
             "windows %s %s" % (cuts, how))


def window_of(text):
    """A window of time, or None.  It does not end where a call without
    duration starts: that is in a range which ends there, but not in the
    window."""
    parsed = [r for r in records(text) if "ts" in r]
    times = sorted(r["ts"] for r in parsed)
    taken = {r["ts"] for r in parsed
             if r["kind"] == "api" and r.get("dur") == 0}
    if not times or times[0] < 0:  # before the origin counts from the end
        return None
    to = times[len(times) * 3 // 4] + 1
    while to in taken:
        to += 1
    return "%dns:%dns" % (times[len(times) // 3], to)


def correlated_part(text):
    """operations, ranges and gpu-range records, in any order"""
    kept = []
    for r in records(text):
        # a filter drops what tells of the creation of nodes of graphs
        if r.pop("proof", None) is not None:
            for key in ("path", "graph_depth", "node_index"):
                r.pop(key, None)
        if r["kind"] in (OPERATIONS + ",range,gpu-range").split(","):
            kept.append(json.dumps(r, sort_keys=True).encode())
    return b"\n".join(sorted(kept))


@prop
def commuting(lines, seed):
    """To filter and then to correlate gives what the other order gives"""
    text = joined(lines)
    window = window_of(text)
    if window is None:
        return
    whole = run(["tq-correlate"], text)
    for select in (["--time", window], ["--pid", "1"],
                   ["--range", "step 1@*"], ["--range", "~a@~."]):
        if not any(r["kind"] == "range" for r in records(text)):
            continue
        try:
            a = run(["tq-correlate"], run(["tq-filter", *select], text))
        except Broken:  # no such range
            run(["tq-filter", *select], whole, status=1)
            continue
        b = run(["tq-filter", *select], whole)
        same(correlated_part(a), correlated_part(b), " ".join(select))


# ---- viewers ----

def chrome_drawing(text):
    """slices, counters and arrows of a trace of tq-chrome, in ns"""
    slices, counters, ends = [], [], {"s": {}, "f": {}}
    trace = json.loads(text, parse_float=decimal.Decimal)
    for e in trace["traceEvents"]:
        ts = int(e.get("ts", 0) * 1000)
        if e["ph"] in "Xi":
            slices.append((ts, int(e.get("dur", 0) * 1000), e["name"],
                           e.get("cat")))
        elif e["ph"] == "C":
            # the unit is the name of the value
            counters += [(ts, e["name"] + (" " + k if k[:1] == "[" else ""),
                          float(v)) for k, v in e["args"].items()]
        elif e["ph"] in "sf":
            ends[e["ph"]][e["id"]] = ts
    # where an arrow begins in its call is up to the viewer
    arrows = [ends["f"][n] for n in ends["s"]]
    return slices, counters, arrows


def perfetto_drawing(text):
    slices, counters, arrows = [], [], []
    for r in records(decode(text)):
        if r["what"] == "slice":
            slices.append((r["ts"], max(r["dur"], 0), r["name"], r["cat"]))
        elif r["what"] == "counter":
            counters.append((r["ts"], r["track"].split("/")[-1],
                             float(r["value"])))
        elif r["what"] == "arrow":
            arrows.append(r["to_ts"])
    return slices, counters, arrows


@prop
def viewers(lines, seed):
    """tq-chrome and tq-perfetto draw the same"""
    text = joined(lines)
    if seed % 2:
        text = run(["tq-correlate"], text)
    a = chrome_drawing(run(["tq-chrome", "-q"], text))
    b = perfetto_drawing(run(["tq-perfetto", "-q"], text))
    for what, x, y in zip(("slices", "counters", "arrows"), a, b):
        same(*["\n".join(map(repr, sorted(z, key=repr))).encode()
               for z in (x, y)], what)


# ---- mutants ----

TOOLS = (["tq-extract"], ["tq-filter", "dur > 2us"],
         ["tq-filter", "--range", "~.@*"], ["tq-correlate", "--path"],
         ["tq-stats", "-q"], ["tq-chrome"], ["tq-perfetto"],
         ["tq-table", "-o", "FOLDER"], ["tq-table", "--hive", "-o", "FOLDER"])


def attempt(command, text):
    """exit status and messages of what may fail, but may not crash or hang"""
    global executions
    executions += 1
    try:
        with tempfile.TemporaryDirectory() as d:
            p = subprocess.run([os.path.join(d, "out") if x == "FOLDER" else x
                                for x in command], input=text,
                               stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, check=False, timeout=20)
    except subprocess.TimeoutExpired:
        raise Broken("%s hangs" % " ".join(command)) from None
    if p.returncode not in (0, 1):
        raise Broken("%s: exit status %d" % (" ".join(command),
                                             p.returncode))
    if p.returncode == 1 and not p.stderr.startswith(command[0].encode()):
        raise Broken("%s fails without a message" % " ".join(command))
    return p.returncode


@prop
def truncation(lines, seed):
    """A stream that was cut anywhere is noticed by every tool"""
    dice = random.Random(seed)
    text = joined(lines)
    for command in TOOLS:
        cut = text[:dice.randint(1, len(text) - 2)]
        if attempt(command, cut) == 0:
            raise Broken("%s does not notice the cut at %d" % (
                " ".join(command), len(cut)))


@prop
def mutants(lines, seed):
    """No change of bytes makes a tool crash, hang or fail in silence"""
    dice = random.Random(seed)
    for command in TOOLS:
        text = bytearray(joined(lines))
        for _ in range(dice.randint(1, 4)):
            at = dice.randrange(len(text))
            how = dice.randrange(4)
            if how == 0:
                text[at] = dice.randrange(256)
            elif how == 1:
                text[at] ^= 1 << dice.randrange(8)
            elif how == 2:
                del text[at:at + dice.randint(1, 40)]
            else:
                text[at:at] = dice.choice(
                    [b"-", b"9" * 20, b"{", b'"', b"\n", b"null", b"\x00",
                     bytes(text[at:at + 200])])
        attempt(command, bytes(text))


# ---- all of them ----

def try_stream(name, lines, seed, chosen):
    broken = 0
    for p in chosen:
        try:
            properties[p](lines, seed)
        except Broken as why:
            print("%s %s: %s" % (name, p, why), flush=True)
            broken += 1
    return broken


def parse_options():
    o = argparse.ArgumentParser()
    o.add_argument("--seed", type=int, default=1)
    o.add_argument("--count", type=int, default=1)
    o.add_argument("--time", type=float, default=float("inf"))
    o.add_argument("--file", action="append", default=[])
    o.add_argument("property", nargs="*")
    options = o.parse_args()
    for p in options.property:
        if p not in properties:
            o.error("no property %s; there are %s" % (
                p, " ".join(properties)))
    return options


def main():
    options = parse_options()
    chosen = options.property or list(properties)
    until = time.monotonic() + options.time
    tried = broken = 0
    for file in options.file:
        with open(file, encoding="utf-8", newline="\n") as f:
            lines = f.read().rstrip("\n").split("\n")
        broken += try_stream(file, lines, options.seed, chosen)
        tried += 1
    for seed in range(options.seed, options.seed +
                      (0 if options.file else options.count)):
        if time.monotonic() > until:
            break
        broken += try_stream("--seed %d" % seed, streams.stream(seed), seed,
                             chosen)
        tried += 1
    print("%d streams, %d properties, %d executions, %d broken" % (
        tried, len(chosen), executions, broken))
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
