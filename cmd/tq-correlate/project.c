/* project.c - what the devices did for a range */

#include "tq/io/emit.h"
#include "tq/base/mem.h"

#include "members.h"
#include "project.h"

static int64_t
at_most_max(uint64_t v)
{
	return v < INT64_MAX ? (int64_t)v : INT64_MAX;
}

/* unsigned, so that all times fit; to is not before from */
static int64_t
between(int64_t from, int64_t to)
{
	return at_most_max((uint64_t)to - (uint64_t)from);
}

static struct share *
new_share(struct range *r)
{
	size_t i = r->share_count++;

	if (i == 0)
		return &r->share;
	if (i > r->others_cap) {
		r->others_cap = r->others_cap * 2 + 1;
		r->others =
		    mem_resize(r->others, r->others_cap, sizeof(*r->others));
	}
	return &r->others[i - 1];
}

/* the share of what the first operation did */
static void
begin_share(struct share *s, const struct op *op, bool launch)
{
	struct span times = {op->line.p + op->times_at, op->times_len};

	s->device = op->device;
	s->first = op->ts;
	s->last = op->end;
	s->busy = (uint64_t)op->end - (uint64_t)op->ts;
	s->ops = 1;
	s->launches = launch;
	s->ts_len = s->times_len = 0;
	if (times.len > 0) {
		s->ts_len = (unsigned char)op->ts_len;
		s->times_len = (unsigned char)times.len;
		plain_put(s->times, times);
	}
}

void
project_add(struct range *r, const struct op *op, bool launch)
{
	for (size_t i = 0; i < r->share_count; i++) {
		struct share *s = i == 0 ? &r->share : &r->others[i - 1];

		if (s->device == op->device) {
			share_add(s, op->ts, op->end, launch);
			return;
		}
	}
	begin_share(new_share(r), op, launch);
}

/* ,"ts": and ,"dur": */
static char *
put_times(char *p, const struct share *s)
{
	if (s->ts_len == 0)
		p = emit_put_int(p, KEY_ts, s->first);
	else if (s->ops == 1)
		return members_put_json(
		    p, KEY_ts, (struct span){s->times, s->times_len});
	else
		p = members_put_json(
		    p, KEY_ts, (struct span){s->times, s->ts_len});
	return emit_put_int(p, KEY_dur, between(s->first, s->last));
}

static char *
put_busy(char *p, const struct share *s)
{
	size_t dur = s->ts_len + OP_DUR;

	if (s->ts_len > 0 && s->ops == 1)
		return members_put_json(p, KEY_busy,
		    (struct span){s->times + dur, s->times_len - dur});
	return emit_put_int(p, KEY_busy, at_most_max(s->busy));
}

static void
write_share(struct output *o, const struct range *r, const struct share *s)
{
	enum { INTS = 6 };
	const struct text *m = &r->members;
	char *p = text_reserve(&o->buf, EMIT_KIND_ROOM + INTS * MEMBERS_INT +
					    m->len + EMIT_KEY_ROOM +
					    r->path.len + MEMBERS_SLACK);

	p = put_times(emit_put_kind(p, KIND_gpu_range), s);
	p = members_put(p, m, 0, r->head);
	if (s->device != NO_ID)
		p = members_put_few(p, KEY_device, s->device);
	if (r->path.len > 0) {
		p = members_put(p, m, r->head, r->middle);
		p = members_put_text(p, KEY_path, &r->path);
		p = members_put(p, m, r->middle, r->nested);
	} else
		p = members_put(p, m, r->head, r->nested);
	p = members_put_few(p, KEY_ops, s->ops);
	p = members_put_few(p, KEY_launches, s->launches);
	p = put_busy(p, s);
	p = members_put(p, m, r->nested, m->len);
	emit_put_close(o, p);
}

void
project_write(struct output *o, const struct range *r)
{
	if (r->share_count > 0)
		write_share(o, r, &r->share);
	for (size_t i = 1; i < r->share_count; i++)
		write_share(o, r, &r->others[i - 1]);
}

/* the value of that length which ends there */
static struct span
value_before(const struct range *r, size_t end, size_t len)
{
	return (struct span){r->members.p + end - len, len};
}

/* what a JSON string holds, without the quotes */
static void
add_inside(struct text *t, struct span string)
{
	if (string.len > 0)
		text_add(t, string.p + 1, string.len - 2);
}

void
project_add_name(struct text *path, const struct range *r)
{
	struct span domain = value_before(r, r->domain, r->domain_len);
	struct span name = value_before(r, r->head, r->name_len);

	if (path->len > 0)
		path->p[path->len - 1] = ',';
	else
		text_add_char(path, '[');
	text_add_char(path, '"');
	if (domain.len > 0) {
		add_inside(path, domain);
		text_add_char(path, ':');
	}
	add_inside(path, name);
	text_add_str(path, "\"]");
}
