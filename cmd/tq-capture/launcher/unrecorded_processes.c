/* unrecorded_processes.c - processes of the command that have sent no record */

#include <stdlib.h>

#include "unrecorded_processes.h"

static struct unrecorded_process *
find(const struct unrecorded_processes *s, int pid)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->all[i]->lines.pid == pid)
			return s->all[i];
	return NULL;
}

/*
 * with the names of threads in a call, which may be gone when lines are written
 */
static void
look_at(struct unrecorded_process *p)
{
	struct open_calls *calls = &p->lines.open_calls;

	open_calls_look(&p->lines);
	for (size_t i = 0; i < calls->threads.count; i++) {
		if (calls->threads.all[i].over)
			continue;
		if (!p->defined)
			lines_define(&p->lines);
		p->defined = true;
		nvtx_lines_define_thread(&p->lines, calls->threads.all[i].tid);
	}
}

void
unrecorded_processes_look(
    struct unrecorded_processes *s, int pid, const struct lines *lines)
{
	struct unrecorded_process *p = find(s, pid);

	if (p == NULL) {
		p = mem_alloc(sizeof(*p));
		p->lines = *lines;
		p->lines.pid = pid;
		p->lines.rank = -1;
		/* its first thread's is its program's */
		thread_comm_read(p->name, pid, pid);
		p->lines.name = p->name[0] != '\0' ? p->name : NULL;
		*array_add(&s->all, &s->count, &s->cap) = p;
	}
	look_at(p);
}

void
unrecorded_processes_look_again(struct unrecorded_processes *s)
{
	for (size_t i = 0; i < s->count; i++)
		look_at(s->all[i]);
}

void
unrecorded_processes_forget(struct unrecorded_processes *s, int pid)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->all[i]->lines.pid != pid)
			continue;
		lines_free(&s->all[i]->lines);
		free(s->all[i]);
		s->all[i] = s->all[--s->count];
		return;
	}
}

void
unrecorded_processes_write(struct unrecorded_processes *s)
{
	for (size_t i = 0; i < s->count; i++)
		open_calls_write(&s->all[i]->lines);
}

void
unrecorded_processes_free(struct unrecorded_processes *s)
{
	while (s->count > 0)
		unrecorded_processes_forget(s, s->all[0]->lines.pid);
	free(s->all);
}
