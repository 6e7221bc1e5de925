/* nccl_lines.c - events of NCCL become lines */

#include <inttypes.h>
#include <stdio.h>

#include "lines.h"

/* ends without a start: more are of a program that ends events twice */
enum { EARLY_MOST = 1 << 16 };

static const struct {
	const char *word, *prefix, *suffix;
} classes[NCCL_CLASSES] = {
#define CLASS(ID, word, prefix, suffix) [NCCL_##ID] = {word, prefix, suffix},
#include "arena/nccl_words.def"
};

static const struct {
	const char *name;
	bool rooted;
} functions[] = {
#define FUNCTION(name, rooted) {#name, rooted},
#include "arena/nccl_words.def"
};

static const struct {
	const char *name;
	uint64_t size;
} datatypes[] = {
#define DATATYPE(name, size) {#name, size},
#include "arena/nccl_words.def"
};

/* of a char array, with a NUL or without */
#define SPAN_IN(a) ((struct span){(a), strnlen((a), sizeof(a))})

/* ---- a line ---- */

static bool
has_root(struct span function)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (span_eq(function, span_of(functions[i].name)))
			return functions[i].rooted;
	return false;
}

/* -1: not known */
static int64_t
bytes_of(const struct record_nccl *r)
{
	struct span type = SPAN_IN(r->datatype);
	int64_t bytes;

	for (size_t i = 0; i < sizeof(datatypes) / sizeof(*datatypes); i++)
		if (span_eq(type, span_of(datatypes[i].name)))
			return __builtin_mul_overflow(
				   r->count, datatypes[i].size, &bytes)
				   ? -1
				   : bytes;
	return -1;
}

static bool
is_operation(const struct record_nccl *r)
{
	return r->class == NCCL_COLLECTIVE || r->class == NCCL_P2P;
}

static bool
has_function(const struct record_nccl *r)
{
	return is_operation(r) || r->class == NCCL_COLLECTIVE_API ||
	       r->class == NCCL_P2P_API;
}

static struct span
name_of(const struct record_nccl *r, char to[64])
{
	struct span function = SPAN_IN(r->function);
	int n;

	if (function.len == 0 && has_function(r))
		function = SPAN("Unknown");
	n = snprintf(to, 64, "%s%.*s%s", classes[r->class].prefix,
	    (int)function.len, function.p, classes[r->class].suffix);
	return (struct span){to, (size_t)n};
}

static void
write_args(struct text *t, const struct record_nccl *r)
{
	bool rooted = has_root(SPAN_IN(r->function));

	text_printf(t, "{\"class\":\"%s\"", classes[r->class].word);
	if (r->comm != 0)
		text_printf(t, ",\"comm\":\"0x%" PRIx64 "\"", r->comm);
	call_line_string(t, "commName", SPAN_IN(r->comm_name));
	call_line_number(t, "rank", r->rank, r->rank >= 0);
	call_line_number(t, "ranks", r->ranks, r->ranks > 0);
	call_line_number(t, "root", r->peer, rooted);
	call_line_number(t, "peer", r->peer, r->class == NCCL_P2P);
	call_line_string(t, "datatype", SPAN_IN(r->datatype));
	if (has_function(r))
		text_printf(t, ",\"count\":%" PRIu64, r->count);
	call_line_string(t, "algorithm", SPAN_IN(r->algorithm));
	call_line_string(t, "protocol", SPAN_IN(r->protocol));
	call_line_number(t, "channels", r->channels, r->channels > 0);
	if (r->has & NCCL_HAS_SEQUENCE)
		text_printf(t, ",\"sn\":%" PRIu64, r->sequence);
	if (r->has & NCCL_IS_CAPTURED)
		text_add_str(t, ",\"captured\":true");
	text_printf(t, ",\"event\":%" PRIu64, r->event);
	if (r->parent != 0)
		text_printf(t, ",\"parent\":%" PRIu64, r->parent);
}

/* end: NULL: the event is open */
static void
write_line(
    struct lines *l, const struct nccl_started *s, const struct nccl_early *end)
{
	int64_t ts = clock_ns(l->clock, s->r.head.ticks);
	int64_t dur = end != NULL ? lines_dur(l, ts, end->ticks) : DUR_OPEN;
	int64_t bytes = has_function(&s->r) ? bytes_of(&s->r) : -1;
	struct text *t = &l->out->line.buf;
	char name[64];

	call_line_begin(l, &(struct call_line){.kind = KIND_api,
			       .tid = s->tid,
			       .ts = ts,
			       .dur = dur,
			       .name = name_of(&s->r, name),
			       .api = "nccl",
			       .bytes = bytes >= 0 ? &bytes : NULL});
	emit_key(&l->out->line, KEY_args);
	write_args(t, &s->r);
	if (end != NULL)
		call_line_number(t, "end_tid", end->tid, end->tid != s->tid);
	text_add_char(t, '}');
	lines_put(l, ts, dur);
}

/* ---- starts and ends ---- */

/* the last one takes its place */
static void
forget(struct nccl_lines *n, size_t i)
{
	map_remove(&n->numbers, n->open[i].r.event, 0);
	n->count--;
	if (i == n->count)
		return;
	n->open[i] = n->open[n->count];
	*map_get(&n->numbers, n->open[i].r.event, 0) = i + 1;
}

int
nccl_lines_start(
    struct lines *l, const struct chunk *c, const struct record *record)
{
	const struct record_nccl *r = (const struct record_nccl *)record;
	const struct nccl_started s = {.r = *r, .tid = lines_thread(l, c)->tid};
	struct nccl_lines *n = &l->nccl;
	struct nccl_early *e;
	uint64_t *at;

	if (record->words != sizeof(*r) / 8 || r->class >= NCCL_CLASSES)
		return LINES_GARBAGE;
	e = keyed_find(&n->early, r->event, 0);
	if (e != NULL && !e->used) {
		e->used = true;
		n->unused--;
		write_line(l, &s, e);
		return 1;
	}
	at = map_get(&n->numbers, r->event, 0);
	if (*at == 0) {
		*array_add(&n->open, &n->count, &n->cap) = s;
		*at = n->count;
	} else {
		n->open[*at - 1] = s; /* nobody but a broken program */
	}
	return 0;
}

int
nccl_lines_end(
    struct lines *l, const struct chunk *c, const struct record *record)
{
	const struct record_nccl_end *r =
	    (const struct record_nccl_end *)record;
	const struct nccl_early end = {
	    .ticks = record->ticks, .tid = lines_thread(l, c)->tid};
	struct nccl_lines *n = &l->nccl;
	const uint64_t *at = map_find(&n->numbers, r->event, 0);
	struct nccl_early *e;
	bool fresh;

	if (record->words != sizeof(*r) / 8)
		return LINES_GARBAGE;
	if (at != NULL) {
		write_line(l, &n->open[*at - 1], &end);
		forget(n, *at - 1);
		return 1;
	}
	if (n->unused == 0 || n->early.count == EARLY_MOST) {
		keyed_clear(&n->early);
		n->unused = 0;
	}
	e = keyed_get(&n->early, r->event, 0, &fresh);
	if (fresh) {
		*e = end;
		n->unused++;
	}
	return 0;
}

int64_t
nccl_lines_oldest(const struct lines *l)
{
	uint64_t oldest = UINT64_MAX;

	for (size_t i = 0; i < l->nccl.count; i++)
		if (l->nccl.open[i].r.head.ticks < oldest)
			oldest = l->nccl.open[i].r.head.ticks;
	return oldest == UINT64_MAX ? INT64_MAX : clock_ns(l->clock, oldest);
}

int64_t
nccl_lines_open(struct lines *l)
{
	if (l->nccl.lost)
		return 0;
	for (size_t i = 0; i < l->nccl.count; i++)
		write_line(l, &l->nccl.open[i], NULL);
	return (int64_t)l->nccl.count;
}

void
nccl_lines_free(struct nccl_lines *n)
{
	free(n->open);
	map_free(&n->numbers);
	keyed_free(&n->early);
	n->open = NULL;
	n->count = n->cap = 0;
}
