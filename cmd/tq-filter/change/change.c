/* change.c - the changes to the records that stay */

#include <err.h>

#include "tq/base/time.h"
#include "tq/io/status.h"

#include "change.h"

/* parse a line that was changed, with EVENT_PADDING bytes behind it */
static const struct event *
parse_changed(struct change *c, struct span line)
{
	if (!event_parse(&c->event, line, NULL))
		errx(TQ_FAIL, "a changed record: %s", c->event.error);
	return &c->event;
}

/* line and spare change places, and line is the record */
static const struct event *
use_spare(struct change *c)
{
	struct text t = c->line;

	c->line = c->spare;
	c->spare = t;
	memset(text_reserve(&c->line, EVENT_PADDING), 0, EVENT_PADDING);
	return parse_changed(c, text_span(&c->line));
}

static const struct event *
redacted(struct change *c, const struct event *ev)
{
	c->spare.len = 0;
	if (c->redact == NULL || !redact_apply(c->redact, ev, &c->spare))
		return ev;
	return use_spare(c);
}

static const struct event *
edited(struct change *c, const struct event *ev, bool cut,
    const struct section *s, int64_t *clipped)
{
	struct edit edit;
	struct keyset *set = &edit.set;

	edit.set = edit.dropped = (struct keyset){0};
	edit.drop_unknown = false;
	set_known(&c->set, ev, c->symbols, &edit, &c->error);
	if (c->tag != NULL)
		tag_apply(c->tag, ev, c->symbols, &edit, &c->error);
	if (cut && !event_true(ev, KEY_cut))
		edit_set(&edit, KEY_cut, SPAN("true"));
	if (cut && c->clip && s != NULL)
		*clipped = clip_range(&c->clipped, ev, s, &edit);
	c->spare.len = 0;
	if (keyset_is_empty(set)) {
		if (c->set.count == 0)
			return ev;
		text_add_span(&c->spare, ev->line);
	} else
		edit_write(&edit, ev->line, &c->spare);
	set_unknown(&c->set, ev, c->symbols, &c->spare, &c->error);
	return use_spare(c);
}

/* write the lines that start together, the longer first */
static void
write_clipped(struct change *c)
{
	struct clip *clip = &c->clipped;

	clip_sort(clip);
	for (size_t i = 0; i < clip->count; i++) {
		struct span line = clip_line(clip, i);

		if (c->merge != NULL)
			merge_short_event(c->merge, parse_changed(c, line));
		else
			output_line(c->out, line);
	}
	clip_clear(clip);
}

/*
 * While clipped ranges wait: the duration of a record that starts with them.
 * -1 of any other record; clipped ranges that start before it are written.
 * Definitions may overtake clipped ranges.
 */
static int64_t
joins_clipped(struct change *c, const struct event *ev, const struct section *s)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (c->clipped.count == 0 || s == NULL || !event_has(ev, KEY_ts))
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

	if (cut || c->set.count > 0 || c->tag != NULL)
		ev = edited(c, ev, cut, s, &clipped);
	ev = redacted(c, ev);
	if (clipped < 0)
		clipped = joins_clipped(c, ev, s);
	if (clipped >= 0)
		clip_wait(&c->clipped, ev->line, clipped);
	else if (c->merge != NULL)
		merge_short_event(c->merge, ev);
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
		merge_short_finish(c->merge);
}

bool
change_any(const struct change *c)
{
	return c->set.count > 0 || c->tag != NULL || c->redact != NULL ||
	       c->merge != NULL || c->clip;
}

void
change_begin(struct change *c, struct output *out)
{
	c->out = out;
	if (c->merge_short > 0)
		c->merge = merge_short_open(c->merge_short, out);
}

void
change_free(struct change *c)
{
	set_free(&c->set);
	tag_free(c->tag);
	redact_free(c->redact);
	merge_short_free(c->merge);
	event_free(&c->event);
	text_free(&c->line);
	text_free(&c->spare);
	clip_free(&c->clipped);
}
