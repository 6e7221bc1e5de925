/* start_up.c - how much of a recording is start-up */

#include <inttypes.h>

#include "tq/base/wide.h"
#include "tq/show/amount.h"

#include "tq/advice/start_up.h"

enum { FEW_OPERATIONS = 50 }; /* as of the rule not-steady */

/*
 * The device of the section with most; NULL: there is none.  Devices come
 * section by section: *i is the first one of it, and of the next one
 * afterwards.
 */
static const struct engine_device *
find_worst(
    const struct engine *e, size_t section, const int64_t *once, size_t *i)
{
	size_t worst = SIZE_MAX;

	for (; *i < e->device_count && e->devices[*i].section <= section; ++*i)
		if (e->devices[*i].section == section &&
		    (worst == SIZE_MAX || once[*i] > once[worst]))
			worst = *i;
	return worst != SIZE_MAX ? &e->devices[worst] : NULL;
}

/* When 95 % of what happens once on the device is over. */
static int64_t
find_until(const struct engine_device *d)
{
	int64_t all = 0, part = 0;
	size_t bin = 0;

	for (size_t i = 0; i < START_BINS; i++)
		all = time_end(all, d->once[i]);
	while (bin < START_BINS && part < all - all / 20)
		part = time_end(part, d->once[bin++]);
	return time_end(d->from,
	    (int64_t)((wide)time_between(d->from, d->to) * bin / START_BINS));
}

static void
add_section(struct start_up *s, const struct engine *e, size_t section,
    const int64_t *once, size_t *device)
{
	const struct survey_section *x = &e->survey->sections[section - 1];
	const struct engine_device *d = find_worst(e, section, once, device);
	int64_t recorded = time_between(x->wall.from, x->wall.to), before;

	if (!x->wall.any)
		return;
	s->recorded = time_end(s->recorded, recorded);
	if (d == NULL)
		return;
	before = time_between(x->wall.from, x->first);
	before = before < recorded ? before : recorded;
	recorded -= before;
	s->before = time_end(s->before, before);
	before = once[d - e->devices];
	s->once = time_end(s->once, before < recorded ? before : recorded);
	s->until = find_until(d);
	if (s->until >= d->to)
		s->until = NO_ID;
}

void
start_up_find(struct start_up *s, const struct engine *e,
    const struct recording_evidence *evidence, const int64_t *once)
{
	const struct survey *survey = e->survey;
	const unsigned verdict = EVIDENCE_TAKES_ADVICE |
				 EVIDENCE_TAKES_VERDICT | EVIDENCE_TAKES_SHARES;
	size_t device = 0;

	*s = (struct start_up){.until = NO_ID,
	    .few = survey->ops < FEW_OPERATIONS,
	    .source = text_span(&survey->source)};
	if (survey->chosen || survey->window.from != WINDOW_OPEN ||
	    survey->window.to != WINDOW_OPEN || !engine_has_devices(e) ||
	    (evidence_takes_any(evidence) & verdict) != 0)
		return;
	for (size_t i = 1; i <= survey->section; i++)
		add_section(s, e, i, once, &device);
	if (survey->section > 1)
		s->until = NO_ID;
}

void
start_up_add(struct text *t, const struct start_up *s)
{
	amount_share(t, start_up_all(s), s->recorded);
	text_add_str(t, " % of the ");
	amount_time(t, s->recorded);
	text_add_str(t, " recorded is start-up");
}

/* "37s", "90ms": when it is over, or a little earlier */
static void
add_delay(struct text *t, int64_t ns)
{
	bool whole = ns >= 1000000000;

	text_printf(t, "%" PRId64 "%s", ns / (whole ? 1000000000 : 1000000),
	    whole ? "s" : "ms");
}

/* Whole seconds, as nsys takes them. */
static void
add_nsys(struct text *t, int64_t ns)
{
	if (ns >= 1000000000)
		text_printf(t, "nsys profile --delay=%" PRId64 " --duration=10",
		    ns / 1000000000);
	else
		text_add_str(t, "nsys profile --capture-range=cudaProfilerApi, "
				"and cudaProfilerStart() behind the start-up");
}

void
start_up_add_do(struct text *t, const struct start_up *s)
{
	if (s->until == NO_ID || s->few) {
		text_add_str(t, "Record more of its work: what is recorded of "
				"it behind the start-up is too little.");
		return;
	}
	text_add_str(t, "Record later, or longer");
	if (s->until < 0) { /* its times are of another clock */
		text_add_char(t, '.');
		return;
	}
	text_add_str(t, ", with ");
	if (span_begins(s->source, SPAN("nsys")))
		add_nsys(t, s->until);
	else if (span_eq(s->source, SPAN("kineto")))
		text_add_str(
		    t, "torch.profiler.schedule(wait=5, warmup=5, active=5)");
	else if (span_eq(s->source, SPAN("rocpd")))
		text_printf(t,
		    "rocprofv3 --collection-period %" PRId64 ":10000:1 "
		    "--collection-period-unit msec",
		    s->until / 1000000);
	else {
		text_add_str(t, "tq-capture --delay ");
		add_delay(t, s->until);
		text_add_str(t, " --duration 10s");
	}
	text_add_char(t, '.');
}

void
start_up_add_look(struct text *t, const struct start_up *s)
{
	if (s->until == NO_ID)
		text_add_str(t, "tq-stats -r run,cuda_api_sum FILE");
	else
		text_printf(
		    t, "tq-advise --time %" PRId64 "us: FILE", s->until / 1000);
}
