/* rank_flows.c - what slices have to do with slices of other ranks */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "tq/draw/rank_flows.h"

/* an operation of the first reading; in order of start, then as it came */
struct rank_candidate {
	struct job_operation op;
	uint64_t kernel;
	size_t at; /* index in all, of the second reading */
};

/* ---- matching ---- */

static int
by_start(const void *pa, const void *pb)
{
	const struct rank_candidate *a = pa, *b = pb;

	if (a->op.start != b->op.start)
		return a->op.start < b->op.start ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static struct rank_slice *
slice_of(const struct rank_flows *f, const struct rank_entry *e)
{
	return &f->all[e->kept[0]];
}

/* which rank the others wait for, or where nobody waits the root; its index, or
   count for none */
static size_t
awaited_of(const struct instance *i)
{
	if (i->last < i->count)
		return i->last;
	for (size_t k = 0; k < i->count; k++)
		if (i->all[k].me >= 0 && i->all[k].me == i->all[k].peer)
			return k;
	return i->count;
}

/*
 * An arrow leads from who entered first to who entered later: to the rank that
 * others wait for, or from a root that nobody has to wait for.
 */
static void
add_flow(struct rank_flows *f, const struct rank_entry *from,
    const struct rank_entry *to)
{
	struct rank_ends *a = &slice_of(f, from)->ends;
	struct rank_ends *b = &slice_of(f, to)->ends;

	if (from->end == from->start || to->end == to->start)
		return;
	f->flows++;
	if (a->from_count++ == 0)
		a->from = f->flows;
	if (b->to_count++ == 0)
		b->to = f->flows;
}

/* All arrows to the awaited rank, then all from it: numbers of each follow each
   other. */
static void
take_instance(void *arg, const struct instance *i)
{
	struct rank_flows *f = arg;
	size_t awaited = awaited_of(i);
	const struct rank_entry *other = &i->all[awaited];

	if (awaited == i->count)
		return;
	for (size_t k = 0; k < i->count; k++) {
		const struct rank_entry *e = &i->all[k];

		if (k == awaited || !instances_waits_for(i->kind, e, other))
			continue;
		slice_of(f, e)->wait = e->wait;
		slice_of(f, e)->rank = f->job.ranks.all[other->rank].number;
		if (e->start < other->start)
			add_flow(f, e, other);
	}
	for (size_t k = 0; k < i->count; k++) {
		const struct rank_entry *e = &i->all[k];

		if (e->start > other->start &&
		    instances_waits_for(i->kind, e, other))
			add_flow(f, other, e);
	}
}

static void
match(struct rank_flows *f)
{
	struct instances in = {.take = take_instance, .arg = f};

	job_finish(&f->job);
	job_match(&f->job, &in);
	f->apart = f->job.on_clock < 2;
	for (size_t i = 0; i < f->candidate_count; i++) {
		const struct rank_candidate *c = &f->candidates[i];
		struct rank_entry e = job_entry(&f->job, &c->op);

		e.kept[0] = (int64_t)c->at;
		instances_add(&in, c->op.comm, &e);
	}
	instances_finish(&in);
	for (size_t i = 0; i < in.rank_count; i++)
		f->unmatched += in.ranks[i].unmatched;
	instances_free(&in);
}

/* ---- the first reading ---- */

static void
take_event(struct rank_flows *f, const struct event *ev)
{
	struct rank_candidate c = {.at = f->candidate_count};

	if (!event_has(ev, KEY_ts))
		return;
	if (job_operation(&f->job, ev, &c.op) && ev->kind == KIND_kernel) {
		c.kernel = f->kernels;
		*array_add(
		    &f->candidates, &f->candidate_count, &f->candidate_cap) = c;
	}
	f->kernels += ev->kind == KIND_kernel;
}

static void
read_all(struct rank_flows *f, struct reader *in, struct names *names)
{
	const struct event *ev = &in->event;

	while (reader_next(in)) {
		if (ev->kind == KIND_trace) {
			job_section_end(&f->job);
			names_reset(names);
		}
		if (ev->kind == KIND_process)
			names_define(names, ev);
		job_event(&f->job, ev);
		take_event(f, ev);
	}
	job_section_end(&f->job);
}

void
rank_flows_survey(struct rank_flows *f, struct reader *in)
{
	static struct keyset want[KIND_COUNT + 1];
	const struct keyset *before = in->want;
	struct names names = {0};

	memset(&want[KIND_process], 0xff, sizeof(*want));
	job_keys(want);
	in->want = want;
	f->job.names = &names;
	job_open(&f->job);
	read_all(f, in, &names);
	f->count = f->candidate_count;
	f->all = mem_alloc((f->count + 1) * sizeof(*f->all));
	for (size_t i = 0; i < f->count; i++)
		f->all[i].kernel = f->candidates[i].kernel;
	if (f->count > 0)
		qsort(
		    f->candidates, f->count, sizeof(*f->candidates), by_start);
	match(f);
	free(f->candidates);
	f->candidates = NULL;
	f->kernels = 0;
	names_free(&names);
	reader_rewind(in);
	in->want = before;
}

/* ---- the second ---- */

const struct rank_slice *
rank_flows_kernel(struct rank_flows *f)
{
	uint64_t kernel = f->kernels++;

	if (f->next == f->count || f->all[f->next].kernel != kernel)
		return NULL;
	return &f->all[f->next++];
}

void
rank_flows_warn(const struct rank_flows *f)
{
	if (f->apart)
		warnx("warning: no two ranks are on one clock: nothing is "
		      "drawn between ranks, see tq-align(1)");
	else if (f->unmatched > 0)
		warnx("warning: %" PRId64 " operation%s of communication not "
		      "matched with those of other ranks",
		    f->unmatched, f->unmatched == 1 ? "" : "s");
}

void
rank_flows_free(struct rank_flows *f)
{
	job_free(&f->job);
	free(f->all);
	*f = (struct rank_flows){0};
}
