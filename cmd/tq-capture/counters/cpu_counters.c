/*
 * cpu_counters.c - processor time of processes
 *
 * /proc/PID/task/TID/schedstat, "RUN WAIT SLICES", is in ns; /proc/PID/stat is
 * in ticks of 10 ms.  Of a thread that ended, the time since the round before
 * is not seen.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "poll.h"
#include "tq/base/mem.h"

struct thread_time {
	int64_t run, wait; /* ns */
};

struct process_time {
	int64_t run, wait; /* ns, of all threads since the first round */
};

struct cpu_counters {
	uint32_t usage, wait, faults, throttled;
	char cgroup[256]; /* of the command; empty: none is seen */
	KEYED(struct thread_time) threads;    /* (pid, tid) */
	KEYED(struct process_time) processes; /* (pid, 0) */
};

static const double NS_TO_PERCENT = 100.0 / 1e9, US_TO_PERCENT = 100.0 / 1e6;

/* version 2 of cgroups: the line "0::/path" */
static void
find_cgroup(struct cpu_counters *c, struct poll *p)
{
	char *line;

	if (!poll_read(p, "/proc/self/cgroup") ||
	    (line = strstr(p->file, "0::")) == NULL)
		return;
	line[strcspn(line, "\n")] = '\0';
	snprintf(c->cgroup, sizeof(c->cgroup), "/sys/fs/cgroup%s", line + 3);
	if (!poll_read(p, "%s/cpu.stat", c->cgroup) ||
	    poll_number(p, "throttled_usec ") == NO_ID)
		c->cgroup[0] = '\0';
}

static void *
cpu_open(struct poll *p)
{
	struct cpu_counters *c = mem_alloc(sizeof(*c));

	c->usage = poll_define(p, "CPU usage", "%", NO_ID);
	c->wait = poll_define(p, "CPU wait", "%", NO_ID);
	c->faults = poll_define(p, "major page faults", "/s", NO_ID);
	find_cgroup(c, p);
	if (c->cgroup[0] != '\0')
		c->throttled = poll_define(p, "CPU throttled", "%", NO_ID);
	return c;
}

/* time that threads of a process ran and waited since the round before */
static void
add_threads(struct cpu_counters *c, struct poll *p, int pid, int64_t *run,
    int64_t *wait)
{
	char path[64];
	struct dirent *e;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	if ((tasks = opendir(path)) == NULL)
		return;
	while ((e = readdir(tasks)) != NULL) {
		struct thread_time now, *t;
		char *at;
		bool fresh;

		if (e->d_name[0] == '.' ||
		    !poll_read(p, "/proc/%d/task/%s/schedstat", pid, e->d_name))
			continue;
		now.run = strtoll(p->file, &at, 10);
		now.wait = strtoll(at, NULL, 10);
		t = keyed_get(&c->threads, (uint64_t)pid,
		    (uint64_t)strtoll(e->d_name, NULL, 10), &fresh);
		/* a number that was given again to a new thread */
		if (fresh || now.run < t->run || now.wait < t->wait)
			*t = (struct thread_time){0};
		*run += now.run - t->run;
		*wait += now.wait - t->wait;
		*t = now;
	}
	closedir(tasks);
}

/* field n of /proc/PID/stat, behind the name in brackets, which is the second
 */
static int64_t
stat_field(const struct poll *p, int n)
{
	const char *at = strrchr(p->file, ')');

	for (int i = 2; at != NULL && i < n; i++)
		if ((at = strchr(at, ' ')) != NULL)
			at++;
	return at != NULL ? strtoll(at, NULL, 10) : NO_ID;
}

static void
read_process(struct cpu_counters *c, struct poll *p, int pid)
{
	enum { MAJOR_FAULTS = 12 };
	struct process_time *t;
	int64_t run = 0, wait = 0;
	bool fresh;

	add_threads(c, p, pid, &run, &wait);
	t = keyed_get(&c->processes, (uint64_t)pid, 0, &fresh);
	if (fresh)
		*t = (struct process_time){0};
	t->run += run;
	t->wait += wait;
	poll_rate(p, c->usage, pid, t->run, NS_TO_PERCENT);
	poll_rate(p, c->wait, pid, t->wait, NS_TO_PERCENT);
	if (poll_read(p, "/proc/%d/stat", pid))
		poll_rate(p, c->faults, pid, stat_field(p, MAJOR_FAULTS), 1);
}

static void
cpu_read(void *state, struct poll *p)
{
	struct cpu_counters *c = state;

	for (size_t i = 0; i < p->pid_count; i++)
		read_process(c, p, p->pids[i]);
	if (c->cgroup[0] != '\0' && poll_read(p, "%s/cpu.stat", c->cgroup))
		poll_rate(p, c->throttled, 0, poll_number(p, "throttled_usec "),
		    US_TO_PERCENT);
}

static void
cpu_close(void *state)
{
	struct cpu_counters *c = state;

	keyed_free(&c->threads);
	keyed_free(&c->processes);
	free(c);
}

const struct poll_set cpu_counters = {cpu_open, cpu_read, cpu_close};
