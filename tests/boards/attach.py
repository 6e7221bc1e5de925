"""attach.py - tq-capture --attach to any process, ended in any way: a whole
recording, and a process that goes on as before

    python3 tests/boards/attach.py [--seed N] [--count N]

$SPIN is tests/capture/spin.c; see board.py.
"""

import os
import signal
import subprocess
import sys
import time

import board

PYTHON = """
import os, threading, time
def work():
    while not os.path.exists("stop"): sum(range(1000))
def sleeper():
    while not os.path.exists("stop"): time.sleep(0.01)
for i in range(%d):
    threading.Thread(target=sleeper, daemon=True).start()
threading.Thread(target=work, daemon=True).start()
for i in range(%d):
    if os.fork() == 0:
        work()
        os._exit(0)
open("ready", "w").close()
work()
os._exit(7)
"""


def threads_of(pid):
    try:
        return len(os.listdir("/proc/%d/task" % pid))
    except OSError:
        return 0


def until(true):
    end = time.monotonic() + board.LIMIT
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def start(dice, folder):
    """a process; how it was started, and how to know that it is at work"""
    kind = dice.choice(["python", "python", "staff", "heirs", "sleep"])
    if kind == "python":
        command = [sys.executable, "-c",
                   PYTHON % (dice.randint(0, 20), dice.randint(0, 3))]
        ready = lambda p: os.path.exists(os.path.join(folder, "ready"))
    elif kind == "sleep":
        command, ready = ["sleep", "1000"], lambda p: True
    else:
        command = [os.environ["SPIN"], kind, "100000"]
        ready = lambda p: threads_of(p.pid) > 150 or p.poll() is not None
    p = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, start_new_session=True)
    return p, kind, until(lambda: ready(p))


def choose(dice, kind):
    options = []
    for chance, words in (
            (0.6 if kind == "python" else 0, ["--python-sampling", "true"]),
            (0.5, ["-s", "process-tree"]),
            (0.4, ["--cpuctxsw", "process-tree"]),
            (0.3, ["-b", "none"]), (0.2, ["--keep", "1h"])):
        if dice.random() < chance:
            options += words
    return [*options, "--counters", "cpu"]


def has_traces_of_us(pid):
    """what an observer leaves in a process: it is stopped, or traced"""
    with open("/proc/%d/status" % pid, encoding="utf-8") as f:
        text = f.read()
    return "TracerPid:\t0\n" not in text or "State:\tT" in text


def observe(dice, p, command, end):
    """True if tq-capture ended; its status and messages"""
    t = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if end != "duration":
        # some come at once, some while it records
        time.sleep(dice.choice([0.05, dice.random() * 0.4]))
        if end == "target":
            os.killpg(p.pid, signal.SIGKILL)
        else:
            t.send_signal(getattr(signal, end))
    try:
        _, said = t.communicate(timeout=board.LIMIT)
    except subprocess.TimeoutExpired:
        t.kill()
        t.communicate()
        return None, ""
    return board.status_of(t.returncode), said.decode(errors="replace")


def judge(p, kind, end, status, said, out):
    if status is None:
        return ["it hangs"]
    wrong = []
    early = not os.path.exists(out) or os.path.getsize(out) == 0
    # it came before tq-capture had begun
    if early and end in ("SIGTERM", "SIGINT") and status in (130, 143):
        return []
    if early and end == "target" and status == 125 and said:
        return []
    if status != 0:
        wrong.append("status %d: %s" % (status, said[:300]))
    wrong += board.not_whole(board.lines_of(out) if not early else [])
    if end != "target" and kind in ("python", "sleep"):
        if p.poll() is not None:
            wrong.append("the process ended: %d" % p.returncode)
        elif has_traces_of_us(p.pid):
            wrong.append("the process is not as before")
    return wrong


def try_one(dice, folder):
    p, kind, ready = start(dice, folder)
    out = os.path.join(folder, "x.tq")
    end = dice.choice(["duration", "SIGTERM", "SIGINT", "target"])
    command = ["tq-capture", "-q", "--attach", str(p.pid), "-o", out,
               *choose(dice, kind)]
    if end == "duration":
        command += ["-d", "%dms" % dice.randint(1, 400)]
    try:
        status, said = observe(dice, p, command, end) if ready else (None, "")
        wrong = judge(p, kind, end, status, said, out)
    finally:
        try:
            os.killpg(p.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        p.wait()
    return [*command, "#", kind, end], wrong


if __name__ == "__main__":
    board.main(try_one)
