/* threads.c - how many threads a tool may work with */

#include <sched.h>
#include <stdlib.h>

#include "tq/base/threads.h"

bool
threads_two(void)
{
	const char *given = getenv("TQ_THREADS");
	cpu_set_t set;

	if (given != NULL && *given != '\0')
		return strtol(given, NULL, 10) > 1;
	return sched_getaffinity(0, sizeof(set), &set) != 0 ||
	       CPU_COUNT(&set) > 1;
}
