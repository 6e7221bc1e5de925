#!/usr/bin/env python3
"""Programs that are killed, as frameworks kill their workers.

    tq-capture -o workers.tq python3 killed.py workers
    tq-capture -o ranks.tq python3 killed.py ranks

Each worker does 10 items, a range of NVTX and a sleep of a millisecond each,
and then waits for more, as those of Ray, vLLM and verl do.  With ITEMS in the
environment it does another number of items.

    killed.py workers [count]       workers of multiprocessing, which get a
                                    SIGKILL while they wait
    killed.py exits [count]         workers that end by os._exit
    killed.py rank                  one rank of a job, see there
    killed.py ranks [count]         a launcher, as torchrun or srun is: a session
                                    for each rank; one of them fails, and so the
                                    launcher ends the others
    killed.py ranks count command   ranks of another command, such as
                                    tq-capture ... python3 killed.py rank
"""

import multiprocessing
import os
import signal
import subprocess
import sys
import time

from nvtx import Range

ITEMS = int(os.environ.get("ITEMS", "10"))
GRACE = 30  # seconds between SIGTERM and SIGKILL, as KillWait of Slurm


def work():
    for item in range(ITEMS):
        with Range("item"):
            time.sleep(0.001)


def worker(pipe, exits):
    work()
    pipe.send("done")
    if exits:
        os._exit(0)
    pipe.recv()  # which never comes


def workers(count, exits):
    started = []
    for _ in range(count):
        ours, its = multiprocessing.Pipe()
        process = multiprocessing.Process(target=worker, args=(its, exits))
        process.start()
        started.append((process, ours))
    for process, pipe in started:
        pipe.recv()
    for process, pipe in started:
        if not exits:
            process.kill()
        process.join()


def rank():
    """The work of a rank; then it waits for the others in what stands here for
    a collective.  The one that gets a byte fails."""
    work()
    os.write(int(os.environ["ARRIVED"]), b".")
    if os.read(int(os.environ["FAILS"]), 1):
        sys.exit(3)


def end(process):
    """End a rank and all that it has started, as slurmstepd does."""
    for number in signal.SIGTERM, signal.SIGKILL:
        try:
            os.killpg(process.pid, number)
            process.wait(GRACE)
            return
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            pass


def ranks(count, command):
    arrived, arrive = os.pipe()
    fails, fail = os.pipe()
    started = []
    for number in range(count):
        started.append(subprocess.Popen(
            command, start_new_session=True, pass_fds=(arrive, fails),
            env=dict(os.environ, RANK=str(number), WORLD_SIZE=str(count),
                     ARRIVED=str(arrive), FAILS=str(fails))))
    for _ in started:
        os.read(arrived, 1)
    os.write(fail, b".")  # one of them
    os.wait()  # it has failed
    for process in started:
        end(process)
    sys.exit(1)


def main():
    how = sys.argv[1] if len(sys.argv) > 1 else "workers"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 4
    if how == "ranks":
        ranks(count, sys.argv[3:] or [sys.executable, __file__, "rank"])
    elif how == "rank":
        rank()
    else:
        workers(count, how == "exits")


if __name__ == "__main__":
    main()
