/* defs.c - the definitions of a section */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/mem.h"

#include "defs.h"
#include "tq/base/time.h"

enum { IDS = 4 };

/* what tells definitions of a kind from each other */
static const enum key identity[KIND_COUNT][IDS + 1] = {
    [KIND_process] = {KEY_pid, KEY_NONE},
    [KIND_thread] = {KEY_pid, KEY_tid, KEY_NONE},
    [KIND_device] = {KEY_pid, KEY_device, KEY_NONE},
    [KIND_context] = {KEY_pid, KEY_device, KEY_context, KEY_NONE},
    [KIND_stream] = {KEY_pid, KEY_device, KEY_context, KEY_stream, KEY_NONE},
    [KIND_symbol] = {KEY_id, KEY_NONE},
    [KIND_counterdef] = {KEY_id, KEY_NONE},
    [KIND_stack] = {KEY_id, KEY_NONE},
};

/* the key of an event that refers to a definition of one id */
static const struct {
	enum kind kind;
	enum key key;
} references[] = {
    {KIND_thread, KEY_tid},
    {KIND_context, KEY_context},
    {KIND_stream, KEY_stream},
    {KIND_symbol, KEY_sym},
    {KIND_stack, KEY_stack},
    {KIND_counterdef, KEY_counter},
};

enum { REFERENCES = sizeof(references) / sizeof(*references) };

struct def {
	enum kind kind;
	bool there, written;
	int64_t ids[IDS];
	size_t line, len;       /* in lines; several, if it was told twice */
	size_t name[2], end[2]; /* in texts: demangled, mangled */
};

void
defs_keys_define(struct keyset *want)
{
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		if (schema_kinds[k].role != ROLE_DEF)
			continue;
		for (size_t i = 0; identity[k][i] != KEY_NONE; i++)
			keyset_add(&want[k], identity[k][i]);
	}
	keyset_add(&want[KIND_symbol], KEY_demangled);
	keyset_add(&want[KIND_symbol], KEY_mangled);
}

void
defs_keys_use(struct keyset *want)
{
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		keyset_add(&want[k], KEY_pid);
		keyset_add(&want[k], KEY_device);
		for (size_t i = 0; i < REFERENCES; i++)
			keyset_add(&want[k], references[i].key);
	}
	keyset_add(&want[KIND_range], KEY_end_tid);
}

/* ---- the table ---- */

static size_t
place(const struct defs *d, enum kind kind, const int64_t ids[IDS])
{
	uint64_t h = (uint64_t)kind;
	size_t i;

	for (size_t n = 0; n < IDS; n++)
		h = (h ^ (uint64_t)ids[n]) * 0x9e3779b97f4a7c15u ^ h >> 29;
	for (i = h >> 32 & (d->size - 1); d->table[i].there;
	     i = (i + 1) & (d->size - 1))
		if (d->table[i].kind == kind &&
		    memcmp(d->table[i].ids, ids, sizeof(d->table[i].ids)) == 0)
			break;
	return i;
}

static void
grow(struct defs *d)
{
	struct def *old = d->table;
	size_t size = d->size;

	d->size = size > 0 ? size * 2 : 256;
	d->table = mem_alloc(d->size * sizeof(*d->table));
	for (size_t i = 0; i < size; i++)
		if (old[i].there)
			d->table[place(d, old[i].kind, old[i].ids)] = old[i];
	free(old);
}

static struct def *
find(const struct defs *d, enum kind kind, const int64_t ids[IDS])
{
	struct def *x;

	if (d->size == 0)
		return NULL;
	x = &d->table[place(d, kind, ids)];
	return x->there ? x : NULL;
}

static void
identify(const struct event *ev, int64_t ids[IDS])
{
	size_t i;

	for (i = 0; identity[ev->kind][i] != KEY_NONE; i++)
		ids[i] = event_int(ev, identity[ev->kind][i], NO_ID);
	for (; i < IDS; i++)
		ids[i] = 0;
}

static struct def *
get(struct defs *d, const struct event *ev)
{
	int64_t ids[IDS];
	struct def *x;

	if (d->count >= d->size / 2)
		grow(d);
	identify(ev, ids);
	x = &d->table[place(d, ev->kind, ids)];
	if (!x->there) {
		*x = (struct def){.kind = ev->kind, .there = true};
		memcpy(x->ids, ids, sizeof(ids));
		d->count++;
	}
	return x;
}

/* ---- definitions ---- */

static void
keep_names(struct defs *d, struct def *x, const struct event *ev)
{
	static const enum key keys[2] = {KEY_demangled, KEY_mangled};

	if (ev->kind != KIND_symbol)
		return;
	for (size_t i = 0; i < 2; i++) {
		x->name[i] = d->texts.len;
		if (event_has(ev, keys[i]))
			json_decode(&d->texts, ev->value[keys[i]]);
		x->end[i] = d->texts.len;
	}
}

void
defs_tell(struct defs *d, const struct event *ev)
{
	if (ev->kind == KIND_symbol)
		keep_names(d, get(d, ev), ev);
}

void
defs_add(struct defs *d, const struct event *ev)
{
	struct def *x = get(d, ev);
	size_t start = d->lines.len;

	keep_names(d, x, ev);
	if (x->written) {
		d->write(d->arg, ev->line);
		return;
	}
	/* what was said of it before goes on to count */
	if (x->len > 0) {
		text_reserve(&d->lines, x->len + ev->line.len + 2);
		text_add(&d->lines, d->lines.p + x->line, x->len);
		text_add_char(&d->lines, '\n');
	}
	text_add_span(&d->lines, ev->line);
	text_reserve(&d->lines, EVENT_PADDING); /* so that it can be parsed */
	x->line = start;
	x->len = d->lines.len - start;
}

void
defs_written(struct defs *d, const struct event *ev)
{
	struct def *x = get(d, ev);

	keep_names(d, x, ev);
	x->written = true;
}

static void
use(struct defs *d, struct def *x)
{
	const char *p, *end, *newline;

	if (x->written)
		return;
	x->written = true;
	p = d->lines.p + x->line;
	for (end = p + x->len; p < end; p = newline + 1) {
		newline = memchr(p, '\n', (size_t)(end - p));
		if (newline == NULL)
			newline = end;
		d->write(d->arg, (struct span){p, (size_t)(newline - p)});
	}
}

/* who numbers streams by process leaves out the device, or even the process */
static struct def *
look_up(const struct defs *d, enum kind kind, int64_t ids[IDS])
{
	struct def *x = find(d, kind, ids);

	if (x == NULL && identity[kind][1] == KEY_device) {
		ids[1] = NO_ID;
		x = find(d, kind, ids);
	}
	if (x == NULL && identity[kind][0] == KEY_pid) {
		ids[0] = NO_ID;
		x = find(d, kind, ids);
	}
	return x;
}

void
defs_use(struct defs *d, const struct event *ev)
{
	struct def *x;

	for (size_t i = 0; i < REFERENCES; i++) {
		const enum key *key = identity[references[i].kind];
		int64_t ids[IDS] = {0};

		if (!event_has(ev, references[i].key))
			continue;
		if (key[0] == KEY_id)
			ids[0] = event_int(ev, references[i].key, 0);
		else
			for (size_t n = 0; key[n] != KEY_NONE; n++)
				ids[n] = event_int(ev, key[n], NO_ID);
		if ((x = look_up(d, references[i].kind, ids)) != NULL)
			use(d, x);
	}
	if (event_has(ev, KEY_end_tid)) {
		int64_t ids[IDS] = {event_int(ev, KEY_pid, NO_ID),
		    event_int(ev, KEY_end_tid, NO_ID)};

		if ((x = find(d, KIND_thread, ids)) != NULL)
			use(d, x);
	}
}

bool
defs_symbol(void *arg, int64_t sym, bool mangled, struct span *name)
{
	const struct defs *d = arg;
	int64_t ids[IDS] = {sym};
	const struct def *x = find(d, KIND_symbol, ids);

	if (x == NULL || x->end[mangled] == x->name[mangled])
		return false;
	*name = (struct span){
	    d->texts.p + x->name[mangled], x->end[mangled] - x->name[mangled]};
	return true;
}

void
defs_reset(struct defs *d)
{
	if (d->size > 0)
		memset(d->table, 0, d->size * sizeof(*d->table));
	d->count = 0;
	d->lines.len = d->texts.len = 0;
}

void
defs_free(struct defs *d)
{
	free(d->table);
	text_free(&d->lines);
	text_free(&d->texts);
}
