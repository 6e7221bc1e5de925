# Works and sleeps for as many seconds as its argument: what threads of it do
# is known.
import sys
import threading
import time


def leaf(n):
    total = 0
    for i in range(n):
        total += i
    return total


def deep(k):
    return leaf(2000) if k == 0 else deep(k - 1)


def generate():
    while True:
        yield deep(5)


def work(seconds):
    values = generate()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        next(values)


def sleeper(seconds):
    time.sleep(seconds)


seconds = float(sys.argv[1])
thread = threading.Thread(target=sleeper, args=(seconds,))
thread.start()
work(seconds)
thread.join()
