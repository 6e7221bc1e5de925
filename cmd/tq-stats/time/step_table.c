/* step_table.c - what is said of training steps */

#include "step.h"

/* what the time of a step went into; all but the last two are told apart */
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
	VALUES
};

static const char *const names[VALUES] = {"Duration", "Compute",
    "Exposed Communication", "Exposed Copy", "Idle", "Starved", "Sync",
    "Stalled", "Communication", "Overlapped Communication"};

static void
values(const struct step *step, const struct step_device *d, int64_t v[VALUES])
{
	const struct step_part *p = &step->parts[d->part];

	v[DURATION] = v[IDLE] = step->end - step->ts;
	for (size_t i = 0; i < DEVICE_CLASSES; i++) {
		v[COMPUTE + i] = p->time.exposed[i];
		v[IDLE] -= p->time.exposed[i];
	}
	v[SYNC] = p->sync;
	v[STALLED] = p->stalled;
	v[STARVED] = v[IDLE] - p->sync - p->stalled;
	v[ALL_COMMUNICATION] = p->time.total[DEVICE_COMMUNICATION];
	v[OVERLAPPED] = v[ALL_COMMUNICATION] - v[COMMUNICATION];
}

/* say why there is no step, if that is what the command line asked for */
static void
explain(struct report *r)
{
	const struct steps *s = r->state;

	if (r->ask->step.name != NULL && s->count == 0)
		r->missing = s->any ? "the stream has no step of that number"
				    : "no range in the stream is such a step";
}

/* ---- step ---- */

static void
row(const struct steps *s, struct table *t, const struct step *step,
    const struct step_device *d)
{
	int64_t v[VALUES];

	values(step, d, v);
	table_int(t, step->number);
	table_text(t, (struct span){s->texts.p + step->name, step->name_len});
	table_id(t, s->processes[step->process].pid);
	table_int(t, d->id);
	table_int(t, step->ts);
	for (size_t i = 0; i < VALUES; i++)
		table_int(t, v[i]);
	table_share(t, v[OVERLAPPED], v[ALL_COMMUNICATION]);
}

void
step_table(struct report *r, struct table *t)
{
	const struct steps *s = r->state;

	explain(r);
	table_column(t, "Step", UNIT_NONE);
	table_text_column(t, "Name");
	table_column(t, "PID", UNIT_NONE);
	table_column(t, "Device", UNIT_NONE);
	table_column(t, "Start", UNIT_TIME);
	for (size_t i = 0; i < VALUES; i++)
		table_column(t, names[i], UNIT_TIME);
	table_column(t, "Overlap", UNIT_PERCENT);
	for (size_t i = 0; i < s->count; i++) {
		const struct step *step = &s->steps[i];
		const struct step_process *p = &s->processes[step->process];

		for (size_t n = 0; n < p->count && !step->left_out; n++)
			row(s, t, step, &p->devices[n]);
	}
}

/* ---- step_sum ---- */

static void
sum_row(struct table *t, const char *name, struct dist *d, dist_wide all)
{
	dist_sort(d);
	table_int(t, (int64_t)d->count);
	table_text(t, span_of(name));
	table_share(t, d->sum, all);
	table_real(t, (long double)dist_median2(d) / 2, 1);
	table_int(t, dist_min(d));
	table_int(t, dist_max(d));
	table_real(t, dist_stddev(d), 1);
	table_share(t, dist_max(d), dist_min(d));
}

/* a row for each part; the first step of a process is not like the others */
static void
sum_rows(const struct steps *s, struct table *t, size_t process,
    const struct step_device *device)
{
	struct dist d[VALUES] = {{0}};
	int64_t v[VALUES];

	for (size_t i = 0; i < s->count; i++) {
		const struct step *step = &s->steps[i];

		if (step->process != process || step->number == 0 ||
		    step->left_out)
			continue;
		values(step, device, v);
		for (size_t n = 0; n < VALUES; n++)
			dist_add(&d[n], v[n]);
	}
	for (size_t n = 0; n < VALUES && d[n].count > 0; n++) {
		table_id(t, s->processes[process].pid);
		table_int(t, device->id);
		sum_row(t, names[n], &d[n], d[DURATION].sum);
	}
	for (size_t n = 0; n < VALUES; n++)
		dist_free(&d[n]);
}

void
step_sum_table(struct report *r, struct table *t)
{
	const struct steps *s = r->state;

	explain(r);
	table_column(t, "PID", UNIT_NONE);
	table_column(t, "Device", UNIT_NONE);
	table_column(t, "Steps", UNIT_NONE);
	table_text_column(t, "Part");
	table_column(t, "Share", UNIT_PERCENT);
	table_column(t, "Med", UNIT_TIME);
	table_column(t, "Min", UNIT_TIME);
	table_column(t, "Max", UNIT_TIME);
	table_column(t, "StdDev", UNIT_TIME);
	table_column(t, "Spread", UNIT_PERCENT);
	for (size_t i = 0; i < s->process_count; i++)
		for (size_t n = 0; n < s->processes[i].count; n++)
			sum_rows(s, t, i, &s->processes[i].devices[n]);
}
