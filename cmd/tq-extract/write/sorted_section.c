/* sorted_section.c - a section whose records are held */

#include <err.h>
#include <inttypes.h>

#include "sorted_section.h"
#include "operand.h"
#include "tq/io/status.h"

void
sorted_section_open(struct sorted_section *s, const struct source *source,
    const struct source_input *in)
{
	*s = (struct sorted_section){.source = source,
	    .name = in->from->name,
	    .what = "event",
	    .out = in->out,
	    .frames = in->frames};
	sorted_records_init(&s->records, in->settings);
}

void
sorted_section_free(struct sorted_section *s)
{
	sorted_records_free(&s->records);
	event_counts_free(&s->counts);
	task_names_free(&s->tasks);
}

bool
sorted_section_next(
    struct sorted_section *s, struct value_reader *r, struct span *value)
{
	enum value_item item;

	while ((item = value_reader_next(r, value)) == VALUE_BROKEN) {
		warnx("warning: %s: byte %" PRId64
		      ": an event that is not JSON",
		    s->name, r->offset);
		event_counts_begin(&s->counts, SPAN("?"));
		event_counts_lose(&s->counts, EVENT_LOST_SYNTAX);
	}
	if (item == VALUE_CUT)
		sorted_section_cut(s, r->offset, value_reader_error(r));
	return item == VALUE_WHOLE;
}

void
sorted_section_cut(struct sorted_section *s, int64_t offset, const char *error)
{
	warnx("warning: %s: byte %" PRId64 ": %s", s->name, offset, error);
	s->cut = true;
}

void
sorted_section_trace(
    const struct sorted_section *s, const struct trace_record *t)
{
	struct trace_record r = *t;
	int64_t origin = sorted_records_origin(&s->records);

	r.source = span_of(s->source->name);
	if (s->records.first == INT64_MAX)
		r.origin_utc = NULL;
	if (r.clock.len > 0)
		r.origin_clock = &origin;
	definition_writer_trace(s->frames, &r);
}

void
sorted_section_begin(
    struct sorted_section *s, enum kind kind, int64_t ts, int64_t dur)
{
	sorted_records_begin(
	    &s->records, &(struct sorted_record){kind, ts, dur});
}

void
sorted_section_end(struct sorted_section *s)
{
	s->counts.now->records++;
	sorted_records_end(&s->records);
}

/* ---- functions of a source ---- */

static int
status_of(const struct sorted_section *s)
{
	return s->cut ? TQ_FAIL : event_losses_status(&s->counts.losses);
}

int
sorted_section_count(void *section, int64_t counts[KIND_COUNT])
{
	struct sorted_section *s = section;

	sorted_records_count(&s->records, counts);
	event_losses_count(&s->counts.losses, counts);
	return status_of(s);
}

struct source_result
sorted_section_records(void *section)
{
	struct sorted_section *s = section;

	sorted_records_write(&s->records, s->out, s->frames);
	event_losses_write(
	    &s->counts.losses, s->frames, s->records.last, s->what);
	return (struct source_result){
	    .lost = event_losses_sum(&s->counts.losses),
	    .status = status_of(s),
	    .cut = s->cut};
}

void
sorted_section_check(void *section, struct check_sheet *to)
{
	const struct sorted_section *s = section;

	check_sheet_source(to, s->name, span_of(s->source->name));
	event_counts_check(&s->counts, to);
	check_sheet_number(
	    to, "  ", "origin", sorted_records_origin(&s->records), " ns");
	check_sheet_number(
	    to, "; ", "times that were rounded", s->rounded, "\n");
}
