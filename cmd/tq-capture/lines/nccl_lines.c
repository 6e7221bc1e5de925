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

static void
write_name(struct output *o, const struct record_nccl *r)
{
	struct span function = SPAN_IN(r->function);
	char name[64];
	int n;

	if (function.len == 0 && has_function(r))
		function = SPAN("Unknown");
	n = snprintf(name, sizeof(name), "%s%.*s%s", classes[r->class].prefix,
	    (int)function.len, function.p, classes[r->class].suffix);
	emit_str(o, KEY_name, (struct span){name, (size_t)n});
}

static void
add_number(struct text *t, const char *key, int64_t value, bool has)
{
	if (has)
		text_printf(t, ",\"%s\":%" PRId64, key, value);
}

static void
add_word(struct text *t, const char *key, struct span word)
{
	if (word.len == 0)
		return;
	text_printf(t, ",\"%s\":", key);
	text_add_json(t, word.p, word.len);
}

static void
write_args(struct text *t, const struct record_nccl *r)
{
	bool rooted = has_root(SPAN_IN(r->function));

	text_printf(t, "{\"class\":\"%s\"", classes[r->class].word);
	if (r->comm != 0)
		text_printf(t, ",\"comm\":\"0x%" PRIx64 "\"", r->comm);
	add_word(t, "commName", SPAN_IN(r->comm_name));
	add_number(t, "rank", r->rank, r->rank >= 0);
	add_number(t, "ranks", r->ranks, r->ranks > 0);
	add_number(t, "root", r->peer, rooted);
	add_number(t, "peer", r->peer, r->class == NCCL_P2P);
	add_word(t, "datatype", SPAN_IN(r->datatype));
	if (has_function(r))
		text_printf(t, ",\"count\":%" PRIu64, r->count);
	add_word(t, "algorithm", SPAN_IN(r->algorithm));
	add_word(t, "protocol", SPAN_IN(r->protocol));
	add_number(t, "channels", r->channels, r->channels > 0);
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
	struct output *o = &l->out->line;
	int64_t ts = clock_ns(l->clock, s->r.head.ticks), dur = INT64_MAX;
	int64_t bytes = has_function(&s->r) ? bytes_of(&s->r) : -1;

	if (end != NULL)
		dur = clock_ns(l->clock, end->ticks) - ts;
	if (dur < 0)
		dur = 0;
	out_stream_begin(l->out, LINE_EVENT, l->process, 0);
	emit_open(o, KIND_api);
	emit_int(o, KEY_ts, ts);
	if (end != NULL)
		emit_int(o, KEY_dur, dur);
	emit_int(o, KEY_pid, l->pid);
	emit_int(o, KEY_tid, s->tid);
	write_name(o, &s->r);
	emit_str(o, KEY_api, SPAN("nccl"));
	if (bytes >= 0)
		emit_int(o, KEY_bytes, bytes);
	if (end == NULL)
		emit_bool(o, KEY_open, true);
	emit_key(o, KEY_args);
	write_args(&o->buf, &s->r);
	if (end != NULL)
		add_number(&o->buf, "end_tid", end->tid, end->tid != s->tid);
	text_add_char(&o->buf, '}');
	emit_close(o);
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

static int
start_event(struct lines *l, const struct nccl_started *s)
{
	struct nccl_lines *n = &l->nccl;
	struct nccl_early *e = keyed_find(&n->early, s->r.event, 0);
	uint64_t *at;

	if (e != NULL && !e->used) {
		e->used = true;
		n->unused--;
		write_line(l, s, e);
		return 1;
	}
	at = map_get(&n->numbers, s->r.event, 0);
	if (*at == 0) {
		*array_add(&n->open, &n->count, &n->cap) = *s;
		*at = n->count;
	} else {
		n->open[*at - 1] = *s; /* nobody but a broken program */
	}
	return 0;
}

static int
end_event(struct lines *l, uint64_t event, const struct nccl_early *end)
{
	struct nccl_lines *n = &l->nccl;
	const uint64_t *at = map_find(&n->numbers, event, 0);
	struct nccl_early *e;
	bool fresh;

	if (at != NULL) {
		write_line(l, &n->open[*at - 1], end);
		forget(n, *at - 1);
		return 1;
	}
	if (n->unused == 0 || n->early.count == EARLY_MOST) {
		keyed_clear(&n->early);
		n->unused = 0;
	}
	e = keyed_get(&n->early, event, 0, &fresh);
	if (fresh) {
		*e = *end;
		n->unused++;
	}
	return 0;
}

int
nccl_lines_record(struct lines *l, int32_t tid, const struct record *record)
{
	struct nccl_started s = {.tid = tid};
	struct record_nccl_end end;

	if (record->type == RECORD_NCCL_END &&
	    record->words == sizeof(end) / 8) {
		memcpy(&end, record, sizeof(end));
		return end_event(l, end.event,
		    &(struct nccl_early){.ticks = end.head.ticks, .tid = tid});
	}
	if (record->type == RECORD_NCCL && record->words == sizeof(s.r) / 8) {
		memcpy(&s.r, record, sizeof(s.r));
		if (s.r.class < NCCL_CLASSES)
			return start_event(l, &s);
	}
	l->garbage++;
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
