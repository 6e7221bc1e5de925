/* sampler.c - samples and context switches become lines */

#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/time.h"

#include "counters/process_tree.h"
#include "blocked_sample.h"
#include "launcher/sample_method.h"
#include "sampler.h"

enum { LOOKS = 8 }; /* at the threads of --attach, at most */

static const int64_t SECOND = 1000000000; /* ns */

/* ---- processes ---- */

static struct sampled_process *
process_of(struct sampler *s, uint32_t pid)
{
	bool fresh;
	struct sampled_process *p = keyed_get(&s->processes, pid, 0, &fresh);

	if (fresh)
		*p = (struct sampled_process){.pid = (int)pid};
	return p;
}

/*
 * processes that connected since the last call; an exec may have made another
 * program of one
 */
static void
find_targets(
    struct sampler *s, struct captured_process *const *targets, size_t count)
{
	for (; s->seen < count; s->seen++)
		process_of(s, (uint32_t)targets[s->seen]->lines.pid)->target =
		    targets[s->seen];
}

/* the output of a process; NULL: it has none */
static struct out_stream *
output_of(const struct sampler *s, const struct sampled_process *p)
{
	if (!s->to->options->split)
		return s->to->all[0];
	return p->target != NULL ? p->target->lines.out : NULL;
}

/* ---- records ---- */

/* pid and tid, behind the time */
static void
begin(struct sampler *s, struct out_stream *o, enum kind kind,
    const struct perf_record *r)
{
	out_stream_begin(o, kind, LINE_EVENT, 0, 0);
	emit_int(&o->line, KEY_ts, r->time - s->to->clock->origin);
	emit_int(&o->line, KEY_pid, r->pid);
	emit_int(&o->line, KEY_tid, r->tid);
	emit_int(&o->line, KEY_cpu, r->cpu);
}

static void
end(struct sampler *s, struct out_stream *o, const struct perf_record *r)
{
	out_stream_put(o, r->time - s->to->clock->origin, 0);
}

/* marks of the kernel between addresses are near the end of the numbers */
static void
take_chain(struct unwind_frames *f, const struct perf_sample *sample)
{
	uint64_t address;

	f->count = 0;
	f->end = UNWIND_WHOLE;
	for (size_t i = 0; i < sample->chain_count; i++) {
		memcpy(&address, sample->chain + 8 * i, 8);
		if (address >= PERF_CONTEXT_MAX)
			continue;
		if (f->count == UNWIND_FRAMES) {
			f->end = UNWIND_TRUNCATED;
			return;
		}
		/* behind the leaf it is the address to return to */
		f->pcs[f->count] = address - (f->count > 0);
		f->count++;
	}
}

/* the id of the stack of a sample; 0: it has none */
static int64_t
stack_of(struct sampler *s, struct out_stream *o,
    const struct sampled_process *p, const struct perf_sample *sample)
{
	struct stack_lines *to = s->stacks;
	struct unwind_input in = {.pc = sample->pc,
	    .sp = sample->sp,
	    .bp = sample->bp,
	    .stack = sample->stack};

	if (s->rings.wish.chains) {
		take_chain(&to->frames, sample);
	} else if (!sample->has_registers) {
		return 0;
	} else if (s->rings.wish.stack == 0) {
		unwind_leaf(&to->frames, sample->pc);
	} else {
		unwind_stack(&to->frames, &p->code, &in);
	}
	s->whole += to->frames.end == UNWIND_WHOLE;
	return stack_lines_frames(to, o, p->pid, &p->code);
}

static void
write_sample(struct sampler *s, const struct perf_record *r)
{
	struct sampled_process *p = process_of(s, r->pid);
	struct out_stream *o = output_of(s, p);
	struct perf_sample sample;
	int64_t stack;

	if (!perf_rings_sample(&s->rings, r, &sample))
		return;
	s->taken++;
	if (o == NULL) {
		s->homeless++;
		return;
	}
	stack = stack_of(s, o, p, &sample);
	begin(s, o, KIND_sample, r);
	emit_str(&o->line, KEY_state, SPAN("Running"));
	if (stack > 0)
		emit_int(&o->line, KEY_stack, stack);
	end(s, o, r);
}

static void
write_switch(struct sampler *s, const struct perf_record *r)
{
	struct out_stream *o = output_of(s, process_of(s, r->pid));
	bool off = r->misc & PERF_RECORD_MISC_SWITCH_OUT;

	if (!s->switches)
		return;
	if (s->blocked && !off)
		blocked_waits_end(&s->waits, r->pid, r->tid);
	else if (s->blocked && !(r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT))
		blocked_waits_begin(&s->waits, r->pid, r->tid, r->time);
	if (o == NULL) {
		s->homeless++;
		return;
	}
	begin(s, o, KIND_sched, r);
	emit_bool(&o->line, KEY_on, !off);
	if (off)
		emit_str(&o->line, KEY_reason,
		    r->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT
			? SPAN("preempted")
			: SPAN("blocked"));
	end(s, o, r);
}

static void
write_wait(struct sampler *s, const struct blocked_wait *w)
{
	bool callers = s->rings.wish.chains || s->rings.wish.stack > 0;
	struct blocked_sample b = {.pid = (pid_t)w->pid, .tid = (pid_t)w->tid};
	const struct sampled_process *p = process_of(s, w->pid);
	struct out_stream *o = output_of(s, p);

	if (!blocked_sample_take(&b, s->to->clock))
		return;
	if (o == NULL) {
		s->homeless++;
		return;
	}
	/* it is in this wait since before the recording ended */
	if (s->stopped)
		b.ts = focus_last(o->focus, b.ts);
	if (b.ts >= w->since - s->to->clock->origin)
		blocked_sample_write(&b, s->stacks, o, &p->code, callers);
}

/* The stacks of threads that wait for long; at the end once more, so that it is
   known until when they waited. */
static void
write_blocked(struct sampler *s)
{
	struct blocked_wait w;
	size_t at = 0;

	while (blocked_waits_next(&s->waits, s->batch.until, &w))
		write_wait(s, &w);
	while (s->stopped &&
	       blocked_waits_still(&s->waits, &at, s->batch.until, &w))
		write_wait(s, &w);
}

static void
write_lost(struct sampler *s, int64_t time, const char *reason, uint64_t count)
{
	if (count == 0)
		return;
	for (size_t i = 0; i < s->to->count; i++)
		out_stream_lost(s->to->all[i], time - s->to->clock->origin, 0,
		    NO_ID,
		    &(struct lost_records){reason,
			s->samples ? "sample" : "sched",
			count < INT64_MAX ? (int64_t)count : INT64_MAX});
}

/* the kernel had no room in a ring: an id, and how many */
static void
take_lost(struct sampler *s, const struct perf_record *r)
{
	uint64_t count = 0;

	if (r->payload.len >= 16)
		memcpy(&count, r->payload.p + 8, 8);
	write_lost(s, r->time, "the ring of a processor was full", count);
}

/* ---- what happens to processes ---- */

/* a text of the kernel, up to its NUL */
static struct span
text_of(struct span payload, size_t from)
{
	if (payload.len < from)
		return (struct span){payload.p, 0};
	payload = (struct span){payload.p + from, payload.len - from};
	payload.len = strnlen(payload.p, payload.len);
	return payload;
}

/* struct of PERF_RECORD_MMAP2, behind its header */
struct mapping {
	uint32_t pid, tid;
	uint64_t address, length, offset;
	uint32_t major, minor;
	uint64_t inode, generation;
	uint32_t protection, flags;
};

static void
take_mapping(struct sampler *s, const struct perf_record *r)
{
	struct mapping m;
	struct module_key key;

	if (r->payload.len < sizeof(m))
		return;
	memcpy(&m, r->payload.p, sizeof(m));
	if (m.length > UINT64_MAX - m.address)
		return;
	key = (struct module_key){.path = text_of(r->payload, sizeof(m)),
	    .device = (uint64_t)m.major << 32 | m.minor,
	    .inode = m.inode,
	    .start = m.address,
	    .end = m.address + m.length,
	    .offset = m.offset,
	    .pid = (int)m.pid};
	code_map_add_module(
	    &process_of(s, m.pid)->code, &s->stacks->names.modules, &key);
}

/* process and thread, which another thread may name, then the name; an exec
   begins with no code */
static void
take_name(struct sampler *s, const struct perf_record *r)
{
	struct span name = text_of(r->payload, 8);
	struct sampled_process *p;
	struct out_stream *o;
	uint32_t ids[2];

	if (r->payload.len < sizeof(ids))
		return;
	memcpy(ids, r->payload.p, sizeof(ids));
	p = process_of(s, ids[0]);
	o = output_of(s, p);
	if (r->misc & PERF_RECORD_MISC_COMM_EXEC) {
		code_map_free(&p->code);
		p->others = 0; /* whoever called it is the first one now */
		p->first_ended = false;
	}
	if (o == NULL)
		return;
	if (ids[0] == ids[1])
		out_stream_name(o, ids[0], 0, name, -1);
	out_stream_name(o, ids[0], ids[1], name, -1);
}

/* pid, parent, tid, parent's thread: a child has the code of its parent */
static void
take_fork(struct sampler *s, const struct perf_record *r)
{
	uint32_t ids[4];
	struct sampled_process *p;
	const struct sampled_process *parent;

	if (r->payload.len < sizeof(ids))
		return;
	memcpy(ids, r->payload.p, sizeof(ids));
	p = process_of(s, ids[0]);
	if (ids[0] == ids[1]) { /* a thread */
		p->others++;
		return;
	}
	p->others = 0;
	p->first_ended = false;
	parent = keyed_find(&s->processes, ids[1], 0);
	if (parent != NULL)
		code_map_copy(&p->code, &parent->code);
}

/* pid, parent, tid: the code of a process goes with its last thread */
static void
take_exit(struct sampler *s, const struct perf_record *r)
{
	uint32_t ids[4];
	struct sampled_process *p;

	if (r->payload.len < sizeof(ids))
		return;
	memcpy(ids, r->payload.p, sizeof(ids));
	if ((p = keyed_find(&s->processes, ids[0], 0)) == NULL)
		return;
	if (ids[0] == ids[2])
		p->first_ended = true;
	else
		p->others--;
	if (!p->first_ended || p->others > 0)
		return;
	code_map_free(&p->code);
	p->target = NULL;
}

/* ---- what runs already ---- */

/* its threads are joined */
struct joining {
	pid_t first;   /* the one with which the rings began */
	int looks;     /* at all threads, before this one */
	bool fresh;    /* this look has found a thread */
	size_t failed; /* threads */
	int error;     /* errno of the last of them */
};

/* It may wait since before; if it runs, the look finds that. */
static void
take_waiting(struct sampler *s, int pid, int tid)
{
	if (s->blocked)
		blocked_waits_begin(&s->waits, (uint32_t)pid, (uint32_t)tid,
		    clock_now(s->to->clock) + s->to->clock->origin);
}

/* false: it is known */
static bool
join_thread(struct sampler *s, int pid, int tid, struct joining *j)
{
	int error = tid != j->first ? perf_rings_join(&s->rings, tid) : 0;

	if (error == EEXIST || (tid == j->first && j->looks > 0))
		return false;
	if (error != 0 && error != ESRCH) {
		j->failed++;
		j->error = error;
	}
	if (tid != pid)
		process_of(s, (uint32_t)pid)->others++;
	take_waiting(s, pid, tid);
	return true;
}

static void
join_threads(struct sampler *s, int pid, struct joining *j)
{
	char path[64];
	struct dirent *e;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	if ((tasks = opendir(path)) == NULL)
		return;
	while ((e = readdir(tasks)) != NULL) {
		int tid = (int)strtol(e->d_name, NULL, 10);

		if (tid > 0 && join_thread(s, pid, tid, j))
			j->fresh = true;
	}
	closedir(tasks);
}

/* Threads that those made which were not joined yet are seen by the next
   look. */
static void
join_all(struct sampler *s, pid_t first)
{
	struct joining j = {.first = first};
	struct process_tree tree = {0};

	do {
		j.fresh = false;
		process_tree_read(&tree, first);
		for (size_t i = 0; i < tree.count; i++)
			join_threads(s, tree.pids[i], &j);
	} while (j.fresh && ++j.looks < LOOKS);
	for (size_t i = 0; i < tree.count; i++)
		code_map_add_process(
		    &process_of(s, (uint32_t)tree.pids[i])->code,
		    &s->stacks->names.modules, tree.pids[i]);
	process_tree_free(&tree);
	if (j.failed > 0)
		warnx("--attach: %zu threads are not sampled: %s", j.failed,
		    strerror(j.error));
}

/* ---- the face ---- */

int
sampler_start(struct sampler *s, const struct perf_wish *wish,
    struct outputs *to, struct stack_lines *stacks, pid_t pid)
{
	int error = perf_rings_open(&s->rings, wish, pid);

	s->to = to;
	s->stacks = stacks;
	s->samples = wish->hz > 0;
	s->switches = wish->switches;
	s->blocked = to->options->blocked;
	if (s->samples)
		s->throttle = (struct throttle){.period = SECOND / wish->hz,
		    .tick = SECOND / sample_method_timer_hz()};
	if (error != 0)
		return error;
	if (wish->running)
		join_all(s, pid);
	s->thread = ring_thread_start(&s->rings);
	if (s->thread != NULL)
		return 0;
	perf_rings_close(&s->rings);
	return EAGAIN;
}

static void
take_record(struct sampler *s, const struct perf_record *r)
{
	switch (r->type) {
	case PERF_RECORD_SAMPLE:
		write_sample(s, r);
		break;
	case PERF_RECORD_SWITCH:
		write_switch(s, r);
		break;
	case PERF_RECORD_MMAP2:
		take_mapping(s, r);
		break;
	case PERF_RECORD_COMM:
		take_name(s, r);
		break;
	case PERF_RECORD_FORK:
		take_fork(s, r);
		break;
	case PERF_RECORD_EXIT:
		throttle_end(&s->throttle, r->tid, r->cpu, r->time);
		take_exit(s, r);
		break;
	case PERF_RECORD_THROTTLE:
		throttle_begin(&s->throttle, r->tid, r->cpu, r->time);
		break;
	case PERF_RECORD_UNTHROTTLE:
		throttle_end(&s->throttle, r->tid, r->cpu, r->time);
		break;
	case PERF_RECORD_LOST:
		take_lost(s, r);
		break;
	}
}

int64_t
sampler_write(
    struct sampler *s, struct captured_process *const *targets, size_t count)
{
	struct perf_record r;
	size_t at = 0;

	if (s->thread == NULL)
		return INT64_MAX;
	find_targets(s, targets, count);
	ring_thread_take(s->thread, &s->batch);
	while (ring_thread_next(&s->batch, &at, &r))
		take_record(s, &r);
	if (s->blocked)
		write_blocked(s);
	if (s->samples)
		write_lost(s, s->batch.until, "the kernel throttled samples",
		    throttle_take(&s->throttle));
	write_lost(s, s->batch.until, "the launcher was late",
	    (uint64_t)s->batch.lost);
	return s->batch.until - s->to->clock->origin;
}

void
sampler_stop(struct sampler *s)
{
	s->stopped = true;
	if (s->thread != NULL)
		ring_thread_stop(s->thread);
}

int64_t
sampler_homeless(const struct sampler *s)
{
	return s->homeless;
}

void
sampler_free(struct sampler *s)
{
	for (size_t i = 0; i < s->processes.count; i++)
		code_map_free(&s->processes.all[i].code);
	keyed_free(&s->processes);
	blocked_waits_free(&s->waits);
	throttle_free(&s->throttle);
	sampler_stop(s);
	ring_thread_free(s->thread);
	perf_rings_close(&s->rings);
	free(s->batch.bytes);
}
