/* chrome_records.c - records that wait for the end of the file */

#include <err.h>

#include "chrome_records.h"
#include "tq/io/status.h"
#include "tq/io/temporary.h"

/* the head of a record that waits */
struct held {
	int64_t pid, corr;
};

/* the bits of a tag: a kind, an owner, and these */
enum {
	TAG_OWNER = 8,
	TAG_DUR = 1 << 10,
	TAG_IMPLIED = 1 << 11,
	TAG_CONNECTED = 1 << 12
};

#define SEVERAL_CALLERS UINT64_MAX

/* ---- the tail ---- */

static bool
is_wanted(const struct chrome *c, enum kind kind)
{
	return kind == KIND_lost || (c->settings->kinds >> kind & 1) != 0;
}

void
chrome_records_begin(struct chrome *c, enum kind kind)
{
	/* struct held comes there */
	c->tail.len = 0;
	text_reserve(&c->tail, sizeof(struct held));
	c->tail.len = sizeof(struct held);
	c->chosen = (struct keyset){{0}};
	if (is_wanted(c, kind))
		c->chosen = key_choice_of(&c->settings->keys, kind);
}

void
chrome_records_int(struct chrome *c, enum key key, int64_t v)
{
	if (v != NO_ID && keyset_has(&c->chosen, key))
		emit_add_int(&c->tail, key, v);
}

static void
add_key(struct text *t, enum key key)
{
	char *p = text_reserve(t, EMIT_KEY_ROOM);

	text_end(t, emit_put_key(p, key));
}

void
chrome_records_str(struct chrome *c, enum key key, struct span value)
{
	if (!keyset_has(&c->chosen, key))
		return;
	add_key(&c->tail, key);
	c->repaired +=
	    (int64_t)lenient_write_string(&c->tail, lenient_inner(value));
}

void
chrome_records_json(struct chrome *c, enum key key, struct span json)
{
	if (keyset_has(&c->chosen, key))
		emit_add_json(&c->tail, key, json);
}

static void
write_arg(struct chrome *c, struct span key, struct span value, bool *any)
{
	if (!*any)
		add_key(&c->tail, KEY_args);
	text_add_char(&c->tail, *any ? ',' : '{');
	*any = true;
	c->repaired += (int64_t)lenient_write_string(&c->tail, key);
	text_add_char(&c->tail, ':');
	c->repaired += (int64_t)lenient_write(&c->tail, value);
}

void
chrome_records_args(struct chrome *c)
{
	const struct trace_event *e = c->event;
	struct span bp = e->member[TRACE_BP];
	bool any = false;

	if (!keyset_has(&c->chosen, KEY_args))
		return;
	for (size_t i = 0; i < e->count; i++)
		if (!e->args[i].taken)
			write_arg(c, e->args[i].key, e->args[i].value, &any);
	if (bp.p != NULL)
		write_arg(c, SPAN("bp"), bp, &any);
	if (any)
		text_add_char(&c->tail, '}');
}

/* ---- holding ---- */

static uint32_t
tag_of(const struct chrome_record *r)
{
	uint32_t tag = (uint32_t)r->kind | (uint32_t)r->owner << TAG_OWNER;

	if (r->dur != NEVER_ENDED && r->dur != NO_ID)
		tag |= TAG_DUR;
	if (r->connected && r->corr != NO_ID)
		tag |= TAG_CONNECTED;
	return r->implied ? tag | TAG_IMPLIED : tag;
}

static void
hold(struct sorter *s, int64_t ts, int64_t dur, struct span line, uint32_t tag)
{
	if (!sorter_add(s, ts, dur, line, tag))
		err(TQ_FAIL, "%s", temporary_directory());
}

/* its own kind, or a call that decides the process of an operation */
static bool
is_held(const struct chrome *c, const struct chrome_record *r)
{
	return is_wanted(c, r->kind) ||
	       (r->kind == KIND_api && r->corr != NO_ID);
}

void
chrome_records_add(struct chrome *c, const struct chrome_record *r)
{
	struct held h = {r->pid, r->corr};
	int64_t *first = r->implied ? &c->first_implied : &c->first;

	c->count->records++;
	c->of_kind[r->kind]++;
	if (r->ts < *first)
		*first = r->ts;
	if (r->pid != NO_ID && r->owner == OWNER_PID && !r->implied)
		chrome_ids_process(&c->ids, r->pid)->used = true;
	if (is_held(c, r)) {
		memcpy(c->tail.p, &h, sizeof(h));
		hold(c->records, r->ts, r->dur == NO_ID ? 0 : r->dur,
		    text_span(&c->tail), tag_of(r));
	}
}

/* ---- writing ---- */

int64_t
chrome_records_origin(const struct chrome *c)
{
	int64_t first = c->first;

	if (!c->top.kineto && c->first_implied < first)
		first = c->first_implied;
	return first < INT64_MAX ? first : 0;
}

static enum kind
kind_of(const struct sorter_line *l)
{
	return (enum kind)(l->tag & ((1 << TAG_OWNER) - 1));
}

static int64_t
caller_of(struct chrome *c, int64_t corr)
{
	const uint64_t *caller = NULL;

	if (!c->ids.merged)
		return c->ids.host;
	if (corr != NO_ID)
		caller = map_find(&c->callers, (uint64_t)corr, 0);
	if (caller != NULL && *caller != SEVERAL_CALLERS)
		return c->ids.processes.all[*caller - 1].pid;
	c->unowned++;
	return NO_ID;
}

static int64_t
owner_of(struct chrome *c, const struct held *h, uint32_t tag)
{
	switch ((enum chrome_owner)(tag >> TAG_OWNER & 3)) {
	case OWNER_CALLER:
		return caller_of(c, h->corr);
	case OWNER_HOST:
		return c->ids.host == NO_ID ||
			       chrome_ids_is_host(&c->ids, h->pid)
			   ? h->pid
			   : c->ids.host;
	default:
		return h->pid;
	}
}

/* learn who called; all lines go on to another sorter */
static void
add_caller(void *chrome, const struct sorter_line *l)
{
	struct chrome *c = chrome;
	struct held h;
	uint64_t *caller, pid;

	memcpy(&h, l->line.p, sizeof(h));
	if (kind_of(l) == KIND_api && h.corr != NO_ID && h.pid != NO_ID) {
		/* a process by its place, from 1 */
		pid = (uint64_t)(chrome_ids_process(
				     &c->ids, owner_of(c, &h, l->tag)) -
				 c->ids.processes.all) +
		      1;
		caller = map_get(&c->callers, (uint64_t)h.corr, 0);
		if (*caller == 0)
			*caller = pid;
		else if (*caller != pid)
			*caller = SEVERAL_CALLERS;
	}
	hold(c->pairs, l->ts, l->dur, l->line, l->tag);
}

/* The correlation id of the operation of a connection; all calls are known. */
static int64_t
call_of(const struct chrome *c, int64_t connection)
{
	const uint64_t *call =
	    map_find(&c->ascend.call_of, (uint64_t)connection, 0);

	return call != NULL ? (int64_t)*call : connection;
}

static void
write_line(void *chrome, const struct sorter_line *l)
{
	struct chrome *c = chrome;
	struct output *o = c->out;
	int64_t ts = time_between(chrome_records_origin(c), l->ts), pid;
	struct keyset keys;
	struct held h;

	if (ts == INT64_MAX)
		ts--; /* where all windows end */
	if (!is_wanted(c, kind_of(l)) ||
	    (c->top.kineto && (l->tag & TAG_IMPLIED)) ||
	    !time_window_overlaps(&c->settings->window, ts, l->dur))
		return;
	c->last = ts;
	memcpy(&h, l->line.p, sizeof(h));
	if ((l->tag & TAG_CONNECTED) != 0)
		h.corr = call_of(c, h.corr);
	pid = owner_of(c, &h, l->tag);
	keys = key_choice_of(&c->settings->keys, kind_of(l));
	emit_open(o, kind_of(l));
	emit_int(o, KEY_ts, ts);
	if ((l->tag & TAG_DUR) != 0 && keyset_has(&keys, KEY_dur))
		emit_int(o, KEY_dur, l->dur);
	if (pid != NO_ID && keyset_has(&keys, KEY_pid))
		emit_int(o, KEY_pid, pid);
	if ((l->tag & TAG_CONNECTED) != 0 && keyset_has(&keys, KEY_corr))
		emit_int(o, KEY_corr, h.corr);
	text_add(&o->buf, l->line.p + sizeof(h), l->line.len - sizeof(h));
	emit_close(o);
}

static void
finish(struct sorter *s, void (*put)(void *, const struct sorter_line *),
    struct chrome *c)
{
	if (!sorter_finish(s, put, c))
		err(TQ_FAIL, "%s", temporary_directory());
}

void
chrome_records_write(struct chrome *c)
{
	if (!c->ids.merged) {
		finish(c->records, write_line, c);
		return;
	}
	finish(c->records, add_caller, c);
	finish(c->pairs, write_line, c);
}
