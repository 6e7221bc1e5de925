/* threads.c - the threads of a section */

#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"

#include "threads.h"

struct thread *
threads_find(struct threads *ts, int64_t pid, int64_t tid)
{
	uint64_t *slot = map_get(&ts->map, (uint64_t)pid, (uint64_t)tid);
	struct thread *t;

	if (*slot == 0) {
		t = mem_alloc(sizeof(*t));
		t->pid = pid;
		t->tid = tid;
		*slot = (uint64_t)(uintptr_t)t;
	}
	return (struct thread *)(uintptr_t)*slot;
}

struct nest *
threads_nest(struct thread *t, struct span domain)
{
	struct nest *n;

	if (domain.len == 0)
		return &t->nest;
	for (n = t->others; n != NULL; n = n->next)
		if (span_eq(text_span(&n->domain), domain))
			return n;
	n = mem_alloc(sizeof(*n));
	text_add_span(&n->domain, domain);
	n->next = t->others;
	return t->others = n;
}

static void
free_thread(struct thread *t)
{
	struct nest *n;

	while ((n = t->others) != NULL) {
		t->others = n->next;
		stack_free(&n->stack);
		text_free(&n->domain);
		free(n);
	}
	stack_free(&t->nest.stack);
	stack_free(&t->open);
	free(t);
}

void
threads_clear(struct threads *ts)
{
	const struct map *m = &ts->map;

	for (size_t i = 0; i < m->size; i++)
		if (m->used[i])
			free_thread(
			    (struct thread *)(uintptr_t)m->slots[i].value);
	map_clear(&ts->map);
	memset(ts->lately, 0, sizeof(ts->lately));
}

void
threads_free(struct threads *ts)
{
	threads_clear(ts);
	map_free(&ts->map);
}
