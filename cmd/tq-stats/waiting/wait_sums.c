/* wait_sums.c - sums of operations and instances */

#include <stdlib.h>
#include <string.h>

#include "tq/base/ascending.h"
#include "tq/base/lower_bound.h"

#include "wait_sums.h"

/* the kept values of an operation */
enum { KEPT_AFTER = EXCESS_PARTS, KEPT_STEP, KEPT };

_Static_assert((int)KEPT <= (int)ENTRY_KEPT, "an entry has room for it");

void
wait_sums_keep(struct rank_entry *e, const struct work_operation *op)
{
	memcpy(e->kept, op->did, sizeof(op->did));
	e->kept[KEPT_AFTER] = op->after;
	e->kept[KEPT_STEP] = op->step;
}

/* ---- by communicator, kind and size ---- */

static struct wait_size *
size_of(
    struct waiting *w, uint32_t comm, enum operation_kind kind, int64_t bytes)
{
	unsigned size = bytes == NO_ID ? 0 : dist_bucket(bytes) + 1;
	struct wait_size *s;
	bool fresh;

	if (kind == OPERATION_RECEIVE) /* the other side of a message */
		kind = OPERATION_SEND;
	s = keyed_get(
	    &w->sizes, (uint64_t)comm * OPERATION_KINDS + kind, size, &fresh);
	if (fresh)
		*s = (struct wait_size){
		    .comm = comm, .kind = kind, .size = size};
	return s;
}

void
wait_sums_operation(struct waiting *w, const struct work_operation *op)
{
	struct wait_size *s = size_of(
	    w, op->op.comm, (enum operation_kind)op->op.kind, op->op.bytes);

	s->operations++;
	s->time += time_between(op->op.start, op->op.end);
	if (op->op.bytes > 0)
		s->bytes += op->op.bytes;
}

/* the largest message of its ranks; NO_ID: none is known */
static int64_t
message_of(const struct instance *i)
{
	int64_t most = NO_ID;

	for (size_t k = 0; k < i->count; k++)
		if (i->all[k].bytes > most)
			most = i->all[k].bytes;
	return most;
}

/* What nccl-tests call the size of an operation.  A rank whose message is not
   known has one of that size. */
static wide
moved_by(const struct instance *i, int64_t message)
{
	wide all = 0;

	if (i->kind != OPERATION_ALL_GATHER &&
	    i->kind != OPERATION_REDUCE_SCATTER &&
	    i->kind != OPERATION_ALL_TO_ALL)
		return message;
	for (size_t k = 0; k < i->count; k++)
		all += i->all[k].bytes != NO_ID ? i->all[k].bytes : message;
	return all;
}

/* and what of it a link has to carry */
static wide
carried_by(const struct instance *i, wide moved)
{
	wide n = i->count > 1 ? (wide)i->count : 1;

	switch (i->kind) {
	case OPERATION_ALL_REDUCE:
		return moved * 2 * (n - 1) / n;
	case OPERATION_ALL_GATHER:
	case OPERATION_REDUCE_SCATTER:
	case OPERATION_ALL_TO_ALL:
	case OPERATION_GATHER:
	case OPERATION_SCATTER:
		return moved * (n - 1) / n;
	default:
		return moved;
	}
}

/* Messages of one instance may differ: each operation counts with its own. */
static void
add_entries(struct waiting *w, const struct instance *i)
{
	for (size_t k = 0; k < i->count; k++) {
		const struct rank_entry *e = &i->all[k];
		struct wait_size *s = size_of(w, i->comm, i->kind, e->bytes);

		s->matched++;
		s->wait += e->wait;
		s->transfer += time_between(e->start, e->end) - e->wait;
	}
}

static void
add_to_size(struct waiting *w, const struct instance *i)
{
	int64_t message = message_of(i),
		skew = time_between(i->first, i->entry);
	struct wait_size *s = size_of(w, i->comm, i->kind, message);
	wide moved;

	s->instances++;
	if (s->ranks < (int64_t)i->count)
		s->ranks = (int64_t)i->count;
	durations_add(&s->skews, skew, 1);
	if (s->skew < skew)
		s->skew = skew;
	if (message == NO_ID)
		return;
	moved = moved_by(i, message);
	s->moved += moved;
	s->bus += carried_by(i, moved);
	s->moving += time_between(i->entry, i->until);
}

/* ---- by rank ---- */

static struct wait_rank *
rank_of(struct waiting *w, uint32_t rank, uint32_t comm)
{
	bool fresh;
	struct wait_rank *r = keyed_get(&w->ranks, rank, comm, &fresh);

	if (fresh)
		*r = (struct wait_rank){.rank = rank};
	return r;
}

static void
add_to_ranks(struct waiting *w, const struct instance *i)
{
	struct wait_rank *last;

	for (size_t k = 0; k < i->count; k++) {
		struct wait_rank *r = rank_of(w, i->all[k].rank, i->comm);

		r->instances++;
		r->chance += 1000000 / (int64_t)i->count;
		r->wait += i->all[k].wait;
		if (i->all[k].kept[KEPT_STEP] != NO_ID)
			r->in_steps += i->all[k].wait;
	}
	if (i->last == i->count)
		return;
	last = rank_of(w, i->all[i->last].rank, i->comm);
	if (!job_decides(&w->work.job, i)) {
		last->undecided++;
		return;
	}
	last->last++;
	last->cost += i->cost;
	last->lead += i->lead;
}

/* ---- the excess of a rank over the others ---- */

/* the median of n sorted values, 2 at least, without one that is v */
static int64_t
median_without(const int64_t *sorted, size_t n, int64_t v)
{
	size_t at, middle = (n - 1) / 2, low = middle - ((n - 1) % 2 == 0);

	LOWER_BOUND(at, 0, n, sorted[at] < v);
	low += low >= at;
	middle += middle >= at;
	return sorted[low] + (sorted[middle] - sorted[low]) / 2;
}

static void
see_worst(struct wait_stretch worst[], struct wait_stretch s)
{
	for (int i = 0; i < WORST; i++)
		if (s.excess > worst[i].excess) {
			struct wait_stretch other = worst[i];

			worst[i] = s;
			s = other;
		}
}

/* of each part, in w->values, the values of all entries in order */
static void
sort_values(struct waiting *w, const struct instance *i)
{
	size_t n = i->count;

	while (w->value_cap < n * EXCESS_PARTS)
		w->values = mem_more(
		    w->values, w->value_cap, &w->value_cap, sizeof(*w->values));
	for (size_t p = 0; p < EXCESS_PARTS; p++) {
		for (size_t k = 0; k < n; k++)
			w->values[p * n + k] = i->all[k].kept[p];
		qsort(w->values + p * n, n, sizeof(*w->values), ascending);
	}
}

static void
add_excess(
    struct waiting *w, const struct instance *i, size_t k, int64_t excess[])
{
	const struct rank_entry *e = &i->all[k];
	struct wait_rank *r = rank_of(w, e->rank, i->comm);
	wide total = 0;

	for (size_t p = 0; p < EXCESS_PARTS; p++) {
		excess[p] =
		    e->kept[p] - median_without(w->values + p * i->count,
				     i->count, e->kept[p]);
		r->excess[p] += excess[p];
		total += excess[p];
		see_worst(r->worst[p], (struct wait_stretch){excess[p],
					   e->kept[KEPT_AFTER], e->start});
	}
	r->stretches++;
	r->total += total;
	if (total != (int64_t)total) /* of times of no clock */
		total = total < 0 ? INT64_MIN : INT64_MAX;
	squares_add(&r->squares, (int64_t)total);
}

/* True if the earlier work of the ranks can be compared. */
static bool
is_measured(const struct waiting *w, const struct instance *i)
{
	for (size_t k = 0; k < i->count; k++)
		if (i->all[k].kept[KEPT_AFTER] == NO_ID ||
		    w->work.job.largest[i->all[k].rank] != i->comm)
			return false;
	return i->kind < OPERATION_SEND;
}

/* ---- by step ---- */

/* the step of an instance: of its rank with the lowest number */
static int64_t
step_of(const struct waiting *w, const struct instance *i)
{
	const struct job_rank *ranks = w->work.job.ranks.all;
	const struct rank_entry *first = i->all;

	for (size_t k = 1; k < i->count; k++)
		if (ranks[i->all[k].rank].number < ranks[first->rank].number)
			first = &i->all[k];
	return first->kept[KEPT_STEP];
}

static void
add_to_steps(
    struct waiting *w, const struct instance *i, const int64_t excess[])
{
	int64_t step = step_of(w, i), *instances;
	struct wait_step *s;
	bool fresh;

	if (step == NO_ID)
		return;
	instances = keyed_get(&w->instances, (uint64_t)step, 0, &fresh);
	*instances = fresh ? 1 : *instances + 1;
	if (!job_decides(&w->work.job, i))
		return;
	s = keyed_get(&w->steps, (uint64_t)step, i->all[i->last].rank, &fresh);
	if (fresh)
		*s = (struct wait_step){
		    .step = step, .rank = i->all[i->last].rank};
	s->last++;
	s->cost += i->cost;
	s->lead += i->lead;
	for (int p = 0; p < EXCESS_PARTS; p++)
		s->excess[p] += excess[p];
}

void
wait_sums_instance(void *arg, const struct instance *i)
{
	struct waiting *w = arg;
	int64_t excess[EXCESS_PARTS], of_last[EXCESS_PARTS] = {0};

	add_to_size(w, i);
	add_entries(w, i);
	add_to_ranks(w, i);
	if (is_measured(w, i)) {
		sort_values(w, i);
		for (size_t k = 0; k < i->count; k++) {
			add_excess(w, i, k, excess);
			if (k == i->last)
				memcpy(of_last, excess, sizeof(excess));
		}
	}
	add_to_steps(w, i, of_last);
}

void
wait_sums_add(struct wait_rank *to, const struct wait_rank *from)
{
	to->instances += from->instances;
	to->last += from->last;
	to->undecided += from->undecided;
	to->chance += from->chance;
	to->wait += from->wait;
	to->in_steps += from->in_steps;
	to->cost += from->cost;
	to->lead += from->lead;
	to->stretches += from->stretches;
	to->total += from->total;
	squares_merge(&to->squares, &from->squares);
	for (int p = 0; p < EXCESS_PARTS; p++) {
		to->excess[p] += from->excess[p];
		for (int k = 0; k < WORST; k++)
			see_worst(to->worst[p], from->worst[p][k]);
	}
}
