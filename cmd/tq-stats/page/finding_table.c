/* finding_table.c - the findings of the page as a table, for other formats */

#include "tq/io/printed_command.h"
#include "tq/show/col.h"
#include "page_draft.h"
#include "page_reports.h"

static void
next_row(struct table *t, const struct page_finding *g, struct span finding,
    struct span evidence, struct span look)
{
	col_text(t, "Finding", finding);
	col_real_if(t, "Share", UNIT_PERCENT, !g->note,
	    g->of > 0 ? 100 * (long double)g->cost / (long double)g->of : 0, 1);
	col_text(t, "Group", span_of(g->once ? "one-time" : "steady"));
	col_text(t, "Evidence", evidence);
	col_text(t, "Look At", look);
}

/* The sentences of a finding, which replace *t. */
static struct span
sentences(struct text *t, const struct page_finding *g)
{
	t->len = 0;
	text_add_span(t, g->title);
	text_add_str(t, ". ");
	for (size_t i = 0; i < g->count; i++)
		text_add_span(t, g->parts[i].text);
	return text_span(t);
}

static void
nothing_row(struct report *r, struct table *t, const struct page *p)
{
	struct printed_command_input in;

	page_draft_input(&in, r->settings);
	r->scratch.len = 0;
	printed_command_add(
	    &r->scratch, &in, SPAN("tq-stats -r device_time FILE"));
	next_row(t, &(struct page_finding){.note = true},
	    SPAN("nothing stands out"), p->time_of_text,
	    text_span(&r->scratch));
	printed_command_input_free(&in);
}

static void
next_rows(struct report *r, struct table *t, const struct page *p)
{
	for (size_t i = 0; i < p->finding_count; i++) {
		const struct page_finding *g = &p->findings[i];

		next_row(t, g, g->name, sentences(&r->scratch, g), g->command);
	}
	if (p->finding_count == 0 && p->gpu_count > 0)
		nothing_row(r, t, p);
}

static void
next_table(struct report *r, struct table *t)
{
	struct page p;

	col_heading(t, next_row, &(struct page_finding){.note = true}, SPAN(""),
	    SPAN(""), SPAN(""));
	if (page_fill(&p, r->set))
		next_rows(r, t, &p);
	page_free(&p);
}

static void
no_event(struct report *r, const struct event *ev)
{
	(void)r;
	(void)ev;
}

const struct report_kind finding_table_reports[] = {
    {.name = "next",
	.question = ASKS_FIRST,
	.title = "What to Look At Next",
	.missing = "no finding, and no operation of a device in the stream",
	.unmerged = "a finding needs all records together",
	.reads = overview_parts,
	.advice = true,
	.size = 1,
	.event = no_event,
	.table = next_table},
    {0},
};
