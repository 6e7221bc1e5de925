"""torch_model.py - training steps of a small transformer

    torch_model.py STEPS [profile | graph | compile]

Prints the time of a step, and the time of day before and after the steps, in
ns.  With "profile" the steps are in torch.profiler, and it is printed how many
kernels it saw, and how long they took together.  With "graph" the steps are one
graph of CUDA, launched often; with "compile" the model is compiled.
"""

import json
import os
import sys
import tempfile
import time

import torch
from torch import nn

WARM = 5


def training():
    torch.manual_seed(1)
    layer = nn.TransformerEncoderLayer(256, 4, 512, dropout=0.0,
                                       batch_first=True)
    model = nn.TransformerEncoder(layer, 4, enable_nested_tensor=False).cuda()
    if "compile" in sys.argv:
        model = torch.compile(model)
    sgd = torch.optim.SGD(model.parameters(), lr=1e-3)
    batch = torch.randn(16, 64, 256, device="cuda")

    def step():
        loss = model(batch).square().mean()
        loss.backward()
        sgd.step()
        sgd.zero_grad(set_to_none=False)

    return step


def as_graph(step):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(WARM):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def timed(step, steps):
    torch.cuda.synchronize()
    time.sleep(0.1)
    begin = time.time_ns()
    start = time.perf_counter_ns()
    for _ in range(steps):
        step()
    torch.cuda.synchronize()
    spent = time.perf_counter_ns() - start
    time.sleep(0.1)
    return {"steps": steps, "step_ns": spent // steps, "begin": begin,
            "end": time.time_ns()}


def profiled(step, steps):
    with torch.profiler.profile() as profile:
        said = timed(step, steps)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        profile.export_chrome_trace(path)
        with open(path) as file:
            events = json.load(file)["traceEvents"]
    for cat in "kernel", "gpu_memcpy", "gpu_memset":
        seen = [e["dur"] for e in events if e.get("cat") == cat]
        said[cat.removeprefix("gpu_")] = len(seen)
        said[cat.removeprefix("gpu_") + "_ns"] = round(sum(seen) * 1000)
    return said


def main():
    steps = int(sys.argv[1])
    if "profile" in sys.argv:  # CUPTI sees the graph being made
        with torch.profiler.profile():
            torch.ones(1, device="cuda").sum()
    step = training()
    if "graph" in sys.argv:
        step = as_graph(step)
    for _ in range(WARM):
        step()
    run = profiled if "profile" in sys.argv else timed
    print(json.dumps(run(step, steps)))


if __name__ == "__main__":
    main()
