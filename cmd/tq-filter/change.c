/* change.c - what is done to the records that stay */

#include <err.h>
#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/io/status.h"

#include "change.h"
#include "tq/base/time.h"

struct clipped {
	int64_t dur;
	size_t at, len, order;
};

/* ---- --set ---- */

static _Noreturn void
bad_setting(const char *text, size_t at, const char *message)
{
	expr_complain_at(span_of(text), at, message);
	exit(TQ_USAGE);
}

static bool
name_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

/* a key has one type: an integer will do for a number */
static bool
same_type(enum type key, enum type value)
{
	return key == value || (key == TYPE_NUM && value == TYPE_INT) ||
	       value == TYPE_OBJ;
}

void
change_add_setting(struct change *c, const char *text)
{
	struct setting *s;
	struct expr_error error;
	size_t n = 0;

	while (name_char(text[n]))
		n++;
	if (n == 0 || text[n] != '=')
		bad_setting(text, n, "expected KEY=EXPRESSION");
	c->settings =
	    mem_resize(c->settings, c->setting_count + 1, sizeof(*c->settings));
	s = &c->settings[c->setting_count++];
	s->name = (struct span){text, n};
	s->key = schema_key(text, n);
	if (s->key == KEY_kind || s->key == KEY_ts)
		bad_setting(text, 0,
		    "kind and ts cannot be set: they say where a record is");
	s->value = expr_value(span_of(text + n + 1), &error);
	if (s->value == NULL) {
		error.at += n + 1;
		expr_complain(span_of(text), &error);
		exit(TQ_USAGE);
	}
	if (s->key != KEY_NONE &&
	    !same_type(schema_keys[s->key].type, expr_type(s->value)))
		bad_setting(
		    text, n + 1, "a value of another type than the key");
}

/* has the value that only the record could tell the type of its key? */
static bool
fits(enum type type, struct span json)
{
	bool digit = *json.p == '-' || (*json.p >= '0' && *json.p <= '9');

	switch (type) {
	case TYPE_INT:
		return digit && memchr(json.p, '.', json.len) == NULL &&
		       memchr(json.p, 'e', json.len) == NULL &&
		       memchr(json.p, 'E', json.len) == NULL;
	case TYPE_NUM:
		return digit;
	case TYPE_STR:
		return *json.p == '"';
	case TYPE_BOOL:
		return *json.p == 't' || *json.p == 'f';
	case TYPE_INTS:
	case TYPE_STRS:
		return *json.p == '[';
	case TYPE_OBJ:
		break;
	}
	return *json.p == '{';
}

/* the values of the settings, one behind the other: they may move */
static bool
set_known(struct change *c, const struct event *ev, struct edit *edit)
{
	size_t ends[KEY_COUNT], start = 0;
	bool any = false;

	c->values.len = 0;
	for (size_t i = 0; i < c->setting_count; i++) {
		const struct setting *s = &c->settings[i];
		size_t at = c->values.len;

		if (s->key == KEY_NONE)
			continue;
		if (!expr_evaluate(
			s->value, ev, c->symbols, &c->values, &c->error) ||
		    !fits(schema_keys[s->key].type,
			(struct span){c->values.p + at, c->values.len - at})) {
			c->values.len = at;
			continue;
		}
		edit_set(edit, s->key, (struct span){NULL, at});
		ends[s->key] = c->values.len;
		any = true;
	}
	for (enum key k = 0; any && k < KEY_COUNT; k++) {
		if (!keyset_has(&edit->set, k) || edit->value[k].p != NULL)
			continue;
		start = edit->value[k].len;
		edit->value[k] =
		    (struct span){c->values.p + start, ends[k] - start};
	}
	return any;
}

/* keys that the schema does not know are appended, or replaced */
static void
set_unknown(struct change *c, const struct event *ev, struct text *line)
{
	for (size_t i = 0; i < c->setting_count; i++) {
		const struct setting *s = &c->settings[i];

		if (s->key != KEY_NONE)
			continue;
		c->values.len = 0;
		if (expr_evaluate(
			s->value, ev, c->symbols, &c->values, &c->error))
			edit_name(line, s->name, text_span(&c->values));
	}
}

/* ---- --clip ---- */

static int
compare(const void *pa, const void *pb)
{
	const struct clipped *a = pa, *b = pb;

	if (a->dur != b->dur)
		return a->dur > b->dur ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static void
pass_on(struct change *c, struct span line)
{
	if (c->merge == NULL) {
		output_line(c->out, line);
		return;
	}
	if (!event_parse(&c->event, line, NULL))
		errx(TQ_FAIL, "a changed record: %s", c->event.error);
	merge_event(c->merge, &c->event);
}

/* the longer goes first, now that they start together */
static void
write_clipped(struct change *c)
{
	if (c->clipped_count == 0)
		return;
	qsort(c->clipped, c->clipped_count, sizeof(*c->clipped), compare);
	for (size_t i = 0; i < c->clipped_count; i++) {
		const struct clipped *x = &c->clipped[i];

		pass_on(c, (struct span){c->clipped_lines.p + x->at, x->len});
	}
	c->clipped_count = c->clipped_lines.len = 0;
}

static void
hold_clipped(struct change *c, struct span line, int64_t dur)
{
	struct clipped *x;

	if (c->clipped_count == c->clipped_cap) {
		c->clipped_cap = c->clipped_cap * 2 + 16;
		c->clipped =
		    mem_resize(c->clipped, c->clipped_cap, sizeof(*c->clipped));
	}
	x = &c->clipped[c->clipped_count];
	*x = (struct clipped){
	    dur, c->clipped_lines.len, line.len, c->clipped_count};
	c->clipped_count++;
	text_add_span(&c->clipped_lines, line);
	memset(
	    text_reserve(&c->clipped_lines, EVENT_PADDING), 0, EVENT_PADDING);
}

/* numbers as the edit needs them, until the next record */
struct digits {
	char text[4][TEXT_INT_MAX];
};

static struct span
digits(char *p, int64_t v)
{
	return (struct span){p, (size_t)(text_digits_int(p, v) - p)};
}

/* the dur of a range that now starts with the section, else -1 */
static int64_t
clip(const struct event *ev, const struct section *s, struct edit *edit,
    struct digits *d)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	bool ends = event_has(ev, KEY_dur), late = ts < s->from;
	int64_t from = late ? s->from : ts;
	int64_t to = end > s->to && s->to >= from ? s->to : end;

	if ((!late && to == end) || end < from)
		return -1; /* nothing to shorten, or nothing left */
	edit_set(edit, KEY_range_ts, digits(d->text[0], ts));
	edit_set(edit, KEY_ts, digits(d->text[1], from));
	if (ends) {
		edit_set(edit, KEY_range_dur, ev->value[KEY_dur]);
		edit_set(edit, KEY_dur, digits(d->text[2], to - from));
	}
	if (!late)
		return -1;
	return ends ? to - from : INT64_MAX;
}

/* ---- a record ---- */

/* line and spare change places, and line is the record */
static const struct event *
again(struct change *c, struct text *changed)
{
	struct text t = c->line;

	c->line = *changed;
	*changed = t;
	memset(text_reserve(&c->line, EVENT_PADDING), 0, EVENT_PADDING);
	if (!event_parse(&c->event, text_span(&c->line), NULL))
		errx(TQ_FAIL, "a changed record: %s", c->event.error);
	return &c->event;
}

static const struct event *
redacted(struct change *c, const struct event *ev)
{
	c->spare.len = 0;
	if (c->redact == NULL || !redact_apply(c->redact, ev, &c->spare))
		return ev;
	return again(c, &c->spare);
}

static bool
may_be_edited(const struct change *c, bool cut)
{
	return cut || c->setting_count > 0 || c->tag != NULL;
}

static const struct event *
edited(struct change *c, const struct event *ev, bool cut,
    const struct section *s, int64_t *clipped)
{
	struct edit edit;
	struct digits d;
	struct keyset *set = &edit.set;

	edit.set = edit.dropped = (struct keyset){0};
	set_known(c, ev, &edit);
	if (c->tag != NULL)
		tag_apply(c->tag, ev, c->symbols, &edit, &c->error);
	if (cut && !event_true(ev, KEY_cut))
		edit_set(&edit, KEY_cut, SPAN("true"));
	if (cut && c->clip && s != NULL)
		*clipped = clip(ev, s, &edit, &d);
	c->spare.len = 0;
	if ((set->bits[0] | set->bits[1]) == 0) {
		if (c->setting_count == 0)
			return ev;
		text_add_span(&c->spare, ev->line);
	} else
		edit_write(&edit, ev->line, &c->spare);
	set_unknown(c, ev, &c->spare);
	return again(c, &c->spare);
}

/*
 * Ranges that were clipped start together with what is first in the section.
 * The length of a record that does, too; -1 of another, and then those are
 * written if it starts later.  Definitions may overtake all of them.
 */
static int64_t
joins_clipped(struct change *c, const struct event *ev, const struct section *s)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (c->clipped_count == 0 || s == NULL || !event_has(ev, KEY_ts))
		return -1;
	if (ts == s->from)
		return event_true(ev, KEY_open) ? INT64_MAX
						: event_int(ev, KEY_dur, 0);
	if (ts > s->from)
		write_clipped(c);
	return -1;
}

void
change_write(
    struct change *c, const struct event *ev, bool cut, const struct section *s)
{
	int64_t clipped = -1;

	if (may_be_edited(c, cut))
		ev = edited(c, ev, cut, s, &clipped);
	if (c->redact != NULL)
		ev = redacted(c, ev);
	if (clipped < 0)
		clipped = joins_clipped(c, ev, s);
	if (clipped >= 0) {
		hold_clipped(c, ev->line, clipped);
		return;
	}
	if (c->merge != NULL)
		merge_event(c->merge, ev);
	else
		output_line(c->out, ev->line);
}

void
change_trace(struct change *c, const struct event *ev)
{
	output_line(c->out, redacted(c, ev)->line);
	if (c->tag != NULL)
		tag_reset(c->tag);
}

void
change_section_end(struct change *c)
{
	write_clipped(c);
	if (c->merge != NULL)
		merge_finish(c->merge);
}

bool
change_any(const struct change *c)
{
	return c->setting_count > 0 || c->tag != NULL || c->redact != NULL ||
	       c->merge != NULL || c->clip;
}

void
change_begin(struct change *c, struct output *out)
{
	c->out = out;
	if (c->merge_short > 0)
		c->merge = merge_open(c->merge_short, out);
}

void
change_free(struct change *c)
{
	for (size_t i = 0; i < c->setting_count; i++)
		expr_free(c->settings[i].value);
	free(c->settings);
	tag_free(c->tag);
	redact_free(c->redact);
	merge_free(c->merge);
	event_free(&c->event);
	text_free(&c->line);
	text_free(&c->spare);
	text_free(&c->values);
	text_free(&c->clipped_lines);
	free(c->clipped);
}
