/* solve.c - the lines of all ranks to the clock of one */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/mem.h"
#include "tq/io/emit.h"
#include "tq/io/opts.h"
#include "tq/io/status.h"
#include "tq/line/json.h"
#include "tq/show/col.h"
#include "tq/show/column_doc.h"
#include "tq/show/pretty.h"

#include "solve.h"

static struct span
by_word(enum clock_by by)
{
	return opts_word_at(CLOCK_WORDS, (int)by);
}

/* ---- what ranks there are ---- */

/* a recording without a rank gets the number of its place */
static int64_t
rank_at(const struct solution *s, size_t i, const struct rank_points *p)
{
	int64_t rank = p->rank;

	if (rank == NO_ID) {
		rank = (int64_t)i;
		if (s->count > 1)
			warnx(
			    "warning: recording %zu does not say its rank: it "
			    "is taken for %" PRId64,
			    i + 1, rank);
	}
	for (size_t k = 0; k < i; k++)
		if (s->all[k].rank == rank)
			errx(TQ_FAIL, "two recordings are of rank %" PRId64,
			    rank);
	return rank;
}

static void
take_rank(struct solution *s, size_t i, const struct rank_points *p)
{
	struct rank_clock *r = &s->all[i];

	r->rank = rank_at(s, i, p);
	r->host = p->host != NULL ? mem_copy(p->host, strlen(p->host)) : NULL;
	r->utc = p->utc;
	r->line = (struct clock_line){
	    .error = NO_ID, .spread = NO_ID, .by = CLOCK_NONE};
	r->comms = mem_alloc((p->count + 1) * sizeof(*r->comms));
	for (size_t k = 0; k < p->count; k++)
		r->comms[k] = intern_get(&s->comms,
		    span_of(p->all[k].comm != NULL ? p->all[k].comm : ""));
	r->comm_count = p->count;
}

/* guess: streams without a communicator may be of the same one */
static bool
share_comm(const struct solution *s, const struct rank_clock *a,
    const struct rank_clock *b, bool guess)
{
	uint32_t none = intern_find(&s->comms, SPAN(""));

	for (size_t i = 0; i < a->comm_count; i++)
		for (size_t k = 0; k < b->comm_count; k++)
			if (a->comms[i] == b->comms[k] &&
			    (guess || a->comms[i] != none))
				return true;
	return false;
}

/* the lowest rank of the largest communicator */
static size_t
find_lowest(const struct solution *s)
{
	size_t *sizes = mem_alloc((s->comms.count + 1) * sizeof(*sizes));
	size_t found = 0, most = 0;

	for (size_t i = 0; i < s->count; i++)
		for (size_t k = 0; k < s->all[i].comm_count; k++)
			sizes[s->all[i].comms[k]]++;
	for (size_t i = 0; i < s->count; i++) {
		const struct rank_clock *r = &s->all[i];
		size_t largest = 0;

		for (size_t k = 0; k < r->comm_count; k++)
			if (sizes[r->comms[k]] > largest)
				largest = sizes[r->comms[k]];
		if (i == 0 || largest > most ||
		    (largest == most && r->rank < s->all[found].rank)) {
			found = i;
			most = largest;
		}
	}
	free(sizes);
	return found;
}

static size_t
find_reference(const struct solution *s, int64_t rank)
{
	if (rank == NO_ID)
		return find_lowest(s);
	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].rank == rank)
			return i;
	errx(TQ_FAIL, "no recording is of rank %" PRId64, rank);
}

/* ---- lines ---- */

/* the line without operations: by UTC, or none */
static void
set_utc(
    struct rank_clock *r, const struct rank_clock *reference, enum clock_by by)
{
	int64_t offset;

	r->line = (struct clock_line){.error = NO_ID,
	    .spread = NO_ID,
	    .matched = r->line.matched,
	    .by = CLOCK_NONE};
	if (r->utc == NO_ID || reference->utc == NO_ID ||
	    __builtin_sub_overflow(r->utc, reference->utc, &offset))
		return;
	r->line.offset = offset;
	r->line.by = by;
}

/* tie the ranks that are not tied yet to the rank at hub, which is */
static void
tie_to(struct solution *s, const struct points_source *from, size_t hub,
    bool guess)
{
	const struct rank_points *a = NULL;

	for (size_t i = 0; i < s->count; i++) {
		struct rank_clock *r = &s->all[i];
		struct clock_line l;

		if (r->proved || r->line.by == CLOCK_CONFLICT || i == hub ||
		    !share_comm(s, &s->all[hub], r, guess))
			continue;
		if (a == NULL)
			a = from->load(from->from, hub, false);
		l = clock_line_find(
		    a, from->load(from->from, i, false), &r->said);
		from->release(from->from, i);
		if (l.by == CLOCK_CONFLICT)
			r->line = l;
		if (l.by != CLOCK_COLLECTIVES && l.by != CLOCK_SEQUENCE)
			continue;
		r->line = clock_line_join(&l, &s->all[hub].line);
		r->proved = true;
	}
	if (a != NULL)
		from->release(from->from, hub);
}

/* The rank that is tied best, and was no hub yet; SIZE_MAX: there is none. */
static size_t
next_hub(const struct solution *s, const bool *done)
{
	size_t best = SIZE_MAX;

	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].proved && !done[i] &&
		    (best == SIZE_MAX ||
			s->all[i].line.error < s->all[best].line.error))
			best = i;
	return best;
}

static bool
all_tied(const struct solution *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (!s->all[i].proved)
			return false;
	return true;
}

/* from the reference on, and from the ranks that it ties, nearest first */
static void
tie_all(struct solution *s, const struct points_source *from, bool guess)
{
	bool *done = mem_alloc((s->count + 1) * sizeof(*done));
	size_t hub;

	while (!all_tied(s) && (hub = next_hub(s, done)) != SIZE_MAX) {
		done[hub] = true;
		tie_to(s, from, hub, guess);
	}
	free(done);
}

void
solve(struct solution *s, const struct points_source *from,
    const struct solve_settings *settings)
{
	struct rank_clock *reference;

	*s = (struct solution){.count = from->count, .utc = NO_ID};
	s->all = mem_alloc((s->count + 1) * sizeof(*s->all));
	for (size_t i = 0; i < s->count; i++) {
		take_rank(s, i, from->load(from->from, i, true));
		from->release(from->from, i);
	}
	if (s->count == 0)
		return;
	s->reference = find_reference(s, settings->reference);
	reference = &s->all[s->reference];
	s->utc = reference->utc;
	reference->proved = true;
	reference->line = (struct clock_line){.by = CLOCK_COLLECTIVES};
	if (settings->by == BY_COLLECTIVES) {
		tie_all(s, from, false);
		tie_all(s, from, true);
	}
	for (size_t i = 0; i < s->count; i++) {
		struct rank_clock *r = &s->all[i];

		if (settings->by == BY_NONE)
			r->line = (struct clock_line){
			    .error = NO_ID, .spread = NO_ID, .by = CLOCK_NONE};
		else if (!r->proved || settings->by == BY_UTC)
			set_utc(r, reference,
			    r->line.by == CLOCK_CONFLICT ? CLOCK_CONFLICT
							 : CLOCK_UTC);
	}
}

/* ---- as a stream ---- */

void
solve_add_line(struct output *o, const struct clock_line *l)
{
	emit_int(o, KEY_clock_offset, l->offset);
	emit_int(o, KEY_clock_drift, l->drift);
	if (l->error != NO_ID)
		emit_int(o, KEY_clock_error, l->error);
	if (l->spread != NO_ID)
		emit_int(o, KEY_clock_spread, l->spread);
	emit_str(o, KEY_clock_by, by_word(l->by));
}

void
solve_write(const struct solution *s, struct output *o)
{
	emit_open(o, KIND_trace);
	emit_int(o, KEY_version, EMIT_VERSION);
	emit_str(o, KEY_source, SPAN("tq-align"));
	if (s->utc != NO_ID) {
		emit_key(o, KEY_origin_utc_ns);
		text_printf(&o->buf, "\"%" PRId64 "\"", s->utc);
	}
	emit_close(o);
	o->lines = 0;
	for (size_t i = 0; i < s->count; i++) {
		const struct rank_clock *r = &s->all[i];

		emit_open(o, KIND_clock);
		if (r->host != NULL)
			emit_str(o, KEY_host, span_of(r->host));
		emit_int(o, KEY_rank, r->rank);
		solve_add_line(o, &r->line);
		emit_close(o);
	}
	emit_open(o, KIND_end);
	emit_int(o, KEY_events, o->lines);
	emit_close(o);
}

void
solve_keys(struct keyset want[])
{
	static const enum key keys[] = {KEY_rank, KEY_clock_offset,
	    KEY_clock_drift, KEY_clock_error, KEY_clock_spread, KEY_clock_by};

	keyset_add(&want[KIND_trace], KEY_origin_utc_ns);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
		keyset_add(&want[KIND_clock], keys[i]);
}

static void
take_clock(struct solution *s, struct reader *in)
{
	const struct event *ev = &in->event;
	struct text t = {0}, word = {0};
	struct rank_clock r = {
	    .rank = event_int(ev, KEY_rank, NO_ID), .utc = NO_ID};
	int by;

	text_add_span(&word, event_str(ev, KEY_clock_by, &t));
	text_add_char(&word, '\0');
	by = opts_word(CLOCK_WORDS, word.p);
	if (r.rank == NO_ID || by < 0 || !event_has(ev, KEY_clock_offset) ||
	    event_int(ev, KEY_clock_drift, 0) <= -1000000000)
		errx(TQ_FAIL, "%s:%zu: no clock of a rank", in->in.name,
		    in->in.lineno);
	r.line =
	    (struct clock_line){.offset = event_int(ev, KEY_clock_offset, 0),
		.drift = event_int(ev, KEY_clock_drift, 0),
		.error = event_int(ev, KEY_clock_error, NO_ID),
		.spread = event_int(ev, KEY_clock_spread, NO_ID),
		.by = (enum clock_by)by};
	if (solve_find(s, r.rank) != NULL)
		errx(TQ_FAIL, "%s:%zu: a second clock of rank %" PRId64,
		    in->in.name, in->in.lineno, r.rank);
	s->all = mem_resize(s->all, s->count + 1, sizeof(*s->all));
	s->all[s->count++] = r;
	text_free(&t);
	text_free(&word);
}

void
solve_read(struct solution *s, struct reader *in)
{
	*s = (struct solution){.utc = NO_ID};
	while (reader_next(in)) {
		const struct event *ev = &in->event;
		struct text t = {0};

		if (ev->kind == KIND_trace) {
			struct span utc = event_str(ev, KEY_origin_utc_ns, &t);

			if (utc.len == 0 || !json_int(utc, &s->utc))
				s->utc = NO_ID;
		}
		text_free(&t);
		if (ev->kind == KIND_clock)
			take_clock(s, in);
	}
	if (s->count == 0)
		errx(TQ_FAIL, "%s: no clocks of ranks in it", in->in.name);
}

const struct rank_clock *
solve_find(const struct solution *s, int64_t rank)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->all[i].rank == rank)
			return &s->all[i];
	return NULL;
}

/* ---- for people ---- */

/* remarks begin with "; " each */
static void
clock_row(struct table *t, const struct rank_clock *r)
{
	struct span said = text_span(&r->said);
	size_t begin = said.len > 0 ? strlen("; ") : 0;

	col_int(t, "Rank", UNIT_NONE, r->rank);
	col_text(t, "By", by_word(r->line.by));
	col_text(t, "Host", span_of(r->host != NULL ? r->host : "-"));
	col_int(t, "Offset", UNIT_TIME, r->line.offset);
	col_int(t, "Drift (ppb)", UNIT_NONE, r->line.drift);
	col_int_if(
	    t, "Error", UNIT_TIME, r->line.error != NO_ID, r->line.error);
	col_int_if(
	    t, "Spread", UNIT_TIME, r->line.spread != NO_ID, r->line.spread);
	col_int(t, "Matched", UNIT_NONE, r->line.matched);
	col_text(t, "Remark", (struct span){said.p + begin, said.len - begin});
}

static const struct column_doc clock_docs[] = {
    DOC_KEY("Rank", "the rank"),
    DOC_VALUE("By", "what the clock is found by"),
    DOC_VALUE("Host", "the machine; - where the recording does not say it"),
    DOC_VALUE("Offset", "add it to a time to have the common clock"),
    DOC_NUMBER("Drift (ppb)", "ppb", "and as much per time since time 0"),
    DOC_VALUE("Error", "the clock is wrong by at most"),
    DOC_VALUE("Spread", "how far apart operations say the clock is"),
    DOC_VALUE("Matched", "operations of several ranks that were compared"),
    DOC_VALUE("Remark", "what could not be found"),
    {0},
};

void
solve_report(const struct solution *s, enum format format,
    char *const *operands, struct output *o)
{
	const struct format_options f = {.format = format,
	    .time_unit = 1,
	    .bare = true,
	    .page = "tq-align --report",
	    .head = {.operands = operands}};
	struct table clocks = {.report = "clocks",
	    .title = "Clocks of ranks",
	    .docs = clock_docs,
	    .reason = "no rank in the input"};

	col_heading(&clocks, clock_row, &(struct rank_clock){0});
	for (size_t i = 0; i < s->count; i++)
		clock_row(&clocks, &s->all[i]);
	if (format == FORMAT_TABLE) {
		pretty_rows(&o->buf, &clocks, 0);
	} else {
		format_begin(o, &f);
		format_table(o, &f, &clocks, true);
		format_end(o, &f);
	}
	table_free(&clocks);
}

void
solve_free(struct solution *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct rank_clock *r = &s->all[i];

		free(r->comms);
		free(r->host);
		text_free(&r->said);
	}
	free(s->all);
	intern_free(&s->comms);
	*s = (struct solution){0};
}
