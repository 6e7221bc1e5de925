/* gaps_table.c - what is said of gaps */

#include "gaps.h"

static const char *const causes[GAP_CAUSES][2] = {
    {"before", "nothing was launched yet"},
    {"busy", "an operation ran"},
    {"host", "the next operation was not launched yet"},
    {"sync", "so, for the host was waiting for the device"},
    {"launch", "the next operation was being launched"},
    {"next", "from one operation to the next, less than 10 us"},
    {"copy", "the next waited while another stream copied"},
    {"kernel", "the next waited while another stream computed"},
    {"queue", "the next waited for something else"},
    {"unknown", "the launch of the next is not in the stream"},
    {"after", "nothing came any more"},
};

static const char *const categories[HTA_CATEGORIES] = {
    "host_wait", "kernel_wait", "other"};

static void
lane_columns(const struct gaps *s, struct table *t)
{
	static const char *const names[4] = {
	    "PID", "Device", "Context", "Stream"};

	for (size_t i = 0; i < (s->by_stream ? 4 : 2); i++)
		table_column(t, names[i], UNIT_NONE);
}

static void
lane_cells(const struct gaps *s, struct table *t, const struct lane *l)
{
	const int64_t ids[4] = {l->pid, l->device, l->context, l->stream};

	for (size_t i = 0; i < (s->by_stream ? 4 : 2); i++)
		table_id(t, ids[i]);
}

static void
gap_row(const struct gaps *s, struct table *t, const struct gap *g)
{
	const char *next = g->names.p, *call = next + strlen(next) + 1;
	const char *range = call + strlen(call) + 1;

	table_int(t, g->start);
	table_int(t, g->dur);
	table_id(t, g->late);
	lane_cells(s, t, &s->lanes[g->lane]);
	table_text(t, span_of(causes[g->cause][0]));
	table_text(t, span_of(categories[g->hta]));
	table_text(t, span_of(next));
	table_text(t, span_of(call));
	table_id(t, g->tid);
	table_text(t, host_call_name(&s->host, g->most.name));
	table_id(t, g->most.name != 0 ? g->most.time : NO_ID);
	table_text(t, span_of(range));
}

void
gaps_table(struct report *r, struct table *t)
{
	struct gaps *s = r->state;

	table_column(t, "Start", UNIT_TIME);
	table_column(t, "Duration", UNIT_TIME);
	table_column(t, "Until Call", UNIT_TIME);
	lane_columns(s, t);
	table_text_column(t, "Cause");
	table_text_column(t, "HTA");
	table_text_column(t, "Next");
	table_text_column(t, "API Name");
	table_column(t, "TID", UNIT_NONE);
	table_text_column(t, "Host Call");
	table_column(t, "Host Time", UNIT_TIME);
	table_text_column(t, "Range");
	for (size_t i = 0; i < s->gap_count; i++)
		gap_row(s, t, &s->longest[i]);
}

static bool
is_gap(enum gap_cause c)
{
	return c != GAP_BEFORE && c != GAP_BUSY && c != GAP_AFTER;
}

static void
sum_row(const struct gaps *s, struct table *t, struct lane *l, enum gap_cause c)
{
	struct dist *d = &l->time[c];

	lane_cells(s, t, l);
	table_text(t, span_of(causes[c][0]));
	table_int(t, (int64_t)d->count);
	table_int(t, (int64_t)d->sum);
	table_real(t,
	    l->wall > 0 ? 100 * (long double)d->sum / (long double)l->wall : 0,
	    1);
	groups_cells(t, d);
	for (size_t i = 0; i < HTA_CATEGORIES; i++)
		if (is_gap(c))
			table_int(t, (int64_t)l->hta[c][i]);
		else
			table_empty(t);
	table_text(t, span_of(causes[c][1]));
}

void
gaps_sum_table(struct report *r, struct table *t)
{
	static const char *const names[5] = {
	    "Avg", "Med", "Min", "Max", "StdDev"};
	struct gaps *s = r->state;

	lane_columns(s, t);
	table_text_column(t, "Cause");
	table_column(t, "Count", UNIT_NONE);
	table_column(t, "Total", UNIT_TIME);
	table_column(t, "Of Wall", UNIT_PERCENT);
	groups_columns(t, names, UNIT_TIME);
	table_column(t, "HTA Host Wait", UNIT_TIME);
	table_column(t, "HTA Kernel Wait", UNIT_TIME);
	table_column(t, "HTA Other", UNIT_TIME);
	table_text_column(t, "Meaning");
	for (size_t i = 0; i < s->count; i++)
		for (enum gap_cause c = 0; c < GAP_CAUSES; c++)
			if (s->lanes[i].time[c].count > 0)
				sum_row(s, t, &s->lanes[i], c);
}
