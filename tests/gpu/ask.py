"""ask.py - what check.sh wants to know of records, without jq

    ask.py EXPRESSION [FILE]

FILE, or standard input, has a record of JSON in each line.  EXPRESSION is one
of Python; in it are all = the records, kind(K) = those of that kind, each a
dictionary, and median(list).
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

    names = {"all": records, "kind": kind, "median": median, "json": json,
             "any": any, "sum": sum, "len": len, "min": min, "max": max,
             "sorted": sorted, "set": set}
    answer = eval("(" + sys.argv[1] + ")", {"__builtins__": {}}, names)
    print(int(answer) if isinstance(answer, bool) else answer)


main()
