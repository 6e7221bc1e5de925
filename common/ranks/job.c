/* job.c - the ranks of a stream, and their operations of communication */

#include <inttypes.h>
#include <stdlib.h>

#include "tq/ranks/job.h"

void
job_open(struct job *j)
{
	j->rank = NO_ID;
}

/* ---- processes and ranks ---- */

size_t
job_process(struct job *j, int64_t pid)
{
	bool fresh;
	struct job_process *p = keyed_get(
	    &j->processes, (uint64_t)j->section, (uint64_t)pid, &fresh);

	if (fresh)
		*p = (struct job_process){.section = j->section, .pid = pid};
	return (size_t)(p - j->processes.all);
}

size_t
job_rank(struct job *j, int64_t pid, int64_t device)
{
	size_t process = job_process(j, pid);
	bool fresh;
	struct job_rank *r =
	    keyed_get(&j->ranks, process, (uint64_t)device, &fresh);

	if (fresh)
		*r = (struct job_rank){.number = NO_ID,
		    .process = process,
		    .section = j->section,
		    .pid = pid,
		    .device = device,
		    .clock = j->section_clock,
		    .spread = j->spread};
	return (size_t)(r - j->ranks.all);
}

/* ---- operations ---- */

/* The communicator of an operation; without a name its stream stands for it,
   the n-th of a rank for the n-th of another. */
static uint32_t
comm_of(struct job *j, size_t rank, const struct rank_operation *op)
{
	struct job_stream *stream;
	unsigned before = 0;
	bool fresh;

	if (op->comm.len > 0)
		return intern_get(&j->comms, op->comm);
	j->unnamed = true;
	stream = keyed_get(
	    &j->streams, (uint64_t)rank, (uint64_t)op->stream, &fresh);
	if (!fresh)
		return stream->comm;
	for (const struct job_stream *s = j->streams.all; s < stream; s++)
		before += s->rank == rank;
	j->scratch.len = 0;
	text_printf(&j->scratch, "stream %u", before);
	*stream = (struct job_stream){
	    rank, intern_get(&j->comms, text_span(&j->scratch))};
	return stream->comm;
}

struct job_sequence *
job_sequence(struct job *j, size_t rank, uint32_t comm)
{
	bool fresh;
	struct job_sequence *s = keyed_get(&j->sequences, rank, comm, &fresh);

	if (fresh)
		*s = (struct job_sequence){.rank = (uint32_t)rank,
		    .comm = comm,
		    .members = NO_ID,
		    .me = NO_ID,
		    .numbered = true};
	return s;
}

/* The operation becomes the last one of its sequence. */
static void
follow(struct job_sequence *s, const struct rank_operation *op)
{
	if (op->number == NO_ID || (s->count > 0 && op->number != s->next))
		s->numbered = false;
	s->next = op->number + (op->number < INT64_MAX);
	if (op->members != NO_ID)
		s->members = op->members;
	if (op->me != NO_ID)
		s->me = op->me;
	s->count++;
}

bool
job_operation(struct job *j, const struct event *ev, struct job_operation *to)
{
	struct rank_operation op;
	struct job_sequence *s;
	size_t rank;
	uint32_t comm;

	if (!operation_event(&j->operations, ev, &op))
		return false;
	if (op.device == NO_ID && ev->kind == KIND_kernel)
		op.device = 0; /* as elsewhere */
	rank = job_rank(j, op.pid, op.device);
	comm = comm_of(j, rank, &op);
	s = job_sequence(j, rank, comm);
	follow(s, &op);
	*to = (struct job_operation){.rank = (uint32_t)rank,
	    .comm = comm,
	    .sequence = (uint32_t)(s - j->sequences.all),
	    .kind = (uint8_t)op.kind,
	    .peer = operation_rank(op.peer),
	    .start = op.ts,
	    .end = time_end(op.ts, op.dur),
	    .bytes = op.bytes,
	    .number = op.number};
	return true;
}

/* ---- records ---- */

/* True if operations proved the clock of the section. */
static bool
is_common(const struct event *ev)
{
	return event_has(ev, KEY_clock_by) &&
	       (event_is(ev, KEY_clock_by, SPAN("collectives")) ||
		   event_is(ev, KEY_clock_by, SPAN("sequence")));
}

static void
begin_section(struct job *j, const struct event *ev)
{
	struct span host;

	j->scratch.len = 0;
	host = event_str(ev, KEY_host, &j->scratch);
	j->host.len = 0;
	text_add_span(&j->host, host);
	j->rank = event_int(ev, KEY_rank, NO_ID);
	j->mesh = mesh_of(ev);
	j->spread = event_int(ev, KEY_clock_spread, 0);
	j->section_clock = is_common(ev) ? -1 : j->section;
}

void
job_event(struct job *j, const struct event *ev)
{
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (ev->kind == KIND_trace) {
		begin_section(j, ev);
		return;
	}
	if (ev->kind == KIND_process && event_has(ev, KEY_mesh)) {
		size_t p = job_process(j, event_int(ev, KEY_pid, NO_ID));

		j->processes.all[p].mesh = mesh_of(ev);
	}
	if (!event_has(ev, KEY_ts) || schema_role(ev->kind) == ROLE_FRAME)
		return;
	if (!j->open) {
		j->from = ts;
		j->to = ts;
		j->open = true;
	}
	if (j->to < end && end != INT64_MAX)
		j->to = end;
}

/* the ranks in the definitions of the section */
static void
define_ranks(struct job *j)
{
	for (size_t i = 0; i < j->ranks.count; i++) {
		struct job_rank *r = &j->ranks.all[i];
		struct span host = text_span(&j->host);
		struct defined_name process;

		if (r->section != j->section)
			continue;
		r->from = j->from;
		r->to = j->to;
		r->number = j->rank;
		r->mesh = j->processes.all[r->process].mesh;
		if (r->mesh.has == 0)
			r->mesh = j->mesh;
		if (names_process(j->names, r->pid, &process)) {
			if (process.number != NO_ID)
				r->number = process.number;
			if (process.more.len > 0)
				host = process.more;
		}
		r->host = region_copy(&j->texts, host);
	}
}

void
job_section_end(struct job *j)
{
	if (j->open) {
		operation_section(&j->operations);
		define_ranks(j);
		j->section++;
	}
	j->open = false;
	j->host.len = 0;
	j->rank = NO_ID;
	j->mesh = (struct mesh){0};
	j->spread = 0;
	j->section_clock = j->section;
}

/* ---- numbers, clocks, communicators ---- */

static int
by_place(const void *pa, const void *pb)
{
	const struct job_rank *a = *(const struct job_rank *const *)pa;
	const struct job_rank *b = *(const struct job_rank *const *)pb;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return (a->device > b->device) - (a->device < b->device);
}

static void
number_ranks(struct job *j)
{
	struct job_rank **all = mem_alloc((j->ranks.count + 1) * sizeof(*all));
	int64_t next = 0;

	for (size_t i = 0; i < j->ranks.count; i++)
		all[i] = &j->ranks.all[i];
	qsort(all, j->ranks.count, sizeof(*all), by_place);
	for (size_t i = 0; i < j->ranks.count; i++)
		if (all[i]->number == NO_ID)
			all[i]->number = next++;
	free(all);
}

/* the clock that most ranks are on; of equal ones the common one, then the
   first */
static void
choose_clock(struct job *j)
{
	j->clock = NO_ID;
	for (size_t i = 0; i < j->ranks.count; i++) {
		int64_t clock = j->ranks.all[i].clock;
		size_t count = 0;

		for (size_t k = 0; k < j->ranks.count; k++)
			count += j->ranks.all[k].clock == clock;
		if (count > j->on_clock ||
		    (count == j->on_clock && clock < j->clock)) {
			j->clock = clock;
			j->on_clock = count;
		}
	}
}

static void
count_members(struct job *j)
{
	j->members = mem_alloc((j->comms.count + 1) * sizeof(*j->members));
	for (size_t i = 0; i < j->sequences.count; i++) {
		const struct job_sequence *s = &j->sequences.all[i];

		j->members[s->comm] += j->ranks.all[s->rank].clock == j->clock;
	}
}

/* of equal ones that with the most operations */
static void
find_largest(struct job *j)
{
	int64_t *most = mem_alloc((j->ranks.count + 1) * sizeof(*most));

	j->largest = mem_alloc((j->ranks.count + 1) * sizeof(*j->largest));
	for (size_t i = 0; i < j->sequences.count; i++) {
		const struct job_sequence *s = &j->sequences.all[i];
		size_t than = j->members[j->largest[s->rank]];

		if (most[s->rank] > 0 && (j->members[s->comm] < than ||
					     (j->members[s->comm] == than &&
						 s->count <= most[s->rank])))
			continue;
		j->largest[s->rank] = s->comm;
		most[s->rank] = s->count;
	}
	free(most);
}

static void
see_axes(struct job *j)
{
	struct mesh seen = {0};

	for (size_t i = 0; i < j->ranks.count; i++) {
		const struct mesh *m = &j->ranks.all[i].mesh;

		for (int axis = 0; axis < MESH_AXES; axis++) {
			if (!mesh_has(m, axis))
				continue;
			if (mesh_has(&seen, axis) &&
			    seen.at[axis] != m->at[axis])
				j->differ |= 1U << axis;
			mesh_set(&seen, axis, m->at[axis]);
		}
	}
	j->axes = seen.has;
}

void
job_add_rank(const struct job *j, size_t rank, struct text *t)
{
	const struct job_rank *r = &j->ranks.all[rank];
	const char *before = " (";

	text_printf(t, "rank %" PRId64, r->number);
	for (int axis = 0; axis < MESH_AXES; axis++) {
		if (!(j->differ >> axis & 1) || !mesh_has(&r->mesh, axis))
			continue;
		text_add_str(t, before);
		mesh_add(t, &r->mesh, axis);
		before = ", ";
	}
	if (before[0] == ',')
		text_add_char(t, ')');
}

void
job_finish(struct job *j)
{
	see_axes(j);
	number_ranks(j);
	choose_clock(j);
	count_members(j);
	find_largest(j);
}

static int
by_number(const void *pa, const void *pb, void *ranks)
{
	const size_t *a = pa, *b = pb;
	const struct job_rank *all = ranks;

	if (all[*a].number != all[*b].number)
		return all[*a].number < all[*b].number ? -1 : 1;
	return (*a > *b) - (*a < *b);
}

size_t *
job_order(const struct job *j)
{
	size_t *order = mem_alloc((j->ranks.count + 1) * sizeof(*order));

	for (size_t i = 0; i < j->ranks.count; i++)
		order[i] = i;
	qsort_r(order, j->ranks.count, sizeof(*order), by_number, j->ranks.all);
	return order;
}

/* ---- matching ---- */

static bool
is_member(const struct job *j, const struct job_sequence *s)
{
	return j->ranks.all[s->rank].clock == j->clock &&
	       (s->members == NO_ID ||
		   (uint64_t)s->members >= j->members[s->comm]);
}

/* In order of their numbers: of two ranks that enter together the lower one is
   the last. */
static void
add_members(const struct job *j, struct instances *in)
{
	size_t *order = job_order(j);

	for (size_t i = 0; i < j->ranks.count; i++)
		for (size_t k = 0; k < j->sequences.count; k++) {
			const struct job_sequence *s = &j->sequences.all[k];

			if (s->rank == order[i] && is_member(j, s))
				instances_member(in, s->comm, s->rank,
				    operation_rank(s->me));
		}
	free(order);
}

void
job_match(const struct job *j, struct instances *in)
{
	for (size_t i = 0; i < j->ranks.count; i++) {
		const struct job_rank *r = &j->ranks.all[i];

		instances_rank(in, r->from, r->to, r->spread);
	}
	for (size_t i = 0; i < j->comms.count; i++)
		instances_comm(in);
	add_members(j, in);
}

struct rank_entry
job_entry(const struct job *j, const struct job_operation *op)
{
	const struct job_sequence *s = &j->sequences.all[op->sequence];

	return (struct rank_entry){.rank = op->rank,
	    .kind = op->kind,
	    .me = operation_rank(s->me),
	    .peer = op->peer,
	    .start = op->start,
	    .end = op->end,
	    .bytes = op->bytes,
	    .number = s->numbered ? op->number : NO_ID};
}

bool
job_decides(const struct job *j, const struct instance *i)
{
	const struct job_rank *ranks = j->ranks.all;

	return i->last < i->count &&
	       i->lead >= time_end(ranks[i->all[i->last].rank].spread,
			      ranks[i->all[i->second].rank].spread);
}

/* ---- life ---- */

void
job_keys(struct keyset want[])
{
	static const enum key trace[] = {
	    KEY_rank, KEY_mesh, KEY_host, KEY_clock_by, KEY_clock_spread};

	operation_keys(want);
	for (int k = 0; k <= KIND_COUNT; k++) {
		keyset_add(&want[k], KEY_ts);
		keyset_add(&want[k], KEY_dur);
		keyset_add(&want[k], KEY_open);
	}
	for (size_t i = 0; i < sizeof(trace) / sizeof(*trace); i++)
		keyset_add(&want[KIND_trace], trace[i]);
	keyset_add(&want[KIND_process], KEY_pid);
	keyset_add(&want[KIND_process], KEY_mesh);
}

void
job_free(struct job *j)
{
	keyed_free(&j->processes);
	keyed_free(&j->ranks);
	keyed_free(&j->sequences);
	keyed_free(&j->streams);
	intern_free(&j->comms);
	operation_free(&j->operations);
	text_free(&j->host);
	text_free(&j->scratch);
	region_free(&j->texts);
	free(j->largest);
	free(j->members);
}
