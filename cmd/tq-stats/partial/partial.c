/*
 * partial.c - sums of a part of the input, to be merged with others: their
 * grammar, and writing them
 *
 * A partial is a section of the stream, see tq-events(5): a trace record, whose
 * args are the header, records of the kind partial, and an end record, whose
 * args are the end.
 *
 *	header  = {"partial":2,"reports":[NAME,...],"compat":VERSION,
 *	          "group":"KEY,...","approx":true,"correlated":true,
 *	          "wall":NS,"windows":N,"spans":N,"tables":true}
 *	partial = group | columns | row | shared, as args
 *	group   = {"report":NAME,"key":[PART,...],DIST,"busy":NS,
 *	          "numbers":[N,...],"more":[{DIST},...]}
 *	DIST    = "count":N,"values":[FIRST,DIFFERENCE,...]
 *	        | "count":N,"min":V,"max":V,"sum":[HIGH,LOW],
 *	          "squares":[HIGH,MIDDLE,LOW],"buckets":[BUCKET,N,...]
 *	columns = {"report":NAME,"columns":[[NAME,UNIT],...],
 *	          "title":TITLE,"base":NAME,"base_ns":NS}
 *	row     = {"report":NAME,"row":[CELL,...]}
 *	shared  = {"report":NAME,...}
 *	CELL    = null | INTEGER | STRING | [REAL,DECIMALS]
 *	end     = {"recordings":[RECORDING,...]}
 *	RECORDING = [RANK,FROM,TO,RECORDS]
 *
 * Of the header, "partial" is the version; compat, group, approx, correlated,
 * wall, windows, spans and tables may be absent; unknown members are ignored.
 * windows and spans count the sections of the wall, see tq/account/wall.h.  A
 * group has as many numbers, and distributions in more, as its report.
 *
 * The values of a distribution are in ascending order, each but the first as
 * its difference to the one before; a sketch has its buckets in ascending
 * order, by the numbers of sketch.h, and sums as words of 64 bits.
 *
 * A report whose rows are of one section each has columns, unless it never saw
 * a record, and then its rows: see partial_rows.h.  REAL is a string, as C
 * writes a number in base 16; UNIT is "", "%", "ns", "bytes", "bytes/s" or
 * "text".  Reports on ranks share lines of their own, see waiting/work_lines.h:
 * NAME is the first of them.  The end has the recordings of ranks, see
 * recordings.h, if there are any.
 *
 * A header with tables begins a file of finished tables: each report has the
 * columns and rows that it prints, its title, and the base of its percentages.
 * tq-stats prints such a file, and merges it with no other.
 *
 * Busy and the wall add up over partials: where intervals of two partials
 * overlap, both count.
 *
 * In version 1 the header, the partials and the end were lines of their own,
 * without kinds: each began with "partial":1, and the end was
 * {"partial":1,"end":N,"recordings":[...]}, where N is the number of lines
 * between.
 */

#include <inttypes.h>

#include "tq/io/emit.h"

#include "sums/groups.h"
#include "partial.h"
#include "partial_rows.h"

bool
partial_same(const struct report *a, const struct report *b, bool tables)
{
	return tables ? strcmp(a->name, b->name) == 0 : report_same(a, b);
}

size_t
partial_first(const struct partial *p, const struct report *r, bool tables)
{
	size_t i = 0;

	while (i < p->count && !partial_same(&p->reports[i], r, tables))
		i++;
	return i;
}

const char *
partial_compat(const struct report_settings *settings)
{
	if (!settings->compat)
		return "";
	return settings->version == 2023 ? "2023.4" : "2024.6";
}

/* ---- a distribution ---- */

static void
write_values(struct text *t, struct dist *d)
{
	int64_t last = 0;

	dist_sort(d);
	text_add_str(t, ",\"values\":[");
	for (size_t i = 0; i < d->count; i++) {
		int64_t v = dist_at(d, i);
		char *end = text_reserve(t, TEXT_INT_MAX + 1);

		if (i == 0) {
			end = text_digits_int(end, v);
		} else {
			*end++ = ',';
			end = text_digits(end, (uint64_t)v - (uint64_t)last);
		}
		text_end(t, end);
		last = v;
	}
	text_add_char(t, ']');
}

static void
write_sketch(struct text *t, const struct sketch *s, wide sum)
{
	const struct squares *q = &s->squares;
	const char *comma = "";
	uint64_t n;

	text_printf(t, ",\"min\":%" PRId64 ",\"max\":%" PRId64, s->min, s->max);
	text_printf(t, ",\"sum\":[%" PRId64 ",%" PRIu64 "]",
	    (int64_t)(sum >> 64), (uint64_t)sum);
	text_printf(t,
	    ",\"squares\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "],\"buckets\":[",
	    q->high, (uint64_t)(q->low >> 64), (uint64_t)q->low);
	for (int b = SKETCH_FIRST; (n = sketch_next(s, &b)) > 0; b++) {
		text_printf(t, "%s%d,%" PRIu64, comma, b, n);
		comma = ",";
	}
	text_add_char(t, ']');
}

static void
write_dist(struct text *t, struct dist *d)
{
	if (d->sketch != NULL)
		write_sketch(t, d->sketch, d->sum);
	else
		write_values(t, d);
}

/* ---- lines ---- */

void
partial_add_string(struct text *t, struct span s)
{
	static const char escaped[] = "\"\\\b\t\n\f\r", letters[] = "\"\\btnfr";

	text_add_char(t, '"');
	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];
		const char *known = c != 0 ? strchr(escaped, c) : NULL;

		if (known != NULL) {
			text_add_char(t, '\\');
			text_add_char(t, letters[known - escaped]);
		} else if (c < 0x20 || c == 0x7f) {
			text_printf(t, "\\u%04x", c);
		} else {
			text_add_char(t, (char)c);
		}
	}
	text_add_char(t, '"');
}

void
partial_open(struct output *o, const char *report)
{
	emit_open(o, KIND_partial);
	emit_key(o, KEY_args);
	text_add_str(&o->buf, "{\"report\":");
	partial_add_string(&o->buf, span_of(report));
}

void
partial_close(struct output *o)
{
	text_add_char(&o->buf, '}');
	emit_close(o);
}

static void
add_member(struct text *t, const char *name, struct span string)
{
	text_printf(t, ",\"%s\":", name);
	partial_add_string(t, string);
}

static void
write_header(struct output *o, const struct partial *p)
{
	struct text *t = &o->buf, keys = {0};

	emit_open(o, KIND_trace);
	emit_int(o, KEY_version, EMIT_VERSION);
	emit_str(o, KEY_source, SPAN("tq-stats"));
	emit_key(o, KEY_args);
	text_printf(t, "{\"partial\":%d,\"reports\":[", PARTIAL_VERSION);
	for (size_t i = 0; i < p->count; i++) {
		if (i > 0)
			text_add_char(t, ',');
		partial_add_string(t, span_of(p->reports[i].name));
	}
	text_add_char(t, ']');
	if (p->settings->compat)
		add_member(t, "compat", span_of(partial_compat(p->settings)));
	group_spell(&keys, p->settings, false);
	if (keys.len > 0)
		add_member(t, "group", text_span(&keys));
	if (p->settings->approx)
		text_add_str(t, ",\"approx\":true");
	if (p->tables)
		text_add_str(t, ",\"tables\":true");
	if (p->correlated)
		text_add_str(t, ",\"correlated\":true");
	if (p->wall != NULL && p->wall->ns > 0)
		text_printf(t,
		    ",\"wall\":%" PRId64 ",\"windows\":%" PRId64
		    ",\"spans\":%" PRId64,
		    p->wall->ns, p->wall->windows, p->wall->spans);
	partial_close(o);
	text_free(&keys);
}

/* the sums of a group behind its first distribution */
static void
add_more(struct text *t, const struct groups *gs, struct group *g)
{
	for (size_t i = 0; i < gs->numbers; i++)
		text_printf(t, "%s%" PRId64, i == 0 ? ",\"numbers\":[" : ",",
		    g->numbers[i]);
	if (gs->numbers > 0)
		text_add_char(t, ']');
	for (size_t i = 0; i < gs->more; i++) {
		text_printf(t, "%s{\"count\":%zu", i == 0 ? ",\"more\":[" : ",",
		    g->more[i].count);
		write_dist(t, &g->more[i]);
		text_add_char(t, '}');
	}
	if (gs->more > 0)
		text_add_char(t, ']');
}

static void
write_group(struct output *o, const char *report, const struct groups *gs,
    struct group *g)
{
	const char *p = g->key.p, *end = p + g->key.len;
	struct text *t = &o->buf;

	partial_open(o, report);
	text_add_str(t, ",\"key\":[");
	for (; p < end; p += strlen(p) + 1) {
		if (p > g->key.p)
			text_add_char(t, ',');
		partial_add_string(t, span_of(p));
	}
	text_printf(
	    t, "],\"count\":%zu,\"busy\":%" PRId64, g->values.count, g->busy);
	write_dist(t, &g->values);
	add_more(t, gs, g);
	partial_close(o);
}

static void
write_groups(struct output *o, struct report *r)
{
	struct groups *gs = &r->groups;

	if (r->kind->to_groups != NULL)
		r->kind->to_groups(r);
	groups_sort(gs, groups_by_sum);
	for (size_t i = 0; i < gs->count; i++)
		write_group(o, r->name, gs, gs->all[i]);
}

/* Lines that reports share are those of the first. */
static void
write_shared(struct output *o, const struct partial *p, size_t i)
{
	const struct part_lines *lines = p->reports[i].kind->part_lines;

	for (size_t k = 0; k < i; k++)
		if (p->reports[k].kind->part_lines == lines)
			return;
	lines->write(&p->reports[i], o);
}

static void
write_report(struct output *o, const struct partial *p, size_t i)
{
	const struct report_kind *kind = p->reports[i].kind;

	if (p->tables)
		partial_rows_write_table(o, &p->reports[i]);
	else if (kind->part_lines != NULL)
		write_shared(o, p, i);
	else if (kind->row_parts)
		partial_rows_write(o, &p->reports[i]);
	else
		write_groups(o, &p->reports[i]);
}

void
partial_write(struct output *o, const struct partial *p)
{
	write_header(o, p);
	o->lines = 0;
	for (size_t i = 0; i < p->count; i++) {
		if (partial_first(p, &p->reports[i], p->tables) == i)
			write_report(o, p, i);
		if (p->tables && p->merged)
			partial_hand_on(p, i);
	}
	emit_open(o, KIND_end);
	emit_int(o, KEY_events, o->lines);
	if (p->recordings != NULL && p->recordings->count > 0) {
		emit_key(o, KEY_args);
		text_add_str(&o->buf, "{\"recordings\":");
		recordings_write(&o->buf, p->recordings);
		text_add_char(&o->buf, '}');
	}
	emit_close(o);
}

void
partial_hand_on(const struct partial *p, size_t i)
{
	for (size_t n = i + 1; n < p->count; n++)
		if (report_same(&p->reports[n], &p->reports[i])) {
			p->reports[n].groups = p->reports[i].groups;
			p->reports[i].groups = (struct groups){0};
			return;
		}
}
