/*
 * io_counters.c - bytes that processes read and write, and time lost to that
 *
 * rchar and wchar of /proc/PID/io count the bytes of calls, read_bytes and
 * write_bytes the bytes that went to storage, page faults of mapped files
 * included.
 */
#include <stdlib.h>
#include <string.h>

#include "poll.h"
#include "tq/base/mem.h"

static const struct io_row {
	const char *name, *word;
} rows[] = {
    {"read calls", "rchar: "},
    {"write calls", "wchar: "},
    {"storage read", "\nread_bytes: "},
    {"storage write", "\nwrite_bytes: "},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

struct io_counters {
	uint32_t info[ROWS], pressure;
	bool has_pressure;
};

static const double US_TO_PERCENT = 100.0 / 1e6;

static void *
io_open(struct poll *p)
{
	struct io_counters *c = mem_alloc(sizeof(*c));

	for (int i = 0; i < ROWS; i++)
		c->info[i] = poll_define(p, rows[i].name, "bytes/s", NO_ID);
	c->has_pressure = poll_read(p, "/proc/pressure/io");
	if (c->has_pressure)
		c->pressure = poll_define(p, "I/O pressure", "%", NO_ID);
	return c;
}

static void
io_read(void *state, struct poll *p)
{
	struct io_counters *c = state;

	for (size_t k = 0; k < p->pid_count; k++) {
		if (!poll_read(p, "/proc/%d/io", p->pids[k]))
			continue;
		for (int i = 0; i < ROWS; i++)
			poll_rate(p, c->info[i], p->pids[k],
			    poll_number(p, rows[i].word), 1);
	}
	/* the first line is "some avg10=... total=US" */
	if (c->has_pressure && poll_read(p, "/proc/pressure/io"))
		poll_rate(
		    p, c->pressure, 0, poll_number(p, "total="), US_TO_PERCENT);
}

static void
io_close(void *state)
{
	free(state);
}

const struct poll_set io_counters = {io_open, io_read, io_close};
