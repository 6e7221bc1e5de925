"""torch_nccl.py - collectives of NCCL by two processes on one GPU

    torch_nccl.py RANK FILE

Both share FILE, which is not there before.  NCCL refuses two ranks on a GPU of
one host, so each says that it is a host of its own, and they talk by sockets.
"""

import json
import os
import sys

import torch
import torch.distributed as dist

ROUNDS, SIZE = 5, 1 << 16

rank = int(sys.argv[1])
os.environ.update(NCCL_HOSTID=f"host-{rank}", NCCL_SOCKET_IFNAME="lo",
                  NCCL_IB_DISABLE="1")
dist.init_process_group("nccl", init_method="file://" + sys.argv[2],
                        rank=rank, world_size=2,
                        device_id=torch.device("cuda:0"))
ones = torch.ones(SIZE, device="cuda")
both = torch.empty(2 * SIZE, device="cuda")
for _ in range(ROUNDS):
    dist.all_reduce(ones)
    dist.broadcast(ones, 0)
    dist.all_gather_into_tensor(both, ones)
    if rank == 0:
        dist.send(ones, 1)
    else:
        dist.recv(ones, 0)
torch.cuda.synchronize()
# in one piece: both ranks write to one file
sys.stdout.write(json.dumps({"rank": rank, "rounds": ROUNDS,
                             "bytes": 4 * SIZE}) + "\n")
sys.stdout.flush()
dist.destroy_process_group()
