"""Compute for ever, 20 frames deep, each of another function."""

FRAMES = 20


def compute():
    total = 0
    while True:
        total = total * 7 % 1000 + 1


# this frame and that of compute() are frames, too
call = compute
for i in range(FRAMES - 2):
    names = {"callee": call}
    exec("def caller%d(): callee()" % i, names)
    call = names["caller%d" % i]
call()
