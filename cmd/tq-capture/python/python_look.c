/* python_look.c - the Python stacks of threads that are looked at */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "python_look.h"

enum { THREADS_MOST = 4096 };

static void
forget(struct python_look *p)
{
	if (p->found)
		remote_stack_close(&p->stack);
	p->found = false;
	p->count = 0;
}

/* False if the process is gone, or runs another program. */
static bool
list_threads(struct python_look *p)
{
	int n;

	if (p->threads == NULL)
		p->threads =
		    mem_resize(NULL, THREADS_MOST, sizeof(*p->threads));
	n = remote_stack_threads(&p->stack, p->threads, THREADS_MOST);
	p->count = n != PYTHON_NONE ? (size_t)n : 0;
	return n != PYTHON_NONE;
}

void
python_look_begin(struct python_look *p, pid_t pid)
{
	struct remote_python python;

	if (p->found && list_threads(p))
		return;
	forget(p);
	if (remote_python_find(&python, pid) != REMOTE_FOUND)
		return;
	remote_stack_open(&p->stack, &python, &p->names);
	p->found = true;
	if (!list_threads(p))
		forget(p);
}

uint32_t
python_look_stack(struct python_look *p, int32_t tid, struct stack_names *names)
{
	uint32_t numbers[REMOTE_FRAMES];
	size_t i = 0;

	while (i < p->count && p->threads[i].tid != tid)
		i++;
	if (i == p->count ||
	    remote_stack_take(&p->stack, &p->threads[i]) != REMOTE_WHOLE)
		return INTERN_NONE;
	for (i = 0; i < p->stack.count; i++)
		numbers[i] = stack_names_frame(
		    names, intern_text(&p->names, p->stack.numbers[i]));
	return stack_names_of(names, numbers, i);
}

void
python_look_free(struct python_look *p)
{
	forget(p);
	intern_free(&p->names);
	free(p->threads);
}
