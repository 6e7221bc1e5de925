/*
 * kineto - print a trace as PyTorch's profiler does, of a made-up training run
 *
 *	kineto [OPERATORS]
 *
 * Each operator calls the runtime once, which launches a kernel: five events
 * with the two ends of an arrow, in Kineto's spelling and with its arguments.
 * As Kineto does, it prints all operators first, in order of their end, and
 * then what they launched: no record stands where it comes in time.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "vocabulary.h"

enum { HOST = 2910249, THREAD = 2919752, STEP = 20000, COST = 12000 };

#define BASE INT64_C(4458676522690655) /* ns of the first operator */

/* a time as Kineto prints it: us with three decimals */
#define US "%" PRId64 ".%03d"
#define AS_US(ns) (int64_t)((ns) / 1000), (int)((ns) % 1000)

/* a number that looks random, and is the same for equal X */
static uint32_t
scramble(uint32_t x)
{
	x *= 2654435761u;
	x ^= x >> 15;
	x *= 2246822519u;
	return x ^ x >> 13;
}

static void
print_top(void)
{
	fputs("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [\n    {\n"
	      "      \"id\": 0, \"name\": \"NVIDIA A100\", "
	      "\"totalGlobalMem\": 42297524224,\n"
	      "      \"computeMajor\": 8, \"computeMinor\": 0, "
	      "\"numSms\": 108\n    }\n  ],\n"
	      "  \"traceEvents\": [\n",
	    stdout);
}

/* the begin of a complete event, and its arguments */
static void
begin(const char *category, const char *name, int pid, int tid, int64_t ts,
    int64_t dur)
{
	printf("  {\n    \"ph\": \"X\", \"cat\": \"%s\", \"name\": \"%s\", "
	       "\"pid\": %d, \"tid\": %d,\n"
	       "    \"ts\": " US ", \"dur\": " US ",\n    \"args\": {\n      ",
	    category, name, pid, tid, AS_US(ts), AS_US(dur));
}

static void
print_operator(int64_t i)
{
	uint32_t n = scramble((uint32_t)i);
	int rows = 1 << (n % 12);

	begin("cpu_op", vocabulary_ops[n % OPS], HOST, THREAD, BASE + i * STEP,
	    COST + n % 4096);
	printf("\"External id\": %" PRId64 ",\"Record function id\": %" PRId64
	       ", \"Concrete Inputs\": [\"\", \"%d\"], "
	       "\"Input type\": [\"float\", \"c10::BFloat16\"], "
	       "\"Input Dims\": [[%d, 4096], [4096, %d]], \"Ev Idx\": %" PRId64
	       "\n    }\n  },\n",
	    i + 1, i, rows, rows, rows, i);
}

/* both ends of an arrow, and what they are at */
static void
print_launch(int64_t i)
{
	static struct kernel_name names[KERNELS];
	uint32_t n = scramble((uint32_t)i);
	struct kernel_name *kernel = &names[n % KERNELS];
	int64_t call = BASE + i * STEP + 2000, start = call + 9000 + n % 50000;

	if (*kernel->demangled == '\0')
		vocabulary_kernel(kernel, n % KERNELS);
	begin("cuda_runtime", "cudaLaunchKernel", HOST, THREAD, call,
	    4000 + n % 4096);
	printf("\"External id\": %" PRId64
	       ", \"cbid\": 211, \"correlation\": %" PRId64 "\n    }\n  },\n",
	    i + 1, i + 1);
	printf("  {\n    \"ph\": \"s\", \"id\": %" PRId64 ", \"pid\": %d, "
	       "\"tid\": %d, \"ts\": " US ",\n"
	       "    \"cat\": \"ac2g\", \"name\": \"ac2g\"\n  },\n",
	    i + 1, HOST, THREAD, AS_US(call));
	begin("kernel", kernel->demangled, 0, 7, start, 1000 + n % 16384);
	printf("\"External id\": %" PRId64
	       ",      \"queued\": 0, \"device\": 0, \"context\": 1,      "
	       "\"stream\": 7, \"correlation\": %" PRId64
	       ",      \"registers per thread\": %u,      "
	       "\"shared memory\": %u,      \"blocks per SM\": 4.740741,      "
	       "\"warps per SM\": 75.851852,      \"grid\": [%u, 1, 1],      "
	       "\"block\": [512, 1, 1],      "
	       "\"est. achieved occupancy %%\": 75\n    }\n  },\n",
	    i + 1, i + 1, 16 + n % 64, n % 8 * 1024, 1 + n % 2048);
	printf("  {\n    \"ph\": \"f\", \"id\": %" PRId64 ", \"pid\": 0, "
	       "\"tid\": 7, \"ts\": " US ",\n    \"cat\": \"ac2g\", "
	       "\"name\": \"ac2g\", \"bp\": \"e\"\n  },\n",
	    i + 1, AS_US(start));
}

int
main(int argc, char *argv[])
{
	int64_t operators = argc > 1 ? strtoll(argv[1], NULL, 10) : 200000;

	print_top();
	for (int64_t i = 0; i < operators; i++)
		print_operator(i);
	for (int64_t i = 0; i < operators; i++)
		print_launch(i);
	fputs("  {\n    \"name\": \"process_name\", \"ph\": \"M\", \"ts\": 0, "
	      "\"pid\": 2910249, \"tid\": 0,\n    \"args\": {\n      "
	      "\"name\": \"python\"\n    }\n  }\n  ],\n"
	      "  \"traceName\": \"/tmp/trace.json\"\n}\n",
	    stdout);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		perror("kineto");
		return 1;
	}
	return 0;
}
