"""board.py - combinations that a number chooses, under tq-capture

    board.main(try_one)

calls try_one(dice, folder) for --count numbers from --seed on; it returns the
command that it ran and the list of what is wrong.  Each broken combination is a
line with its number and its command.  The last line says how many there were;
exits 1 where one was broken.  The tools are those in PATH.
"""

import argparse
import os
import random
import re
import shlex
import signal
import sys
import tempfile

LIMIT = 120  # seconds for what hangs, on a machine however slow


def lines_of(path):
    with open(path, "rb") as f:
        return f.read().splitlines()


def counts(lines):
    """how many records of each kind"""
    of = {}
    for line in lines:
        kind = re.match(rb'{"kind":"([a-z-]*)"', line)
        if kind:
            name = kind[1].decode()
            of[name] = of.get(name, 0) + 1
    return of


def not_whole(lines):
    """what is wrong with the two ends of a recording, and its order"""
    wrong = []
    if not lines or not lines[0].startswith(b'{"kind":"trace",'):
        return ["no trace record"]
    end = re.fullmatch(rb'{"kind":"end","events":(\d+),"dropped":(\d+)}',
                       lines[-1])
    if not end:
        return ["no end record"]
    if int(end[1]) != len(lines) - 2:
        wrong.append("%s events, not %d" % (end[1].decode(), len(lines) - 2))
    last = None
    for line in lines:
        ts = re.match(rb'{"kind":"[a-z-]*","ts":(-?\d+)', line)
        if not ts or b'"slack":' in lines[0]:
            continue
        if last is not None and int(ts[1]) < last:
            wrong.append("out of order: " + line.decode()[:200])
            break
        last = int(ts[1])
    return wrong


def dropped(lines):
    return int(re.search(rb'"dropped":(\d+)', lines[-1])[1])


def status_of(returncode):
    """as a shell has it"""
    return 128 - returncode if returncode < 0 else returncode


def main(try_one):
    o = argparse.ArgumentParser()
    o.add_argument("--seed", type=int, default=1)
    o.add_argument("--count", type=int, default=1)
    options = o.parse_args()
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    broken = 0
    for seed in range(options.seed, options.seed + options.count):
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o777)
            command, wrong = try_one(random.Random(seed), folder)
        for what in wrong:
            print("--seed %d: %s: %s" % (
                seed, shlex.join(command), what), flush=True)
        broken += len(wrong) > 0
    print("%d combinations, %d broken" % (options.count, broken))
    sys.exit(broken > 0)
