#!/usr/bin/env python3
"""A stream as a table of pandas, whose times stay exact integers:

    tq-extract run.sqlite | python3 events_table.py
"""

import json
import sys

import pandas


def column(values):
    """Integers stay integers where some are missing: pandas makes floats."""
    if all(type(value) in (int, type(None)) for value in values):
        return pandas.array(values, dtype="Int64")
    return pandas.Series(values, dtype=object)


def read(lines):
    """One row for each record; a column, with <NA> in it, for each key."""
    records = [json.loads(line) for line in lines]
    keys = dict.fromkeys(key for record in records for key in record)
    return pandas.DataFrame(
        {key: column([record.get(key) for record in records]) for key in keys}
    )


if __name__ == "__main__":
    events = read(sys.stdin)
    kernels = events[events.kind == "kernel"]
    table = kernels.groupby("name").dur.agg(["count", "sum", "max"])
    print(table.sort_values("sum", ascending=False).head(10))
