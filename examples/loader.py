#!/usr/bin/env python3
"""A training loop that starves on reading files, and how tq shows that.

    tq-capture -t nvtx,osrt --osrt-file-access true \\
        --python-backtrace osrt -o loader.tq python3 loader.py
    tq-stats loader.tq
    tq-advise loader.tq
    tq-stats -r nvtx_sum,io_sum,osrt_lines loader.tq

Each step loads a batch and computes.  The loader reads its shard from a store
that is slow, a pipe in the file system that a child fills with pauses; so each
step waits in read(2).  NVTX is that of nvtx.py, beside this file; no CUDA and
no framework are needed.

    loader.py [steps]
"""

import os
import sys
import tempfile
import time

from nvtx import Range

BLOCK, BLOCKS, PAUSE = 65536, 4, 0.005


def store(path, steps):
    """Write the batches of all steps, slowly."""
    with open(path, "wb", buffering=0) as shard:
        for _ in range(steps * BLOCKS):
            time.sleep(PAUSE)
            shard.write(bytes(BLOCK))


class Loader:
    def __init__(self, path):
        self.shard = os.open(path, os.O_RDONLY)

    def read_block(self):
        block = b""
        while len(block) < BLOCK:
            block += os.read(self.shard, BLOCK - len(block))
        return block

    def batch(self):
        with Range("load batch"):
            return [self.read_block() for _ in range(BLOCKS)]


def compute(batch):
    with Range("compute"):
        return sum(block[0] for block in batch) + sum(range(100000))


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shard-0.bin")
        os.mkfifo(path)
        child = os.fork()
        if child == 0:
            store(path, steps)
            os._exit(0)
        loader = Loader(path)
        for step in range(steps):
            with Range(f"step {step}"):
                compute(loader.batch())
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
