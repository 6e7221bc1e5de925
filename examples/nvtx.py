#!/usr/bin/env python3
"""NVTX from Python, with nothing but ctypes.

    tq-capture python3 nvtx.py | tq-correlate | tq-chrome -o nvtx.json

Ranges as a context manager and a decorator, in several processes: each worker
of the pool is one, and all are in the stream.

What is called is the library of NVTX that comes with CUDA
(libnvtx3interop.so, before CUDA 13 libnvToolsExt.so).  Where there is none,
the part of it that is needed here stands below: it loads the tool that
NVTX_INJECTION64_PATH names, which sets the functions.  Without a tool nothing
is called, and nothing is recorded.  NVTX_EXAMPLE_LOADER=1 in the environment
takes that part in any case.

    nvtx.py [items [processes]]
"""

import ctypes
import functools
import glob
import multiprocessing
import os
import sys
import time

PLACES = ("", "/usr/local/cuda/lib64/", os.path.join(
    sys.prefix, "lib", "python*", "site-packages", "nvidia", "*", "lib", ""))
NAMES = ("libnvtx3interop.so", "libnvtx3interop.so.1", "libnvToolsExt.so.1")


def library():
    """The functions of NVTX's own library, or None."""
    for place in PLACES:
        for name in NAMES:
            for path in glob.glob(place + name) if place else [name]:
                try:
                    return ctypes.CDLL(path)
                except OSError:
                    pass
    return None


class Loader:
    """The functions nvtxMarkA, nvtxRangePushA and nvtxRangePop, set by the
    tool.  A tool asks for a table of addresses, one for each function of a
    module by its number, and writes its own functions there."""

    CORE, SIZE = 1, 16  # the module with these functions, and how many
    MARK, PUSH, POP = 2, 9, 11

    FIND = ctypes.CFUNCTYPE(
        ctypes.c_int, ctypes.c_int, ctypes.POINTER(ctypes.c_void_p),
        ctypes.POINTER(ctypes.c_uint))
    EXPORT = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_uint32)

    class Callbacks(ctypes.Structure):
        pass

    Callbacks._fields_ = [("size", ctypes.c_size_t), ("find", FIND)]

    def __init__(self, tool):
        self.functions = (ctypes.c_void_p * self.SIZE)()
        start = ctypes.addressof(self.functions)
        self.table = (ctypes.c_void_p * self.SIZE)(
            None, *range(start + 8, start + 8 * self.SIZE, 8))
        self.callbacks = self.Callbacks(
            ctypes.sizeof(self.Callbacks), self.FIND(self.find))
        self.export = self.EXPORT(self.exported)
        self.nvtxMarkA = self.nvtxRangePushA = lambda text: -2
        self.nvtxRangePop = lambda: -2
        try:
            self.tool = ctypes.CDLL(tool)
        except OSError:
            return
        if self.tool.InitializeInjectionNvtx2(self.export):
            self.bind()

    def find(self, module, table, size):
        if module != self.CORE:
            return 0
        table[0] = ctypes.addressof(self.table)
        size[0] = self.SIZE
        return 1

    def exported(self, number):
        return ctypes.addressof(self.callbacks) if number == 1 else None

    def bind(self):
        text = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p)
        if self.functions[self.MARK]:
            self.nvtxMarkA = text(self.functions[self.MARK])
        if self.functions[self.PUSH]:
            self.nvtxRangePushA = text(self.functions[self.PUSH])
        if self.functions[self.POP]:
            self.nvtxRangePop = ctypes.CFUNCTYPE(ctypes.c_int)(
                self.functions[self.POP])


def find():
    nvtx = None if os.environ.get("NVTX_EXAMPLE_LOADER") else library()
    return nvtx or Loader(os.environ.get("NVTX_INJECTION64_PATH", "-"))


NVTX = find()


class Range:
    """with Range("name"): ..., or @Range("name") before a function"""

    def __init__(self, name):
        self.name = name.encode()

    def __enter__(self):
        NVTX.nvtxRangePushA(self.name)

    def __exit__(self, *exception):
        NVTX.nvtxRangePop()

    def __call__(self, function):
        @functools.wraps(function)
        def wrapped(*args, **kwargs):
            with self:
                return function(*args, **kwargs)
        return wrapped


@Range("work")
def work(item):
    with Range(f"item {item}"):
        time.sleep(0.001)
    return item * item


def main():
    items = int(sys.argv[1]) if len(sys.argv) > 1 else 8
    processes = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    with Range("all"):
        with multiprocessing.get_context("fork").Pool(processes) as pool:
            total = sum(pool.map(work, range(items)))
            pool.close()
            pool.join()
        NVTX.nvtxMarkA(f"sum {total}".encode())


if __name__ == "__main__":
    main()
