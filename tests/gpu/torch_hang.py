"""torch_hang.py - PyTorch programs that hang

    torch_hang.py device|queue|lock

"device": the host waits for a kernel that takes a minute; "queue": for a worker
that puts nothing; "lock": three threads wait for a lock that a fourth one keeps.
"""

import multiprocessing
import sys
import threading
import time

import torch

LONG = 60  # seconds


def hang_in_device():
    torch.cuda._sleep(int(LONG * 2e9))
    torch.cuda.synchronize()


def never(queue):
    time.sleep(LONG)


def hang_in_queue():
    queue = multiprocessing.get_context("fork").Queue()
    torch.multiprocessing.get_context("fork").Process(
        target=never, args=(queue,), daemon=True).start()
    torch.ones(1).sum()
    queue.get()


def keep(lock):
    with lock:
        time.sleep(LONG)


def wait_for(lock):
    with lock:
        pass


def hang_in_lock():
    lock = threading.Lock()
    torch.ones(1, device="cuda").add_(1)
    torch.cuda.synchronize()
    threading.Thread(target=keep, args=(lock,), daemon=True).start()
    time.sleep(0.1)
    waiting = [threading.Thread(target=wait_for, args=(lock,), daemon=True)
               for _ in range(3)]
    for thread in waiting:
        thread.start()
    for thread in waiting:
        thread.join()


{"device": hang_in_device, "queue": hang_in_queue,
 "lock": hang_in_lock}[sys.argv[1]]()
