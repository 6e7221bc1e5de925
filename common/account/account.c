/* account.c - the sums of a recording by which it can be compared */

#include <stdlib.h>

#include "tq/account/account.h"
#include "tq/base/mem.h"
#include "tq/base/time.h"

const char *
account_part_name(enum account_part part)
{
	static const char *const names[ACCOUNT_PARTS] = {"compute",
	    "communication", "copy", "sync", "host", "launch", "next", "queue",
	    "unknown"};

	return names[part];
}

const char *
account_by_name(enum account_by by)
{
	static const char *const names[] = {
	    "step", "kernel", "range", "graph", "span", "launch"};

	return names[by];
}

const char *
account_by_word(enum account_by by)
{
	return by == ACCOUNT_BY_LAUNCH   ? "span"
	       : by == ACCOUNT_BY_KERNEL ? "period"
					 : account_by_name(by);
}

struct span
account_fact(const struct account *a, const char *name)
{
	for (size_t i = 0; i < a->fact_count; i++)
		if (span_eq(a->facts[i].name, span_of(name)))
			return a->facts[i].value;
	return (struct span){"", 0};
}

int64_t
account_fact_int(const struct account *a, const char *name, int64_t otherwise)
{
	struct span value = account_fact(a, name);
	char *end;
	int64_t n;

	if (value.len == 0 || value.len > TEXT_INT_MAX)
		return otherwise;
	n = strtoll(value.p, &end, 10); /* a NUL ends each text */
	return *end == '\0' ? n : otherwise;
}

void
account_sum_add(struct account_sum *to, struct account_sum sum)
{
	to->n = time_end(to->n, sum.n);
	to->dur = time_end(to->dur, sum.dur);
	to->exposed = time_end(to->exposed, sum.exposed);
}

void
account_sum_take(struct account_sum *from, struct account_sum part)
{
	from->n -= part.n < from->n ? part.n : from->n;
	from->dur -= part.dur < from->dur ? part.dur : from->dur;
	from->exposed -=
	    part.exposed < from->exposed ? part.exposed : from->exposed;
}

void
account_path_add(struct text *t, const struct account *a, size_t index)
{
	range_paths_add(t, &a->range_paths, a->paths[index].path);
}

struct account_sum
account_row_sum(const struct account *a, const struct account_row *row)
{
	struct account_sum sum = {0};

	for (size_t i = 0; i < a->device_count; i++)
		account_sum_add(&sum, row->on[i]);
	return sum;
}

struct account *
account_new(void)
{
	struct account *a = mem_alloc(sizeof(*a));

	a->memory_peak = NO_ID;
	return a;
}

void
account_free(struct account *a)
{
	if (a == NULL)
		return;
	for (size_t i = 0; i < a->row_count; i++)
		durations_free(&a->rows[i].times);
	free(a->devices);
	free(a->units);
	free(a->rows);
	free(a->calls);
	free(a->paths);
	free(a->copies);
	free(a->sequences);
	free(a->facts);
	range_paths_free(&a->range_paths);
	region_free(&a->region);
	free(a);
}

void
account_free_all(struct accounts *all)
{
	for (size_t i = 0; i < all->count; i++)
		account_free(all->all[i]);
	free(all->all);
	*all = (struct accounts){0};
}
