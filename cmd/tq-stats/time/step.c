/*
 * step.c - the time of the devices in each training step
 *
 * A step is a range with the name of one, of any domain, or a range of --step;
 * a step within another of its thread is a part of that.  Ranges that were cut
 * or never ended are left out, since their contents are unknown.
 *
 * A step is what it launched: of a device it has the pieces of time of its
 * operations, and of the gaps that these end.  So each ns of a device is of one
 * step, or of none.  Step 0 of a process begins with its range at the earliest.
 */

#include <err.h>
#include <stdlib.h>

#include "tq/account/device_pieces.h"
#include "tq/account/step_index.h"
#include "tq/ask/expr.h"
#include "tq/ask/window.h"
#include "tq/base/map.h"
#include "tq/base/numbered.h"
#include "tq/base/time.h"
#include "tq/io/status.h"
#include "tq/names/api_call.h"
#include "tq/names/model.h"

#include "tq/show/col.h"
#include "step.h"

/* ---- steps ---- */

/* ns of a device in a step */
struct step_part {
	int64_t busy[DEVICE_CLASSES];
	int64_t host, sync, stalled; /* idle */
	struct device_time own;      /* of its communication, hidden or not */
};

/* a device of a process, in a section */
struct step_device {
	int64_t id;
	size_t part; /* index in the parts of a step */
};

struct step_process {
	int64_t pid;
	int64_t steps;     /* so far */
	size_t last;       /* the last that counts: index + 1 */
	size_t incomplete; /* that were chosen, and are in no table */
	struct step_device *devices;
	size_t count;
};

struct training_step {
	size_t process;
	uint32_t thread;
	int64_t number, ts, end; /* of its range */
	size_t before;           /* one of its process: index + 1, or 0 */
	struct span name;
	struct step_part *parts;
	size_t count;
	bool left_out; /* another one is the median */
};

/* where the pieces of a device go */
struct step_lane {
	size_t process, part;
};

struct steps {
	const struct range_spec *spec; /* of the command line, or standard */
	struct range_spec standard;
	bool any;     /* a range of that name was seen */
	bool dropped; /* a filter dropped a step */
	NUMBERED(struct step_process) processes;
	size_t first_process;    /* of the section */
	struct map ends;         /* of the section: see range_spec_is_part() */
	struct step_index index; /* likewise */
	struct device_pieces pieces;
	struct step_lane *lanes; /* by number of the device in pieces */
	size_t lane_count, lane_cap;
	struct training_step *steps;
	size_t count, cap;
	size_t first;      /* of the steps of the section */
	step_watch *watch; /* or NULL */
	void *watcher;
};

/* ---- processes and devices ---- */

static size_t
find_process(struct steps *s, const struct event *ev)
{
	bool fresh;
	struct step_process *p =
	    numbered_get(&s->processes, model_process(ev), &fresh);

	if (fresh)
		*p =
		    (struct step_process){.pid = event_int(ev, KEY_pid, NO_ID)};
	return (size_t)(p - s->processes.all);
}

/* A new device of a process, whose devices are in order of id; its part. */
static size_t
add_device(struct step_process *p, int64_t id)
{
	size_t i = p->count;

	p->devices = mem_resize(p->devices, p->count + 1, sizeof(*p->devices));
	for (; i > 0 && p->devices[i - 1].id > id; i--)
		p->devices[i] = p->devices[i - 1];
	p->devices[i] = (struct step_device){id, p->count};
	return p->count++;
}

/* Where the pieces of an operation's device go. */
static const struct step_lane *
find_lane(struct steps *s, const struct event *ev)
{
	size_t i = device_pieces_device(&s->pieces, ev);

	if (i >= s->lane_count) {
		size_t process = find_process(s, ev);

		*array_add(&s->lanes, &s->lane_count, &s->lane_cap) =
		    (struct step_lane){
			process, add_device(&s->processes.all[process],
				     event_int(ev, KEY_device, 0))};
	}
	return &s->lanes[i];
}

static struct step_part *
find_part(struct training_step *step, size_t part)
{
	if (part >= step->count) {
		step->parts =
		    mem_resize(step->parts, part + 1, sizeof(*step->parts));
		memset(step->parts + step->count, 0,
		    (part + 1 - step->count) * sizeof(*step->parts));
		step->count = part + 1;
	}
	return &step->parts[part];
}

/* ---- time ---- */

static void
add_to(int64_t *sum, int64_t from, int64_t to)
{
	*sum = time_end(*sum, time_between(from, to));
}

/* Time of the host by an unknown thread: the thread of the step counts. */
static void
add_unknown(struct steps *s, const struct training_step *step,
    struct step_part *part, int64_t from, int64_t to)
{
	int64_t waited =
	    gaps_host_waited(&s->pieces.lanes.host, step->thread, from, to);

	part->sync = time_end(part->sync, waited);
	part->host = time_end(part->host, time_between(from, to) - waited);
}

static void
add_idle(struct steps *s, const struct training_step *step,
    struct step_part *part, const struct piece *p)
{
	bool host = p->part == PART_HOST || p->part == PART_UNKNOWN;
	int64_t from = p->ts;

	if (step->number == 0 && from < step->ts)
		from = step->ts;
	if (from >= p->end)
		return;
	if (host && (p->part == PART_UNKNOWN || !event_has(p->ev, KEY_tid)))
		add_unknown(s, step, part, from, p->end);
	else if (host)
		add_to(&part->host, from, p->end);
	else if (p->part == PART_SYNC)
		add_to(&part->sync, from, p->end);
	else
		add_to(&part->stalled, from, p->end);
}

/* A piece is of the step that its tag is the index of, + 1. */
static void
add_piece(void *steps, const struct piece *p)
{
	struct steps *s = steps;
	uint64_t tag =
	    p->operation != NULL ? p->operation->tag.number : p->tag.number;
	struct training_step *step;
	struct step_part *part;

	if (tag == 0 || (p->operation == NULL && p->ev == NULL))
		return;
	step = &s->steps[tag - 1];
	part = find_part(step, s->lanes[p->device].part);
	if (p->operation != NULL)
		add_to(&part->busy[p->part], p->ts, p->end);
	else
		add_idle(s, step, part, p);
}

/* ---- records ---- */

static void
add_step(struct report *r, const struct event *ev, int64_t ts, int64_t end,
    struct span name)
{
	struct steps *s = r->state;
	struct training_step step = {
	    .ts = ts, .end = end, .thread = model_thread(ev)};
	int64_t pid = event_int(ev, KEY_pid, NO_ID);
	struct step_process *p;

	if (range_spec_is_part(&s->ends, (uint64_t)pid,
		(uint64_t)event_int(ev, KEY_tid, NO_ID), end))
		return;
	step.process = find_process(s, ev);
	p = &s->processes.all[step.process];
	step.number = p->steps++;
	if (step.number < s->spec->first || step.number > s->spec->last)
		return;
	s->dropped |= *r->dropped;
	if (*r->dropped)
		return;
	step.before = p->last;
	step.name = region_copy(&r->life, name);
	step_index_add(&s->index, ev, ts, end, s->count);
	*array_add(&s->steps, &s->count, &s->cap) = step;
	p->last = s->count;
	if (s->watch != NULL)
		s->watch(s->watcher, ev, ts, end);
}

/* A step that never ended, or was cut, is in no table. */
static void
count_incomplete(struct report *r, const struct event *ev)
{
	struct steps *s = r->state;
	size_t process = find_process(s, ev);
	struct step_process *p = &s->processes.all[process];

	p->incomplete += !*r->dropped && p->steps >= s->spec->first &&
			 p->steps <= s->spec->last;
}

static void
add_range(struct report *r, const struct event *ev, int64_t ts, int64_t end)
{
	struct steps *s = r->state;
	struct span name;
	bool incomplete = !event_has(ev, KEY_dur) || event_true(ev, KEY_open) ||
			  event_true(ev, KEY_cut);

	switch (range_spec_match_event(s->spec, ev, &r->scratch, &name)) {
	case PATTERN_YES:
		if (incomplete) {
			count_incomplete(r, ev);
			break;
		}
		s->any = true;
		add_step(r, ev, ts, end, name);
		break;
	case PATTERN_NO:
		break;
	case PATTERN_GAVE_UP:
		errx(TQ_FAIL, "%s: a regular expression took too many steps",
		    r->kind->name);
	}
}

static void
add_operation(struct steps *s, const struct event *ev, int64_t ts, int64_t end)
{
	const struct step_lane *lane = find_lane(s, ev);
	size_t step = step_index_find(&s->index, ev);
	enum device_class c;

	device_pieces_event(&s->pieces, ev,
	    (struct part_tag){step == STEP_NONE ? 0 : (uint64_t)step + 1});
	if (step == STEP_NONE)
		return;
	if (device_time_class(ev, &c) && c == DEVICE_COMMUNICATION)
		device_time_add(
		    &find_part(&s->steps[step], lane->part)->own, c, ts, end);
}

static void
steps_event(struct report *r, const struct event *ev)
{
	struct steps *s = r->state;
	int64_t ts = event_int(ev, KEY_ts, 0), end = event_end(ev, ts);

	if (!event_has(ev, KEY_ts))
		return;
	if (schema_role(ev->kind) == ROLE_WORK) {
		add_operation(s, ev, ts, end);
		return;
	}
	if (ev->kind == KIND_range)
		add_range(r, ev, ts, end);
	/* the first record begins the first gap of each device */
	if (!s->pieces.any ||
	    (ev->kind == KIND_api && api_call_waits(api_call_of_event(ev))))
		device_pieces_event(&s->pieces, ev, (struct part_tag){0});
}

/* ---- the end of a section ---- */

/* a step of a process */
struct step_length {
	int64_t dur, number;
	size_t step; /* index */
};

static int
by_length(const void *pa, const void *pb)
{
	const struct step_length *a = pa, *b = pb;

	if (a->dur != b->dur)
		return a->dur < b->dur ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

/*
 * Leave out all steps of a process but the median, as tq-filter does: without
 * the first if there are others, and of an even number the shorter of the
 * middle two.
 */
static void
choose_median(struct steps *s, const struct step_process *p)
{
	struct step_length *all = NULL;
	size_t n = 0, cap = 0, median = p->last;

	for (size_t i = p->last; i > 0; i = s->steps[i - 1].before) {
		struct training_step *step = &s->steps[i - 1];

		step->left_out = true;
		if (step->number == 0)
			continue;
		*array_add(&all, &n, &cap) = (struct step_length){
		    time_between(step->ts, step->end), step->number, i};
	}
	if (n > 0) {
		qsort(all, n, sizeof(*all), by_length);
		median = all[(n - 1) / 2].step;
	}
	if (median > 0)
		s->steps[median - 1].left_out = false;
	free(all);
}

static void
steps_section_end(struct report *r)
{
	struct steps *s = r->state;
	int64_t last = r->wall->to;

	if (s->pieces.last < last)
		s->pieces.last = last;
	device_pieces_section_end(&s->pieces);
	for (; s->first < s->count; s->first++) {
		struct training_step *step = &s->steps[s->first];

		for (size_t i = 0; i < step->count; i++)
			device_time_end(&step->parts[i].own, last);
	}
	for (; s->first_process < s->processes.count; s->first_process++)
		if (s->spec->median)
			choose_median(s, &s->processes.all[s->first_process]);
	s->lane_count = 0;
	numbered_close(&s->processes);
	map_clear(&s->ends);
	step_index_clear(&s->index);
}

/* ---- tables ---- */

/* the time of a step by part; the last three are no parts of it */
enum {
	DURATION,
	COMPUTE,
	COMMUNICATION,
	COPY,
	IDLE,
	STARVED,
	SYNC,
	STALLED,
	ALL_COMMUNICATION,
	OVERLAPPED,
	HOST,
	VALUES
};

static const char *const names[VALUES] = {"Duration", "Compute",
    "Exposed Communication", "Exposed Copy", "Idle", "Starved", "Sync",
    "Stalled", "Communication", "Overlapped Communication", "Host"};

/* a - b; 0 where that does not fit */
static int64_t
less(int64_t a, int64_t b)
{
	return __builtin_sub_overflow(a, b, &a) ? 0 : a;
}

static void
list_values(const struct training_step *step, const struct step_device *d,
    int64_t v[VALUES])
{
	static const struct step_part none;
	const struct step_part *p =
	    d->part < step->count ? &step->parts[d->part] : &none;

	v[STARVED] = p->host;
	v[SYNC] = p->sync;
	v[STALLED] = p->stalled;
	v[DURATION] = v[IDLE] =
	    time_end(p->host, time_end(p->sync, p->stalled));
	for (size_t i = 0; i < DEVICE_CLASSES; i++) {
		v[COMPUTE + i] = p->busy[i];
		v[DURATION] = time_end(v[DURATION], p->busy[i]);
	}
	v[ALL_COMMUNICATION] = p->own.total[DEVICE_COMMUNICATION];
	v[OVERLAPPED] = less(v[ALL_COMMUNICATION], v[COMMUNICATION]);
	v[HOST] = time_between(step->ts, step->end);
}

/* If the command line names steps, the message for no step has the reason. */
static void
explain_missing(struct report *r)
{
	const struct steps *s = r->state;

	if (s->dropped && s->count == 0)
		r->missing = "no step overlaps the window, or is in the range";
	else if (r->settings->step.name != NULL && s->count == 0)
		r->missing = s->any ? "the stream has no step of that number"
				    : "no range in the stream is such a step";
}

static void
step_row(struct table *t, const struct training_step *step, int64_t pid,
    int64_t device, const int64_t v[VALUES])
{
	col_int(t, "Step", UNIT_NONE, step->number);
	col_text(t, "Name", step->name);
	col_id(t, "PID", pid);
	col_int(t, "Device", UNIT_NONE, device);
	col_int(t, "Start", UNIT_TIME, step->ts);
	for (size_t i = 0; i < HOST; i++)
		col_int(t, names[i], UNIT_TIME, v[i]);
	col_share(t, "Overlap", v[OVERLAPPED], v[ALL_COMMUNICATION]);
	col_int(t, names[HOST], UNIT_TIME, v[HOST]);
}

static void
step_table(struct report *r, struct table *t)
{
	const struct steps *s = r->state;
	int64_t v[VALUES] = {0};

	explain_missing(r);
	col_heading(t, step_row, &(struct training_step){0}, 0, 0, v);
	for (size_t i = 0; i < s->count; i++) {
		const struct training_step *step = &s->steps[i];
		const struct step_process *p = &s->processes.all[step->process];

		for (size_t n = 0; n < p->count && !step->left_out; n++) {
			list_values(step, &p->devices[n], v);
			step_row(t, step, p->pid, p->devices[n].id, v);
		}
	}
}

static void
sum_row(struct table *t, int64_t pid, int64_t device, const char *part,
    struct dist *d, dist_wide all)
{
	int64_t min = 0, max = 0;
	long double median = 0, deviation = 0;

	if (!t->heading) {
		dist_sort(d);
		min = dist_min(d);
		max = dist_max(d);
		median = (long double)dist_median2(d) / 2;
		deviation = dist_stddev(d);
	}
	col_id(t, "PID", pid);
	col_int(t, "Device", UNIT_NONE, device);
	col_int(t, "Steps", UNIT_NONE, (int64_t)d->count);
	col_text(t, "Part", span_of(part));
	col_share(t, "Share", d->sum, all);
	col_real(t, "Med", UNIT_TIME, median, 1);
	col_int(t, "Min", UNIT_TIME, min);
	col_int(t, "Max", UNIT_TIME, max);
	col_real(t, "StdDev", UNIT_TIME, deviation, 1);
	col_share(t, "Spread", max, min);
}

/* A row for each part; the first step of a process is not like the others. */
static void
sum_rows(const struct steps *s, struct table *t, size_t process,
    const struct step_device *device)
{
	int64_t pid = s->processes.all[process].pid;
	struct dist d[VALUES] = {{0}};
	int64_t v[VALUES];

	for (size_t i = 0; i < s->count; i++) {
		const struct training_step *step = &s->steps[i];

		if (step->process != process || step->number == 0 ||
		    step->left_out)
			continue;
		list_values(step, device, v);
		for (size_t n = 0; n < VALUES; n++)
			dist_add(&d[n], v[n]);
	}
	for (size_t n = 0; n < VALUES && d[n].count > 0; n++)
		sum_row(t, pid, device->id, names[n], &d[n], d[DURATION].sum);
	for (size_t n = 0; n < VALUES; n++)
		dist_free(&d[n]);
}

static void
sum_table(struct report *r, struct table *t)
{
	const struct steps *s = r->state;

	explain_missing(r);
	col_heading(t, sum_row, 0, 0, "", &(struct dist){0}, 0);
	for (size_t i = 0; i < s->processes.count; i++)
		for (size_t n = 0; n < s->processes.all[i].count; n++)
			sum_rows(s, t, i, &s->processes.all[i].devices[n]);
}

/* ---- for the page ---- */

static struct step_account
account_of(const struct steps *s, const struct training_step *step)
{
	const struct step_process *p = &s->processes.all[step->process];
	struct step_account a = {.number = step->number, .name = step->name};
	int64_t v[VALUES];

	for (size_t n = 0; n < p->count; n++) {
		list_values(step, &p->devices[n], v);
		if (a.dur < v[DURATION])
			a.dur = v[DURATION];
		a.all = time_end(a.all, v[DURATION]);
		for (size_t c = 0; c < DEVICE_CLASSES; c++)
			a.time[c] = time_end(a.time[c], v[COMPUTE + c]);
		a.starved = time_end(a.starved, v[STARVED]);
		a.sync = time_end(a.sync, v[SYNC]);
		a.stalled = time_end(a.stalled, v[STALLED]);
	}
	return a;
}

void
step_set_watch(struct report *r, step_watch *watch, void *watcher)
{
	struct steps *s = r->state;

	s->watch = watch;
	s->watcher = watcher;
}

struct step_account *
step_accounts(
    const struct report *r, size_t *count, size_t *first, size_t *incomplete)
{
	const struct steps *s = r->state;
	struct step_account *all = NULL;
	size_t cap = 0;

	*count = *first = *incomplete = 0;
	for (size_t i = 0; i < s->processes.count && !s->spec->median; i++)
		if (s->processes.all[i].count > 0)
			*incomplete += s->processes.all[i].incomplete;
	for (size_t i = 0; i < s->count; i++) {
		const struct training_step *step = &s->steps[i];
		const struct step_process *p = &s->processes.all[step->process];

		if (p->count == 0 || step->left_out)
			continue;
		if (step->number == 0 && p->last != i + 1)
			++*first;
		else
			*array_add(&all, count, &cap) = account_of(s, step);
	}
	return all;
}

/* ---- reports ---- */

void
step_choose(struct report_settings *settings, const char *text)
{
	const char *bad;
	size_t at;

	settings->step_text = text;
	range_spec_free(&settings->step);
	if (range_spec_parse_step(&settings->step, text, &at) == NULL)
		return;
	bad = range_spec_parse(&settings->step, text, &at); /* all of a name */
	if (bad != NULL) {
		expr_complain_at(span_of(text), at, bad);
		exit(TQ_USAGE);
	}
}

static void
steps_open(struct report *r)
{
	struct steps *s = r->state;
	size_t at;

	s->pieces.piece = add_piece;
	s->pieces.arg = s;
	device_pieces_open(&s->pieces);
	s->spec = &r->settings->step;
	if (s->spec->name == NULL) {
		range_spec_parse_step(&s->standard, "0..", &at);
		s->spec = &s->standard;
	}
}

static void
steps_close(struct report *r)
{
	struct steps *s = r->state;

	for (size_t i = 0; i < s->processes.count; i++)
		free(s->processes.all[i].devices);
	for (size_t i = 0; i < s->count; i++)
		free(s->steps[i].parts);
	numbered_free(&s->processes);
	map_free(&s->ends);
	step_index_free(&s->index);
	device_pieces_free(&s->pieces);
	free(s->lanes);
	free(s->steps);
	range_spec_free(&s->standard);
}

static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid, KEY_name,
    KEY_domain, KEY_open, KEY_cut, KEY_NONE};
static const enum key work_keys[] = {KEY_device, KEY_category, KEY_src, KEY_dst,
    KEY_api_ts, KEY_api_dur, KEY_NONE};

#define STEPS \
	.kinds = KINDS(kernel) | KINDS(memcpy) | KINDS(memset) | \
		 KINDS(graph) | KINDS(api) | KINDS(range), \
	.whole = true, .wall = true, .keys = keys, .work_keys = work_keys, \
	.row_parts = true, .size = sizeof(struct steps), .open = steps_open, \
	.event = steps_event, .section_end = steps_section_end, \
	.close = steps_close

const struct report_kind step_reports[] = {
    {.name = "step",
	.question = ASKS_STEPS,
	.rows = ROWS_STEP,
	.title = "Training Steps",
	.missing = "no step with operations of its process in the stream",
	.table = step_table,
	STEPS},
    {.name = "step_sum",
	.question = ASKS_STEPS,
	.title = "Training Steps without the First",
	.missing =
	    "no two steps with operations of their process in the stream",
	.table = sum_table,
	STEPS},
    {0},
};
