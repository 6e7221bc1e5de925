"""torch_train.py - training with PyTorch whose batches come late

    torch_train.py [STEPS [PAUSE_MS]]

A worker of the data loader reads the samples of each batch from a pipe in the
file system, which a child fills with pauses.  A step is a range; so are its
parts "batch", "forward", "backward" and "optimizer".
"""

import json
import os
import sys
import tempfile
import time

import torch
from torch.utils.data import DataLoader, Dataset

SIZE, BATCH = 256, 4


def store(path, samples, pause):
    with open(path, "wb", buffering=0) as shard:
        for _ in range(samples):
            time.sleep(pause)
            shard.write(bytes(SIZE))


class Samples(Dataset):
    def __init__(self, path, count):
        self.path, self.count, self.shard = path, count, None

    def __len__(self):
        return self.count

    def read_sample(self):
        return os.read(self.shard, SIZE)

    def __getitem__(self, index):
        if self.shard is None:
            self.shard = os.open(self.path, os.O_RDONLY)
        return torch.frombuffer(bytearray(self.read_sample()),
                                dtype=torch.uint8).float()


def loss_of(model, batch):
    return torch.relu(model(batch)).sum()


def train(loader):
    model = torch.nn.Linear(SIZE, SIZE).cuda()
    sgd = torch.optim.SGD(model.parameters(), lr=0.1)
    batches = iter(loader)
    push, pop = torch.cuda.nvtx.range_push, torch.cuda.nvtx.range_pop
    for step in range(len(loader)):
        push(f"step {step}")
        push("batch")
        batch = next(batches).cuda()
        pop()
        push("forward")
        loss = loss_of(model, batch)
        pop()
        push("backward")
        loss.backward()
        pop()
        push("optimizer")
        sgd.step()
        sgd.zero_grad()
        torch.cuda.synchronize()
        pop()
        pop()


def main():
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    pause = int(sys.argv[2]) / 1e3 if len(sys.argv) > 2 else 0.01
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "shard-0.bin")
        os.mkfifo(path)
        child = os.fork()
        if child == 0:
            store(path, steps * BATCH, pause)
            os._exit(0)
        train(DataLoader(Samples(path, steps * BATCH), BATCH, num_workers=1))
        os.waitpid(child, 0)
    print(json.dumps({"range": steps, "copies": steps}))


if __name__ == "__main__":
    main()
