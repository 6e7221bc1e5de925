/* partial_read.c - partials, whose grammar is in partial.c, become groups */

#include <err.h>
#include <stdlib.h>

#include "tq/input.h"
#include "tq/json.h"
#include "tq/mem.h"
#include "tq/status.h"

#include "groups.h"
#include "partial.h"

enum member {
	PARTIAL,
	REPORTS,
	COMPAT,
	GROUP,
	CORRELATED,
	REPORT,
	KEY,
	COUNT,
	BUSY,
	VALUES,
	END,
	MEMBERS
};

static const char *const member_names[MEMBERS] = {"partial", "reports",
    "compat", "group", "correlated", "report", "key", "count", "busy", "values",
    "end"};

struct merge {
	struct partial *p;
	struct input in;
	bool inside, any;    /* any: a header was read */
	int64_t lines;       /* of groups, so far */
	struct report *here; /* reports of the partial at hand */
	size_t count, cap;
	struct span m[MEMBERS]; /* of the line at hand; p is NULL without */
	struct text t, key;
};

static _Noreturn void
fail(const struct merge *m, const char *error)
{
	errx(TQ_FAIL, "%s:%zu: %s", m->in.name, m->in.lineno, error);
}

static void
cut_short(struct merge *m)
{
	warnx("warning: %s: partial ends without its end line", m->in.name);
	m->p->status = TQ_FAIL;
	m->inside = false;
}

/* what a string says, in m->t */
static struct span
string(struct merge *m, struct span value, const char *error)
{
	if (value.len == 0 || *value.p != '"')
		fail(m, error);
	m->t.len = 0;
	json_decode(&m->t, value);
	return text_span(&m->t);
}

static int64_t
integer(struct merge *m, enum member member, const char *error)
{
	int64_t v;

	if (m->m[member].p == NULL || !json_int(m->m[member], &v))
		fail(m, error);
	return v;
}

/* ---- a header ---- */

static void
forget_here(struct merge *m)
{
	while (m->count > 0)
		report_free(&m->here[--m->count]);
}

static void
add_here(struct merge *m, struct span value)
{
	struct report r = {.ask = m->p->ask};
	struct span bad, name = string(m, value, "a name is no string");

	if (name.len == 0 || !report_parse(&r, name, &bad) ||
	    r.kind->groups == NULL)
		fail(m, "a report that is not known or cannot be merged");
	if (r.kind->grouped && m->m[GROUP].p == NULL)
		fail(m, "a report without the keys that it groups by");
	if (m->count == m->cap) {
		m->cap = m->cap * 2 + 8;
		m->here = mem_resize(m->here, m->cap, sizeof(*m->here));
	}
	m->here[m->count++] = r;
}

static void
check_compat(struct merge *m)
{
	static const char *const versions[] = {"", "2023.4", "2024.6"};
	struct ask *ask = m->p->ask;
	struct span s = {"", 0};
	size_t i = 0;

	if (m->m[COMPAT].p != NULL)
		s = string(m, m->m[COMPAT], "compat is no string");
	while (i < 3 && !span_eq(s, span_of(versions[i])))
		i++;
	if (i == 3)
		fail(m, "compat is of no version that is known");
	if (!m->any && !ask->compat && i > 0) {
		ask->compat = true;
		ask->version = i == 1 ? 2023 : 2024;
	}
	if (strcmp(versions[i], partial_compat(ask)) != 0)
		fail(m, i > 0 ? "made with another --compat"
			      : "made without --compat");
}

static void
check_group(struct merge *m)
{
	struct ask *ask = m->p->ask;
	struct text keys = {0};
	size_t len;

	if (m->m[GROUP].p == NULL)
		return;
	string(m, m->m[GROUP], "group is no string");
	text_add_char(&m->t, '\0');
	if (ask->group == NULL &&
	    group_parse(m->t.p, &ask->group, &len) != NULL)
		fail(m, "group is no list of keys");
	partial_keys(&keys, ask->group);
	text_add_char(&keys, '\0');
	if (!span_eq(text_span(&keys), text_span(&m->t)))
		fail(m, "grouped by other keys");
	text_free(&keys);
}

/* the first header: its reports are merged, unless others were asked for */
static void
take_reports(struct merge *m)
{
	struct partial *p = m->p;

	if (!p->chosen) {
		p->reports =
		    mem_resize(NULL, m->count + 1, sizeof(*p->reports));
		for (p->count = 0; p->count < m->count; p->count++) {
			const char *name = m->here[p->count].name;
			struct report *r = &p->reports[p->count];
			struct span bad;

			*r = (struct report){.ask = p->ask};
			report_parse(r, span_of(name), &bad);
		}
	}
	for (size_t i = 0; i < p->count; i++)
		report_open(&p->reports[i]);
}

/* what one partial has and another has not would be the sum of some */
static void
check_reports(const struct merge *m)
{
	const struct partial here = {.reports = m->here, .count = m->count};
	const struct partial *p = m->p;

	for (size_t i = 0; i < p->count; i++)
		if (partial_first(&here, &p->reports[i]) == here.count)
			errx(TQ_FAIL, "%s:%zu: has no %s", m->in.name,
			    m->in.lineno, p->reports[i].name);
	for (size_t i = 0; i < here.count && !p->chosen; i++)
		if (partial_first(p, &here.reports[i]) == p->count)
			errx(TQ_FAIL, "%s:%zu: has %s, which others have not",
			    m->in.name, m->in.lineno, here.reports[i].name);
}

static void
header(struct merge *m)
{
	struct json j;
	struct span value;

	forget_here(m);
	json_open_array(&j, m->m[REPORTS]);
	while (json_next_element(&j, &value))
		add_here(m, value);
	if (j.error != NULL)
		fail(m, "reports is no array");
	check_compat(m);
	check_group(m);
	if (!m->any)
		take_reports(m);
	check_reports(m);
	m->p->correlated |= m->m[CORRELATED].p != NULL &&
			    span_eq(m->m[CORRELATED], SPAN("true"));
	if (m->inside)
		cut_short(m);
	m->any = m->inside = true;
	m->lines = 0;
}

/* ---- a group ---- */

static void
make_key(struct merge *m)
{
	struct json j;
	struct span value;

	m->key.len = 0;
	json_open_array(&j, m->m[KEY]);
	while (json_next_element(&j, &value))
		groups_part(&m->key,
		    string(m, value, "a part of the key is no string"));
	if (j.error != NULL || m->key.len == 0)
		fail(m, "expected a key");
}

/* digits, and nothing else */
static bool
natural(struct span s, uint64_t *v)
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

static int64_t
add_numbers(struct merge *m, struct dist *d)
{
	struct json j;
	struct span value;
	int64_t v = 0, n = 0;
	uint64_t more;

	json_open_array(&j, m->m[VALUES]);
	for (; json_next_element(&j, &value); n++) {
		if (n == 0 ? !json_int(value, &v) : !natural(value, &more))
			fail(m, "a value is no integer, or too large");
		if (n > 0 && more > (uint64_t)INT64_MAX - (uint64_t)v)
			fail(m, "a value is too large");
		if (n > 0)
			v = (int64_t)((uint64_t)v + more);
		dist_add(d, v);
	}
	if (j.error != NULL || n == 0)
		fail(m, "expected values");
	return n;
}

static void
group(struct merge *m)
{
	struct partial *p = m->p;
	struct span name = string(m, m->m[REPORT], "report is no string");
	size_t i = 0, to;
	struct group *g;
	int64_t busy, count;

	m->lines++;
	while (i < m->count && !span_eq(span_of(m->here[i].name), name))
		i++;
	if (i == m->count)
		fail(m, "a group of a report that the partial does not have");
	if ((to = partial_first(p, &m->here[i])) == p->count)
		return;
	make_key(m);
	g = groups_get(partial_groups(p, to), text_span(&m->key));
	busy = integer(m, BUSY, "busy is no integer, or too large");
	if (__builtin_add_overflow(g->busy, busy, &g->busy))
		fail(m, "busy becomes too large");
	count = integer(m, COUNT, "count is no integer, or too large");
	if (add_numbers(m, &g->values) != count)
		fail(m, "count is not the number of values");
}

/* ---- all lines ---- */

/* the next line, across operands; false at the end of all of them */
static bool
next_line(struct merge *m, struct span *line)
{
	const char *error;

	while (!input_line(&m->in, line, &error)) {
		if (error != NULL && !m->in.ended)
			errx(TQ_FAIL, "%s: %s", m->in.name, error);
		if (!m->in.ended)
			return false;
		if (error != NULL) {
			warnx("%s: %s", m->in.name, error);
			m->p->status = TQ_FAIL;
		} else if (m->in.lineno == 0) {
			warnx("warning: %s: is empty", m->in.name);
			m->p->status = TQ_FAIL;
		}
		if (m->inside)
			cut_short(m);
	}
	return true;
}

/* false where the line is the beginning of one, at the end of the file */
static bool
take_apart(struct merge *m, struct span line)
{
	struct json j;
	struct span value;

	memset(m->m, 0, sizeof(m->m));
	json_open(&j, line);
	while (json_next(&j, &m->t, &value))
		for (size_t i = 0; i < MEMBERS; i++)
			if (span_eq(text_span(&m->t), span_of(member_names[i])))
				m->m[i] = value;
	if (j.error != NULL && m->in.partial && m->inside)
		return false;
	if (j.error != NULL)
		fail(m, j.error);
	if (m->m[PARTIAL].p == NULL)
		fail(m, "no line of a partial");
	if (integer(m, PARTIAL, "partial is no version") != PARTIAL_VERSION)
		fail(m, "the version of the partial is not known");
	return true;
}

static void
one_line(struct merge *m)
{
	if (m->m[REPORTS].p != NULL) {
		header(m);
	} else if (!m->inside) {
		fail(m, "expected the first line of a partial");
	} else if (m->m[REPORT].p != NULL) {
		group(m);
	} else if (m->m[END].p == NULL) {
		fail(m, "no line of a partial");
	} else {
		if (integer(m, END, "end is no integer") != m->lines)
			cut_short(m);
		m->inside = false;
	}
}

void
partial_read(struct partial *p, char **operands)
{
	struct merge m = {.p = p};
	struct span line;

	input_init(&m.in, operands);
	while (next_line(&m, &line))
		if (take_apart(&m, line))
			one_line(&m);
	if (!m.any)
		errx(TQ_FAIL, "no partial to merge");
	for (size_t i = 0; i < p->count; i++)
		p->reports[i].correlated = p->correlated;
	forget_here(&m);
	free(m.here);
	input_free(&m.in);
	text_free(&m.t);
	text_free(&m.key);
}
