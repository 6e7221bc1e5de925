# Calls of CUDA, and the stack that Python itself says each of them has.
#
#	cuda_stacks.py FILE [THREADS [STEPS]]
#
# A line of FILE for each call, in the order of a thread: its name and frames,
# the innermost first, as JSON.
import ctypes
import json
import sys
import threading

cudart = ctypes.CDLL("libcudart.so.13")
cuda = ctypes.CDLL("libcuda.so.1")
lines = []
lock = threading.Lock()


def stack():
    frame, frames = sys._getframe(2), []
    while frame is not None:
        code = frame.f_code
        name = getattr(code, "co_qualname", code.co_name)
        file = code.co_filename.rsplit("/", 1)[-1]
        frames.append((name, file, frame.f_lineno))
        frame = frame.f_back
    return frames


def call(library, name, *arguments):
    expected = stack()
    expected.insert(0, ("call", "cuda_stacks.py", 0))
    result = getattr(library, name)(*arguments)
    if result != 0:
        sys.exit("%s: %d" % (name, result))
    with lock:
        lines.append((name, expected))


def size(n):
    return ctypes.c_size_t(n)


def generator(n):
    for i in range(n):
        call(cudart, "cudaDeviceSynchronize")
        yield i


def deep(n):
    if n > 0:
        deep(n - 1)
    else:
        call(cudart, "cudaDeviceSynchronize")


def step(memory):
    call(cudart, "cudaMemcpy", memory, b"x" * 64, size(64), 1)
    call(cudart, "cudaMemset", memory, 0, size(64))
    list(map(lambda _: call(cudart, "cudaDeviceSynchronize"), range(2)))
    for _ in generator(2):
        pass
    deep(20)
    call(cuda, "cuCtxSynchronize")


def work(steps):
    memory = ctypes.c_void_p()
    call(cudart, "cudaMalloc", ctypes.byref(memory), size(64))
    for _ in range(steps):
        step(memory)
    call(cudart, "cudaFree", memory)


if __name__ == "__main__":
    numbers = [int(a) for a in sys.argv[2:]] + [1, 3][len(sys.argv) - 2:]
    threads = [threading.Thread(target=work, args=(numbers[1],))
               for _ in range(numbers[0] - 1)]
    for t in threads:
        t.start()
    work(numbers[1])
    for t in threads:
        t.join()
    with open(sys.argv[1], "w") as f:
        for name, frames in lines:
            f.write("%s %s\n" % (name, json.dumps(
                ["%s (%s:%d)" % frame for frame in frames])))
