/*
 * account_table.c - the time of a unit of work, by part and name: account
 *
 * Idle time has a line for each cause, and the finer cause that most of it is
 * of; or with account:cause a line for each finer cause.
 *
 * With --partial it writes the accounts, which tq-diff compares.
 */

#include <err.h>
#include <stdlib.h>

#include "tq/account/account_build.h"
#include "tq/account/account_file.h"
#include "tq/ask/expr.h"
#include "tq/base/mem.h"
#include "tq/io/status.h"

#include "report.h"
#include "tq/show/col.h"

struct account_table {
	struct account_units units;
	struct accounts accounts;
	struct account_build *build;
	bool by_cause; /* a line for each finer cause */
};

static void
check_build(const struct report *r)
{
	const struct account_table *s = r->state;

	if (account_build_error(s->build) != NULL)
		errx(TQ_FAIL, "%s: %s", r->kind->name,
		    account_build_error(s->build));
}

static void
take_record(struct report *r, const struct event *ev)
{
	struct account_table *s = r->state;
	const char *const *input = r->settings->input;

	if (s->build == NULL)
		s->build = account_build_new(&s->units, r->names, &s->accounts);
	account_build_event(s->build, ev, input != NULL ? *input : "");
	if (ev->kind == KIND_end)
		account_build_section_end(s->build, true);
	check_build(r);
}

static void
end_section(struct report *r)
{
	struct account_table *s = r->state;

	if (s->build != NULL)
		account_build_section_end(s->build, false);
}

/* All sections are over. */
static const struct accounts *
finish_accounts(struct report *r)
{
	struct account_table *s = r->state;

	if (s->build != NULL)
		account_build_finish(s->build);
	return &s->accounts;
}

/* ---- the table ---- */

/* a line of the table: a row, or a cause of idle time, on a device */
struct account_line {
	const struct account_device *device;
	const char *part, *by;
	struct span name;
	struct account_sum sum;
	const char *cause; /* that most of it is of, or NULL */
	int64_t of_cause;
};

static void
add_line(struct table *t, const struct account_line *l)
{
	int64_t units = l->device->units > 0 ? l->device->units : 1;

	col_id(t, "PID", l->device->pid);
	col_int(t, "Device", UNIT_NONE, l->device->device);
	col_text(t, "Per", span_of(l->by));
	col_int(t, "Units", UNIT_NONE, l->device->units);
	col_text(t, "Part", span_of(l->part));
	col_share(t, "Of Wall", l->sum.exposed, l->device->wall);
	col_real(t, "Per Unit", UNIT_TIME,
	    (long double)l->sum.exposed / (long double)units, 1);
	col_int(t, "Exposed", UNIT_TIME, l->sum.exposed);
	col_int(t, "Hidden", UNIT_TIME, l->sum.dur - l->sum.exposed);
	col_int(t, "Launches", UNIT_NONE, l->sum.n);
	col_text(t, "Name", l->name);
	col_text_if(t, "Finer Cause", l->cause != NULL,
	    span_of(l->cause != NULL ? l->cause : ""));
	col_int_if(t, "Finer Time", UNIT_TIME, l->cause != NULL, l->of_cause);
}

static int
by_exposed(const void *pa, const void *pb)
{
	const struct account_line *a = pa, *b = pb;

	if (a->sum.exposed != b->sum.exposed)
		return a->sum.exposed > b->sum.exposed ? -1 : 1;
	return span_cmp(a->name, b->name);
}

/* Add the lines of a part of idle time; how many. */
static size_t
add_idle(struct account_line *to, const struct account_device *d,
    enum account_part part, bool by_cause)
{
	const int64_t *idle = account_idle(d, part);
	struct account_line whole = {.part = account_part_name(part),
	    .sum = {0, d->parts[part], d->parts[part]}};
	size_t n = 0;

	if (d->parts[part] == 0)
		return 0;
	for (enum idle_cause c = 0; c < IDLE_CAUSES; c++) {
		if (idle[c] > whole.of_cause) {
			whole.cause = idle_cause_name(c);
			whole.of_cause = idle[c];
		}
		if (by_cause && idle[c] > 0)
			to[n++] = (struct account_line){.part = whole.part,
			    .sum = {0, idle[c], idle[c]},
			    .cause = idle_cause_name(c),
			    .of_cause = idle[c]};
	}
	if (n == 0)
		to[n++] = whole;
	return n;
}

static void
device_lines(
    struct table *t, const struct account *a, size_t device, bool by_cause)
{
	struct account_line *all = mem_alloc(
	    (a->row_count + (size_t)ACCOUNT_IDLE * IDLE_CAUSES) * sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < a->row_count; i++)
		if (a->rows[i].on[device].dur > 0 ||
		    a->rows[i].on[device].n > 0)
			all[n++] =
			    (struct account_line){.name = a->rows[i].name,
				.part = account_part_name(
				    (enum account_part)a->rows[i].group),
				.sum = a->rows[i].on[device]};
	for (enum account_part p = PART_SYNC; p < ACCOUNT_PARTS; p++)
		n += add_idle(&all[n], &a->devices[device], p, by_cause);
	qsort(all, n, sizeof(*all), by_exposed);
	for (size_t i = 0; i < n; i++) {
		all[i].device = &a->devices[device];
		all[i].by = account_by_name(a->by);
		add_line(t, &all[i]);
	}
	free(all);
}

static void
account_rows(struct report *r, struct table *t)
{
	const struct account_table *s = r->state;
	const struct accounts *all = finish_accounts(r);
	const struct account_device none = {0};

	col_heading(t, add_line,
	    &(struct account_line){.device = &none, .part = "", .by = ""});
	for (size_t i = 0; i < all->count; i++)
		for (size_t n = 0; n < all->all[i]->device_count; n++)
			device_lines(t, all->all[i], n, s->by_cause);
}

/* ---- the report ---- */

static void
write_lines(struct report *r, struct output *o)
{
	const struct accounts *all = finish_accounts(r);

	for (size_t i = 0; i < all->count; i++)
		account_file_write(o, all->all[i]);
}

static void
open_report(struct report *r)
{
	struct account_table *s = r->state;
	const struct report_settings *o = r->settings;
	const char *text = o->per != NULL ? o->per : o->step_text, *bad;
	size_t at;

	s->by_cause = r->arg != NULL;
	bad = o->per != NULL ? account_units_parse(&s->units, text, &at)
			     : account_units_step(&s->units, text, &at);
	if (bad == NULL)
		return;
	expr_complain_at(span_of(text), at, bad);
	exit(TQ_USAGE);
}

static void
close_report(struct report *r)
{
	struct account_table *s = r->state;

	if (s->build != NULL)
		account_build_free(s->build);
	account_free_all(&s->accounts);
	account_units_free(&s->units);
}

const struct report_kind account_table_reports[] = {
    {.name = "account",
	.question = ASKS_IDLE,
	.rows = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | KINDS(graph),
	.title = "What the Time of a Unit Goes Into",
	.kernels = "Name",
	.missing = "no operation of a device in the stream",
	.args = "cause",
	.correlated = true,
	.whole = true,
	.stacks = true, /* of recordings of samples alone */
	.kinds = UINT64_MAX,
	.wanted = account_build_keys,
	.size = sizeof(struct account_table),
	.open = open_report,
	.event = take_record,
	.section_end = end_section,
	.table = account_rows,
	.unmerged = "its lines stand alone, for tq-diff",
	.lines = write_lines,
	.close = close_report},
    {0},
};
