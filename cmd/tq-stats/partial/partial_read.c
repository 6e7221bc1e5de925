/* partial_read.c - partials become groups; partial.c has the grammar */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tq/io/foreign.h"
#include "tq/io/reader.h"
#include "tq/line/json.h"
#include "tq/base/array.h"
#include "tq/io/status.h"

#include "sums/groups.h"
#include "partial.h"
#include "partial_rows.h"

enum member {
	PARTIAL,
	REPORTS,
	COMPAT,
	GROUP,
	APPROX,
	CORRELATED,
	WALL,
	WINDOWS,
	SPANS,
	REPORT,
	KEY,
	BUSY,
	NUMBERS,
	MORE,
	COLUMNS,
	ROW,
	TITLE,
	BASE,
	BASE_NS,
	TABLES,
	RECORDINGS,
	END,
	MEMBERS
};

#define NAME(text) \
	{ \
		text, sizeof(text) - 1 \
	}

static const struct span member_names[MEMBERS] = {NAME("partial"),
    NAME("reports"), NAME("compat"), NAME("group"), NAME("approx"),
    NAME("correlated"), NAME("wall"), NAME("windows"), NAME("spans"),
    NAME("report"), NAME("key"), NAME("busy"), NAME("numbers"), NAME("more"),
    NAME("columns"), NAME("row"), NAME("title"), NAME("base"), NAME("base_ns"),
    NAME("tables"), NAME("recordings"), NAME("end")};

/* of a distribution */
enum dist_member {
	DIST_COUNT,
	DIST_VALUES,
	DIST_MIN,
	DIST_MAX,
	DIST_SUM,
	DIST_SQUARES,
	DIST_BUCKETS,
	DIST_MEMBERS
};

static const struct span dist_names[DIST_MEMBERS] = {NAME("count"),
    NAME("values"), NAME("min"), NAME("max"), NAME("sum"), NAME("squares"),
    NAME("buckets")};

struct partial_merge {
	struct partial *p;
	struct reader in;
	struct keyset want[KIND_COUNT + 1];
	bool any;            /* after a header */
	bool tables;         /* finished ones, which are not merged */
	struct report *here; /* reports of the partial */
	size_t count, cap;
	struct span object;
	struct span m[MEMBERS]; /* of the object; p is NULL if absent */
	struct span dist[DIST_MEMBERS];
	struct text t, key;

	/* version 1: until the release after 0.2 */
	const char *old; /* the file of the partial, or NULL: it is none */
	char **old_operand;
	int64_t old_lines; /* between the first and the last, so far */
};

static _Noreturn void
fail_line(const struct partial_merge *m, const char *error)
{
	errx(TQ_FAIL, "%s:%zu: %s", m->in.in.name, m->in.in.lineno, error);
}

/* the text of a string, in m->t */
static struct span
read_string(struct partial_merge *m, struct span value, const char *error)
{
	if (value.len == 0 || *value.p != '"')
		fail_line(m, error);
	m->t.len = 0;
	json_decode(&m->t, value);
	return text_span(&m->t);
}

static int64_t
read_integer(struct partial_merge *m, enum member member, const char *error)
{
	int64_t v;

	if (m->m[member].p == NULL || !json_int(m->m[member], &v))
		fail_line(m, error);
	return v;
}

static bool
is_true(const struct partial_merge *m, enum member member)
{
	return m->m[member].p != NULL && span_eq(m->m[member], SPAN("true"));
}

/* ---- a distribution ---- */

/* A natural number: digits and nothing else. */
static bool
parse_natural(struct span s, uint64_t *v)
{
	*v = 0;
	for (size_t i = 0; i < s.len; i++) {
		unsigned digit = (unsigned)(unsigned char)s.p[i] - '0';

		if (digit > 9 || __builtin_mul_overflow(*v, 10u, v) ||
		    __builtin_add_overflow(*v, digit, v))
			return false;
	}
	return s.len > 0;
}

/* The number behind a comma, if it is a natural one of few digits; the array is
   known to be valid. */
static bool
next_plain(struct json *j, uint64_t *v)
{
	enum { PLAIN = 18 };
	const char *p = j->p + 1, *digits = p;

	if (j->p == j->end || *j->p != ',')
		return false;
	*v = 0;
	for (; p - digits < PLAIN && *p >= '0' && *p <= '9'; p++)
		*v = *v * 10 + (uint64_t)(*p - '0');
	if (p == digits || (*p != ',' && *p != ']'))
		return false;
	j->p = p;
	return true;
}

static const char *
read_values(struct span values, struct dist *d, int64_t count)
{
	struct json j;
	struct span value;
	int64_t v = 0, n = 0;
	uint64_t more;
	bool plain;

	json_open_array(&j, values);
	for (; (plain = n > 0 && next_plain(&j, &more)) ||
	       json_next_element(&j, &value);
	     n++) {
		if (!plain && (n == 0 ? !json_int(value, &v)
				      : !parse_natural(value, &more)))
			return "a value is no integer, or too large";
		if (n > 0 && more > (uint64_t)INT64_MAX - (uint64_t)v)
			return "a value is too large";
		if (n > 0)
			v = (int64_t)((uint64_t)v + more);
		dist_add(d, v);
	}
	if (j.error != NULL)
		return "expected values";
	return n == count ? NULL : "count is not the number of values";
}

/* the words of a large number, highest first; only the first is signed */
static bool
read_parts(struct span array, uint64_t *parts, size_t n)
{
	struct json j;
	struct span value;
	int64_t first;
	size_t i = 0;

	if (array.p == NULL)
		return false;
	json_open_array(&j, array);
	for (; i < n && json_next_element(&j, &value); i++) {
		if (i == 0 && json_int(value, &first))
			parts[i] = (uint64_t)first;
		else if (!parse_natural(value, &parts[i]))
			return false;
	}
	return i == n && !json_next_element(&j, &value) && j.error == NULL;
}

/* Pairs of a bucket and its count; returns the sum of the counts, or 0. */
static uint64_t
read_buckets(struct span buckets, struct sketch *s)
{
	int last = sketch_bucket(s->max), b = sketch_bucket(s->min) - 1;
	struct json j;
	struct span value;
	int64_t next;
	uint64_t n, all = 0;

	json_open_array(&j, buckets);
	while (json_next_element(&j, &value)) {
		if (!json_int(value, &next) || next <= b || next > last ||
		    (all == 0 && next != b + 1))
			return 0;
		b = (int)next;
		if (!json_next_element(&j, &value) ||
		    !parse_natural(value, &n) || n == 0 ||
		    __builtin_add_overflow(all, n, &all))
			return 0;
		*sketch_count(s, b) = n;
	}
	return j.error == NULL && b == last ? all : 0;
}

static const char *
read_sketch(const struct span m[DIST_MEMBERS], struct dist *d)
{
	struct sketch *s = d->sketch;
	uint64_t sum[2], squares[3];

	if (m[DIST_MIN].p == NULL || !json_int(m[DIST_MIN], &s->min) ||
	    m[DIST_MAX].p == NULL || !json_int(m[DIST_MAX], &s->max))
		return "min or max is no integer, or too large";
	if (read_buckets(m[DIST_BUCKETS], s) != d->count || d->count == 0)
		return "buckets are not as count, min and max have it";
	if (!read_parts(m[DIST_SUM], sum, 2))
		return "sum is not two integers";
	if (!read_parts(m[DIST_SQUARES], squares, 3))
		return "squares is not three integers";
	d->sum = (wide)((uwide)sum[0] << 64 | sum[1]);
	if (d->sum < (wide)s->min * (wide)d->count ||
	    d->sum > (wide)s->max * (wide)d->count)
		return "sum is not between min and max";
	s->squares.high = squares[0];
	s->squares.low = (uwide)squares[1] << 64 | squares[2];
	return NULL;
}

static const char *
read_dist(const struct span m[DIST_MEMBERS], struct dist *d)
{
	struct dist part = {0};
	const char *error;
	int64_t count;
	size_t all;

	if (m[DIST_COUNT].p == NULL || !json_int(m[DIST_COUNT], &count) ||
	    count < 0)
		return "count is no integer, or too large";
	if (m[DIST_BUCKETS].p == NULL)
		return m[DIST_VALUES].p == NULL
			   ? "expected values"
			   : read_values(m[DIST_VALUES], d, count);
	part.count = (size_t)count;
	part.sketch = mem_alloc(sizeof(*part.sketch));
	error = read_sketch(m, &part);
	if (error == NULL &&
	    (__builtin_add_overflow(d->count, part.count, &all) ||
		all > (size_t)INT64_MAX))
		error = "count becomes too large";
	if (error == NULL)
		dist_merge(d, &part);
	dist_free(&part);
	return error;
}

/* ---- a header ---- */

static void
forget_here(struct partial_merge *m)
{
	while (m->count > 0)
		report_free(&m->here[--m->count]);
}

static void
add_here(struct partial_merge *m, struct span value)
{
	struct span bad, name = read_string(m, value, "a name is no string");
	struct report *r = array_add(&m->here, &m->count, &m->cap);

	*r = (struct report){.settings = m->p->settings, .wall = m->p->wall};
	if (name.len == 0 || !report_parse(r, name, &bad) || !report_merges(r))
		fail_line(m, "a report that is not known or cannot be merged");
	if (m->tables && !report_finishes(r))
		fail_line(m, "a report that is no table");
	if (r->kind->grouped && m->m[GROUP].p == NULL)
		fail_line(m, "a report without the keys that it groups by");
}

static void
check_compat(struct partial_merge *m)
{
	static const char *const versions[] = {"", "2023.4", "2024.6"};
	struct report_settings *settings = m->p->settings;
	struct span s = {"", 0};
	size_t i = 0;

	if (m->m[COMPAT].p != NULL)
		s = read_string(m, m->m[COMPAT], "compat is no string");
	while (i < 3 && !span_eq(s, span_of(versions[i])))
		i++;
	if (i == 3)
		fail_line(m, "compat is of no version that is known");
	if (!m->any && !settings->compat && i > 0) {
		settings->compat = true;
		settings->version = i == 1 ? 2023 : 2024;
	}
	if (strcmp(versions[i], partial_compat(settings)) != 0)
		fail_line(m, i > 0 ? "made with another --compat"
				   : "made without --compat");
}

static void
check_group(struct partial_merge *m)
{
	struct report_settings *settings = m->p->settings;
	size_t len;

	if (m->m[GROUP].p == NULL)
		return;
	read_string(m, m->m[GROUP], "group is no string");
	text_add_char(&m->t, '\0');
	if (settings->group == NULL &&
	    group_parse(m->t.p, settings, &len) != NULL)
		fail_line(m, "group is no list of keys");
	m->key.len = 0;
	group_spell(&m->key, settings, false);
	text_add_char(&m->key, '\0');
	if (!span_eq(text_span(&m->key), text_span(&m->t)))
		fail_line(m, "grouped by other keys");
}

/* One approximate part makes the whole approximate. */
static void
check_approx(struct partial_merge *m)
{
	struct partial *p = m->p;

	if (p->settings->approx || !is_true(m, APPROX))
		return;
	p->settings->approx = true;
	for (size_t i = 0; i < p->count && m->any; i++)
		groups_approximate(&p->reports[i].groups);
}

/* The reports of the first header, unless the command line has some. */
static void
take_reports(struct partial_merge *m)
{
	struct partial *p = m->p;

	if (!p->chosen) {
		p->reports =
		    mem_resize(NULL, m->count + 1, sizeof(*p->reports));
		for (p->count = 0; p->count < m->count; p->count++) {
			const char *name = m->here[p->count].name;
			struct report *r = &p->reports[p->count];
			struct span bad;

			*r = (struct report){.settings = p->settings,
			    .names = p->names,
			    .wall = p->wall};
			report_parse(r, span_of(name), &bad);
		}
	}
	*p->set = (struct reports){p->reports, p->count};
	for (size_t i = 0; i < p->count; i++) {
		p->reports[i].set = p->set;
		report_open(&p->reports[i]);
		p->reports[i].merged =
		    m->tables || (p->reports[i].kind->row_parts &&
				     p->reports[i].kind->part_row == NULL);
	}
}

/* A group that only some partials have would be no sum of all. */
static void
check_reports(const struct partial_merge *m)
{
	const struct partial here = {.reports = m->here, .count = m->count};
	const struct partial *p = m->p;

	for (size_t i = 0; i < p->count; i++)
		if (partial_first(&here, &p->reports[i], m->tables) ==
		    here.count)
			errx(TQ_FAIL, "%s:%zu: has no %s", m->in.in.name,
			    m->in.in.lineno, p->reports[i].name);
	for (size_t i = 0; i < here.count && !p->chosen; i++)
		if (partial_first(p, &here.reports[i], m->tables) == p->count)
			errx(TQ_FAIL, "%s:%zu: has %s, which others have not",
			    m->in.in.name, m->in.in.lineno,
			    here.reports[i].name);
}

static void
add_wall(struct partial_merge *m)
{
	struct wall *w = m->p->wall;
	int64_t wall = 0, windows = 0, spans = 0;

	if (m->m[WALL].p != NULL)
		wall = read_integer(m, WALL, "wall is no number");
	if (m->m[WINDOWS].p != NULL)
		windows = read_integer(m, WINDOWS, "windows is no number");
	if (m->m[SPANS].p != NULL)
		spans = read_integer(m, SPANS, "spans is no number");
	if (wall < 0)
		fail_line(m, "wall is negative");
	if (w == NULL)
		return;
	w->ns = time_end(w->ns, wall);
	w->windows = time_end(w->windows, windows);
	w->spans = time_end(w->spans, spans);
}

static void
read_header(struct partial_merge *m)
{
	struct json j;
	struct span value;

	forget_here(m);
	if (m->any && (m->tables || is_true(m, TABLES)))
		fail_line(m, "finished tables cannot be merged");
	m->tables = is_true(m, TABLES);
	m->p->tables |= m->tables; /* and are written as they were read */
	json_open_array(&j, m->m[REPORTS]);
	while (json_next_element(&j, &value))
		add_here(m, value);
	if (j.error != NULL)
		fail_line(m, "reports is no array");
	check_compat(m);
	check_group(m);
	check_approx(m);
	if (!m->any)
		take_reports(m);
	check_reports(m);
	m->p->correlated |= is_true(m, CORRELATED);
	add_wall(m);
	m->any = true;
}

/* ---- a group ---- */

static void
make_key(struct partial_merge *m)
{
	struct json j;
	struct span value;

	if (m->m[KEY].p == NULL)
		fail_line(m, "expected a key");
	m->key.len = 0;
	json_open_array(&j, m->m[KEY]);
	while (json_next_element(&j, &value))
		groups_part(&m->key,
		    read_string(m, value, "a part of the key is no string"));
	if (j.error != NULL || m->key.len == 0)
		fail_line(m, "expected a key");
}

static void
add_dist(
    const struct partial_merge *m, const struct span members[], struct dist *d)
{
	const char *error = read_dist(members, d);

	if (error != NULL)
		fail_line(m, error);
}

/* Store a member of a distribution; ignore others. */
static void
store_dist(struct span name, struct span value, struct span members[])
{
	for (size_t i = 0; i < DIST_MEMBERS; i++)
		if (span_eq(name, dist_names[i]))
			members[i] = value;
}

static void
add_numbers(struct partial_merge *m, const struct groups *gs, struct group *g)
{
	static const char error[] = "numbers are not those of the report";
	struct span value;
	struct json j;
	int64_t v;
	size_t i = 0;

	if (gs->numbers == 0)
		return;
	if (m->m[NUMBERS].p == NULL)
		fail_line(m, error);
	json_open_array(&j, m->m[NUMBERS]);
	for (; json_next_element(&j, &value); i++) {
		if (i == gs->numbers || !json_int(value, &v) || v < 0)
			fail_line(m, error);
		groups_number(g, i, v);
	}
	if (i < gs->numbers || j.error != NULL)
		fail_line(m, error);
}

static void
add_more(struct partial_merge *m, const struct groups *gs, struct group *g)
{
	static const char error[] = "more is not what the report has";
	struct span object, value;
	struct json j, members;
	size_t i = 0;

	if (gs->more == 0)
		return;
	if (m->m[MORE].p == NULL)
		fail_line(m, error);
	json_open_array(&j, m->m[MORE]);
	for (; json_next_element(&j, &object); i++) {
		if (i == gs->more || *object.p != '{')
			fail_line(m, error);
		memset(m->dist, 0, sizeof(m->dist));
		json_open(&members, object);
		while (json_next(&members, &m->t, &value))
			store_dist(text_span(&m->t), value, m->dist);
		add_dist(m, m->dist, &g->more[i]);
	}
	if (i < gs->more || j.error != NULL)
		fail_line(m, error);
}

/* the report of the line, as the partial has it */
static const struct report *
report_here(struct partial_merge *m)
{
	struct span name = read_string(m, m->m[REPORT], "report is no string");

	for (size_t i = 0; i < m->count; i++)
		if (span_eq(span_of(m->here[i].name), name))
			return &m->here[i];
	fail_line(m, "a line of a report that the partial does not have");
}

/* All reports that share the lines. */
static void
read_shared(struct partial_merge *m, const struct part_lines *lines)
{
	const char *error = NULL;

	for (size_t i = 0; i < m->p->count && error == NULL; i++)
		if (m->p->reports[i].kind->part_lines == lines)
			error = lines->read(&m->p->reports[i], m->object);
	if (error != NULL)
		fail_line(m, error);
}

/* All reports of that name and arguments have the columns and rows. */
static void
read_rows(struct partial_merge *m, const struct report *here)
{
	const struct partial_table table = {
	    m->m[TITLE], m->m[BASE], m->m[BASE_NS]};
	bool row = m->m[ROW].p != NULL;
	const char *error = NULL;

	if (!here->kind->row_parts && !m->tables)
		fail_line(m, "a row of a report that has none");
	for (size_t i = 0; i < m->p->count && error == NULL; i++) {
		struct report *r = &m->p->reports[i];

		if (!partial_same(r, here, m->tables))
			continue;
		error = row ? partial_rows_add(r, m->m[ROW])
			    : partial_rows_columns(r, m->m[COLUMNS]);
		if (error == NULL && !row && m->tables)
			error = partial_rows_table(r, &table);
	}
	if (error != NULL)
		fail_line(m, error);
}

static void
read_group(struct partial_merge *m, const struct report *here)
{
	struct partial *p = m->p;
	size_t to = partial_first(p, here, false), before;
	struct groups *gs;
	struct group *g;
	int64_t busy;

	if (here->kind->row_parts)
		fail_line(m, "a group of a report that has none");
	if (to == p->count)
		return;
	make_key(m);
	gs = &p->reports[to].groups;
	g = groups_get(gs, text_span(&m->key));
	busy = read_integer(m, BUSY, "busy is no integer, or too large");
	if (__builtin_add_overflow(g->busy, busy, &g->busy))
		fail_line(m, "busy becomes too large");
	before = g->values.count;
	add_dist(m, m->dist, &g->values);
	if (g->values.count == before && gs->numbers == 0)
		fail_line(m, "expected values");
	add_numbers(m, gs, g);
	add_more(m, gs, g);
}

static void
read_report(struct partial_merge *m)
{
	const struct report *here = report_here(m);

	if (m->tables || m->m[ROW].p != NULL || m->m[COLUMNS].p != NULL)
		read_rows(m, here);
	else if (here->kind->part_lines != NULL)
		read_shared(m, here->kind->part_lines);
	else
		read_group(m, here);
}

/* ---- the end ---- */

/* Exit if another partial has the recording. */
static void
add_recording(struct partial_merge *m, struct span array)
{
	int64_t v[4];
	struct span value;
	struct json j;
	size_t n = 0;
	struct recording r;
	const struct recording *known;

	json_open_array(&j, array);
	for (; json_next_element(&j, &value); n++)
		if (n == 4 || !json_int(value, &v[n]))
			fail_line(m, "a recording is not four integers");
	if (n != 4 || j.error != NULL)
		fail_line(m, "a recording is not four integers");
	r = (struct recording){v[0], v[1], v[2], v[3], m->in.in.name};
	known = recordings_add(m->p->recordings, &r);
	if (known != NULL)
		errx(TQ_FAIL,
		    "%s:%zu: the recording of rank %" PRId64
		    " is in %s already",
		    m->in.in.name, m->in.in.lineno, r.rank, known->in);
}

static void
read_recordings(struct partial_merge *m)
{
	struct span value;
	struct json j;

	if (m->m[RECORDINGS].p == NULL || m->p->recordings == NULL)
		return;
	json_open_array(&j, m->m[RECORDINGS]);
	while (json_next_element(&j, &value))
		add_recording(m, value);
	if (j.error != NULL)
		fail_line(m, "recordings is no array");
}

/* ---- all records ---- */

static void
take_apart(struct partial_merge *m, struct span object)
{
	struct json j;
	struct span value;

	memset(m->m, 0, sizeof(m->m));
	memset(m->dist, 0, sizeof(m->dist));
	m->object = object;
	json_open(&j, object);
	while (json_next(&j, &m->t, &value)) {
		store_dist(text_span(&m->t), value, m->dist);
		for (size_t i = 0; i < MEMBERS; i++)
			if (span_eq(text_span(&m->t), member_names[i]))
				m->m[i] = value;
	}
	if (j.error != NULL)
		fail_line(m, j.error);
}

static void
check_version(struct partial_merge *m, int64_t version)
{
	if (m->m[PARTIAL].p == NULL)
		fail_line(m, "no line of a partial");
	if (read_integer(m, PARTIAL, "partial is no version") != version)
		fail_line(m, "the version of the partial is not known");
}

static void
one_record(struct partial_merge *m)
{
	const struct event *ev = &m->in.event;
	static const struct span none = {"{}", 2};

	take_apart(m, event_has(ev, KEY_args) ? ev->value[KEY_args] : none);
	switch (ev->kind) {
	case KIND_trace:
		if (foreign_part(ev) != KIND_partial)
			fail_line(m, "no line of a partial");
		check_version(m, PARTIAL_VERSION);
		read_header(m);
		break;
	case KIND_partial:
		if (!m->in.in_section)
			fail_line(m, "expected the first line of a partial");
		if (m->m[REPORT].p == NULL)
			fail_line(m, "no line of a partial");
		read_report(m);
		break;
	case KIND_end:
		read_recordings(m);
		break;
	default:
		fail_line(m, "no line of a partial");
	}
}

/* ---- version 1: until the release after 0.2 ---- */

static void
end_old(struct partial_merge *m)
{
	warnx("warning: %s: partial ends without its end line", m->old);
	m->p->status = TQ_FAIL;
	m->old = NULL;
}

/* The partial at hand is of an operand before, or a record follows it. */
static void
check_old(struct partial_merge *m, bool record)
{
	if (m->old != NULL && (record || m->old_operand != m->in.in.operands))
		end_old(m);
}

static void
begin_old(struct partial_merge *m)
{
	read_header(m);
	check_old(m, true);
	m->old = m->in.in.name;
	m->old_operand = m->in.in.operands;
	m->old_lines = 0;
}

/* A line that is no record. */
static bool
old_line(void *merge, struct span line)
{
	struct partial_merge *m = merge;

	check_old(m, false);
	if (m->old != NULL && m->in.in.partial && !json_valid(line))
		return true; /* the beginning of a line, at the end of a file */
	take_apart(m, line);
	if (m->m[PARTIAL].p == NULL && event_has(&m->in.event, KEY_kind))
		return false; /* a wrong record */
	check_version(m, 1);
	if (m->m[REPORTS].p != NULL) {
		begin_old(m);
	} else if (m->old == NULL) {
		fail_line(m, "expected the first line of a partial");
	} else if (m->m[REPORT].p != NULL) {
		m->old_lines++;
		read_report(m);
	} else if (m->m[END].p == NULL) {
		fail_line(m, "no line of a partial");
	} else {
		read_recordings(m);
		if (read_integer(m, END, "end is no integer") != m->old_lines)
			end_old(m);
		m->old = NULL;
	}
	return true;
}

/* ---- all of them ---- */

static void
open_merge(struct partial_merge *m, struct partial *p, char **operands)
{
	m->p = p;
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		keyset_add(&m->want[k], KEY_args);
	reader_init(&m->in, operands, m->want, NULL);
	m->in.any_order = true;
	m->in.takes_parts = KINDS(partial);
	m->in.other = old_line;
	m->in.other_arg = m;
}

void
partial_read(struct partial *p, char **operands)
{
	struct partial_merge *m = p->merge = mem_alloc(sizeof(*m));

	open_merge(m, p, operands);
	while (reader_next(&m->in)) {
		one_record(m);
		check_old(m, true);
	}
	check_old(m, true);
	p->status |= m->in.status;
	if (!m->any)
		errx(TQ_FAIL, "no partial to merge");
	for (size_t i = 0; i < p->count; i++)
		p->reports[i].correlated = p->correlated;
	partial_read_free(p);
}

void
partial_read_free(struct partial *p)
{
	struct partial_merge *m = p->merge;

	if (m == NULL)
		return;
	forget_here(m);
	free(m->here);
	reader_free(&m->in);
	text_free(&m->t);
	text_free(&m->key);
	free(m);
	p->merge = NULL;
}
