"""deaths.py - processes begin and end in any way: nothing is lost

    python3 tests/boards/deaths.py [--seed N] [--count N]

$CLIENT is tests/capture/client.c; $OTHER, if set, a user who can reach it.

A program records marks and ranges, makes threads, children and other images,
and ends in one of many ways; see board.py.
"""

import os
import subprocess

import board

CLIENT = os.environ["CLIENT"]
ENDS = {"": 0, "_exit": 0, "exit_group": 0, "abort": 134, "crash": 139,
        "kill": 137}


def number(dice):
    return dice.choice([1, 2, dice.randint(1, 50), dice.randint(1, 3000)])


def step(dice, want):
    """one action of the client; adds to want what it records"""
    n, k = number(dice), dice.randint(1, 6)
    marks, ranges, words = dice.choice([
        (n, 0, ["marks", n]), (0, n, ["pairs", n]), (0, n, ["ranges", n]),
        (0, 1, ["push"]), (0, k * n, ["threads", k, n]),
        (n, 1, ["fork", dice.randint(0, 1), n]), (k * n, 0, ["forks", k, n]),
        (n, 0, ["spawn", n]), (0, 0, ["exec"]), (0, 0, ["closeall"]),
        (0, 0, ["wait", k])])
    want["mark"] += marks
    want["range"] += ranges
    return [str(w) for w in words]


def around(dice, command):
    """the command, or one that starts it, with the same status"""
    ways = [[], [], ["setsid", "-w"], ["sh", "-c", '"$@"; exit $?', "sh"],
            ["sh", "-c", '"$@" & wait $!', "sh"]]
    if os.environ.get("OTHER"):
        ways.append(["setpriv", "--reuid", os.environ["OTHER"],
                     "--clear-groups"])
    return [*dice.choice(ways), *command]


def try_one(dice, folder):
    want = {"mark": 0, "range": 0}
    actions = []
    for _ in range(dice.randint(1, 8)):
        actions += step(dice, want)
    end = dice.choice(list(ENDS))
    options = dice.choice([
        [], [], ["--on-full", "block", "--buffer", "1MiB"],
        ["--buffer", "256KiB"], ["--on-full", "spill", "--buffer", "1MiB"],
        ["-t", "nvtx,osrt"]])
    out = os.path.join(folder, "x.tq")
    command = ["tq-capture", "-q", *options, "-o", out, *around(
        dice, [CLIENT, *actions, *([end] if end else [])])]
    try:
        p = subprocess.run(command, stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, check=False,
                           stderr=subprocess.PIPE, timeout=board.LIMIT)
    except subprocess.TimeoutExpired:
        return command, ["it hangs"]
    status = board.status_of(p.returncode)
    wrong = []
    if status != ENDS[end]:
        wrong.append("status %d, not %d: %s" % (
            status, ENDS[end], p.stderr.decode()[:200]))
    lines = board.lines_of(out) if os.path.exists(out) else []
    wrong += board.not_whole(lines)
    if wrong:
        return command, wrong
    have = board.counts(lines)
    lost = board.dropped(lines)
    if lost > 0 and "--buffer" not in options:
        wrong.append("%d lost" % lost)
    if sum(have.get(kind, 0) for kind in want) + lost != sum(want.values()):
        wrong.append("%s and %d lost, not %s" % (
            {kind: have.get(kind, 0) for kind in want}, lost, want))
    return command, wrong


if __name__ == "__main__":
    board.main(try_one)
