"""ask.py - what check.sh wants to know of records, without jq

    ask.py EXPRESSION [FILE]

FILE, or standard input, has a record of JSON in each line.  EXPRESSION is one
of Python; in it are all = the records, kind(K) = those of that kind, each a
dictionary, frames(R) = those of the stack of a record, counter(NAME) = the
values of a counter, and median(list).
"""

import json
import sys


def median(values):
    return sorted(values)[len(values) // 2] if values else None


def main():
    with open(sys.argv[2]) if len(sys.argv) > 2 else sys.stdin as file:
        records = [json.loads(line) for line in file if line.strip()]

    def kind(name):
        return [r for r in records if r.get("kind") == name]

    stacks = {r["id"]: r["frames"] for r in kind("stack")}

    def frames(record):
        return stacks.get(record.get("stack"), [])

    def counter(name):
        ids = {r["id"] for r in kind("counterdef") if r["name"] == name}
        return [r["value"] for r in kind("counter") if r["counter"] in ids]

    names = {"all": records, "kind": kind, "frames": frames,
             "counter": counter, "median": median, "json": json,
             "any": any, "sum": sum, "len": len, "min": min, "max": max,
             "sorted": sorted, "set": set, "str": str, "int": int,
             "__builtins__": {}}
    answer = eval("(" + sys.argv[1] + ")", names)
    print(int(answer) if isinstance(answer, bool) else answer)


main()
