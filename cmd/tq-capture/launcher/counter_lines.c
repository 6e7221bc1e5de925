/* counter_lines.c - polled counters become lines of the outputs */

#include <err.h>
#include <stdlib.h>

#include "counter_lines.h"
#include "tq/base/array.h"
#include "tq/base/time.h"

/* the id of a counter in the capture; ids of NVTX's are others */
static int64_t
counter_id(struct counter_lines *l, struct capture_ids *ids, uint32_t info)
{
	while (l->count <= info)
		*array_add(&l->ids, &l->count, &l->cap) = 0;
	if (l->ids[info] == 0)
		l->ids[info] = ++ids->counters;
	return l->ids[info];
}

static void
define(struct counter_lines *l, struct out_stream *s, uint32_t info, int64_t id)
{
	uint64_t *done = map_get(&l->defined, s->id, info);
	struct counter_info i;

	if (*done != 0)
		return;
	*done = 1;
	i = counter_thread_info(l->from, info);
	emit_open(&s->line, KIND_counterdef);
	emit_str(&s->line, KEY_name, span_of(i.name));
	emit_int(&s->line, KEY_id, id);
	if (i.device != NO_ID)
		emit_int(&s->line, KEY_device, i.device);
	emit_str(&s->line, KEY_unit, span_of(i.unit));
	out_stream_define(s);
}

static void
write_sample(struct out_stream *s, const struct counter_sample *sample,
    const struct counter_info *info, int64_t ts, int64_t id)
{
	out_stream_begin(s, KIND_counter, LINE_EVENT, 0, 0);
	emit_int(&s->line, KEY_ts, ts);
	if (sample->pid != 0)
		emit_int(&s->line, KEY_pid, sample->pid);
	if (info->device != NO_ID)
		emit_int(&s->line, KEY_device, info->device);
	emit_int(&s->line, KEY_counter, id);
	emit_key(&s->line, KEY_value);
	text_add_double(&s->line.buf, sample->value);
	out_stream_put(s, ts, 0);
}

/* true if a value of this process belongs into the stream */
static bool
belongs(const struct out_stream *s, const struct outputs *to, int pid,
    struct captured_process *const *targets, size_t count)
{
	if (pid == 0 || !to->options->split)
		return true;
	for (size_t i = 0; i < count; i++)
		if (targets[i]->lines.pid == pid && targets[i]->lines.out == s)
			return true;
	return false;
}

static void
write_notes(const struct counter_batch *b, struct outputs *to)
{
	for (size_t i = 0; i < b->note_count; i++) {
		warnx("%s", b->notes[i]);
		for (size_t k = 0; k < to->count; k++)
			out_stream_note(to->all[k], clock_now(to->clock),
			    "counters:", b->notes[i]);
		free(b->notes[i]);
	}
	free(b->notes);
}

/* their output is unknown, so all get the note */
static void
write_lost(const struct counter_batch *b, struct outputs *to)
{
	if (b->lost == 0)
		return;
	for (size_t k = 0; k < to->count; k++)
		out_stream_lost(to->all[k], clock_now(to->clock), 0, NO_ID,
		    &(struct lost_records){
			"the launcher was late", "counter", b->lost});
}

int64_t
counter_lines_write(struct counter_lines *l, struct outputs *to,
    struct capture_ids *ids, struct captured_process *const *targets,
    size_t count)
{
	struct counter_batch b;

	if (l->from == NULL)
		return INT64_MAX;
	counter_thread_take(l->from, &b);
	for (size_t i = 0; i < b.count; i++) {
		const struct counter_sample *sample = &b.samples[i];
		struct counter_info info =
		    counter_thread_info(l->from, sample->info);
		int64_t ts = clock_ns(to->clock, sample->ticks);
		int64_t id = counter_id(l, ids, sample->info);

		for (size_t k = 0; k < to->count; k++) {
			struct out_stream *s = to->all[k];

			if (!belongs(s, to, sample->pid, targets, count))
				continue;
			define(l, s, sample->info, id);
			write_sample(s, sample, &info, ts, id);
		}
	}
	write_lost(&b, to);
	write_notes(&b, to);
	free(b.samples);
	return clock_ns(to->clock, b.until);
}

void
counter_lines_free(struct counter_lines *l)
{
	counter_thread_free(l->from);
	map_free(&l->defined);
	free(l->ids);
}
