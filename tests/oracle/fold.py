"""fold.py - what nvtx_sum:folded makes of nvtx_sum, by regular expressions

    tq-stats -r nvtx_sum -f json1 FILE | python3 tests/oracle/fold.py

prints style, folded name, number and total of each row, sorted.
"""

import json
import re
import sys

VALUE = r"(?:\[(?:[^\[\]]|\[[^\]]*\])*\]|[^,\s]+)"
ARGUMENT = re.compile(
    r",?\s+(?:op_id|seq|sizes|input_op_ids|shapes|evt_id) ?= ?" + VALUE)
HEX = re.compile(r"0x[0-9a-fA-F]{4,}")
COUNTED = re.compile(
    r"(?i)\b((?:step|iter|iteration|epoch|batch|layer|block|rank|frame|chunk|"
    r"request|req|token|micro_?batch)[ _#:=-]?)\d+\b")
ALONE = re.compile(r"(?<![A-Za-z0-9])\d+(?:\.\d+)?(?![A-Za-z0-9])")
MOST = 64  # names of a family that is more than one row


def always(name):
    return HEX.sub("0x*", ARGUMENT.sub("", name))


def numbers(name):
    return ALONE.sub("*", COUNTED.sub(r"\1*", name))


def fold(rows):
    """(style, name) -> (values, total) of the rows of nvtx_sum"""
    families = {}
    for style, name, count, total in rows:
        name = always(name)
        names = families.setdefault((style, numbers(name)), {})
        old = names.get(name, (0, 0))
        names[name] = old[0] + count, old[1] + total
    result = {}
    for (style, family), names in families.items():
        n, values = len(names), sum(c for c, _ in names.values())
        if n > MOST or n > 1 and 2 * n >= values or n > 8 and 8 * n >= values:
            names = {family: (values, sum(t for _, t in names.values()))}
        result.update(((style, name), v) for name, v in names.items())
    return result


if __name__ == "__main__":
    folded = fold((r["Style"], r["Range"], r["Instances"],
                   r["Total Time (ns)"]) for r in json.load(sys.stdin))
    for line in sorted("\t".join(map(str, (*key, *value)))
                       for key, value in folded.items()):
        print(line)
