"""launches.py - a known number of kernels by a framework of Python

    launches.py triton|jax|cupy|numba|torch LAUNCHES

Prints how many kernels it launched, or, as JAX does not tell, how many calls
of its compiled function it made, and the time of day before and after, in ns:
what was launched to warm up is before.
"""

import json
import os
import sys
import time

SIZE = 4096


def triton_kernel():
    import torch
    import triton
    import triton.language as tl

    @triton.jit
    def triton_add(a, b, size, block: tl.constexpr):
        at = tl.program_id(0) * block + tl.arange(0, block)
        tl.store(b + at, tl.load(a + at, mask=at < size) + 1, mask=at < size)

    a = torch.zeros(SIZE, device="cuda")
    b = torch.zeros(SIZE, device="cuda")
    return (lambda: triton_add[(SIZE // 1024,)](a, b, SIZE, block=1024),
            torch.cuda.synchronize)


def torch_kernel():
    import torch

    a = torch.zeros(SIZE, device="cuda")
    return lambda: a.add_(1), torch.cuda.synchronize


def cupy_kernel():
    import cupy

    add = cupy.RawKernel(
        'extern "C" __global__ void cupy_add(float *a)'
        "{ a[blockIdx.x * blockDim.x + threadIdx.x] += 1; }", "cupy_add")
    a = cupy.zeros(SIZE, dtype=cupy.float32)
    return (lambda: add((SIZE // 256,), (256,), (a,)),
            cupy.cuda.Device().synchronize)


def numba_kernel():
    import numpy
    from numba import cuda

    @cuda.jit
    def numba_add(a):
        at = cuda.grid(1)
        if at < a.size:
            a[at] += 1

    a = cuda.to_device(numpy.zeros(SIZE, dtype=numpy.float32))
    return lambda: numba_add[SIZE // 256, 256](a), cuda.synchronize


def jax_calls():
    import jax
    import jax.numpy as jnp

    f = jax.jit(lambda x: jnp.tanh(x @ x) + 1)
    last = [jnp.ones((256, 256))]

    def call():
        last[0] = f(last[0])

    return call, lambda: last[0].block_until_ready()


def main():
    launches = int(sys.argv[2])
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    make = {"triton": triton_kernel, "torch": torch_kernel,
            "cupy": cupy_kernel, "numba": numba_kernel, "jax": jax_calls}
    launch, wait = make[sys.argv[1]]()
    for _ in range(3):
        launch()
    wait()
    time.sleep(0.1)
    begin = time.time_ns()
    for _ in range(launches):
        launch()
    wait()
    time.sleep(0.1)
    print(json.dumps({"kernel": launches, "begin": begin,
                      "end": time.time_ns()}))


main()
