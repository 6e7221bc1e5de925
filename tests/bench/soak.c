/*
 * soak - a stream of as many records as are asked for, made on the fly: steps
 * with ranges, calls, and the operations that they launch
 */

#include <err.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define PID "\"pid\":4711,\"tid\":4711"
#define DEVICE "\"device\":0,\"context\":1,\"stream\":7"

enum {
	CALLS = 16, /* of a step, each with a kernel */
	NAMES = 64,
	LAG = 4,     /* calls between a call and its kernel */
	GAP = 10000, /* ns from call to call */
	RECORDS = 2 * CALLS + 2
};

/* The durations differ, but are the same in every run. */
static int64_t
mix(int64_t n, int64_t most)
{
	uint64_t x = (uint64_t)n * 0x9e3779b97f4a7c15;

	return (int64_t)((x ^ x >> 29) % (uint64_t)most) + 1;
}

static void
call(int64_t n)
{
	printf("{\"kind\":\"api\",\"ts\":%" PRId64 ",\"dur\":%" PRId64 "," PID
	       ",\"corr\":%" PRId64 ",\"name\":\"cudaLaunchKernel\","
	       "\"api\":\"cuda-runtime\",\"ret\":0,\"gpu\":1}\n",
	    n * GAP, mix(n, 5000), n);
}

static void
kernel(int64_t n)
{
	printf("{\"kind\":\"kernel\",\"ts\":%" PRId64 ",\"dur\":%" PRId64
	       ",\"pid\":4711,\"corr\":%" PRId64 ",\"name\":\"kernel_%d\","
	       "\"sym\":%d," DEVICE ",\"grid\":[%d,1,1],"
	       "\"block\":[256,1,1],\"regs\":32}\n",
	    (n + LAG) * GAP + 1, mix(n, 9000), n, (int)(n % NAMES),
	    (int)(n % NAMES), (int)(n % 1000) + 1);
}

/* a step, in which all that it launched also ran */
static void
step(int64_t n)
{
	int64_t first = n * (CALLS + LAG + 1);

	printf("{\"kind\":\"range\",\"ts\":%" PRId64 ",\"dur\":%d," PID
	       ",\"name\":\"step\",\"id\":%" PRId64 ",\"mode\":\"push\"}\n",
	    first * GAP, (CALLS + LAG) * GAP + GAP / 2, 2 * n + 1);
	printf("{\"kind\":\"range\",\"ts\":%" PRId64 ",\"dur\":%d," PID
	       ",\"name\":\"forward\",\"id\":%" PRId64 ",\"mode\":\"push\"}\n",
	    first * GAP, CALLS * GAP, 2 * n + 2);
	for (int64_t i = 0; i < CALLS + LAG; i++) {
		if (i < CALLS)
			call(first + i);
		if (i >= LAG)
			kernel(first + i - LAG);
	}
}

int
main(int argc, char *argv[])
{
	static char buffer[1 << 18];
	int64_t count, steps;

	if (argc != 2 || (count = strtoll(argv[1], NULL, 10)) <= 0) {
		fputs("usage: soak records\n", stderr);
		return 2;
	}
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	steps = (count + RECORDS - 1) / RECORDS;
	puts("{\"kind\":\"trace\",\"version\":1,\"source\":\"soak\"}");
	for (int64_t i = 0; i < steps && !ferror(stdout); i++)
		step(i);
	printf("{\"kind\":\"end\",\"events\":%" PRId64 ",\"dropped\":0}\n",
	    steps * RECORDS);
	if (fflush(stdout) != 0)
		err(1, "stdout");
	return 0;
}
