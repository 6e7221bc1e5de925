"""signals.py - what signals do to a program, alone or under a command

    signals.py receive LOG QUIT        write the name of each signal to LOG until
                                       the file QUIT is there
    signals.py table [COMMAND ...]     run programs under COMMAND, send them
                                       signals in all ways, and print what came
"""

import os
import pty
import resource
import signal
import subprocess
import sys
import time

ALL = [s for s in signal.valid_signals()
       if s not in (signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD)]
# whose default is to do nothing, or which stop or continue
HARMLESS = ["SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH",
            "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGKILL", "SIGSTOP"]
KEYS = {"^C": b"\x03", "^\\": b"\x1c", "^Z": b"\x1a"}
LIMIT = 30


def name(s):
    try:
        return signal.Signals(s).name
    except ValueError:
        return "SIGRTMIN+%d" % (s - signal.SIGRTMIN)


def receive(log, quit_file):
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    os.write(out, b"ready\n")
    while not os.path.exists(quit_file):
        info = signal.sigtimedwait(signal.valid_signals(), 0.01)
        if info is not None and info.si_signo != signal.SIGCHLD:
            os.write(out, (name(info.si_signo) + "\n").encode())


def size(path):
    return os.path.getsize(path) if os.path.exists(path) else 0


def wait_for(test, limit=LIMIT):
    end = time.monotonic() + limit
    while not test() and time.monotonic() < end:
        time.sleep(0.002)
    return test()


class Receiver:
    """A program that receives, with or without a terminal."""

    def __init__(self, command, terminal, before=None):
        self.log = "log"
        for f in ("log", "quit"):
            if os.path.exists(f):
                os.unlink(f)
        argv = command + [sys.executable, __file__, "receive", "log", "quit"]
        self.terminal = None
        if terminal:
            self.pid, self.terminal = pty.fork()
            if self.pid == 0:
                os.execvp(argv[0], argv)
        else:
            self.pid = subprocess.Popen(argv, start_new_session=True,
                                        preexec_fn=before).pid
        wait_for(lambda: size("log") > 0)

    def send(self, what):
        before = size("log")
        what()
        wait_for(lambda: size("log") > before, 1)
        time.sleep(0.02)

    def end(self):
        time.sleep(0.1)
        open("quit", "w").close()
        os.waitpid(self.pid, 0)
        if self.terminal is not None:
            os.close(self.terminal)
        with open("log") as f:
            return " ".join(f.read().split()[1:])


def received(command):
    for way, send in ("process", os.kill), ("group", os.killpg):
        r = Receiver(command, False)
        for s in ALL:
            r.send(lambda: send(r.pid, s))
        print("to the", way, r.end())
    r = Receiver(command, True)
    for key in KEYS:
        r.send(lambda: os.write(r.terminal, KEYS[key]))
    print("keys", r.end())
    r = Receiver(command, True)

    def hang_up():
        os.close(r.terminal)
        r.terminal = None
    r.send(hang_up)
    wait_for(lambda: size("log") >= len("ready\nSIGHUP\nSIGCONT\n"), 1)
    print("hang-up", r.end())
    r = Receiver(command, False, lambda: signal.setitimer(
        signal.ITIMER_REAL, 0.5))
    wait_for(lambda: size("log") > len("ready\n"), 3)
    print("a timer from before", r.end())


def status(code):
    return 128 - code if code < 0 else code


def sleeping(command):
    """a program that handles no signal, in a group of its own"""
    r, w = os.pipe()
    os.set_inheritable(w, True)
    p = subprocess.Popen(
        command + ["sh", "-c", "echo >&%d; exec sleep %d" % (w, LIMIT)],
        preexec_fn=lambda: os.setpgid(0, 0), close_fds=False)
    os.read(r, 1)
    os.close(r)
    os.close(w)
    return p


def defaults(command):
    for way, send in ("process", os.kill), ("group", os.killpg):
        for s in ALL:
            if name(s) in HARMLESS or s >= signal.SIGRTMIN + 1:
                continue
            p = sleeping(command)
            send(p.pid, s)
            print("to the", way, name(s), status(p.wait()))
        for s in signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU:
            p = sleeping(command)
            send(p.pid, s)
            stopped = os.waitpid(p.pid, os.WUNTRACED)[1]
            print("to the", way, name(s), "stops",
                  os.WIFSTOPPED(stopped) and name(os.WSTOPSIG(stopped)))
            send(p.pid, signal.SIGCONT)
            send(p.pid, signal.SIGTERM)
            print("and then", status(p.wait()))


def table(*command):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    received(list(command))
    defaults(list(command))


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
