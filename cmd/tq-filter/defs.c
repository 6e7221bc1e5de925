/* defs.c - the definitions of a section */

#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/base/time.h"
#include "tq/line/json.h"

#include "defs.h"

struct def {
	enum kind kind;
	bool there, written;
	int64_t ids[SCHEMA_IDS];
	size_t line, len; /* in lines; several if it came twice */
};

/* the keys that identify a definition of a kind, KEY_NONE behind the last */
static const enum key *
ids_of(enum kind kind)
{
	return schema_definitions[kind].ids;
}

/*
 * True of definitions that a record refers to by an id of their own.  All of
 * processes and devices are written, and use_modules finds modules.
 */
static bool
is_referred(enum kind kind)
{
	enum key reference = schema_definitions[kind].reference;

	return schema_role(kind) == ROLE_DEF && reference != KEY_pid &&
	       reference != KEY_device;
}

void
defs_init(struct defs *d, void (*write)(void *, struct span), void *arg)
{
	*d = (struct defs){
	    .write = write, .arg = arg, .symbols.with_mangled = true};
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (is_referred(k))
			d->referred[d->referred_count++] = k;
}

void
defs_keys_define(struct keyset *want)
{
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		if (schema_kinds[k].role != ROLE_DEF)
			continue;
		for (const enum key *id = ids_of(k); *id != KEY_NONE; id++)
			keyset_add(&want[k], *id);
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
		for (enum kind def = 0; def < KIND_COUNT; def++)
			if (is_referred(def))
				keyset_add(&want[k],
				    schema_definitions[def].reference);
	}
	keyset_add(&want[KIND_range], KEY_end_tid);
	keyset_add(&want[KIND_osrt], KEY_args);
}

/* ---- the table ---- */

static size_t
place_of(const struct defs *d, enum kind kind, const int64_t ids[SCHEMA_IDS])
{
	uint64_t h = (uint64_t)kind;
	size_t i;

	for (size_t n = 0; n < SCHEMA_IDS; n++)
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
			d->table[place_of(d, old[i].kind, old[i].ids)] = old[i];
	free(old);
}

static struct def *
find_def(const struct defs *d, enum kind kind, const int64_t ids[SCHEMA_IDS])
{
	struct def *x;

	if (d->size == 0)
		return NULL;
	x = &d->table[place_of(d, kind, ids)];
	return x->there ? x : NULL;
}

static void
identify(const struct event *ev, int64_t ids[SCHEMA_IDS])
{
	const enum key *key = ids_of(ev->kind);
	size_t i;

	for (i = 0; key[i] != KEY_NONE; i++)
		ids[i] = event_int(ev, key[i], NO_ID);
	for (; i < SCHEMA_IDS; i++)
		ids[i] = 0;
}

static struct def *
get_def(struct defs *d, const struct event *ev)
{
	int64_t ids[SCHEMA_IDS];
	struct def *x;

	if (d->count >= d->size / 2)
		grow(d);
	identify(ev, ids);
	x = &d->table[place_of(d, ev->kind, ids)];
	if (!x->there) {
		*x = (struct def){.kind = ev->kind, .there = true};
		memcpy(x->ids, ids, sizeof(ids));
		d->count++;
	}
	return x;
}

/* ---- definitions ---- */

void
defs_note(struct defs *d, const struct event *ev)
{
	if (ev->kind == KIND_symbol)
		names_define(&d->symbols, ev);
}

void
defs_add(struct defs *d, const struct event *ev)
{
	struct def *x = get_def(d, ev);
	size_t start = d->lines.len;

	defs_note(d, ev);
	if (x->written) {
		d->write(d->arg, ev->line);
		return;
	}
	/* the lines of it that came before stay in front */
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
	defs_note(d, ev);
	get_def(d, ev)->written = true;
}

static void
write_once(struct defs *d, struct def *x)
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

/*
 * The definition that a record refers to; one without the device, or even the
 * process, serves all of them.
 */
static struct def *
look_up(const struct defs *d, enum kind kind, int64_t ids[SCHEMA_IDS])
{
	struct def *x = find_def(d, kind, ids);

	if (x == NULL && ids_of(kind)[1] == KEY_device) {
		ids[1] = NO_ID;
		x = find_def(d, kind, ids);
	}
	if (x == NULL && ids_of(kind)[0] == KEY_pid) {
		ids[0] = NO_ID;
		x = find_def(d, kind, ids);
	}
	return x;
}

/* A call that has a Python stack may have a native one in its args. */
static void
use_native(struct defs *d, const struct event *ev)
{
	struct text key = {0};
	struct span value;
	struct def *x;
	struct json j;

	if ((ev->kind != KIND_osrt && ev->kind != KIND_api) ||
	    !event_has(ev, KEY_stack) || !event_has(ev, KEY_args))
		return;
	json_open(&j, ev->value[KEY_args]);
	while (json_next(&j, &key, &value)) {
		int64_t ids[SCHEMA_IDS] = {0};

		if (span_eq(text_span(&key), SPAN("native")) &&
		    json_int(value, &ids[0]) &&
		    (x = look_up(d, KIND_stack, ids)) != NULL)
			write_once(d, x);
	}
	text_free(&key);
}

/* A stack has frames in modules of its process. */
static void
use_modules(struct defs *d, const struct event *ev)
{
	int64_t ids[SCHEMA_IDS] = {event_int(ev, KEY_pid, NO_ID)};
	struct def *x =
	    event_has(ev, KEY_stack) ? look_up(d, KIND_module, ids) : NULL;

	if (x != NULL)
		write_once(d, x);
}

void
defs_use(struct defs *d, const struct event *ev)
{
	struct def *x;

	for (size_t i = 0; i < d->referred_count; i++) {
		enum kind kind = d->referred[i];
		const enum key *key = ids_of(kind);
		enum key reference = schema_definitions[kind].reference;
		int64_t ids[SCHEMA_IDS] = {0};

		if (!event_has(ev, reference))
			continue;
		if (key[0] == KEY_id)
			ids[0] = event_int(ev, reference, 0);
		else
			for (size_t n = 0; key[n] != KEY_NONE; n++)
				ids[n] = event_int(ev, key[n], NO_ID);
		if ((x = look_up(d, kind, ids)) != NULL)
			write_once(d, x);
	}
	use_native(d, ev);
	use_modules(d, ev);
	if (event_has(ev, KEY_end_tid)) {
		int64_t ids[SCHEMA_IDS] = {event_int(ev, KEY_pid, NO_ID),
		    event_int(ev, KEY_end_tid, NO_ID)};

		if ((x = find_def(d, KIND_thread, ids)) != NULL)
			write_once(d, x);
	}
}

void
defs_reset(struct defs *d)
{
	if (d->size > 0)
		memset(d->table, 0, d->size * sizeof(*d->table));
	d->count = 0;
	d->lines.len = 0;
	names_reset(&d->symbols);
}

void
defs_free(struct defs *d)
{
	free(d->table);
	text_free(&d->lines);
	names_free(&d->symbols);
}
