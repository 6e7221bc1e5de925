/*
 * described_tracks.c - the tracks of a trace
 *
 * A process and a thread are named by the numbers in a descriptor.  Where no
 * descriptor has them, they are parts of names:
 *
 *	tq:        [rank N] NAME PID [· GPU N | · threads]  and in it NAME TID,
 *	           stream N ...; GPU N
 *	rocprofv3: COMPUTE AGENT [N] STREAM [N], ... QUEUE [N], THREAD N (TID)
 */

#include <stdlib.h>

#include "described_tracks.h"
#include "read/proto_reader.h"
#include "tq/line/json.h"

enum { DEPTH = 64 }; /* tracks above one another */

#define DOT "\xc2\xb7" /* stands between the parts of titles */

static struct described_track *
get(struct described_tracks *t, uint64_t uuid)
{
	bool fresh;
	struct described_track *k = keyed_get(&t->all, uuid, 0, &fresh);

	if (fresh)
		*k = (struct described_track){.uuid = uuid,
		    .name = SPAN(""),
		    .unit = SPAN(""),
		    .gpu = SPAN(""),
		    .process_name = SPAN(""),
		    .pid = NO_ID,
		    .tid = NO_ID,
		    .multiplier = 1};
	return k;
}

/* ---- descriptors ---- */

static void
set_text(struct described_tracks *t, struct span *to, struct span s)
{
	if (s.len > 0 && !span_eq(*to, s))
		*to = region_copy(&t->texts, s);
}

static void
take_process(
    struct described_tracks *t, struct described_track *k, struct span m)
{
	enum { PID = 1, NAME = 6 };
	struct proto_field f;

	if (proto_reader_find(m, PID, &f))
		k->pid = (int32_t)f.v;
	set_text(t, &k->process_name, proto_reader_bytes(m, NAME));
}

static void
take_thread(
    struct described_tracks *t, struct described_track *k, struct span m)
{
	enum { PID = 1, TID = 2, NAME = 5 };
	struct proto_field f;

	if (proto_reader_find(m, PID, &f))
		k->pid = (int32_t)f.v;
	if (proto_reader_find(m, TID, &f))
		k->tid = (int64_t)f.v;
	set_text(t, &k->name, proto_reader_bytes(m, NAME));
}

static void
take_counter(
    struct described_tracks *t, struct described_track *k, struct span m)
{
	enum { UNIT = 3, MULTIPLIER = 4, INCREMENTAL = 5, UNIT_NAME = 6 };
	static const char *const units[] = {"", "ns", "count", "bytes"};
	struct proto_field f;

	k->counter = true;
	if (proto_reader_find(m, UNIT, &f) && f.v < 4)
		set_text(t, &k->unit, span_of(units[f.v]));
	set_text(t, &k->unit, proto_reader_bytes(m, UNIT_NAME));
	if (proto_reader_find(m, MULTIPLIER, &f) && f.v > 0 && f.v < INT32_MAX)
		k->multiplier = (int64_t)f.v;
	if (proto_reader_find(m, INCREMENTAL, &f))
		k->distances = f.v != 0;
}

void
described_tracks_take(struct described_tracks *t, struct span descriptor)
{
	enum {
		UUID = 1,
		NAME,
		PROCESS,
		THREAD,
		PARENT,
		COUNTER = 8,
		STATIC = 10,
		DESCRIPTION = 14
	};
	struct proto_reader r = proto_reader(descriptor);
	struct described_track *k;
	struct proto_field f;

	if (!proto_reader_find(descriptor, UUID, &f))
		f.v = 0;
	k = get(t, f.v);
	while (proto_reader_next(&r, &f)) {
		if (f.number == PARENT)
			k->parent = f.v;
		if (f.bytes.p == NULL)
			continue;
		if (f.number == NAME || f.number == STATIC)
			set_text(t, &k->name, f.bytes);
		else if (f.number == DESCRIPTION)
			set_text(t, &k->gpu, f.bytes);
		else if (f.number == PROCESS)
			take_process(t, k, f.bytes);
		else if (f.number == THREAD)
			take_thread(t, k, f.bytes);
		else if (f.number == COUNTER)
			take_counter(t, k, f.bytes);
	}
}

uint64_t
described_tracks_thread(struct described_tracks *t, struct span thread)
{
	struct described_track k = {
	    .name = SPAN(""), .pid = NO_ID, .tid = NO_ID};
	uint64_t uuid;

	take_thread(t, &k, thread);
	uuid = ((uint64_t)k.pid << 32 ^ (uint64_t)k.tid) | (uint64_t)1 << 63;
	take_thread(t, get(t, uuid), thread);
	return uuid;
}

/* ---- names ---- */

static struct span
without_blanks(struct span s)
{
	while (s.len > 0 && *s.p == ' ') {
		s.p++;
		s.len--;
	}
	while (s.len > 0 && s.p[s.len - 1] == ' ')
		s.len--;
	return s;
}

/* take the number that is the last word of a name */
static bool
take_last_number(struct span *s, int64_t *v)
{
	size_t n = s->len;

	while (n > 0 && s->p[n - 1] >= '0' && s->p[n - 1] <= '9')
		n--;
	if (n == 0 || n == s->len || s->p[n - 1] != ' ' ||
	    !json_int((struct span){s->p + n, s->len - n}, v))
		return false;
	s->len = n - 1;
	return true;
}

/* the number behind a word of a name */
static void
find_number(struct span s, struct span word, int64_t *v)
{
	const char *p = memmem(s.p, s.len, word.p, word.len);
	size_t n = 0, left;

	if (p == NULL)
		return;
	p += word.len;
	left = (size_t)(s.p + s.len - p);
	while (n < left && p[n] >= '0' && p[n] <= '9')
		n++;
	if (n > 0)
		json_int((struct span){p, n}, v);
}

/* rank N NAME PID, and the text behind a dot */
static void
read_group(struct described_track *k, struct span title, struct span *name)
{
	const char *dot = memmem(title.p, title.len, " " DOT, 3);
	int64_t rank;

	find_number(
	    title, dot != NULL ? SPAN(DOT " GPU ") : SPAN("GPU "), &k->device);
	if (dot != NULL)
		title.len = (size_t)(dot - title.p);
	else if (span_begins(title, SPAN("GPU ")))
		return;
	title = without_blanks(title);
	if (!take_last_number(&title, &k->process))
		return;
	if (span_begins(title, SPAN("rank "))) {
		struct span rest = {title.p + 5, title.len - 5};
		const char *blank = memchr(rest.p, ' ', rest.len);

		if (blank != NULL &&
		    json_int((struct span){rest.p, (size_t)(blank - rest.p)},
			&rank)) {
			title.len -= (size_t)(blank + 1 - title.p);
			title.p = blank + 1;
		}
	}
	if (!span_eq(title, SPAN("process")))
		*name = title;
}

/* a row of tq: NAME TID */
static void
read_row(struct described_track *k)
{
	struct span name = k->name;
	int64_t tid;

	if (span_begins(name, SPAN("stream ")) ||
	    span_begins(name, SPAN("sync ")) || !take_last_number(&name, &tid))
		return;
	k->thread = k->tid = tid;
	k->name = span_eq(name, SPAN("thread")) ? SPAN("") : name;
}

static void
read_rocprof(struct described_track *k)
{
	find_number(k->name, SPAN("AGENT ["), &k->device);
	find_number(k->name, SPAN("STREAM ["), &k->stream);
	find_number(k->name, SPAN("QUEUE ["), &k->queue);
	if (span_begins(k->name, SPAN("THREAD ")))
		find_number(k->name, SPAN("("), &k->thread);
}

/* ---- all are known ---- */

static struct described_track *
find(struct described_tracks *t, uint64_t uuid)
{
	return keyed_find(&t->all, uuid, 0);
}

/*
 * the group of a track of tq: the topmost one, but for the group of groups
 * aside
 */
static struct described_track *
group_of(struct described_tracks *t, struct described_track *k)
{
	for (int i = 0; i < DEPTH && k->parent != 0; i++) {
		struct described_track *up = find(t, k->parent);

		if (up == NULL ||
		    span_begins(up->name, SPAN(DOT " everything")))
			break;
		k = up;
	}
	return k;
}

static void
settle_ours(struct described_tracks *t, struct described_track *k)
{
	struct described_track *g = group_of(t, k);
	struct span name = SPAN("");

	read_group(k, without_blanks(g->name), &name);
	if (k->process != NO_ID && name.len > 0) {
		g->pid = k->process;
		set_text(t, &g->process_name, name);
	}
	if (k->counter && span_begins(k->gpu, SPAN("GPU "))) {
		k->process = NO_ID;
		find_number(k->gpu, SPAN("GPU "), &k->device);
	} else if (g != k && !k->counter)
		read_row(k);
}

static void
settle(struct described_tracks *t, struct described_track *k)
{
	const struct described_track *up = k;

	k->settled = true;
	k->process = k->thread = k->device = k->context = k->stream = k->queue =
	    NO_ID;
	if (t->ours) {
		settle_ours(t, k);
		return;
	}
	for (int i = 0; i < DEPTH && up != NULL; i++) {
		if (k->thread == NO_ID)
			k->thread = up->tid;
		if (k->process == NO_ID)
			k->process = up->pid;
		up = up->parent != 0 ? find(t, up->parent) : NULL;
	}
	read_rocprof(k);
}

void
described_tracks_settle(struct described_tracks *t, bool ours)
{
	bool several = false;

	t->ours = ours;
	t->only_process = NO_ID;
	for (size_t i = 0; i < t->all.count; i++) {
		struct described_track *k = &t->all.all[i];

		settle(t, k);
		if (k->pid == NO_ID)
			continue;
		several |=
		    t->only_process != NO_ID && t->only_process != k->pid;
		t->only_process = k->pid;
	}
	if (several)
		t->only_process = NO_ID;
}

struct described_track *
described_tracks_find(struct described_tracks *t, uint64_t uuid)
{
	struct described_track *k = get(t, uuid);

	if (!k->settled)
		settle(t, k);
	return k;
}

void
described_tracks_free(struct described_tracks *t)
{
	keyed_free(&t->all);
	region_free(&t->texts);
}
