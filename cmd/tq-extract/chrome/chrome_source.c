/* chrome_source.c - a Chrome trace becomes a section */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "ascend_map.h"
#include "chrome_events.h"
#include "chrome_pairs.h"
#include "chrome_top.h"
#include "source.h"
#include "tq/io/status.h"
#include "tq/show/col.h"

enum { PAIRS = 8 << 20 }; /* memory of the sorter */

static bool
detect(const struct source_input *in)
{
	return trace_reader_detect(operand_head(in->from));
}

/* ---- reading ---- */

/* false at the end */
static bool
read_item(struct chrome *c)
{
	switch (trace_reader_next(&c->reader)) {
	case TRACE_EVENT:
		chrome_events_take(c);
		return true;
	case TRACE_NOTHING:
		chrome_events_miss(c, EVENT_LOST_NO_OBJECT);
		return true;
	case TRACE_BROKEN:
		warnx("warning: %s: byte %" PRId64
		      ": an event that is not JSON",
		    c->section.name, c->reader.offset);
		chrome_events_miss(c, EVENT_LOST_SYNTAX);
		return true;
	case TRACE_TOP:
		chrome_top_take(c);
		return true;
	case TRACE_CUT:
		sorted_section_cut(
		    &c->section, c->reader.offset, c->reader.error);
		return false;
	default:
		return false;
	}
}

/* arrows that were held until it was known whether they are Kineto's */
static void
fold_implied(struct chrome *c)
{
	sorted_records_decide(&c->section.records, !c->top.kineto);
	for (size_t i = 0; i < c->counts.count; i++) {
		struct chrome_count *n = &c->counts.all[i];

		if (c->top.kineto &&
		    c->category_of[n->category].class == CLASS_IMPLIED &&
		    (n->phase == 's' || n->phase == 't' || n->phase == 'f')) {
			n->n.folded += n->n.records;
			c->of_kind[KIND_flow] -= n->n.records;
			n->n.records = 0;
		}
	}
}

static void
close_trace(void *trace)
{
	struct chrome *c = trace;

	trace_reader_close(&c->reader);
	chrome_top_free(&c->top);
	chrome_ids_free(&c->ids);
	ascend_map_free(c);
	intern_free(&c->categories);
	intern_free(&c->symbols);
	intern_free(&c->counters);
	intern_free(&c->stacks);
	keyed_free(&c->counts);
	map_free(&c->callers);
	region_free(&c->texts);
	free(c->category_of);
	free(c->symbol_of);
	sorted_section_free(&c->section);
	sorter_free(c->pairs);
	free(c);
}

/*
 * Why the file is no trace, or NULL.  An array of other objects is none, nor
 * are traceEvents with members of events, and never a phase.
 */
static const char *
lack_of(const struct chrome *c)
{
	if (!c->reader.found)
		return "no traceEvents";
	if (!c->reader.bare &&
	    c->section.counts.losses.of[EVENT_LOST_NO_PHASE] == 0)
		return NULL;
	if (c->section.counts.losses.of[EVENT_LOST_PHASE] > 0)
		return NULL;
	for (size_t i = 0; i < c->counts.count; i++)
		if (c->counts.all[i].phase != CHROME_NO_PHASE)
			return NULL;
	return "no event has a phase";
}

static void *
open_trace(const struct source_input *in)
{
	struct chrome *c = mem_alloc(sizeof(*c));
	const char *lack;

	sorted_section_open(&c->section, &chrome_source, in);
	c->section.what = "event of the trace";
	c->pairs = sorter_open(PAIRS);
	trace_reader_open(&c->reader, in->from);
	while (read_item(c))
		;
	if (!c->section.cut && (lack = lack_of(c)) != NULL) {
		close_trace(c);
		errx(TQ_FAIL, "%s: is JSON, but no recording: %s",
		    in->from->name, lack);
	}
	chrome_pairs_finish(c);
	fold_implied(c);
	chrome_ids_settle(&c->ids);
	ascend_map_finish(c);
	chrome_top_messages(c);
	return c;
}

static void
definitions(void *trace)
{
	chrome_top_write(trace);
}

static int
count_records(void *trace, int64_t counts[KIND_COUNT])
{
	const struct chrome *c = trace;

	for (int k = 0; k < KIND_COUNT; k++)
		if ((c->section.records.settings->kinds >> k & 1) != 0)
			counts[k] += c->of_kind[k];
	event_losses_count(&c->section.counts.losses, counts);
	return c->section.cut ? TQ_FAIL
			      : event_losses_status(&c->section.counts.losses);
}

static struct source_result
records(void *trace)
{
	chrome_records_settle(trace);
	return sorted_section_records(trace);
}

/* ---- the report ---- */

static void
count_row(struct table *t, const struct chrome_count *n, struct span category)
{
	char phase = n->phase != CHROME_NO_PHASE ? (char)n->phase : '?';

	col_text(t, "phase", (struct span){&phase, 1});
	col_text(t, "category", category);
	event_counts_columns(t, &n->n);
}

static void
check(void *trace, struct check_sheet *s)
{
	const struct chrome *c = trace;
	struct table t = {0};

	check_sheet_source(s, c->section.name, span_of(chrome_top_source(c)));
	col_heading(&t, count_row, &(struct chrome_count){0}, SPAN(""));
	for (size_t i = 0; i < c->counts.count; i++)
		count_row(&t, &c->counts.all[i],
		    c->category_of[c->counts.all[i].category].name);
	check_sheet_table(s, "tables", &t);
	event_losses_check(&c->section.counts.losses, s);
	check_sheet_number(s, "  ", "origin",
	    sorted_records_origin(&c->section.records), " ns");
	check_sheet_number(
	    s, "; ", "times that were rounded", c->section.rounded, "");
	check_sheet_number(
	    s, "; ", "strings repaired", c->section.records.repaired, "\n");
	if (c->ids.host != NO_ID && !c->ids.merged)
		check_sheet_number(
		    s, "  ", "process of device records", c->ids.host, "\n");
	if (c->unowned > 0)
		check_sheet_number(s, "  ", "device records without a process",
		    c->unowned, "\n");
}

const struct source chrome_source = {
    .name = "chrome",
    .about = "Chrome trace JSON: PyTorch (Kineto), JAX, VizTracer, ...",
    .detect = detect,
    .open = open_trace,
    .definitions = definitions,
    .count = count_records,
    .records = records,
    .check = check,
    .close = close_trace,
};
