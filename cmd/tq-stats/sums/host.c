/*
 * host.c - reports on what the host did: calls of the operating system, of
 * OpenMP, of OpenACC.
 */

#include "tq/line/json.h"

#include "groups.h"
#include "report.h"

struct calls {
	struct groups groups;
	struct text key, name, member;
};

/* a call that never ended has no duration to add up */
static void
add_call(struct calls *c, const struct event *ev, struct span name)
{
	if (!event_has(ev, KEY_dur))
		return;
	c->key.len = 0;
	groups_part(&c->key, name);
	groups_interval(groups_get(&c->groups, text_span(&c->key)),
	    event_int(ev, KEY_ts, 0), event_int(ev, KEY_dur, 0));
}

static void
add_named(struct calls *c, const struct event *ev)
{
	c->name.len = 0;
	add_call(c, ev, event_str(ev, KEY_name, &c->name));
}

/* the text of a member of args, as it is written; empty without one */
static struct span
argument(struct calls *c, const struct event *ev, const char *name)
{
	struct json j;
	struct span value;

	if (!event_has(ev, KEY_args))
		return (struct span){"", 0};
	json_open(&j, ev->value[KEY_args]);
	while (json_next(&j, &c->member, &value))
		if (span_eq(text_span(&c->member), span_of(name)))
			return value;
	return (struct span){"", 0};
}

static bool
is_api(struct calls *c, const struct event *ev, const char *api)
{
	c->name.len = 0;
	return span_eq(event_str(ev, KEY_api, &c->name), span_of(api));
}

static void
osrt_event(struct report *r, const struct event *ev)
{
	struct calls *c = r->state;

	if (!span_eq(argument(c, ev, "class"), SPAN("\"syscall\"")))
		add_named(c, ev);
}

static void
syscall_event(struct report *r, const struct event *ev)
{
	struct calls *c = r->state;

	if (span_eq(argument(c, ev, "class"), SPAN("\"syscall\"")))
		add_named(c, ev);
}

static void
openmp_event(struct report *r, const struct event *ev)
{
	struct calls *c = r->state;

	if (is_api(c, ev, "openmp"))
		add_named(c, ev);
}

/* event@file:line */
static void
openacc_event(struct report *r, const struct event *ev)
{
	struct calls *c = r->state;
	struct span name, file, line;

	if (!is_api(c, ev, "openacc"))
		return;
	c->name.len = 0;
	name = event_str(ev, KEY_name, &c->name);
	if (name.p != c->name.p) {
		c->name.len = 0;
		text_add_span(&c->name, name);
	}
	file = argument(c, ev, "srcFile");
	if (file.len > 1 && *file.p == '"') {
		text_add_char(&c->name, '@');
		json_decode(&c->name, file);
		line = argument(c, ev, "lineNo");
		if (line.len > 0) {
			text_add_char(&c->name, ':');
			text_add_span(&c->name, line);
		}
	}
	add_call(c, ev, text_span(&c->name));
}

static void
table(struct report *r, struct table *t, const char *count)
{
	static const char *const labels[] = {"Name", NULL};
	struct calls *c = r->state;

	groups_table(&c->groups, t, count, labels, r);
}

static void
calls_table(struct report *r, struct table *t)
{
	table(r, t, "Num Calls");
}

static void
openmp_table(struct report *r, struct table *t)
{
	table(r, t, "Count");
}

static struct groups *
calls_groups(const struct report *r)
{
	return &((struct calls *)r->state)->groups;
}

static void
calls_close(struct report *r)
{
	struct calls *c = r->state;

	groups_free(&c->groups);
	text_free(&c->key);
	text_free(&c->name);
	text_free(&c->member);
}

static const enum key osrt_keys[] = {
    KEY_ts, KEY_dur, KEY_name, KEY_args, KEY_NONE};
static const enum key openmp_keys[] = {
    KEY_ts, KEY_dur, KEY_name, KEY_api, KEY_NONE};
static const enum key openacc_keys[] = {
    KEY_ts, KEY_dur, KEY_name, KEY_api, KEY_args, KEY_NONE};

const struct report_kind report_host[] = {
    {
	.name = "osrt_sum",
	.old = "osrtsum",
	.title = "OS Runtime Summary",
	.missing = "no call of the operating system in the stream",
	.kinds = KINDS(osrt),
	.keys = osrt_keys,
	.size = sizeof(struct calls),
	.event = osrt_event,
	.table = calls_table,
	.close = calls_close,
	.groups = calls_groups,
    },
    {
	.name = "syscall_sum",
	.title = "Syscall Summary",
	.missing = "no system call in the stream",
	.kinds = KINDS(osrt),
	.keys = osrt_keys,
	.size = sizeof(struct calls),
	.event = syscall_event,
	.table = calls_table,
	.close = calls_close,
	.groups = calls_groups,
    },
    {
	.name = "openmp_sum",
	.old = "openmpevtsum",
	.title = "OpenMP Summary",
	.missing = "no event of OpenMP in the stream",
	.kinds = KINDS(api),
	.keys = openmp_keys,
	.size = sizeof(struct calls),
	.event = openmp_event,
	.table = openmp_table,
	.close = calls_close,
	.groups = calls_groups,
    },
    {
	.name = "openacc_sum",
	.old = "openaccsum",
	.title = "OpenACC Summary",
	.missing = "no event of OpenACC in the stream",
	.kinds = KINDS(api),
	.keys = openacc_keys,
	.size = sizeof(struct calls),
	.event = openacc_event,
	.table = calls_table,
	.close = calls_close,
	.groups = calls_groups,
    },
    {0},
};
