"""torch_launch.py - what a launch by PyTorch takes, in ns

    torch_launch.py LAUNCHES
"""

import json
import sys
import time

import torch

EACH = 500


def main():
    launches = int(sys.argv[1])
    a = torch.ones(1, device="cuda")
    a.add_(1)
    torch.cuda.synchronize()
    spent = 0
    for _ in range(launches // EACH):
        start = time.perf_counter_ns()
        for _ in range(EACH):
            a.add_(1)
        spent += time.perf_counter_ns() - start
        torch.cuda.synchronize()
    print(json.dumps({"kernel": launches // EACH * EACH + 2,
                      "launch_ns": spent // (launches // EACH * EACH)}))


main()
