"""Sleeps and ranges in functions of all sorts.  Prints the Python stack of each
as tq-capture should have it: a line of JSON, "CALL [frames]"."""

import ctypes
import json
import os
import sys
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..",
                                "examples"))
os.environ["NVTX_EXAMPLE_LOADER"] = "1"
from nvtx import NVTX  # noqa: E402

OUT = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
SLEEP = 0.003
MOST = 127


def note(call="sleep"):
    frame, frames = sys._getframe(1), []
    while frame is not None:
        code = frame.f_code
        frames.append("%s (%s:%d)" % (
            getattr(code, "co_qualname", code.co_name),
            os.path.basename(code.co_filename), frame.f_lineno))
        frame = frame.f_back
    if len(frames) > MOST:
        frames = frames[:MOST] + ["[truncated]"]
    os.write(OUT, (call + " " + json.dumps(
        frames, ensure_ascii=False) + "\n").encode())


def recurse(n):
    if n > 0:
        return recurse(
            n - 1
        )
    return note(), time.sleep(SLEEP)


def generator():
    yield 1
    yield note(), time.sleep(SLEEP)


class Thing:
    def method(self):
        return [note() or time.sleep(SLEEP) for _ in generator()]

    def функция(self, then=lambda: (note(), time.sleep(SLEEP))):
        then()


def compare(a, b):
    note(), time.sleep(SLEEP)
    return 0


def call_back():
    sorted([3, 1], key=lambda x: (note(), time.sleep(SLEEP)))
    kind = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    array = (ctypes.c_int * 2)(2, 1)
    ctypes.CDLL(None).qsort(array, 2, 4, kind(compare))


def far():
    text = "\n" * 70000 + "def far():\n" + "\n" * 300 + \
        "    note(), time.sleep(SLEEP)\n"
    names = {"note": note, "time": time, "SLEEP": SLEEP}
    exec(compile(text, "far.py", "exec"), names)
    names["far"]()


def made_anew():
    for i in range(40):
        names = {"note": note, "time": time, "SLEEP": SLEEP}
        exec(compile("\n" * i + "def f%d():\n" % i +
                     "    note(), time.sleep(SLEEP)\n",
                     "made%d.py" % i, "exec"), names)
        names["f%d" % i]()
    # all of one name, that begin at line 1
    for i in range(40):
        exec(compile("\n" * i + "note(), time.sleep(SLEEP)\n", "mod.py",
                     "exec"), names)


def annotate():
    note("mark"), NVTX.nvtxMarkA(b"mark")
    note("range"), NVTX.nvtxRangePushA(b"range")
    NVTX.nvtxRangePop()


def main():
    for depth in (0, 5, 30, 200):
        recurse(depth)
    Thing().method()
    Thing().функция()
    call_back()
    far()
    made_anew()
    annotate()
    for n in (1, 2):
        thread = threading.Thread(target=recurse, args=(n,))
        thread.start()
        thread.join()
    child = os.fork()
    if child == 0:
        recurse(3)
        annotate()
        os._exit(0)
    os.waitpid(child, 0)
    recurse(4)


main()
