/* call_stacks.c - stacks of calls of CUDA, until the calls come */

#include "lines.h"
#include "python_lines.h"
#include "sample_lines.h"

enum {
	WAITING_MAX = 16 << 20, /* bytes */
	STACKS_MAX = 1 << 20    /* of calls that did not come */
};

static void
add(struct lines *l, int which, const struct record_api_stack *s, uint64_t id)
{
	struct map *stacks = &l->call_stacks.stacks[which];

	if (stacks->count >= STACKS_MAX) {
		out_stream_lost(l->out, clock_now(l->clock), l->process, l->pid,
		    &(struct lost_records){"their calls were not recorded",
			"stack", (int64_t)stacks->count});
		map_clear(stacks);
	}
	*map_get(stacks, s->source, s->corr) = id;
}

int
call_stacks_add(struct lines *l, const struct chunk *c, const struct record *r)
{
	const struct record_api_stack *s = (const struct record_api_stack *)r;
	struct record_parts x;

	(void)c;
	if (!record_parts_parse(&x, r, sizeof(*s)))
		return LINES_GARBAGE;
	if (s->stack != 0)
		add(l, CALL_PYTHON, s, s->stack);
	if (r->flags & FLAG_BLOB)
		add(l, CALL_NATIVE, s, (uint64_t)sample_lines_stack(l, &x));
	return 0;
}

bool
call_stacks_hold(struct lines *l, const struct record_api *call)
{
	struct call_stacks *c = &l->call_stacks;
	bool missing = false;

	/* a call of the driver within one of the runtime has no stack */
	for (int i = 0; i < CALL_STACKS; i++)
		missing |=
		    c->any[i] &&
		    map_find(&c->stacks[i], API_RUNTIME, call->corr) == NULL &&
		    map_find(&c->stacks[i], call->source, call->corr) == NULL;
	if (!missing || c->new.len + c->older.len > WAITING_MAX)
		return false;
	text_add(&c->new, (const char *)call, sizeof(*call));
	return true;
}

void
call_stacks_take(
    struct lines *l, const struct record_api *call, int64_t ids[CALL_STACKS])
{
	for (int i = 0; i < CALL_STACKS; i++) {
		struct map *stacks = &l->call_stacks.stacks[i];
		const uint64_t *number =
		    stacks->count > 0
			? map_find(stacks, call->source, call->corr)
			: NULL;

		ids[i] = number == NULL     ? 0
			 : i == CALL_PYTHON ? python_lines_stack(l, *number)
					    : (int64_t)*number;
		if (number != NULL)
			map_remove(stacks, call->source, call->corr);
	}
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
	for (int i = 0; i < CALL_STACKS; i++)
		map_free(&c->stacks[i]);
	text_free(&c->new);
	text_free(&c->older);
}
