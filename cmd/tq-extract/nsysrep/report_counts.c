/* report_counts.c - how many events of a report there are, and of which sort */

#include <inttypes.h>
#include <stdio.h>

#include "report_counts.h"

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

/* a number, or a dash */
static void
print_number(int width, int64_t v, bool is)
{
	if (is)
		printf(" %*" PRId64, width, v);
	else
		printf(" %*s", width, "-");
}

static void
print_count(const struct report_count *c)
{
	const struct report_event *e = &c->like;
	const char *what =
	    report_tables_not_read(e->type, e->number, e->event_class);
	bool generic = e->number == 0 && e->type == 0;

	printf(" ");
	print_number(6, e->type, !generic);
	print_number(6, e->number, !generic);
	print_number(6, e->event_class, e->event_class != REPORT_ANY);
	printf(" %10" PRId64 "  ", c->events);
	if (c->table < REPORT_TABLES)
		printf("%s\n", report_tables_names[c->table]);
	else if (generic)
		puts("not read: generic events (--raw-metrics reads those of "
		     "GPU metrics)");
	else if (what != NULL)
		printf("not read: %s\n", what);
	else
		puts("not read: no field map");
}

void
report_counts_print(const struct report_counts *c)
{
	size_t n = c->all.count;
	struct report_count *sorted = mem_alloc((n + 1) * sizeof(*sorted));

	if (n > 0)
		memcpy(sorted, c->all.all, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), by_table);
	printf(
	    "  %6s %6s %6s %10s  table\n", "type", "body", "class", "events");
	for (size_t i = 0; i < n; i++)
		print_count(&sorted[i]);
	free(sorted);
}
