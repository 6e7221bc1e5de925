/* gap_stage.c - records of kind gap, between correlated ones */

#include <err.h>

#include "tq/account/gap_record.h"
#include "tq/io/status.h"

#include "gap_stage.h"

static void
piece_seen(void *stage, const struct piece *p)
{
	struct gap_stage *s = stage;

	if (!gap_record_is(&s->pieces, p))
		return;
	gap_record_make(&s->gap, &s->pieces, p, NULL);
	gap_record_add(&s->gaps, &s->gap);
	text_add_char(&s->gaps, '\n');
	s->gap_count++;
}

void
gap_stage_open(struct gap_stage *s, struct output *out, uint64_t kinds)
{
	s->out = out;
	s->kinds = kinds;
	s->pieces.piece = piece_seen;
	s->pieces.arg = s;
	s->pieces.calls = true;
	device_pieces_open(&s->pieces);
	s->event.model = &s->model;
}

static bool
is_written(const struct gap_stage *s, enum kind k)
{
	return k == KIND_lost || schema_role(k) == ROLE_DEF ||
	       (s->kinds >> k & 1) != 0;
}

static void
pass_record(struct gap_stage *s, struct span line)
{
	if (!event_parse(&s->event, line, NULL)) /* it was read before */
		errx(TQ_FAIL, "%s", s->event.error);
	if (s->event.kind == KIND_gap)
		return;
	s->gaps.len = 0;
	s->gap_count = 0;
	device_pieces_event(&s->pieces, &s->event, (struct part_tag){0});
	if (is_written(s, s->event.kind))
		output_line(s->out, line);
	if (s->gap_count == 0 || !is_written(s, KIND_gap))
		return;
	text_add_span(&s->out->buf, text_span(&s->gaps));
	s->out->lines += s->gap_count;
	output_check(s->out);
}

void
gap_stage_pass(struct gap_stage *s)
{
	struct text *t = &s->in.buf;
	size_t at = 0;

	text_reserve(t, EVENT_PADDING);
	while (at < t->len) {
		const char *end = memchr(t->p + at, '\n', t->len - at);
		size_t len = (size_t)(end - t->p) - at;

		pass_record(s, (struct span){t->p + at, len});
		at += len + 1;
	}
	t->len = 0;
}

void
gap_stage_reset(struct gap_stage *s)
{
	device_pieces_section_end(&s->pieces);
	model_section(&s->model);
}

void
gap_stage_free(struct gap_stage *s)
{
	device_pieces_free(&s->pieces);
	model_free(&s->model);
	event_free(&s->event);
	gap_record_free(&s->gap);
	text_free(&s->gaps);
	text_free(&s->in.buf);
}
