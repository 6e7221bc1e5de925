/* blocked_poll.c - where threads wait for long, without context switches */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "blocked_poll.h"
#include "blocked_sample.h"

enum {
	THREADS_MAX = 4096, /* of a process */
	FEW = 64,           /* threads, that are looked at in each round */
	SELDOM = 8          /* rounds, for more, whose wait is known */
};

static const int64_t NS_PER_MS = 1000000;
static const int64_t CODE_AGE = 1000000000; /* ns */

static const struct code_map *
code_of(struct blocked_poll *p, const struct blocked_sample *b)
{
	bool fresh;
	struct polled_process *of =
	    keyed_get(&p->processes, (uint32_t)b->pid, 0, &fresh);

	if (fresh)
		*of = (struct polled_process){.pid = b->pid};
	if (fresh || b->ts - of->read > CODE_AGE ||
	    code_map_find(&of->code, b->call.pc) == NULL) {
		code_map_free(&of->code);
		code_map_add_process(
		    &of->code, &p->stacks->names.modules, b->pid);
		of->read = b->ts;
	}
	return &of->code;
}

/* ---- threads ---- */

/* true if it has not run since the last time */
static bool
has_waited(struct polled_thread *t, bool fresh, int pid, int tid)
{
	uint64_t ran, slices;
	bool same;

	if (!thread_look_times(pid, tid, &ran, &slices))
		return false;
	same = !fresh && ran == t->ran && slices == t->slices;
	if (!same)
		*t = (struct polled_thread){.ran = ran, .slices = slices};
	return same;
}

/* its wait is known: of many threads it is not looked at in each round */
static bool
is_skipped(const struct blocked_poll *p, const struct polled_thread *t, int tid)
{
	return t->taken && p->threads.count > FEW &&
	       (p->round + (unsigned)tid) % SELDOM != 0;
}

static void
look_at(struct blocked_poll *p, int pid, int tid, struct out_stream *o)
{
	struct blocked_sample b = {.pid = pid, .tid = tid};
	struct polled_thread *t;
	bool fresh;

	t = keyed_get(&p->threads, (uint32_t)pid, (uint32_t)tid, &fresh);
	if (fresh)
		*t = (struct polled_thread){0};
	if (is_skipped(p, t, tid) || !has_waited(t, fresh, pid, tid) ||
	    t->taken || !blocked_sample_take(&b, p->to->clock))
		return;
	t->taken = true;
	if (o == NULL) {
		p->homeless++;
		return;
	}
	outputs_name_thread(p->to, o, pid, tid);
	blocked_sample_write(&b, p->stacks, o, code_of(p, &b), p->callers);
}

static void
look_at_all(struct blocked_poll *p, int pid, struct out_stream *o)
{
	char path[64];
	struct dirent *e;
	size_t count = 0;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	if ((tasks = opendir(path)) == NULL)
		return;
	while ((e = readdir(tasks)) != NULL && count < THREADS_MAX)
		if (e->d_name[0] != '.') {
			look_at(p, pid, (int)strtol(e->d_name, NULL, 10), o);
			count++;
		}
	closedir(tasks);
}

void
blocked_poll_look(struct blocked_poll *p, const struct process_tree *tree,
    struct captured_process *const *targets, size_t count)
{
	int64_t now = clock_now(p->to->clock);

	if (p->looked != 0 && now - p->looked < BLOCKED_POLL_MS * NS_PER_MS)
		return;
	p->looked = now;
	p->round++;
	for (size_t i = 0; i < tree->count; i++)
		look_at_all(p, tree->pids[i],
		    outputs_of_process(p->to, tree->pids[i], targets, count));
}

void
blocked_poll_free(struct blocked_poll *p)
{
	for (size_t i = 0; i < p->processes.count; i++)
		code_map_free(&p->processes.all[i].code);
	keyed_free(&p->processes);
	keyed_free(&p->threads);
}
