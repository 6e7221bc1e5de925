/* rank_work.c - the work of each rank of a stream */

#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "tq/account/account_build.h"
#include "tq/base/lower_bound.h"
#include "tq/io/status.h"

#include "rank_work.h"

enum { SORTED_IN_MEMORY = 64 << 20 };

/* the end of an operation: the work of its device until then is looked up */
struct work_mark {
	int64_t time;
	size_t sequence;
};

/* of rank_work_operations */
struct operations_taker {
	void (*put)(void *arg, const struct work_operation *op);
	void *arg;
};

/* a device of pieces */
struct work_device {
	size_t rank; /* index */
	int64_t done[EXCESS_PARTS];
	struct work_mark *marks;
	size_t mark_count, mark_cap;
	size_t step; /* no step before it goes on */
};

/* ---- by index ---- */

static struct work_process *
process_at(struct rank_work *w, size_t index)
{
	while (index >= w->process_count)
		*array_add(&w->processes, &w->process_count, &w->process_cap) =
		    (struct work_process){0};
	return &w->processes[index];
}

struct work_rank *
rank_work_rank(struct rank_work *w, size_t index)
{
	while (index >= w->rank_count)
		*array_add(&w->ranks, &w->rank_count, &w->rank_cap) =
		    (struct work_rank){.first = NO_ID};
	return &w->ranks[index];
}

static struct work_sequence *
sequence_at(struct rank_work *w, size_t index)
{
	while (index >= w->sequence_count)
		*array_add(&w->sequences, &w->sequence_count,
		    &w->sequence_cap) = (struct work_sequence){0};
	return &w->sequences[index];
}

struct work_process *
rank_work_process(struct rank_work *w, size_t rank)
{
	return process_at(w, w->job.ranks.all[rank].process);
}

/* the device of pieces with that index */
static struct work_device *
device_of(struct rank_work *w, size_t index)
{
	while (index >= w->device_count) {
		const struct device_lane *d =
		    device_pieces_lane(&w->pieces, w->device_count);

		*array_add(&w->devices, &w->device_count, &w->device_cap) =
		    (struct work_device){
			.rank = job_rank(&w->job, d->pid, d->device)};
	}
	return &w->devices[index];
}

static void
see_work(struct work_rank *r, int64_t ts, int64_t end)
{
	if (r->first == NO_ID) {
		r->first = ts;
		r->until = end;
	}
	if (r->first > ts)
		r->first = ts;
	if (r->until < end)
		r->until = end;
}

/* ---- steps ---- */

/* the number at the end of a name; false without one */
static bool
last_number(struct span name, int64_t *n)
{
	size_t i = name.len;

	while (i > 0 && isdigit((unsigned char)name.p[i - 1]))
		i--;
	*n = 0;
	for (size_t k = i; k < name.len; k++)
		if (__builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, name.p[k] - '0', n))
			return false;
	return i < name.len;
}

/* Steps that begin before another of the process is over are none. */
static void
add_step(struct rank_work *w, const struct event *ev, struct span name)
{
	struct work_process *p =
	    process_at(w, job_process(&w->job, event_int(ev, KEY_pid, NO_ID)));
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	int64_t place, number;

	if (p->count > 0 && ts < p->all[p->count - 1].end)
		return;
	place = p->ranges++;
	if (place < w->spec->first || place > w->spec->last)
		return;
	if (!last_number(name, &number))
		number = place;
	*array_add(&p->all, &p->count, &p->cap) =
	    (struct work_step){.number = number, .ts = ts, .end = end};
}

static void
take_range(struct rank_work *w, const struct event *ev)
{
	struct span name;

	if (!event_has(ev, KEY_dur) || event_true(ev, KEY_open) ||
	    event_true(ev, KEY_cut))
		return;
	switch (range_spec_match_event(w->spec, ev, &w->scratch, &name)) {
	case PATTERN_YES:
		add_step(w, ev, name);
		break;
	case PATTERN_NO:
		break;
	case PATTERN_GAVE_UP:
		w->gave_up = true;
	}
}

/* the number of the step of a process at a time; NO_ID: none */
static int64_t
step_at(const struct work_process *p, int64_t ts)
{
	size_t i;

	LOWER_BOUND(i, 0, p->count, p->all[i].ts <= ts);
	return i > 0 && ts < p->all[i - 1].end ? p->all[i - 1].number : NO_ID;
}

/* ---- time of a device ---- */

/* Add what of a piece lies before until. */
static void
add_done(int64_t done[], const struct piece *p, int64_t until)
{
	int64_t ns = time_between(p->ts, until), late = 0;

	switch (p->part) {
	case PART_COMPUTE:
		done[EXCESS_COMPUTE] = time_end(done[EXCESS_COMPUTE], ns);
		return;
	case PART_COMMUNICATION:
		return;
	case PART_COPY:
		done[EXCESS_COPY] = time_end(done[EXCESS_COPY], ns);
		return;
	case PART_SYNC:
	case PART_HOST:
		late = ns;
		break;
	case PART_LAUNCH:
		late = time_between(
		    p->ts, time_end(event_int(p->ev, KEY_api_ts, 0),
			       event_int(p->ev, KEY_api_dur, 0)));
		late = late < ns ? late : ns;
		break;
	default:
		break;
	}
	done[EXCESS_LATE] = time_end(done[EXCESS_LATE], late);
	done[EXCESS_IDLE] = time_end(done[EXCESS_IDLE], ns - late);
}

/* Settle the marks in a piece. */
static void
pass_marks(struct rank_work *w, struct work_device *d, const struct piece *p)
{
	size_t left = 0;

	for (size_t i = 0; i < d->mark_count; i++) {
		struct work_mark m = d->marks[i];
		struct work_sequence *s = sequence_at(w, m.sequence);

		if (m.time > p->end) {
			d->marks[left++] = m;
			continue;
		}
		memcpy(s->done, d->done, sizeof(s->done));
		add_done(s->done, p, m.time);
		s->waits = false;
	}
	d->mark_count = left;
}

static void
add_to_steps(struct rank_work *w, struct work_device *d, struct work_rank *r,
    const struct piece *p)
{
	const struct work_process *process = rank_work_process(w, d->rank);
	size_t i;

	while (d->step < process->count && process->all[d->step].end <= p->ts)
		d->step++;
	for (i = d->step; i < process->count && process->all[i].ts < p->end;
	     i++) {
		const struct work_step *s = &process->all[i];

		r->in_steps[p->part] = time_end(r->in_steps[p->part],
		    time_between(s->ts > p->ts ? s->ts : p->ts,
			s->end < p->end ? s->end : p->end));
	}
}

static void
piece_seen(void *work, const struct piece *p)
{
	struct rank_work *w = work;
	struct work_device *d = device_of(w, p->device);
	struct work_rank *r = rank_work_rank(w, d->rank);

	pass_marks(w, d, p);
	add_done(d->done, p, p->end);
	r->parts[p->part] =
	    time_end(r->parts[p->part], time_between(p->ts, p->end));
	add_to_steps(w, d, r, p);
}

/* ---- operations ---- */

/* the work of the device since the last operation of the sequence */
static void
take_stretch(const struct work_device *d, const struct work_sequence *s,
    struct work_operation *to)
{
	to->after = NO_ID;
	if (d == NULL || !s->any)
		return;
	to->after = s->end;
	for (int i = 0; i < EXCESS_PARTS && !s->waits; i++)
		to->did[i] = d->done[i] - s->done[i];
}

void
rank_work_add(struct rank_work *w, const struct work_operation *op)
{
	if (w->sorter == NULL)
		w->sorter = sorter_open(SORTED_IN_MEMORY);
	/* of those that start together that of the first rank comes first, also
	 * where they are read from parts of a job */
	if (!sorter_add(w->sorter, op->op.start, INT64_MAX - op->op.rank,
		(struct span){(const char *)op, sizeof(*op)}, 0))
		err(TQ_FAIL, "operations of communication cannot be held");
}

/* Mark the end of the sequence: the work of the device until then is needed. */
static void
mark(struct work_device *d, struct work_sequence *s, size_t sequence)
{
	struct work_mark m = {s->end, sequence};
	size_t i = 0;

	while (i < d->mark_count && d->marks[i].sequence != sequence)
		i++;
	if (i < d->mark_count)
		d->marks[i] = m;
	else
		*array_add(&d->marks, &d->mark_count, &d->mark_cap) = m;
	s->waits = true;
}

/* d: NULL where the device is not known */
static void
take_operation(
    struct rank_work *w, struct work_device *d, const struct job_operation *op)
{
	struct work_sequence *s = sequence_at(w, op->sequence);
	struct work_operation o;

	memset(&o, 0, sizeof(o)); /* its padding, too, is written */
	o.op = *op;
	o.step = step_at(rank_work_process(w, op->rank), op->start);
	take_stretch(d, s, &o);
	see_work(rank_work_rank(w, op->rank), op->start, op->end);
	rank_work_add(w, &o);
	s->any = true;
	s->end = op->end;
	if (d != NULL)
		mark(d, s, op->sequence);
}

/* ---- records ---- */

static void
take_work(struct rank_work *w, const struct event *ev)
{
	struct work_device *d = NULL;
	enum device_class class;
	struct job_operation op;

	device_pieces_event(&w->pieces, ev, (struct part_tag){0});
	if (device_time_class(ev, &class))
		d = device_of(w, device_pieces_device(&w->pieces, ev));
	if (job_operation(&w->job, ev, &op))
		take_operation(w, d, &op);
}

void
rank_work_open(struct rank_work *w)
{
	job_open(&w->job);
	w->pieces.piece = piece_seen;
	w->pieces.arg = w;
	device_pieces_open(&w->pieces);
}

void
rank_work_event(struct rank_work *w, const struct event *ev)
{
	job_event(&w->job, ev);
	if (!event_has(ev, KEY_ts) || schema_role(ev->kind) == ROLE_FRAME)
		return;
	if (ev->kind == KIND_range)
		take_range(w, ev);
	take_work(w, ev);
}

void
rank_work_section_end(struct rank_work *w)
{
	device_pieces_end_open(&w->pieces);
	for (size_t i = 0; i < w->device_count; i++) {
		const struct device_lane *d = device_pieces_lane(&w->pieces, i);

		see_work(
		    rank_work_rank(w, w->devices[i].rank), d->first, d->until);
	}
	device_pieces_section_end(&w->pieces);
	for (size_t i = 0; i < w->device_count; i++)
		free(w->devices[i].marks);
	w->device_count = 0;
	job_section_end(&w->job);
}

/* ---- the result ---- */

static void
put_operation(void *arg, const struct sorter_line *line)
{
	struct operations_taker *t = arg;
	struct work_operation op;

	memcpy(&op, line->line.p, sizeof(op));
	t->put(t->arg, &op);
}

void
rank_work_operations(struct rank_work *w,
    void (*put)(void *arg, const struct work_operation *op), void *arg)
{
	struct operations_taker t = {put, arg};

	if (w->sorter == NULL)
		return;
	if (!sorter_finish(w->sorter, put_operation, &t))
		errx(TQ_FAIL,
		    "operations of communication cannot be read again");
	sorter_free(w->sorter);
	w->sorter = NULL;
}

const struct work_process *
rank_work_steps(const struct rank_work *w, size_t rank)
{
	static const struct work_process none;
	size_t process = w->job.ranks.all[rank].process;

	return process < w->process_count ? &w->processes[process] : &none;
}

const int64_t *
rank_work_parts(const struct rank_work *w, size_t rank)
{
	return rank_work_steps(w, rank)->count > 0 ? w->ranks[rank].in_steps
						   : w->ranks[rank].parts;
}

void
rank_work_keys(struct keyset want[])
{
	account_build_keys(want);
	job_keys(want);
}

void
rank_work_free(struct rank_work *w)
{
	for (size_t i = 0; i < w->device_count; i++)
		free(w->devices[i].marks);
	free(w->devices);
	for (size_t i = 0; i < w->process_count; i++)
		free(w->processes[i].all);
	free(w->processes);
	free(w->ranks);
	free(w->sequences);
	job_free(&w->job);
	device_pieces_free(&w->pieces);
	sorter_free(w->sorter);
	text_free(&w->scratch);
}
