"""What tq-diff says is the difference of two small streams made of random
numbers: the parts add up to it, the opposite is its negative, and a stream does
not differ from itself.

    differences.py SEED ...
"""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from account import make_stream


def write(path, records):
    lines = [{"kind": "trace", "version": 1, "source": "test"}, *records,
             {"kind": "end", "events": len(records), "dropped": 0}]
    path.write_text("".join(json.dumps(r, separators=(",", ":")) + "\n"
                            for r in lines))


def compare(a, b, per, by):
    out = subprocess.run(
        ["tq-diff", "-f", "ndjson", "-n", "0", "--across", "programs",
         "--per", per, "--by", by, str(a), str(b)],
        capture_output=True, text=True, check=True).stdout
    found = {"unit": {}}
    for line in map(json.loads, out.splitlines()):
        if line["kind"] == "unit":
            found["unit"][line["side"]] = line["units"]
        else:
            found.setdefault(line["kind"], []).append(line)
    return found


BUSY = ("compute", "communication", "copy")  # which the rows add up to
TERMS = ("calls", "per_call", "overlap", "new", "gone", "replaced")


def rows(found, sign=1, swap=False):
    """The terms of each row, as if the sides were the other way."""
    other = {"new": "gone", "gone": "new"} if swap else {}
    return {tuple(sorted(r["name"].split(" -> "))):
            [sign * r[other.get(t, t)] for t in TERMS]
            for r in found.get("row", [])}


def idle(found, sign=1):
    return {p["name"]: sign * p["delta"] for p in found["part"]
            if p["name"] not in BUSY}


def check(a, b, per, by):
    there, back, same = (compare(*x, per, by) for x in ((a, b), (b, a), (a, a)))
    if not all(there["unit"].values()) or "part" not in there:
        return False
    total = there["verdict"][0]["delta"]
    assert total == (sum(map(sum, rows(there).values())) +
                     sum(idle(there).values()))
    assert total == -back["verdict"][0]["delta"]
    assert rows(there) == rows(back, -1, True)
    assert idle(there) == idle(back, -1)
    assert not any(map(any, rows(same).values()))
    assert not any(idle(same).values())
    for d in there.get("device", []):
        assert d["delta"] == sum(d[t] for t in TERMS) + sum(
            d[p["name"]] for p in there["part"] if p["name"] not in BUSY)
    return True


def main():
    done = 0
    for seed in map(int, sys.argv[1:]):
        rng = random.Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            a, b = Path(folder, "a"), Path(folder, "b")
            write(a, make_stream(rng))
            write(b, make_stream(rng))
            try:
                done += check(
                    a, b, rng.choice(("step", "span", "kernel~gemm")),
                    rng.choice(("base", "path", "name,grid", "category")))
            except AssertionError:
                print("seed", seed)
                raise
    print(done)


if __name__ == "__main__":
    main()
