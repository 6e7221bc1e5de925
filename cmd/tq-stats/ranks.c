/* ranks.c - the reports, with --by-rank for each rank */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "ranks.h"

/* ---- a rank ---- */

static struct rank *
add_rank(struct ranks *rs, int64_t number, struct reports reports)
{
	struct rank *r = mem_alloc(sizeof(*r));

	r->rank = number;
	r->reports = reports;
	for (size_t i = 0; i < reports.count; i++) {
		reports.all[i].wall_elsewhere = rs->wall;
		report_begin(&reports.all[i], &r->reports);
	}
	rs->all = mem_resize(rs->all, rs->count + 1, sizeof(*rs->all));
	rs->all[rs->count++] = r;
	return r;
}

static struct reports
copy_of(const struct reports *like)
{
	struct reports rs = {.count = like->count};

	rs.all = mem_resize(NULL, rs.count, sizeof(*rs.all));
	for (size_t i = 0; i < rs.count; i++)
		report_copy(&rs.all[i], &like->all[i]);
	return rs;
}

/* The numbers of the reports that read each kind. */
static void
list_readers(struct ranks *rs)
{
	size_t n = 0;

	rs->readers = mem_resize(
	    NULL, (KIND_COUNT + 1) * rs->like.count, sizeof(*rs->readers));
	for (enum kind k = 0; k <= KIND_COUNT; k++) {
		rs->first_reader[k] = n;
		for (size_t i = 0; i < rs->like.count; i++)
			if (report_kinds_read(&rs->like.all[i]) >> k & 1)
				rs->readers[n++] = i;
	}
	rs->first_reader[KIND_COUNT + 1] = n;
}

void
ranks_init(struct ranks *rs, struct reports like, const struct keyset *want)
{
	rs->like = like;
	rs->want = want;
	rs->of_section = NO_ID;
	list_readers(rs);
	if (!rs->apart)
		add_rank(rs, NO_ID, like);
}

struct ranks
ranks_without_records(const struct ranks *rs)
{
	struct ranks none = {.apart = rs->apart, .like = rs->like};

	if (rs->apart)
		none.like = copy_of(&rs->like);
	add_rank(&none, NO_ID, copy_of(&rs->like));
	return none;
}

static void
give_record(const struct ranks *rs, struct rank *r, const struct event *ev)
{
	const size_t *end = rs->readers + rs->first_reader[ev->kind + 1];

	for (const size_t *i = rs->readers + rs->first_reader[ev->kind];
	     i < end; i++) {
		struct report *reader = &r->reports.all[*i];

		if (!rs->dropped || reader->kind->whole)
			report_event(reader, ev);
	}
}

/* True if the rank has a record of the section. */
static bool
in_section(const struct ranks *rs, const struct rank *r)
{
	return r->section == rs->section + 1;
}

/* The rank of a process, which has no rank of its own where none is defined. */
static int64_t
number_of(const struct ranks *rs, int64_t pid)
{
	const uint64_t *defined = map_find(&rs->pids, (uint64_t)pid, 0);

	if (defined != NULL)
		return (int64_t)(*defined - 1);
	if (rs->of_section != NO_ID)
		return rs->of_section;
	return rs->ranked ? NO_ID : (int64_t)rs->section;
}

/* A definition of a process is one of its rank, any other of all ranks. */
static bool
is_defined_for(
    const struct ranks *rs, const struct rank *r, const struct event *ev)
{
	return !event_has(ev, KEY_pid) ||
	       number_of(rs, event_int(ev, KEY_pid, NO_ID)) == r->rank;
}

/*
 * A rank that is new in the section gets what began it, and the definitions
 * since then.
 */
static void
enter_section(struct ranks *rs, struct rank *r)
{
	struct span left = text_span(&rs->begun);

	if (in_section(rs, r))
		return;
	r->section = rs->section + 1;
	while (left.len > EVENT_PADDING) {
		size_t len =
		    (size_t)((const char *)memchr(left.p, '\n', left.len) -
			     left.p);

		if (event_parse(
			&rs->again, (struct span){left.p, len}, rs->want) &&
		    is_defined_for(rs, r, &rs->again))
			give_record(rs, r, &rs->again);
		left.p += len + 1;
		left.len -= len + 1;
	}
}

static size_t
find_rank(struct ranks *rs, int64_t number)
{
	size_t i = 0;

	while (i < rs->count && rs->all[i]->rank != number)
		i++;
	if (i == rs->count)
		add_rank(rs, number, copy_of(&rs->like));
	return i;
}

static struct rank *
rank_of(struct ranks *rs, int64_t pid)
{
	uint64_t *slot = map_get(&rs->by_pid, (uint64_t)pid, 0);

	if (*slot == 0) {
		*slot = find_rank(rs, number_of(rs, pid)) + 1;
		enter_section(rs, rs->all[*slot - 1]);
	}
	return rs->all[*slot - 1];
}

/* ---- records ---- */

/* Keep a record for ranks that are yet to come, if a report reads it. */
static void
keep_record(struct ranks *rs, const struct event *ev)
{
	static const char padding[EVENT_PADDING];

	if (rs->first_reader[ev->kind] == rs->first_reader[ev->kind + 1])
		return;
	rs->again.model = ev->model;
	if (rs->begun.len > 0)
		rs->begun.len -= sizeof(padding);
	text_add_span(&rs->begun, ev->line);
	text_add_char(&rs->begun, '\n');
	text_add(&rs->begun, padding, sizeof(padding));
}

static void
begin_section(struct ranks *rs, const struct event *ev)
{
	rs->of_section = event_int(ev, KEY_rank, NO_ID);
	rs->is_begun = true;
	rs->begun.len = 0;
	keep_record(rs, ev);
}

static void
define_rank(struct ranks *rs, const struct event *ev)
{
	int64_t pid = event_int(ev, KEY_pid, NO_ID);

	if (!event_has(ev, KEY_rank))
		return;
	rs->ranked = true;
	*map_get(&rs->pids, (uint64_t)pid, 0) =
	    (uint64_t)event_int(ev, KEY_rank, 0) + 1;
}

/* All ranks of the section so far, of which some may be yet to come. */
static void
give_all(struct ranks *rs, const struct event *ev)
{
	bool is_definition = schema_role(ev->kind) == ROLE_DEF;

	for (size_t i = 0; i < rs->count; i++)
		if (in_section(rs, rs->all[i]) &&
		    (!is_definition || is_defined_for(rs, rs->all[i], ev)))
			give_record(rs, rs->all[i], ev);
	if (is_definition)
		keep_record(rs, ev);
}

/*
 * A record without a process is one of all ranks.  Only where no process has a
 * rank, the section is one rank, which gets such an event.
 */
void
ranks_event(struct ranks *rs, const struct event *ev)
{
	if (!rs->apart) {
		give_record(rs, rs->all[0], ev);
		return;
	}
	if (ev->kind == KIND_trace) {
		begin_section(rs, ev);
		return;
	}
	if (ev->kind == KIND_process)
		define_rank(rs, ev);
	if (schema_role(ev->kind) != ROLE_DEF &&
	    (event_has(ev, KEY_pid) || (!rs->ranked && event_has(ev, KEY_ts))))
		give_record(rs, rank_of(rs, event_int(ev, KEY_pid, NO_ID)), ev);
	else
		give_all(rs, ev);
}

/* The wall of the section is not one of ranks that are not in it. */
static void
leave_wall(struct ranks *rs)
{
	const struct wall *w = rs->like.count > 0 ? rs->like.all->wall : NULL;
	int64_t ns = w != NULL ? w->ns - rs->wall : 0;

	rs->wall += ns;
	for (size_t i = 0; i < rs->count; i++) {
		struct rank *r = rs->all[i];

		if (in_section(rs, r))
			continue;
		for (size_t n = 0; n < r->reports.count; n++)
			r->reports.all[n].wall_elsewhere += ns;
	}
}

void
ranks_section_end(struct ranks *rs)
{
	if (rs->apart)
		leave_wall(rs);
	for (size_t i = 0; i < rs->count; i++)
		for (size_t n = 0; n < rs->all[i]->reports.count; n++)
			report_section_end(&rs->all[i]->reports.all[n]);
	if (!rs->apart)
		return;
	if (rs->is_begun)
		rs->section++;
	map_clear(&rs->by_pid);
	map_clear(&rs->pids);
	rs->ranked = false;
	rs->of_section = NO_ID;
	rs->is_begun = false;
	rs->begun.len = 0;
}

/* ---- tables ---- */

static void
add_rows(struct table *t, struct table *from, int64_t rank)
{
	if (t->column_count == 0) {
		table_column(t, "Rank", UNIT_NONE);
		table_copy_columns(t, from);
	}
	for (size_t row = 0; row < table_shown(from); row++) {
		if (rank != NO_ID)
			table_int(t, rank);
		else
			table_empty(t);
		table_copy_row(t, from, row);
	}
}

static void
make_table(struct report *r, bool whole)
{
	r->made = (struct table){
	    .report = r->name, .limit = whole ? 0 : r->limit, .part = r->page};
	if (r->hidden)
		return;
	report_table(r, &r->made);
	r->made.title = report_title(r, &r->title);
	r->made.kernels = r->kind->kernels;
	if (!r->page && r->limit > 0 && table_rows(&r->made) > r->limit)
		r->made.folded = report_folded(r);
}

/* by number; processes without a rank come last */
static int
by_rank(const void *pa, const void *pb)
{
	const struct rank *a = *(const struct rank *const *)pa;
	const struct rank *b = *(const struct rank *const *)pb;

	if ((a->rank == NO_ID) != (b->rank == NO_ID))
		return a->rank == NO_ID ? 1 : -1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

struct table *
ranks_table(struct ranks *rs, size_t report, struct table *all)
{
	if (rs->apart && report == 0 && rs->count > 1)
		qsort(rs->all, rs->count, sizeof(struct rank *), by_rank);
	for (size_t i = 0; i < rs->count; i++)
		make_table(&rs->all[i]->reports.all[report], rs->whole);
	if (!rs->apart)
		return &rs->all[0]->reports.all[report].made;
	all->report = rs->like.all[report].name;
	all->part = rs->like.all[report].page;
	for (size_t i = 0; i < rs->count; i++) {
		all->title = rs->all[i]->reports.all[report].made.title;
		all->kernels = rs->all[i]->reports.all[report].made.kernels;
		add_rows(all, &rs->all[i]->reports.all[report].made,
		    rs->all[i]->rank);
		all->saturated |=
		    rs->all[i]->reports.all[report].made.saturated;
	}
	return all;
}

bool
ranks_approximated(const struct ranks *rs, size_t report)
{
	bool any = false;

	for (size_t i = 0; i < rs->count; i++)
		any |= report_approximated(&rs->all[i]->reports.all[report]);
	return any;
}

void
ranks_done(struct ranks *rs, size_t report)
{
	for (size_t i = 0; i < rs->count; i++)
		report_close(&rs->all[i]->reports.all[report]);
}

static void
free_reports(struct reports *rs)
{
	for (size_t i = 0; i < rs->count; i++)
		report_free(&rs->all[i]);
	free(rs->all);
}

void
ranks_free(struct ranks *rs)
{
	for (size_t i = 0; i < rs->count; i++) {
		free_reports(&rs->all[i]->reports);
		free(rs->all[i]);
	}
	free(rs->all);
	free(rs->readers);
	if (rs->apart)
		free_reports(&rs->like);
	map_free(&rs->by_pid);
	map_free(&rs->pids);
	text_free(&rs->begun);
	event_free(&rs->again);
}
