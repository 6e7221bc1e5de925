"""stranger.py - another user, who knows the names of sockets

    stranger.py order WORD PREFIX    send an order to each socket of that name
    stranger.py answer PREFIX        listen under names like those that begin so
                                     once they are free, print "ready", and
                                     answer every order with "evil" until stdin
                                     ends

Both are user 65534 (nobody) from their first step on.
"""

import os
import re
import select
import socket
import sys

os.setgroups([])
os.setresgid(65534, 65534, 65534)
os.setresuid(65534, 65534, 65534)


def names(prefix):
    with open("/proc/net/unix", errors="surrogateescape") as f:
        return sorted({line[line.index("@" + prefix) + 1:].rstrip("\n")
                       for line in f if "@" + prefix in line})


def order(word, prefix):
    for name in names(prefix):
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        s.connect("\0" + name)
        try:
            s.send(word.encode())
            print(s.recv(512).decode())
        except OSError:
            pass


def answer(prefix):
    mine = [re.sub("-[0-9a-f]{16}$", "-" + "0" * 16, name)
            for name in names(prefix)]
    print("known", flush=True)
    sys.stdin.readline()
    listeners = []
    for name in mine:
        s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        s.bind("\0" + name)
        s.listen(9)
        listeners.append(s)
    print("ready", flush=True)
    while True:
        ready = select.select(listeners + [sys.stdin], [], [])[0]
        for s in ready:
            if s is sys.stdin:
                return
            c = s.accept()[0]
            try:
                c.recv(512)
                c.send(b"evil\n")
            except OSError:
                pass


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
