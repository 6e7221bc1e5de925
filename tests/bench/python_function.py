"""What a call of a function of Python costs: prints "function NS", the least of
many bursts.  The function is that of the module of this name."""

import time

BURSTS, BURST = 300, 1000


def function():
    pass


def burst(call):
    start = time.perf_counter_ns()
    for _ in range(BURST):
        call()
    return (time.perf_counter_ns() - start) / BURST


if __name__ == "__main__":
    import python_function
    print("function %.1f" % min(
        burst(python_function.function) for _ in range(BURSTS)))
