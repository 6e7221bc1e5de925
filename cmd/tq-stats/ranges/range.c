/* range.c - name, style and end of a range, as reports print them */

#include <stdlib.h>

#include "tq/line/json.h"
#include "tq/base/array.h"

#include "compat/missing.h"
#include "range.h"

/* ---- name and style ---- */

struct span
range_style_text(enum range_style style)
{
	if (style == RANGE_NONE)
		return (struct span){"", 0};
	return style == RANGE_START ? SPAN("StartEnd") : SPAN("PushPop");
}

enum range_style
range_style(const struct event *ev)
{
	struct text t = {0};
	bool start = span_eq(event_str(ev, KEY_mode, &t), SPAN("start"));

	text_free(&t);
	return start ? RANGE_START : RANGE_PUSH;
}

/*
 * nsys 2023.4 writes domain:text, and the text alone for the default domain;
 * tq does so without --compat, too.  2024.6 writes :text for the default
 * domain.  In both a domain without a name is the default one.
 */
bool
range_name(struct text *t, const struct report_settings *settings,
    const struct event *ev)
{
	bool colon = settings->compat && settings->version >= 2024;
	size_t start;

	t->len = 0;
	if (event_has(ev, KEY_domain))
		json_decode(t, ev->value[KEY_domain]);
	if (settings->compat && missing_is(text_span(t)))
		t->len = 0;
	if (t->len > 0 || colon)
		text_add_char(t, ':');
	start = t->len;
	if (event_has(ev, KEY_name))
		json_decode(t, ev->value[KEY_name]);
	if (!settings->compat)
		return true;
	if (missing_is((struct span){t->p + start, t->len - start}))
		t->len = start;
	else if (event_has(ev, KEY_name))
		return true;
	if (!colon)
		t->len = 0;
	return colon;
}

/* ---- time ---- */

void
range_time_add(struct range_time *t, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);
	int64_t end = time_end(ts, event_int(ev, KEY_dur, 0));

	if (!t->any || end > t->all)
		t->all = end;
	t->any = true;
	if (ev->kind != KIND_range)
		return;
	if (!t->any_range || end > t->ranges)
		t->ranges = end;
	t->any_range = true;
}

int64_t
range_time_end(
    const struct range_time *t, const struct report_settings *settings)
{
	return settings->compat ? t->ranges : t->all;
}

/* ---- RangeStack ---- */

void
range_stack_add(struct range_stack *s, int64_t id)
{
	*array_add(&s->ids, &s->count, &s->cap) = id;
}

struct span
range_stack_text(struct range_stack *s)
{
	s->text.len = 0;
	while (s->count > 0) {
		text_add_char(&s->text, ':');
		text_add_int(&s->text, s->ids[--s->count]);
	}
	return text_span(&s->text);
}

void
range_stack_free(struct range_stack *s)
{
	free(s->ids);
	text_free(&s->text);
}
