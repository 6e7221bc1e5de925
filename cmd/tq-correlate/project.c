/* project.c - what the devices did for a range */

#include "tq/emit.h"
#include "tq/mem.h"

#include "members.h"
#include "project.h"

/* to is not before from */
static int64_t
between(int64_t from, int64_t to)
{
	int64_t d;

	return __builtin_sub_overflow(to, from, &d) ? INT64_MAX : d;
}

static struct share *
share_of(struct range *r, int64_t device, int64_t ts)
{
	for (size_t i = 0; i < r->share_count; i++)
		if (r->shares[i].device == device)
			return &r->shares[i];
	if (r->share_count == r->share_cap) {
		r->share_cap = r->share_cap * 2 + 1;
		r->shares =
		    mem_resize(r->shares, r->share_cap, sizeof(*r->shares));
	}
	r->shares[r->share_count] =
	    (struct share){.device = device, .first = ts, .last = ts};
	return &r->shares[r->share_count++];
}

void
project_add(
    struct range *r, int64_t device, int64_t ts, int64_t end, bool launch)
{
	share_add(share_of(r, device, ts), ts, end, launch);
}

static void
write_share(struct output *o, const struct range *r, const struct share *s)
{
	emit_open(o, KIND_gpu_range);
	emit_int(o, KEY_ts, s->first);
	emit_int(o, KEY_dur, between(s->first, s->last));
	members_write(o, &r->members, 0, r->head);
	if (s->device != NO_ID)
		emit_int(o, KEY_device, s->device);
	if (r->path.len > 0) {
		members_write(o, &r->members, r->head, r->middle);
		emit_json(o, KEY_path, text_span(&r->path));
		members_write(o, &r->members, r->middle, r->nested);
	} else
		members_write(o, &r->members, r->head, r->nested);
	emit_int(o, KEY_ops, s->ops);
	emit_int(o, KEY_launches, s->launches);
	emit_int(o, KEY_busy, s->busy);
	members_write(o, &r->members, r->nested, r->members.len);
	emit_close(o);
}

void
project_write(struct output *o, const struct range *r)
{
	for (size_t i = 0; i < r->share_count; i++)
		write_share(o, r, &r->shares[i]);
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
	struct span domain = range_part(r, r->domain[0], r->domain[1]);
	struct span name = range_part(r, r->name[0], r->name[1]);

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
