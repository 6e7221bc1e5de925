/* task_names.c - processes and threads that a recording names on its way */

#include "task_names.h"
#include "tq/io/emit.h"

/* most names repeat */
static void
set_text(struct task_names *t, struct span *to, struct span text)
{
	if (text.len > 0 && !span_eq(*to, text))
		*to = region_copy(&t->texts, text);
}

static struct task_process *
get_process(struct task_names *t, int64_t pid)
{
	bool fresh;
	struct task_process *p =
	    keyed_get(&t->processes, (uint64_t)pid, 0, &fresh);

	if (fresh)
		*p = (struct task_process){.pid = pid, .rank = NO_ID};
	return p;
}

void
task_names_process(struct task_names *t, int64_t pid, struct span name)
{
	set_text(t, &get_process(t, pid)->name, name);
}

void
task_names_rank(struct task_names *t, int64_t pid, struct span host,
    int64_t rank, int64_t ranks)
{
	struct task_process *p = get_process(t, pid);

	set_text(t, &p->host, host);
	if (rank != NO_ID && (p->rank == NO_ID || ranks > p->ranks)) {
		p->rank = rank;
		p->ranks = ranks;
	}
}

void
task_names_thread(
    struct task_names *t, int64_t pid, int64_t tid, struct span name)
{
	bool fresh;
	struct task_thread *th =
	    keyed_get(&t->threads, (uint64_t)pid, (uint64_t)tid, &fresh);

	if (fresh)
		*th = (struct task_thread){.pid = pid, .tid = tid};
	set_text(t, &th->name, name);
}

static void
write_str(struct output *o, enum key key, struct span s)
{
	if (s.len > 0)
		emit_str(o, key, s);
}

void
task_names_write(const struct task_names *t, struct output *o)
{
	for (size_t i = 0; i < t->processes.count; i++) {
		const struct task_process *p = &t->processes.all[i];

		emit_open(o, KIND_process);
		emit_int(o, KEY_pid, p->pid);
		write_str(o, KEY_name, p->name);
		write_str(o, KEY_host, p->host);
		if (p->rank != NO_ID)
			emit_int(o, KEY_rank, p->rank);
		emit_close(o);
	}
	for (size_t i = 0; i < t->threads.count; i++) {
		const struct task_thread *th = &t->threads.all[i];

		emit_open(o, KIND_thread);
		if (th->pid != NO_ID)
			emit_int(o, KEY_pid, th->pid);
		emit_int(o, KEY_tid, th->tid);
		write_str(o, KEY_name, th->name);
		emit_close(o);
	}
}

void
task_names_free(struct task_names *t)
{
	keyed_free(&t->processes);
	keyed_free(&t->threads);
	region_free(&t->texts);
}
