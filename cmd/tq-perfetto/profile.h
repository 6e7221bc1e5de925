/*
 * profile.h - samples in Perfetto's own profile of processors: its table
 * perf_sample, from which it draws flame graphs and makes profiles of pprof.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include "packets.h"
#include "perfetto_args.h"
#include "tq/names.h"

enum { PROFILE_PERIODS = 100 }; /* a sample counts so often at most */

struct profile {
	struct packets *packets;
	const struct names *names;
	struct perfetto_args *args; /* which has the stacks */
	struct map threads;         /* (pid, tid) -> 1: described */
};

/*
 * Write the sample of a thread that runs, between two packets: once for each
 * period that it stands for.  Without a stack that is defined there is nothing
 * to write.
 */
void profile_sample(struct profile *p, const struct event *ev, int64_t ts);

void profile_free(struct profile *p);

#endif
