"""torch_steps.py - ten steps of PyTorch, each in a range with five kernels

With "profile" the last steps are in torch.profiler, which takes CUPTI over.
"""

import json
import sys

import torch

STEPS, KERNELS = 10, 5


def steps():
    a = torch.ones(1 << 16, device="cuda")
    torch.cuda.synchronize()
    for step in range(STEPS):
        torch.cuda.nvtx.range_push(f"step {step}")
        for _ in range(KERNELS):
            a = torch.relu(a)
        torch.cuda.nvtx.range_pop()
    torch.cuda.synchronize()


steps()
if sys.argv[1:] == ["profile"]:
    with torch.profiler.profile():
        steps()
    steps()
print(json.dumps({"range": STEPS, "kernel": STEPS * KERNELS}))
