"""torch_steps.py - ten steps of PyTorch, each in a range with five kernels"""

import json

import torch

STEPS, KERNELS = 10, 5

a = torch.ones(1 << 16, device="cuda")
torch.cuda.synchronize()
for step in range(STEPS):
    torch.cuda.nvtx.range_push(f"step {step}")
    for _ in range(KERNELS):
        a = torch.relu(a)
    torch.cuda.nvtx.range_pop()
torch.cuda.synchronize()
print(json.dumps({"range": STEPS, "kernel": STEPS * KERNELS}))
