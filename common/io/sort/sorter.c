/*
 * sorter.c - lines put in order of time, in bounded memory
 *
 * Lines are held in piles in memory (pile.h).  When these are too large, all of
 * them become one run on the disk (run.h).  Both are in order, so that the next
 * line comes from a heap of their heads.  Where there are too many piles or
 * runs, neighbours become one.  Of equal lines, lines of earlier runs came
 * first, then lines of earlier piles.
 */

#include <errno.h>
#include <stdlib.h>

#include "merge_runs.h"
#include "tq/base/mem.h"

enum { RUN_BUFFER_MIN = 1 << 15, RUN_BUFFER_MAX = 1 << 20 };

struct sorter {
	struct piles piles;
	struct run run[RUNS];
	size_t runs;

	size_t memory, run_buffer;
	uint64_t held, late, lost;
	int64_t emitted; /* all before this */
	int full;        /* errno of the disk, until the next emit */
};

struct sorter *
sorter_open(size_t memory)
{
	struct sorter *s = mem_alloc(sizeof(*s));

	s->memory = memory;
	s->run_buffer = memory / RUNS;
	if (s->run_buffer < RUN_BUFFER_MIN)
		s->run_buffer = RUN_BUFFER_MIN;
	if (s->run_buffer > RUN_BUFFER_MAX)
		s->run_buffer = RUN_BUFFER_MAX;
	s->emitted = INT64_MIN;
	return s;
}

void
sorter_free(struct sorter *s)
{
	if (s == NULL)
		return;
	pile_free(&s->piles);
	for (size_t i = 0; i < s->runs; i++)
		run_close(&s->run[i]);
	free(s);
}

struct sorter_counts
sorter_counts(const struct sorter *s)
{
	struct sorter_counts c = {s->held, s->late, s->lost, 0};

	for (size_t i = 0; i < s->runs; i++)
		c.bytes += (uint64_t)(s->run[i].size - s->run[i].released);
	return c;
}

/* ---- fewer of them ---- */

static void
open_walk(struct merge_runs *w, struct sorter *s)
{
	merge_runs_open(w, &s->piles, s->run, s->run_buffer);
}

struct part {
	size_t first, count;
};

/* neighbours, which have so many lines or bytes each, that become one */
static struct part
cheapest(const uint64_t *size, size_t count)
{
	uint64_t least = UINT64_MAX;
	struct part found = {0};

	for (size_t n = count / 4; n <= count; n *= 2) {
		uint64_t sum = 0;

		for (size_t i = 0; i < count; i++) {
			sum += size[i];
			if (i + 1 < n)
				continue;
			/* for each that there is less */
			if (sum / (n - 1) < least) {
				least = sum / (n - 1);
				found = (struct part){i + 1 - n, n};
			}
			sum -= size[i + 1 - n];
		}
	}
	return found;
}

/* ---- piles ---- */

static bool
put_entry(void *arg, const struct sorter_line *l)
{
	struct sort_entry **at = arg;

	*(*at)++ = (struct sort_entry){
	    {l->ts, l->dur}, l->line.p, (uint32_t)l->line.len, l->tag};
	return true;
}

static void
join_piles(struct sorter *s)
{
	struct sort_entry *entry, *at;
	uint64_t size[PILES];
	struct part part;
	struct merge_runs w;
	size_t count = 0;

	for (size_t i = 0; i < PILES; i++)
		size[i] = s->piles.pile[i].count - s->piles.pile[i].from;
	part = cheapest(size, PILES);
	for (size_t i = 0; i < part.count; i++)
		count += size[part.first + i];
	at = entry = mem_resize(NULL, count, sizeof(*entry));
	open_walk(&w, s);
	w.put = put_entry;
	w.arg = &at;
	merge_runs_piles(&w, part.first, part.count);
	merge_runs_all(&w);
	pile_join(&s->piles, part.first, part.count, entry, count);
}

/* ---- runs ---- */

struct put_run {
	struct run run;
	size_t buffer;
};

static bool
put_line(void *arg, const struct sorter_line *l)
{
	struct put_run *p = arg;

	return run_put(&p->run, l, p->buffer);
}

/* what w goes over becomes a run of about as many bytes */
static bool
write_run(struct merge_runs *w, struct run *run, uint64_t bytes)
{
	struct put_run p = {.buffer = w->run_buffer};

	if (!run_create(&p.run, bytes))
		return false;
	w->put = put_line;
	w->arg = &p;
	if (!merge_runs_all(w) || !run_written(&p.run)) {
		run_close(&p.run);
		return false;
	}
	*run = p.run;
	return true;
}

/* these become one */
static void
replace_runs(struct sorter *s, struct part part, struct run run)
{
	struct run *r = &s->run[part.first];

	for (size_t i = 0; i < part.count; i++)
		run_close(&r[i]);
	*r = run;
	s->runs -= part.count - 1;
	memmove(
	    r + 1, r + part.count, (s->runs - part.first - 1) * sizeof(run));
}

static bool
join_runs(struct sorter *s)
{
	uint64_t size[RUNS], bytes = 0;
	struct run run, *r;
	struct part part;
	struct merge_runs w;

	for (size_t i = 0; i < RUNS; i++)
		size[i] = run_left(&s->run[i]);
	part = cheapest(size, RUNS);
	r = &s->run[part.first];
	for (size_t i = 0; i < part.count; i++) {
		bytes += size[part.first + i];
		run_mark(&r[i]);
	}
	open_walk(&w, s);
	merge_runs_runs(&w, part.first, part.count);
	if (write_run(&w, &run, bytes)) {
		replace_runs(s, part, run);
		return true;
	}
	for (size_t i = 0; i < part.count; i++)
		run_return(&r[i]);
	return false;
}

/* all that is in memory to the disk */
static bool
spill(struct sorter *s)
{
	const struct piles *p = &s->piles;
	struct merge_runs w;

	if (s->runs == RUNS && !join_runs(s))
		return false;
	open_walk(&w, s);
	merge_runs_piles(&w, 0, p->count);
	if (!write_run(
		&w, &s->run[s->runs], p->bytes + p->lines * run_bytes(0)))
		return false;
	s->runs++;
	pile_clear(&s->piles);
	return true;
}

/* ---- in and out ---- */

/* does the line, which goes on pile i, fit in memory? */
static bool
fits(const struct sorter *s, size_t i, size_t len)
{
	const struct piles *p = &s->piles;

	return p->lines == 0 || p->memory + pile_needs(p, i, len) <= s->memory;
}

bool
sorter_add(
    struct sorter *s, int64_t ts, int64_t dur, struct span line, uint32_t tag)
{
	struct sort_key key = {ts, dur};
	size_t i = pile_find(&s->piles, key);

	if (line.len > UINT32_MAX) {
		errno = EMSGSIZE;
		return false;
	}
	if (i == PILES) {
		join_piles(s);
		i = s->piles.count;
	}
	if (!fits(s, i, line.len)) {
		if (s->full == 0 && !spill(s))
			s->full = errno;
		if (s->full != 0) {
			errno = s->full;
			return false;
		}
		i = 0;
	}
	pile_add(&s->piles, i, key, line, tag);
	s->held++;
	s->late += ts < s->emitted;
	return true;
}

/* runs that have nothing more to give */
static void
close_runs(struct sorter *s)
{
	size_t kept = 0;

	for (size_t i = 0; i < s->runs; i++) {
		struct run *r = &s->run[i];

		if (r->lines > 0 && !r->broken) {
			s->run[kept++] = *r;
			continue;
		}
		s->lost += r->lines;
		s->held -= r->lines;
		run_close(r);
	}
	s->runs = kept;
}

struct give {
	void (*put)(void *arg, const struct sorter_line *line);
	void *arg;
	uint64_t lines;
};

static bool
give_line(void *arg, const struct sorter_line *line)
{
	struct give *g = arg;

	g->put(g->arg, line);
	g->lines++;
	return true;
}

/* all before until */
static bool
give(struct sorter *s, struct sort_head until,
    void (*put)(void *arg, const struct sorter_line *line), void *arg)
{
	struct give g = {put, arg, 0};
	struct merge_runs w;
	bool ok;

	open_walk(&w, s);
	w.until = until;
	w.put = give_line;
	w.arg = &g;
	w.forget = true;
	merge_runs_runs(&w, 0, s->runs);
	merge_runs_piles(&w, 0, s->piles.count);
	ok = merge_runs_all(&w);
	s->held -= g.lines;
	s->full = 0;
	close_runs(s);
	pile_trim(&s->piles);
	if (!ok)
		errno = w.error;
	return ok;
}

bool
sorter_emit(struct sorter *s, int64_t until,
    void (*put)(void *arg, const struct sorter_line *line), void *arg)
{
	/* its order is before all equal lines */
	struct sort_head end = {.key = {until, INT64_MAX}};

	if (until > s->emitted)
		s->emitted = until;
	return give(s, end, put, arg);
}

bool
sorter_finish(struct sorter *s,
    void (*put)(void *arg, const struct sorter_line *line), void *arg)
{
	s->emitted = INT64_MIN;
	return give(s, merge_runs_last, put, arg);
}
