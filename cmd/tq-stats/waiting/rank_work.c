/* rank_work.c - what each rank of a stream did */

#include <ctype.h>
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "tq/account/account_build.h"
#include "tq/base/lower_bound.h"
#include "tq/io/status.h"

#include "rank_work.h"

enum { SORTED_IN_MEMORY = 64 << 20 };

/* the end of an operation: what its device did until then is asked */
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

/* ---- processes and ranks ---- */

static size_t
process_of(struct rank_work *w, int64_t pid)
{
	bool fresh;
	struct work_process *p = keyed_get(
	    &w->processes, (uint64_t)w->section, (uint64_t)pid, &fresh);

	if (fresh)
		*p = (struct work_process){.section = w->section, .pid = pid};
	return (size_t)(p - w->processes.all);
}

static size_t
rank_of(struct rank_work *w, int64_t pid, int64_t device)
{
	size_t process = process_of(w, pid);
	bool fresh;
	struct work_rank *r =
	    keyed_get(&w->ranks, process, (uint64_t)device, &fresh);

	if (fresh)
		*r = (struct work_rank){.section = w->section,
		    .pid = pid,
		    .device = device,
		    .process = process,
		    .number = NO_ID,
		    .first = NO_ID,
		    .clock = w->clock,
		    .spread = w->spread};
	return (size_t)(r - w->ranks.all);
}

/* the device of pieces with that index */
static struct work_device *
device_of(struct rank_work *w, size_t index)
{
	while (index >= w->device_count) {
		const struct part_device *d =
		    &w->pieces.devices.all[w->device_count];

		*array_add(&w->devices, &w->device_count, &w->device_cap) =
		    (struct work_device){.rank = rank_of(w, d->pid, d->device)};
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
	size_t process = process_of(w, event_int(ev, KEY_pid, NO_ID));
	struct work_process *p = &w->processes.all[process];
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
	struct span name, domain;

	if (!event_has(ev, KEY_dur) || event_true(ev, KEY_open) ||
	    event_true(ev, KEY_cut))
		return;
	w->scratch.len = 0;
	text_reserve(
	    &w->scratch, ev->value[KEY_name].len + ev->value[KEY_domain].len);
	name = event_str(ev, KEY_name, &w->scratch);
	domain = event_str(ev, KEY_domain, &w->scratch);
	switch (range_spec_match(w->spec, name, domain)) {
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

/* Answer the marks in a piece. */
static void
pass_marks(struct rank_work *w, struct work_device *d, const struct piece *p)
{
	size_t left = 0;

	for (size_t i = 0; i < d->mark_count; i++) {
		struct work_mark m = d->marks[i];
		struct work_sequence *s = &w->sequences.all[m.sequence];

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
	const struct work_process *process = &w->processes.all[r->process];
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
	struct work_rank *r = &w->ranks.all[d->rank];

	pass_marks(w, d, p);
	add_done(d->done, p, p->end);
	r->parts[p->part] =
	    time_end(r->parts[p->part], time_between(p->ts, p->end));
	add_to_steps(w, d, r, p);
}

/* ---- operations ---- */

/* The communicator of an operation; without a name its stream stands for it,
   the n-th of a rank for the n-th of another. */
static uint32_t
comm_of(struct rank_work *w, size_t rank, const struct rank_operation *op)
{
	struct work_stream *stream;
	unsigned before = 0;
	bool fresh;

	if (op->comm.len > 0)
		return intern_get(&w->comms, op->comm);
	w->unnamed = true;
	stream = keyed_get(
	    &w->streams, (uint64_t)rank, (uint64_t)op->stream, &fresh);
	if (!fresh)
		return stream->comm;
	for (const struct work_stream *s = w->streams.all; s < stream; s++)
		before += s->rank == rank;
	w->scratch.len = 0;
	text_printf(&w->scratch, "stream %u", before);
	*stream = (struct work_stream){
	    rank, intern_get(&w->comms, text_span(&w->scratch))};
	return stream->comm;
}

static size_t
sequence_of(struct rank_work *w, size_t rank, uint32_t comm)
{
	bool fresh;
	struct work_sequence *s = keyed_get(&w->sequences, rank, comm, &fresh);

	if (fresh)
		*s = (struct work_sequence){.rank = (uint32_t)rank,
		    .comm = comm,
		    .members = NO_ID,
		    .me = NO_ID,
		    .numbered = true};
	return (size_t)(s - w->sequences.all);
}

/* what the device did since the last operation of the sequence */
static void
take_stretch(const struct work_device *d, const struct work_sequence *s,
    struct work_operation *to)
{
	to->after = NO_ID;
	if (d == NULL || s->count == 0)
		return;
	to->after = s->end;
	for (int i = 0; i < EXCESS_PARTS && !s->waits; i++)
		to->did[i] = d->done[i] - s->done[i];
}

static void
hold(struct rank_work *w, const struct work_operation *op)
{
	if (w->sorter == NULL)
		w->sorter = sorter_open(SORTED_IN_MEMORY);
	if (!sorter_add(w->sorter, op->start, 0,
		(struct span){(const char *)op, sizeof(*op)}, 0))
		err(TQ_FAIL, "operations of communication cannot be held");
}

/* Ask what the device did until the end of the sequence. */
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

/* The operation becomes the last one of its sequence. */
static void
follow(struct rank_work *w, struct work_device *d, size_t sequence,
    const struct rank_operation *op)
{
	struct work_sequence *s = &w->sequences.all[sequence];

	if (op->number == NO_ID || (s->count > 0 && op->number != s->next))
		s->numbered = false;
	s->next = op->number + (op->number < INT64_MAX);
	if (op->members != NO_ID)
		s->members = op->members;
	if (op->me != NO_ID)
		s->me = op->me;
	s->count++;
	s->end = time_end(op->ts, op->dur);
	if (d != NULL)
		mark(d, s, sequence);
}

static int32_t
small_rank(int64_t v)
{
	return v >= 0 && v <= INT32_MAX ? (int32_t)v : -1;
}

/* d: NULL where the device is not known */
static void
take_operation(
    struct rank_work *w, struct work_device *d, const struct rank_operation *op)
{
	size_t rank = d != NULL ? d->rank : rank_of(w, op->pid, op->device);
	uint32_t comm = comm_of(w, rank, op);
	size_t sequence = sequence_of(w, rank, comm);
	const struct work_rank *r = &w->ranks.all[rank];
	struct work_operation o;

	memset(&o, 0, sizeof(o)); /* its padding, too: bytes are sorted */
	o.rank = (uint32_t)rank;
	o.comm = comm;
	o.kind = (uint8_t)op->kind;
	o.me = small_rank(op->me);
	o.peer = small_rank(op->peer);
	o.start = op->ts;
	o.end = time_end(op->ts, op->dur);
	o.bytes = op->bytes;
	o.number = op->number;
	o.step = step_at(&w->processes.all[r->process], op->ts);
	take_stretch(d, &w->sequences.all[sequence], &o);
	see_work(&w->ranks.all[rank], o.start, o.end);
	hold(w, &o);
	follow(w, d, sequence, op);
}

/* ---- records ---- */

/* True if operations proved the clock of the section. */
static bool
is_common(const struct event *ev)
{
	return event_has(ev, KEY_clock_by) &&
	       (span_eq(ev->value[KEY_clock_by], SPAN("\"collectives\"")) ||
		   span_eq(ev->value[KEY_clock_by], SPAN("\"sequence\"")));
}

static void
begin_section(struct rank_work *w, const struct event *ev)
{
	struct span host;

	w->scratch.len = 0;
	host = event_str(ev, KEY_host, &w->scratch);
	w->host.len = 0;
	text_add_span(&w->host, host);
	w->rank = event_int(ev, KEY_rank, NO_ID);
	w->spread = event_int(ev, KEY_clock_spread, 0);
	w->clock = is_common(ev) ? -1 : w->section;
}

static void
see_time(struct rank_work *w, int64_t ts, int64_t end)
{
	if (!w->open) {
		w->from = ts;
		w->to = ts;
		w->open = true;
	}
	if (w->to < end && end != INT64_MAX)
		w->to = end;
}

static void
take_work(struct rank_work *w, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);
	struct work_device *d = NULL;
	enum device_class class;
	struct rank_operation op;

	pieces_event(&w->pieces, ev, 0);
	if (device_time_class(ev, &class)) {
		d = device_of(w, pieces_device(&w->pieces, ev));
		see_work(&w->ranks.all[d->rank], ts, end);
	}
	if (operation_event(&w->operations, ev, &op))
		take_operation(w, d, &op);
}

void
rank_work_event(struct rank_work *w, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0);

	if (ev->kind == KIND_trace) {
		begin_section(w, ev);
		return;
	}
	if (!event_has(ev, KEY_ts) || schema_role(ev->kind) == ROLE_FRAME)
		return;
	if (w->pieces.piece == NULL) {
		w->pieces.piece = piece_seen;
		w->pieces.arg = w;
		pieces_open(&w->pieces);
	}
	see_time(w, ts, event_end(ev, ts));
	if (ev->kind == KIND_range)
		take_range(w, ev);
	take_work(w, ev);
}

/* what the definitions of the section say of its ranks */
static void
define_ranks(struct rank_work *w)
{
	for (size_t i = 0; i < w->ranks.count; i++) {
		struct work_rank *r = &w->ranks.all[i];
		struct defined_name process;
		struct span host = text_span(&w->host);

		if (r->section != w->section)
			continue;
		r->from = w->from;
		r->to = w->to;
		r->number = w->rank;
		if (names_process(w->names, r->pid, &process)) {
			if (process.number != NO_ID)
				r->number = process.number;
			if (process.more.len > 0)
				host = process.more;
		}
		r->host = region_copy(&w->texts, host);
	}
}

void
rank_work_section_end(struct rank_work *w)
{
	if (w->open) {
		pieces_section_end(&w->pieces);
		operation_section(&w->operations);
		define_ranks(w);
		for (size_t i = 0; i < w->device_count; i++)
			free(w->devices[i].marks);
		w->device_count = 0;
		w->section++;
	}
	w->open = false;
	w->host.len = 0;
	w->rank = NO_ID;
	w->spread = 0;
	w->clock = w->section;
}

/* ---- the result ---- */

static int
by_place(const void *pa, const void *pb)
{
	const struct work_rank *a = *(const struct work_rank *const *)pa;
	const struct work_rank *b = *(const struct work_rank *const *)pb;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

void
rank_work_finish(struct rank_work *w)
{
	struct work_rank **all = mem_alloc((w->ranks.count + 1) * sizeof(*all));
	int64_t next = 0;

	for (size_t i = 0; i < w->ranks.count; i++)
		all[i] = &w->ranks.all[i];
	qsort(all, w->ranks.count, sizeof(*all), by_place);
	for (size_t i = 0; i < w->ranks.count; i++)
		if (all[i]->number == NO_ID)
			all[i]->number = next++;
	free(all);
}

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

const int64_t *
rank_work_parts(const struct rank_work *w, const struct work_rank *r)
{
	return w->processes.all[r->process].count > 0 ? r->in_steps : r->parts;
}

void
rank_work_keys(struct keyset want[])
{
	account_build_keys(want);
	operation_keys(want);
}

void
rank_work_free(struct rank_work *w)
{
	for (size_t i = 0; i < w->device_count; i++)
		free(w->devices[i].marks);
	free(w->devices);
	for (size_t i = 0; i < w->processes.count; i++)
		free(w->processes.all[i].all);
	keyed_free(&w->processes);
	keyed_free(&w->ranks);
	keyed_free(&w->sequences);
	keyed_free(&w->streams);
	intern_free(&w->comms);
	operation_free(&w->operations);
	pieces_free(&w->pieces);
	sorter_free(w->sorter);
	text_free(&w->host);
	text_free(&w->scratch);
	region_free(&w->texts);
}
