/* report_tables.c - which table the events of a report belong to */

#include "read/proto_reader.h"
#include "nsysrep.h"
#include "report_tables.h"
#include "report_varint.h"

enum { ANY = REPORT_ANY, NVTX_BODY = 102, CALL_BODY = 108, CALL_CLASS = 6 };

const char *const report_tables_names[REPORT_TABLES] = {
#define TABLE(id, name) [REPORT_##id] = name,
#include "report_tables.def"
};

const struct report_field report_tables_fields[] = {
#define FIELD(id, column, as, sub, number) \
	{REPORT_##id, column, REPORT_##as, sub, number, 0, 0},
#define FIELD_SINCE(id, column, as, sub, number, release) \
	{REPORT_##id, column, REPORT_##as, sub, number, release, 0},
#define FIELD_BEFORE(id, column, as, sub, number, release) \
	{REPORT_##id, column, REPORT_##as, sub, number, 0, release},
#include "report_tables.def"
};

const unsigned report_tables_field_count =
    sizeof(report_tables_fields) / sizeof(report_tables_fields[0]);

const struct report_absent report_tables_absent[] = {
#define ABSENT(id, column, value, release) \
	{REPORT_##id, column, value, release},
#include "report_tables.def"
};

const unsigned report_tables_absent_count =
    sizeof(report_tables_absent) / sizeof(report_tables_absent[0]);

static const struct rule {
	enum report_table table;
	int type, body, sub, event_class;
} rules[] = {
#define EVENT(id, type, body, sub, class) {REPORT_##id, type, body, sub, class},
#include "report_tables.def"
};

static const struct {
	int type, body, event_class;
	const char *what;
} unread[] = {
#define NOT_READ(type, body, class, what) {type, body, class, what},
#include "report_tables.def"
};

enum report_table
report_tables_find(const char *name)
{
	enum report_table t = 0;

	while (t < REPORT_TABLES && strcmp(report_tables_names[t], name) != 0)
		t++;
	return t;
}

/* ---- events ---- */

/* type and body, in this order and nothing else; false for anything else */
static inline bool
take_usual(
    struct report_event *e, const unsigned char *p, const unsigned char *end)
{
	uint32_t tag, n;

	if (p >= end || *p != (1 << 3) ||
	    (p = report_varint_short(p + 1, &e->type)) == NULL ||
	    (p = report_varint_short(p, &tag)) == NULL || (tag & 7) != 2 ||
	    (p = report_varint_short(p, &n)) == NULL || end - p != (ptrdiff_t)n)
		return false;
	e->number = tag >> 3;
	e->p = p;
	e->end = end;
	return true;
}

/* the last of each counts */
static bool
take_any(
    struct report_event *e, const unsigned char *p, const unsigned char *end)
{
	struct proto_reader r = {p, end, false};
	struct proto_field f;

	*e = (struct report_event){.p = end, .end = end};
	while (proto_reader_next(&r, &f)) {
		if (f.bytes.p != NULL) {
			e->number = f.number;
			e->p = (const unsigned char *)f.bytes.p;
			e->end = e->p + f.bytes.len;
		} else if (f.number == 1)
			e->type = f.v < UINT32_MAX ? (uint32_t)f.v : UINT32_MAX;
	}
	return !r.broken;
}

/* the fields before the class are varints, and few */
static inline int64_t
class_of(const struct report_event *e)
{
	const unsigned char *p = e->p;
	struct proto_reader r;
	struct proto_field f;

	while (p < e->end && (*p & 0x87) == 0) {
		uint64_t word;

		if (*p == CALL_CLASS << 3)
			break;
		memcpy(&word, p + 1, sizeof(word));
		word = ~word & 0x8080808080808080u;
		if (word == 0)
			break; /* more than eight bytes */
		p += 2 + __builtin_ctzll(word) / 8;
	}
	if (p < e->end && *p == CALL_CLASS << 3 && p[1] < 0x80)
		return p[1];
	r = (struct proto_reader){e->p, e->end, false};
	while (proto_reader_next(&r, &f))
		if (f.number == CALL_CLASS && f.bytes.p == NULL)
			return (int64_t)f.v;
	return REPORT_ANY;
}

bool
report_tables_take(
    struct report_event *e, const unsigned char *p, const unsigned char *end)
{
	if (!take_usual(e, p, end) && !take_any(e, p, end))
		return false;
	e->event_class = e->number == CALL_BODY ? class_of(e) : REPORT_ANY;
	return true;
}

bool
report_tables_nvtx(const unsigned char *p, const unsigned char *end)
{
	struct report_event e;

	return (take_usual(&e, p, end) || take_any(&e, p, end)) &&
	       e.number == NVTX_BODY;
}

bool
report_tables_is_name(const struct report_event *e)
{
	return e->type == 33 || e->type == 39 || e->type == 75;
}

static bool
has_field(const struct report_event *e, uint32_t number)
{
	struct proto_reader r = {e->p, e->end, false};
	struct proto_field f;

	while (proto_reader_next(&r, &f))
		if (f.number == number && f.bytes.p != NULL)
			return true;
	return false;
}

static const struct rule *
find_rule(const struct report_event *e)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		const struct rule *r = &rules[i];

		if ((uint32_t)r->body == e->number &&
		    (r->type == ANY || (uint32_t)r->type == e->type) &&
		    (r->event_class == ANY ||
			r->event_class == e->event_class) &&
		    (r->sub == 0 || has_field(e, (uint32_t)r->sub)))
			return r;
	}
	return NULL;
}

enum report_table
report_tables_match(struct report_known *known, const struct report_event *e)
{
	size_t i = (e->type ^ (uint64_t)e->event_class * 5) % 64;
	const struct rule *r;

	if (known->all[i].type == e->type &&
	    known->all[i].number == e->number &&
	    known->all[i].event_class == e->event_class && e->number != 0)
		return (enum report_table)known->all[i].table;
	r = find_rule(e);
	if (r == NULL)
		return REPORT_TABLES;
	if (r->sub == 0) { /* and no rule before it has a sub */
		known->all[i].type = e->type;
		known->all[i].number = e->number;
		known->all[i].event_class = e->event_class;
		known->all[i].table = r->table;
	}
	return r->table;
}

const char *
report_tables_not_read(uint32_t type, uint32_t number, int64_t event_class)
{
	for (size_t i = 0; i < sizeof(unread) / sizeof(unread[0]); i++)
		if ((unread[i].type == ANY ||
			(uint32_t)unread[i].type == type) &&
		    (unread[i].body == ANY ||
			(uint32_t)unread[i].body == number) &&
		    (unread[i].event_class == ANY ||
			unread[i].event_class == event_class))
			return unread[i].what;
	return NULL;
}
