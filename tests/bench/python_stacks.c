/*
 * python_stacks - the stack of the first thread of a process that runs Python,
 * read as tq-capture --python-sampling reads it: prints the ns of the processor
 * that each of the stacks took, and how many frames they have
 */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "python/remote_stack.h"

enum { TIMES = 20000 };

static int64_t
processor_time(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int
main(int argc, char *argv[])
{
	pid_t pid = argc == 2 ? (pid_t)strtol(argv[1], NULL, 10) : 0;
	int64_t from, frames = 0, stacks = 0;
	struct remote_python python;
	struct remote_thread thread;
	struct remote_stack s;
	struct intern names = {0};

	if (pid <= 0)
		errx(2, "usage: python_stacks PID");
	if (remote_python_find(&python, pid) != REMOTE_FOUND)
		errx(1, "process %d runs no Python that is known", (int)pid);
	remote_stack_open(&s, &python, &names);
	if (remote_stack_threads(&s, &thread, 1) < 1)
		errx(1, "process %d is gone", (int)pid);
	from = processor_time();
	for (int i = 0; i < TIMES; i++)
		if (remote_stack_take(&s, &thread) == REMOTE_WHOLE) {
			frames += (int64_t)s.count;
			stacks++;
		}
	if (stacks == 0)
		errx(1, "process %d: no stack could be read", (int)pid);
	printf("%" PRId64 " %" PRId64 "\n", (processor_time() - from) / TIMES,
	    frames / stacks);
	remote_stack_close(&s);
	intern_free(&names);
	return 0;
}
