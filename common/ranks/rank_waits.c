/* rank_waits.c - what kernels have to do with those of other ranks */

#include <stdlib.h>
#include <string.h>

#include "tq/ranks/rank_waits.h"

/* an operation of the first reading; in order of start, then as it came */
struct wait_candidate {
	struct job_operation op;
	uint64_t kernel;
	size_t at; /* index in all, of the second reading */
};

/* ---- matching ---- */

static int
by_start(const void *pa, const void *pb)
{
	const struct wait_candidate *a = pa, *b = pb;

	if (a->op.start != b->op.start)
		return a->op.start < b->op.start ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static struct kernel_wait *
kernel_of(const struct rank_waits *w, const struct rank_entry *e)
{
	return &w->all[e->kept[0]];
}

/* which rank the others wait for, or where nobody waits the root; its index, or
   count for none */
static size_t
awaited_of(const struct instance *i)
{
	if (i->last < i->count)
		return i->last;
	for (size_t k = 0; k < i->count; k++)
		if (instances_is_root(&i->all[k]))
			return k;
	return i->count;
}

static void
add_arrow(struct rank_waits *w, const struct rank_entry *from,
    const struct rank_entry *to)
{
	struct rank_ends *a = &kernel_of(w, from)->ends;
	struct rank_ends *b = &kernel_of(w, to)->ends;

	if (from->end == from->start || to->end == to->start)
		return;
	w->arrows++;
	if (a->from_count++ == 0)
		a->from = w->arrows;
	if (b->to_count++ == 0)
		b->to = w->arrows;
}

/* All arrows to the awaited rank, then all from it: numbers of each follow each
   other. */
static void
add_arrows(
    struct rank_waits *w, const struct instance *i, const struct rank_entry *to)
{
	for (size_t k = 0; k < i->count; k++)
		if (i->all[k].start < to->start &&
		    instances_waits_for(i->kind, &i->all[k], to))
			add_arrow(w, &i->all[k], to);
	for (size_t k = 0; k < i->count; k++)
		if (i->all[k].start > to->start &&
		    instances_waits_for(i->kind, &i->all[k], to))
			add_arrow(w, to, &i->all[k]);
}

static void
take_instance(void *arg, const struct instance *i)
{
	struct rank_waits *w = arg;
	size_t awaited = awaited_of(i);

	for (size_t k = 0; k < i->count; k++) {
		struct kernel_wait *x = kernel_of(w, &i->all[k]);

		w->instances[i->all[k].rank]++;
		x->peers = (int64_t)i->count;
		x->wait = i->all[k].wait;
		x->rank = awaited < i->count ? i->all[awaited].rank : NO_ID;
	}
	if (job_decides(&w->job, i))
		w->lasts[i->all[i->last].rank]++;
	if (awaited < i->count)
		add_arrows(w, i, &i->all[awaited]);
}

/* rank was an index so far */
static void
name_ranks(struct rank_waits *w)
{
	for (size_t i = 0; i < w->count; i++) {
		struct kernel_wait *x = &w->all[i];

		if (x->peers == 0 || x->rank == NO_ID)
			continue;
		x->awaited = (uint32_t)x->rank;
		x->last_share =
		    (int32_t)(w->lasts[x->rank] * 100 / w->instances[x->rank]);
		x->rank = w->job.ranks.all[x->rank].number;
	}
}

static void
match(struct rank_waits *w)
{
	struct instances in = {.take = take_instance, .arg = w};

	job_finish(&w->job);
	job_match(&w->job, &in);
	w->apart = w->job.on_clock < 2;
	for (size_t i = 0; i < w->candidate_count; i++) {
		const struct wait_candidate *c = &w->candidates[i];
		struct rank_entry e = job_entry(&w->job, &c->op);

		e.kept[0] = (int64_t)c->at;
		instances_add(&in, c->op.comm, &e);
	}
	instances_finish(&in);
	for (size_t i = 0; i < in.rank_count; i++)
		w->unmatched += in.ranks[i].unmatched;
	instances_free(&in);
}

/* ---- the first reading ---- */

void
rank_waits_keys(struct keyset want[])
{
	want[KIND_process] = keyset_all();
	job_keys(want);
}

static void
begin(struct rank_waits *w)
{
	w->open = true;
	w->job.names = &w->names;
	job_open(&w->job);
}

void
rank_waits_event(struct rank_waits *w, const struct event *ev)
{
	struct wait_candidate c = {.at = w->candidate_count};

	if (!w->open)
		begin(w);
	if (schema_role(ev->kind) != ROLE_FRAME && ev->kind != KIND_process &&
	    ev->kind != KIND_kernel && ev->kind != KIND_range)
		return;
	if (ev->kind == KIND_trace) {
		job_section_end(&w->job);
		names_reset(&w->names);
	}
	if (ev->kind == KIND_process)
		names_define(&w->names, ev);
	job_event(&w->job, ev);
	if (!event_has(ev, KEY_ts))
		return;
	if (job_operation(&w->job, ev, &c.op) && ev->kind == KIND_kernel) {
		c.kernel = w->kernels;
		*array_add(
		    &w->candidates, &w->candidate_count, &w->candidate_cap) = c;
	}
	w->kernels += ev->kind == KIND_kernel;
}

void
rank_waits_finish(struct rank_waits *w)
{
	size_t ranks = w->job.ranks.count;

	if (!w->open)
		begin(w);
	job_section_end(&w->job);
	w->instances = mem_alloc((ranks + 1) * sizeof(*w->instances));
	w->lasts = mem_alloc((ranks + 1) * sizeof(*w->lasts));
	w->count = w->candidate_count;
	w->all = mem_alloc((w->count + 1) * sizeof(*w->all));
	for (size_t i = 0; i < w->count; i++)
		w->all[i].kernel = w->candidates[i].kernel;
	if (w->count > 0)
		qsort(
		    w->candidates, w->count, sizeof(*w->candidates), by_start);
	match(w);
	name_ranks(w);
	free(w->candidates);
	w->candidates = NULL;
	w->kernels = 0;
}

/* ---- the second ---- */

const struct kernel_wait *
rank_waits_kernel(struct rank_waits *w)
{
	uint64_t kernel = w->kernels++;

	if (w->next == w->count || w->all[w->next].kernel != kernel)
		return NULL;
	w->next++;
	return w->all[w->next - 1].peers > 0 ? &w->all[w->next - 1] : NULL;
}

void
rank_waits_free(struct rank_waits *w)
{
	job_free(&w->job);
	names_free(&w->names);
	free(w->instances);
	free(w->lasts);
	free(w->candidates);
	free(w->all);
	*w = (struct rank_waits){0};
}
