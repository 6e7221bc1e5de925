/* call_stacks.c - Python stacks of calls of CUDA, until the calls come */

#include "lines.h"
#include "python_lines.h"

enum {
	WAITING_MAX = 16 << 20, /* bytes */
	STACKS_MAX = 1 << 20    /* of calls that did not come */
};

void
call_stacks_add(struct lines *l, const struct record *r)
{
	const struct record_api_stack *s = (const void *)r;
	struct call_stacks *c = &l->call_stacks;

	if (r->words * 8 < (int)sizeof(*s))
		return;
	c->any = true;
	if (c->stacks.count >= STACKS_MAX) {
		out_stream_lost(l->out, clock_now(l->clock), l->process, l->pid,
		    &(struct lost_records){"their calls were not recorded",
			"stack", (int64_t)c->stacks.count});
		map_clear(&c->stacks);
	}
	*map_get(&c->stacks, s->source, s->corr) = s->stack;
}

bool
call_stacks_hold(struct lines *l, const struct record_api *call)
{
	struct call_stacks *c = &l->call_stacks;

	/* a call of the driver within one of the runtime has no stack */
	if (!c->any || c->new.len + c->older.len > WAITING_MAX ||
	    map_find(&c->stacks, API_RUNTIME, call->corr) != NULL ||
	    map_find(&c->stacks, call->source, call->corr) != NULL)
		return false;
	text_add(&c->new, (const char *)call, sizeof(*call));
	return true;
}

int64_t
call_stacks_take(struct lines *l, const struct record_api *call)
{
	struct call_stacks *c = &l->call_stacks;
	const uint64_t *number =
	    c->any ? map_find(&c->stacks, call->source, call->corr) : NULL;
	int64_t id = number != NULL ? python_lines_stack(l, *number) : 0;

	if (number != NULL)
		map_remove(&c->stacks, call->source, call->corr);
	return id;
}

static int
write_all(struct lines *l, struct text *calls,
    int (*write)(struct lines *l, const struct record *r))
{
	int n = 0;

	for (size_t at = 0; at < calls->len; at += sizeof(struct record_api))
		n += write(l, (const void *)(calls->p + at));
	calls->len = 0;
	return n;
}

int
call_stacks_release(struct lines *l, bool all,
    int (*write)(struct lines *l, const struct record *r))
{
	struct call_stacks *c = &l->call_stacks;
	struct text t = c->older;
	int n = write_all(l, &c->older, write);

	if (all)
		n += write_all(l, &c->new, write);
	t.len = 0;
	c->older = c->new;
	c->new = t;
	return n;
}

void
call_stacks_free(struct call_stacks *c)
{
	map_free(&c->stacks);
	text_free(&c->new);
	text_free(&c->older);
}
