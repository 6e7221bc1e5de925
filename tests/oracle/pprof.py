"""pprof.py - a profile of pprof, compressed or not, as folded stacks

usage: pprof.py FILE [THREAD]

The first line has the types of the values, the period, and the begin and
length of the recording; a line for each stack follows: its labels as JSON, a
tab, the stack with the thread in front if THREAD is given, and the values.
Fails where the message breaks a rule of profile.proto.
"""

import gzip
import json
import sys
from collections import Counter


def varint(b, i):
    value = shift = 0
    while True:
        value |= (b[i] & 127) << shift
        shift += 7
        i += 1
        if b[i - 1] < 128:
            return value, i


def fields(b):
    i = 0
    while i < len(b):
        tag, i = varint(b, i)
        if tag & 7 == 0:
            value, i = varint(b, i)
        else:
            assert tag & 7 == 2, tag
            n, i = varint(b, i)
            value = b[i:i + n]
            assert len(value) == n
            i += n
        yield tag >> 3, value


def one(b):
    return dict(fields(b))


def signed(v):
    return v - (1 << 64) if v >> 63 else v


with open(sys.argv[1], "rb") as f:
    data = f.read()
data = gzip.decompress(data)
every = {n: [] for n in range(1, 15)}
for number, value in fields(data):
    every[number].append(value)
strings = [s.decode("utf-8", "strict") for s in every[6]]
assert strings[0] == "" and len(set(strings)) == len(strings)
numbered = []
for field in 3, 4, 5:
    messages = [one(m) for m in every[field]]
    numbered.append({m[1]: m for m in messages})
    assert len(numbered[-1]) == len(messages) and 0 not in numbered[-1]
mappings, locations, functions = numbered
types = [one(t) for t in every[1]]


def frame(number):
    location = locations[number]
    line = one(location[4])
    function = functions[line[1]]
    name = strings[function[2]]
    if 4 in function:
        return f"{name} ({strings[function[4]]}:{line[2]})"
    if 2 in location:
        path = strings[mappings[location[2]][5]]
        return f"{name} ({path.split('/')[-1]})"
    return name


def label(x):
    return strings[x[2]] if 2 in x else signed(x[3])


stacks = Counter()
for sample in every[2]:
    parts = list(fields(sample))
    stack = [frame(v) for n, v in parts if n == 1][::-1]
    values = [signed(v) for n, v in parts if n == 2]
    labels = [one(v) for n, v in parts if n == 3]
    labels = {strings[x[1]]: label(x) for x in labels}
    assert len(values) == len(types) and stack
    if len(sys.argv) > 2 and "thread" in labels:
        if stack == ["[no stack]"]:
            stack = []
        stack.insert(0, labels["thread"])
    key = json.dumps(labels), ";".join(stack)
    for i, value in enumerate(values):
        stacks[(*key, i)] += value
print(*(f"{strings[t[1]]}/{strings[t[2]]}" for t in types),
      f"period {every[12]} time {every[9]} duration {every[10]}",
      f"default {strings[every[14][0]]}",
      f"mappings {[(strings[m[5]], strings[m.get(6, 0)]) for m in mappings.values()]}")
for (labels, stack, i), _ in stacks.items():
    if i == 0:
        print(labels, stack + " " + " ".join(
            str(stacks[labels, stack, k]) for k in range(len(types))),
            sep="\t")
