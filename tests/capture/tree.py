# tree.py - a tree of processes as trainers make them, each with annotations
#
#	tree.py dso.so N
#
# makes N ranges here, and in workers of each start method of multiprocessing,
# some of which are killed, and in subprocesses.  Prints how many in all.

import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys

dso, n = sys.argv[1], int(sys.argv[2])


def work(how, close):
    if close:
        os.closerange(3, 4096)
    ctypes.CDLL(dso).dso_pairs(ctypes.c_long(n))
    if how == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if how == "_exit":
        os._exit(0)


def main():
    processes = 1
    work("", False)
    for method in "fork", "spawn", "forkserver":
        context = multiprocessing.get_context(method)
        workers = [
            context.Process(target=work, args=(how, False))
            for how in ("return", "kill", "_exit")
        ]
        for w in workers:
            w.start()
        for w in workers:
            w.join()
        processes += len(workers)
    if os.fork() == 0:
        work("_exit", True)
    os.wait()
    processes += 1
    one = "import ctypes; ctypes.CDLL(%r).dso_pairs(ctypes.c_long(%d))" % (
        dso,
        n,
    )
    for session in False, True:
        subprocess.run(
            [sys.executable, "-S", "-c", one],
            close_fds=True,
            start_new_session=session,
            check=True,
        )
        processes += 1
    print(processes, processes * n, file=sys.stderr)


if __name__ == "__main__":
    main()
