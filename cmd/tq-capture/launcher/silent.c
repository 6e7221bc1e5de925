/* silent.c - processes of the command that have sent no record */

#include <stdlib.h>

#include "silent.h"

static struct silent_process *
find(const struct silent *s, int pid)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->all[i]->lines.pid == pid)
			return s->all[i];
	return NULL;
}

/* with the names of what is in a call, which may be gone when lines are written
 */
static void
look_at(struct silent_process *p)
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
silent_look(struct silent *s, int pid, const struct lines *lines)
{
	struct silent_process *p = find(s, pid);

	if (p == NULL) {
		p = mem_alloc(sizeof(*p));
		p->lines = *lines;
		p->lines.pid = pid;
		p->lines.rank = -1;
		/* that of its first thread is its program's */
		thread_comm_read(p->name, pid, pid);
		p->lines.name = p->name[0] != '\0' ? p->name : NULL;
		*array_add(&s->all, &s->count, &s->cap) = p;
	}
	look_at(p);
}

void
silent_look_again(struct silent *s)
{
	for (size_t i = 0; i < s->count; i++)
		look_at(s->all[i]);
}

void
silent_forget(struct silent *s, int pid)
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
silent_write(struct silent *s)
{
	for (size_t i = 0; i < s->count; i++)
		open_calls_write(&s->all[i]->lines);
}

void
silent_free(struct silent *s)
{
	while (s->count > 0)
		silent_forget(s, s->all[0]->lines.pid);
	free(s->all);
}
