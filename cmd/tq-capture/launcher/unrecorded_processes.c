/* unrecorded_processes.c - processes of the command that have sent no record */

#include <errno.h>
#include <signal.h>
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

void
unrecorded_processes_look(struct unrecorded_processes *s, int pid,
    const struct lines *lines, bool at_once)
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
	open_calls_look(&p->lines, NULL, true, at_once);
}

static void
write_open(struct unrecorded_process *p)
{
	if (!p->defined && open_calls_any(&p->lines.open_calls)) {
		lines_define(&p->lines);
		p->defined = true;
	}
	open_calls_write(&p->lines, false);
}

void
unrecorded_processes_end(struct unrecorded_processes *s)
{
	for (size_t i = s->count; i-- > 0;) {
		struct unrecorded_process *p = s->all[i];

		if (kill(p->lines.pid, 0) == 0 || errno != ESRCH)
			continue;
		write_open(p);
		unrecorded_processes_forget(s, p->lines.pid);
	}
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
		write_open(s->all[i]);
}

void
unrecorded_processes_free(struct unrecorded_processes *s)
{
	while (s->count > 0)
		unrecorded_processes_forget(s, s->all[0]->lines.pid);
	free(s->all);
}
