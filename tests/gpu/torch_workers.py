"""torch_workers.py - processes that launch kernels and do not end well

    torch_workers.py killed|exits WORKERS LAUNCHES
    torch_workers.py rank LAUNCHES

"killed": each worker gets a SIGKILL once it has done its launches and waited
for a second; "exits": it ends by os._exit.  "rank" is one of torchrun, and the
one of rank 0 fails while the others wait.
"""

import json
import os
import sys
import time

import torch
import torch.multiprocessing as mp


def work(launches):
    a = torch.zeros(4096, device="cuda")
    for _ in range(launches):
        a.add_(1)
    torch.cuda.synchronize()
    time.sleep(1)
    # in one piece: all write to one file
    os.write(1, (json.dumps({"kernel": launches + 1}) + "\n").encode())


def worker(how, launches, done):
    work(launches)
    done.put(None)
    done.close()
    done.join_thread()
    if how == "exits":
        os._exit(0)
    time.sleep(600)


def workers(how, count, launches):
    context = mp.get_context("spawn")
    done = context.Queue()
    started = [context.Process(target=worker, args=(how, launches, done))
               for _ in range(count)]
    for process in started:
        process.start()
    for _ in started:
        done.get()
    for process in started:
        if how == "killed":
            process.kill()
        process.join()


def rank(launches):
    work(launches)
    if os.environ["RANK"] == "0":
        sys.exit(3)
    time.sleep(600)


if __name__ == "__main__":
    if sys.argv[1] == "rank":
        rank(int(sys.argv[2]))
    else:
        workers(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
