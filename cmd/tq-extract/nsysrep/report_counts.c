/* report_counts.c - how many events of a report there are, and of which sort */

#include <stdlib.h>

#include "report_counts.h"
#include "source.h"
#include "tq/show/col.h"

void
report_counts_free(struct report_counts *c)
{
	keyed_free(&c->all);
}

void
report_counts_add(struct report_counts *c, const struct report_event *e,
    enum report_table table)
{
	uint64_t a = (uint64_t)e->type << 32 | e->number;
	uint64_t b = (uint64_t)e->event_class << 8 | table;
	bool fresh;
	struct report_count *count = keyed_get(&c->all, a, b, &fresh);

	if (fresh)
		*count = (struct report_count){
		    .like = {e->type, e->number, e->event_class, NULL, NULL},
		    .table = table};
	count->events++;
}

static int64_t
place_of(const struct report_count *c)
{
	return ((int64_t)c->table << 32) + c->like.type;
}

static int
by_table(const void *a, const void *b)
{
	const struct report_count *x = a, *y = b;

	if (place_of(x) != place_of(y))
		return place_of(x) < place_of(y) ? -1 : 1;
	if (x->like.number != y->like.number)
		return x->like.number < y->like.number ? -1 : 1;
	return (x->like.event_class > y->like.event_class) -
	       (x->like.event_class < y->like.event_class);
}

static void
count_row(struct table *t, const struct report_count *c)
{
	const struct report_event *e = &c->like;
	const char *what =
	    report_tables_not_read(e->type, e->number, e->event_class);
	bool generic = e->number == 0 && e->type == 0;
	struct text name = {0};

	if (c->table < REPORT_TABLES)
		text_add_str(&name, report_tables_names[c->table]);
	else
		text_printf(&name, "not read: %s",
		    generic ? "generic events (--raw-metrics reads those of "
			      "GPU metrics)"
		    : what != NULL ? what
				   : "no field map");
	col_int_if(t, "type", UNIT_NONE, !generic, e->type);
	col_int_if(t, "body", UNIT_NONE, !generic, e->number);
	col_int_if(t, "class", UNIT_NONE, e->event_class != REPORT_ANY,
	    e->event_class);
	col_int(t, "events", UNIT_NONE, c->events);
	col_text(t, "table", text_span(&name));
	text_free(&name);
}

void
report_counts_check(const struct report_counts *c, struct check_sheet *s)
{
	size_t n = c->all.count;
	struct report_count *sorted = mem_alloc((n + 1) * sizeof(*sorted));
	struct table t = {0};

	if (n > 0)
		memcpy(sorted, c->all.all, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_table);
	col_heading(&t, count_row, &(struct report_count){0});
	for (size_t i = 0; i < n; i++)
		count_row(&t, &sorted[i]);
	check_sheet_table(s, "types", &t);
	free(sorted);
}
