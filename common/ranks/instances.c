/* instances.c - which operations of several ranks are one */

#include <stdlib.h>

#include "tq/base/mem.h"
#include "tq/ranks/instances.h"

enum lane_type { COLLECTIVES, ONE_WAY, BOTH_WAYS, LANE_TYPES };

/* ns that clocks may be off */
static const int64_t AT_LEAST = 1000, SLACK_MOST = INT64_MAX / 4;

/* the operations of one rank of a lane, in order: a ring */
struct lane_queue {
	uint32_t rank;
	struct rank_entry *all;
	size_t first, count, cap; /* cap: 0, or a power of two */
};

/* the collectives of a communicator, or messages from one rank to another */
struct instances_lane {
	uint32_t comm;
	enum lane_type type;
	struct lane_queue *queues;
	size_t count;
	size_t filled;    /* queues that have an operation */
	int64_t from, to; /* when all of its ranks are recorded */
	uint32_t latest,
	    earliest;   /* whose recording begins latest, ends earliest */
	int64_t slack;  /* ns */
	int64_t oldest; /* no operation of it ended before */
	bool begun;     /* there was an operation of each rank */
};

struct comm_member {
	uint32_t rank;
	int32_t me;
};

struct instances_comm {
	struct comm_member *all;
	size_t count, cap;
	KEYED(size_t) slots;  /* by rank */
	KEYED(size_t) places; /* by me: index in all */
};

/* ---- queues ---- */

static struct rank_entry *
head(const struct lane_queue *q)
{
	return &q->all[q->first];
}

static void
push(struct lane_queue *q, const struct rank_entry *e)
{
	if (q->count == q->cap) {
		size_t cap = q->cap > 0 ? 2 * q->cap : 2;
		struct rank_entry *all = mem_alloc(cap * sizeof(*all));

		for (size_t i = 0; i < q->count; i++)
			all[i] = q->all[(q->first + i) & (q->cap - 1)];
		free(q->all);
		*q = (struct lane_queue){q->rank, all, 0, q->count, cap};
	}
	q->all[(q->first + q->count++) & (q->cap - 1)] = *e;
}

static void
pop(struct instances_lane *l, struct lane_queue *q)
{
	q->first = (q->first + 1) & (q->cap - 1);
	if (--q->count == 0)
		l->filled--;
}

static void
drop(struct instances *in, struct instances_lane *l, struct lane_queue *q)
{
	in->ranks[q->rank].unmatched++;
	pop(l, q);
}

/* ---- what waits for what ---- */

bool
instances_is_root(const struct rank_entry *e)
{
	return e->me >= 0 && e->me == e->peer;
}

bool
instances_waits_for(enum operation_kind kind, const struct rank_entry *leaves,
    const struct rank_entry *enters)
{
	switch (kind) {
	case OPERATION_ALL_REDUCE:
	case OPERATION_ALL_GATHER:
	case OPERATION_REDUCE_SCATTER:
	case OPERATION_BARRIER:
	case OPERATION_ALL_TO_ALL:
	case OPERATION_SEND_RECEIVE:
		return true;
	case OPERATION_BROADCAST:
	case OPERATION_SCATTER:
		return instances_is_root(enters);
	case OPERATION_REDUCE:
	case OPERATION_GATHER:
		return instances_is_root(leaves);
	case OPERATION_SEND:
	case OPERATION_RECEIVE:
		return leaves->kind == OPERATION_RECEIVE &&
		       enters->kind == OPERATION_SEND;
	default:
		return false;
	}
}

/* True if operations of the kind end before others begin only by chance. */
static bool
is_mutual(enum operation_kind kind)
{
	const struct rank_entry anybody = {.me = -1};

	return instances_waits_for(kind, &anybody, &anybody);
}

static bool
has_root(enum operation_kind kind)
{
	return kind == OPERATION_BROADCAST || kind == OPERATION_SCATTER ||
	       kind == OPERATION_REDUCE || kind == OPERATION_GATHER;
}

/* the kinds whose message is as large on all ranks */
static bool
has_one_size(enum operation_kind kind)
{
	return kind == OPERATION_ALL_REDUCE || kind == OPERATION_BROADCAST ||
	       kind == OPERATION_REDUCE;
}

static bool
agrees(const struct instances_lane *l, const struct rank_entry *a,
    const struct rank_entry *b)
{
	if (l->type == COLLECTIVES && a->kind != b->kind)
		return false;
	if (has_root(a->kind) && a->peer >= 0 && b->peer >= 0 &&
	    a->peer != b->peer)
		return false;
	return !has_one_size(a->kind) || a->bytes == NO_ID ||
	       b->bytes == NO_ID || a->bytes == b->bytes;
}

/* ---- an instance ---- */

/* The latest entry of the ranks that rank e waits for; its own without any. */
static int64_t
awaited(const struct instance *i, const struct rank_entry *e)
{
	int64_t latest = e->start;

	for (size_t k = 0; k < i->count; k++)
		if (i->all[k].start > latest &&
		    instances_waits_for(i->kind, e, &i->all[k]))
			latest = i->all[k].start;
	return latest;
}

static void
set_waits(struct instance *i)
{
	bool mutual = is_mutual(i->kind);

	for (size_t k = 0; k < i->count; k++) {
		struct rank_entry *e = &i->all[k];
		int64_t until = mutual ? i->entry : awaited(i, e);

		if (until > e->end)
			until = e->end;
		e->wait = until > e->start ? time_between(e->start, until) : 0;
		i->cost = time_end(i->cost, e->wait);
	}
}

/* True if any other waits for the rank that entered last. */
static bool
is_awaited(const struct instance *i, size_t last)
{
	for (size_t k = 0; k < i->count; k++)
		if (k != last &&
		    instances_waits_for(i->kind, &i->all[k], &i->all[last]))
			return true;
	return false;
}

static void
judge(struct instance *i)
{
	size_t last = 0, second = 1;

	if (i->all[1].start > i->all[0].start) {
		last = 1;
		second = 0;
	}
	for (size_t k = 2; k < i->count; k++)
		if (i->all[k].start > i->all[last].start) {
			second = last;
			last = k;
		} else if (i->all[k].start > i->all[second].start) {
			second = k;
		}
	i->entry = i->first = i->all[last].start;
	i->until = i->all[last].end;
	for (size_t k = 0; k < i->count; k++) {
		if (i->all[k].start < i->first)
			i->first = i->all[k].start;
		if (i->all[k].end > i->until)
			i->until = i->all[k].end;
	}
	i->last = last;
	i->second = second;
	i->lead = time_between(i->all[second].start, i->entry);
	set_waits(i);
	if (is_awaited(i, last))
		return;
	i->last = i->count;
	i->lead = 0;
}

static void
take(struct instances *in, struct instances_lane *l)
{
	struct instance i = {.comm = l->comm, .count = l->count};

	while (in->cap < l->count)
		in->all =
		    mem_more(in->all, in->cap, &in->cap, sizeof(*in->all));
	for (size_t k = 0; k < l->count; k++) {
		in->all[k] = *head(&l->queues[k]);
		pop(l, &l->queues[k]);
	}
	i.all = in->all;
	i.kind = (enum operation_kind)i.all[0].kind;
	judge(&i);
	in->take(in->arg, &i);
}

/* ---- matching ---- */

/* the queue whose number is least, or NULL if all are the same; *known: all
   have one */
static struct lane_queue *
least_number(struct instances_lane *l, bool *known)
{
	struct lane_queue *least = l->queues;
	bool same = true;

	*known = true;
	for (size_t k = 0; k < l->count && *known; k++) {
		int64_t n = head(&l->queues[k])->number;

		*known = n != NO_ID;
		same &= n == head(least)->number;
		if (n < head(least)->number)
			least = &l->queues[k];
	}
	return *known && !same ? least : NULL;
}

/*
 * the queue whose first operation ended first, of all queues, or of queues that
 * wait for one that enters; NULL: there is none
 */
static struct lane_queue *
first_to_end(struct instances_lane *l, const struct rank_entry *enters)
{
	struct lane_queue *first = NULL;

	for (size_t k = 0; k < l->count; k++) {
		const struct rank_entry *e = head(&l->queues[k]);

		if (enters != NULL &&
		    (e == enters ||
			!instances_waits_for(
			    (enum operation_kind)e->kind, e, enters)))
			continue;
		if (first == NULL || e->end < head(first)->end)
			first = &l->queues[k];
	}
	return first;
}

/*
 * the first operation that entered last, of the operations that others wait for
 */
static const struct rank_entry *
last_to_enter(const struct instances_lane *l)
{
	const struct rank_entry *last = NULL;
	bool mutual = is_mutual((enum operation_kind)head(l->queues)->kind);

	for (size_t k = 0; k < l->count; k++) {
		const struct rank_entry *e = head(&l->queues[k]);
		bool reduces =
		    e->kind == OPERATION_REDUCE || e->kind == OPERATION_GATHER;

		if (!mutual && !reduces && !instances_is_root(e) &&
		    e->kind != OPERATION_SEND)
			continue;
		if (last == NULL || e->start > last->start)
			last = e;
	}
	return last;
}

/* The queue whose first operation has no part in an instance of the others;
   NULL if they are one. */
static struct lane_queue *
misfit(struct instances_lane *l)
{
	const struct rank_entry *enters;
	struct lane_queue *q;
	bool known;

	q = least_number(l, &known);
	if (known)
		return q;
	for (size_t k = 1; k < l->count; k++)
		if (!agrees(l, head(l->queues), head(&l->queues[k])))
			return first_to_end(l, NULL);
	enters = last_to_enter(l);
	q = enters != NULL ? first_to_end(l, enters) : NULL;
	if (q != NULL && time_end(head(q)->end, l->slack) < enters->start)
		return q;
	return NULL;
}

static const struct rank_entry *
second(const struct lane_queue *q)
{
	return &q->all[(q->first + 1) & (q->cap - 1)];
}

/*
 * Before the first instance of a lane a rank that was recorded earlier than
 * others has operations that they lack, and where no rank has to wait for it
 * nothing else shows that: an operation goes that is followed by another before
 * the last rank has its first one.
 */
static void
begin_lane(struct instances *in, struct instances_lane *l)
{
	int64_t at = head(l->queues)->start;

	for (size_t k = 1; k < l->count; k++)
		if (head(&l->queues[k])->start > at)
			at = head(&l->queues[k])->start;
	for (size_t k = 0; k < l->count; k++) {
		struct lane_queue *q = &l->queues[k];

		while (q->count > 1 && second(q)->start <= at &&
		       head(q)->number == NO_ID)
			drop(in, l, q);
	}
}

static void
close_instances(struct instances *in, struct instances_lane *l)
{
	if (l->filled == l->count && !l->begun) {
		begin_lane(in, l);
		l->begun = true;
	}
	while (l->filled == l->count) {
		struct lane_queue *q = misfit(l);

		if (q != NULL)
			drop(in, l, q);
		else
			take(in, l);
	}
}

/* Operations that ended before now can have no part in what begins now. */
static void
expire(struct instances *in, struct instances_lane *l, int64_t now)
{
	size_t lacking = l->count;

	if (time_end(l->oldest, l->slack) >= now)
		return;
	for (size_t k = 0; k < l->count && lacking == l->count; k++)
		if (l->queues[k].count == 0)
			lacking = k;
	l->oldest = INT64_MAX;
	for (size_t k = 0; k < l->count; k++) {
		struct lane_queue *q = &l->queues[k];

		while (q->count > 0 && head(q)->number == NO_ID &&
		       is_mutual((enum operation_kind)head(q)->kind) &&
		       time_end(head(q)->end, l->slack) < now) {
			drop(in, l, q);
			in->ranks[l->queues[lacking].rank].lacking++;
		}
		if (q->count > 0 && head(q)->end < l->oldest)
			l->oldest = head(q)->end;
	}
}

/* ---- lanes ---- */

static void
set_extent(const struct instances *in, struct instances_lane *l)
{
	int64_t most = 0, next = 0;

	l->from = INT64_MIN;
	l->to = l->oldest = INT64_MAX;
	for (size_t k = 0; k < l->count; k++) {
		const struct instances_rank *r = &in->ranks[l->queues[k].rank];

		if (r->from > l->from) {
			l->from = r->from;
			l->latest = l->queues[k].rank;
		}
		if (r->to < l->to) {
			l->to = r->to;
			l->earliest = l->queues[k].rank;
		}
		if (r->spread > most) {
			next = most;
			most = r->spread;
		} else if (r->spread > next) {
			next = r->spread;
		}
	}
	l->slack = time_end(most, next);
	if (l->slack > SLACK_MOST)
		l->slack = SLACK_MOST;
	l->slack = 3 * l->slack + AT_LEAST;
}

static struct instances_lane *
make_lane(struct instances *in, uint32_t comm, enum lane_type type,
    const struct comm_member *all, size_t count)
{
	struct instances_lane *l = mem_alloc(sizeof(*l));

	*l =
	    (struct instances_lane){.comm = comm, .type = type, .count = count};
	l->queues = mem_alloc(count * sizeof(*l->queues));
	for (size_t k = 0; k < count; k++)
		l->queues[k] = (struct lane_queue){.rank = all[k].rank};
	set_extent(in, l);
	return l;
}

/* the sender and the receiver of a message; false if one is unknown */
static bool
ends_of(struct instances_comm *c, const struct rank_entry *e,
    struct comm_member ends[2])
{
	bool swap = e->kind == OPERATION_RECEIVE ||
		    (e->kind == OPERATION_SEND_RECEIVE && e->peer < e->me);
	const size_t *a, *b;

	if (e->me < 0 || e->peer < 0 || e->me == e->peer)
		return false;
	a = keyed_find(&c->places, (uint64_t)(swap ? e->peer : e->me), 0);
	b = keyed_find(&c->places, (uint64_t)(swap ? e->me : e->peer), 0);
	if (a == NULL || b == NULL)
		return false;
	ends[0] = c->all[*a];
	ends[1] = c->all[*b];
	return true;
}

/* the lane of an operation, and its queue there; NULL: it has none */
static struct instances_lane *
lane_of(struct instances *in, uint32_t comm, const struct rank_entry *e,
    size_t *queue)
{
	struct instances_comm *c = &in->comms[comm];
	struct comm_member ends[2], *members = c->all;
	enum lane_type type = COLLECTIVES;
	struct instances_lane **l;
	uint64_t pair = 0;
	size_t count = c->count;
	bool fresh;

	if (e->kind == OPERATION_SEND || e->kind == OPERATION_RECEIVE ||
	    e->kind == OPERATION_SEND_RECEIVE) {
		if (!ends_of(c, e, ends))
			return NULL;
		type = e->kind == OPERATION_SEND_RECEIVE ? BOTH_WAYS : ONE_WAY;
		members = ends;
		count = 2;
		pair =
		    (uint64_t)(uint32_t)ends[0].me << 32 | (uint32_t)ends[1].me;
		*queue = ends[1].rank == e->rank;
	} else if (count < 2 || e->kind == OPERATION_UNKNOWN) {
		return NULL;
	} else {
		const size_t *slot = keyed_find(&c->slots, e->rank, 0);

		if (slot == NULL)
			return NULL;
		*queue = *slot;
	}
	l = keyed_get(
	    &in->lanes, (uint64_t)comm * LANE_TYPES + type, pair, &fresh);
	if (fresh)
		*l = make_lane(in, comm, type, members, count);
	return *l;
}

/* ---- the interface ---- */

void
instances_rank(struct instances *in, int64_t from, int64_t to, int64_t spread)
{
	*array_add(&in->ranks, &in->rank_count, &in->rank_cap) =
	    (struct instances_rank){
		.from = from, .to = to, .spread = spread > 0 ? spread : 0};
}

void
instances_comm(struct instances *in)
{
	*array_add(&in->comms, &in->comm_count, &in->comm_cap) =
	    (struct instances_comm){0};
}

void
instances_member(struct instances *in, uint32_t comm, uint32_t rank, int32_t me)
{
	struct instances_comm *c = &in->comms[comm];
	bool fresh;
	size_t *slot = keyed_get(&c->slots, rank, 0, &fresh);

	if (!fresh)
		return;
	*slot = c->count;
	if (me >= 0) {
		size_t *place = keyed_get(&c->places, (uint64_t)me, 0, &fresh);

		if (fresh)
			*place = c->count;
	}
	*array_add(&c->all, &c->count, &c->cap) =
	    (struct comm_member){.rank = rank, .me = me};
}

void
instances_add(struct instances *in, uint32_t comm, const struct rank_entry *e)
{
	size_t queue = 0;
	struct instances_lane *l = lane_of(in, comm, e, &queue);
	struct instances_rank *r = &in->ranks[e->rank];
	struct lane_queue *q;

	if (l == NULL) {
		r->unmatched++;
		return;
	}
	if (is_mutual((enum operation_kind)e->kind) &&
	    (time_end(e->end, l->slack) < l->from ||
		e->start > time_end(l->to, l->slack))) {
		r->unmatched++;
		r = &in->ranks[e->start > l->to ? l->earliest : l->latest];
		r->lacking++;
		return;
	}
	expire(in, l, e->start);
	q = &l->queues[queue];
	if (q->count == 0)
		l->filled++;
	push(q, e);
	if (q->count == 1 && e->end < l->oldest)
		l->oldest = e->end;
	close_instances(in, l);
}

void
instances_finish(struct instances *in)
{
	for (size_t i = 0; i < in->lanes.count; i++) {
		struct instances_lane *l = in->lanes.all[i];

		for (size_t k = 0; k < l->count; k++)
			while (l->queues[k].count > 0)
				drop(in, l, &l->queues[k]);
	}
}

static void
free_lane(struct instances_lane *l)
{
	for (size_t k = 0; k < l->count; k++)
		free(l->queues[k].all);
	free(l->queues);
	free(l);
}

void
instances_free(struct instances *in)
{
	for (size_t i = 0; i < in->lanes.count; i++)
		free_lane(in->lanes.all[i]);
	keyed_free(&in->lanes);
	for (size_t i = 0; i < in->comm_count; i++) {
		free(in->comms[i].all);
		keyed_free(&in->comms[i].slots);
		keyed_free(&in->comms[i].places);
	}
	free(in->comms);
	free(in->ranks);
	free(in->all);
	*in = (struct instances){0};
}
