/* account_lines.c - the lines of an account file, read: see account_file.c */

#include <stdlib.h>

#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/line/schema.h"

#include "account_lines.h"

/* ---- values of an array ---- */

static bool
next_value(struct account_values *v, struct span *value)
{
	if (v->bad || !json_next_element(&v->j, value))
		v->bad = true;
	return !v->bad;
}

static int64_t
next_int(struct account_values *v)
{
	struct span s;
	int64_t n = 0;

	if (next_value(v, &s) && !span_eq(s, SPAN("null")))
		v->bad = !json_int(s, &n);
	else if (!v->bad)
		n = NO_ID;
	return n;
}

/* A number that is not negative, nor absent. */
static int64_t
next_count(struct account_values *v)
{
	int64_t n = next_int(v);

	v->bad |= n < 0;
	return n;
}

static struct account_sum
next_sum(struct account_values *v)
{
	struct account_sum s = {.n = next_count(v)};

	s.dur = next_count(v);
	s.exposed = next_count(v);
	return s;
}

/* An index below count. */
static uint32_t
next_index(struct account_values *v, size_t count)
{
	int64_t n = next_count(v);

	v->bad |= n < 0 || (uint64_t)n >= count;
	return v->bad ? 0 : (uint32_t)n;
}

static struct span
next_text(struct account_values *v)
{
	struct span s;

	v->scratch->len = 0;
	if (next_value(v, &s)) {
		v->bad = *s.p != '"';
		if (!v->bad)
			json_decode(v->scratch, s);
	}
	return region_copy(&v->a->region, text_span(v->scratch));
}

static enum kind
next_kind(struct account_values *v)
{
	struct span word = next_text(v);

	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (span_eq(word, span_of(schema_kinds[k].name)))
			return k;
	v->bad = true;
	return KIND_UNKNOWN;
}

/* True if there is no value left; else the next begins. */
static bool
at_end(struct account_values *v)
{
	struct json rest = v->j;
	struct span s;

	return v->bad || !json_next_element(&rest, &s);
}

/* ---- lines ---- */

static void
read_fact(struct account_file *f, struct account_values *v)
{
	struct account *a = f->a;
	struct account_fact fact = {next_text(v), {0}};

	fact.value = next_text(v);
	*array_add(&a->facts, &a->fact_count, &f->cap.facts) = fact;
}

static void
read_device(struct account_file *f, struct account_values *v)
{
	struct account *a = f->a;
	struct account_device d = {.rank = next_int(v)};

	d.pid = next_int(v);
	d.device = next_int(v);
	d.name = next_text(v);
	d.sms = next_int(v);
	d.first = next_int(v);
	d.until = next_int(v);
	d.ops = next_count(v);
	v->bad |= a->row_count > 0; /* which have sums of each device */
	*array_add(&a->devices, &a->device_count, &f->cap.devices) = d;
}

static enum account_part
next_part(struct account_values *v)
{
	struct span word = next_text(v);

	for (enum account_part p = 0; p < ACCOUNT_PARTS; p++)
		if (span_eq(word, span_of(account_part_name(p))))
			return p;
	v->bad = true;
	return PART_UNKNOWN;
}

/* A cause that this version does not know is the one without a name. */
static enum idle_cause
next_cause(struct account_values *v)
{
	struct span word = next_text(v);

	for (enum idle_cause c = 0; c < IDLE_CAUSES; c++)
		if (span_eq(word, span_of(idle_cause_name(c))))
			return c;
	return IDLE_UNKNOWN;
}

/* The finer causes of the idle time of a device follow it. */
static void
read_idle(struct account_device *d, struct account_values *v)
{
	while (!at_end(v)) {
		enum account_part part = next_part(v);
		enum idle_cause cause = next_cause(v);
		int64_t ns = next_count(v), *to;

		v->bad |= part < PART_SYNC;
		if (v->bad)
			return;
		to = &d->idle[part - PART_SYNC][cause];
		*to = time_end(*to, ns);
	}
}

static void
read_row(struct account_file *f, struct account_values *v)
{
	struct account *a = f->a;
	struct account_row r = {.kind = next_kind(v)};

	r.group = (enum device_class)next_part(v);
	v->bad |= (int)r.group >= DEVICE_CLASSES;
	r.name = r.full = next_text(v);
	if (!at_end(v))
		r.full = next_text(v);
	r.on = region_get(&a->region, a->device_count * sizeof(*r.on) + 1);
	*array_add(&a->rows, &a->row_count, &f->cap.rows) = r;
}

static void
read_on(struct account *a, struct account_row *r, struct account_values *v)
{
	while (!at_end(v)) {
		uint32_t device = next_index(v, a->device_count);
		struct account_sum s = next_sum(v);

		if (!v->bad)
			r->on[device] = s;
	}
}

static void
read_times(struct account_row *r, struct account_values *v)
{
	while (!at_end(v)) {
		uint32_t bucket = next_index(v, SKETCH_LAST + 1);
		int64_t n = next_count(v);

		v->bad |= n == 0 || n > INT64_MAX - r->times.n;
		if (!v->bad)
			durations_add_bucket(&r->times, (int32_t)bucket, n);
	}
}

/* The elements of an array that grew, for good. */
static void *
keep(struct account *a, void *all, size_t bytes)
{
	void *to = region_get(&a->region, bytes + 1);

	if (bytes > 0)
		memcpy(to, all, bytes);
	free(all);
	return to;
}

static void
read_shapes(struct account *a, struct account_row *r, struct account_values *v)
{
	struct account_shape *all = NULL;
	size_t count = 0, cap = 0;

	while (!at_end(v)) {
		struct account_shape s = {next_text(v), {0}};

		s.sum = next_sum(v);
		*array_add(&all, &count, &cap) = s;
	}
	r->shapes = keep(a, all, count * sizeof(*all));
	r->shape_count = count;
}

static void
read_call(struct account_file *f, struct account_values *v)
{
	struct account *a = f->a;
	struct account_call c = {.kind = next_kind(v)};

	v->bad |= c.kind != KIND_api && c.kind != KIND_osrt;
	c.name = next_text(v);
	c.n = next_count(v);
	c.dur = next_count(v);
	*array_add(&a->calls, &a->call_count, &f->cap.calls) = c;
}

static void
read_path(struct account_file *f, struct account_values *v)
{
	struct account *a = f->a;
	struct account_path p = {0};
	struct span s;

	if (next_value(v, &s))
		v->bad = *s.p != '[' ||
			 !range_paths_read(&a->range_paths, s, &p.path);
	p.n = next_count(v);
	p.dur = next_count(v);
	p.idle = next_count(v);
	p.work = next_sum(v);
	*array_add(&a->paths, &a->path_count, &f->cap.paths) = p;
}

static void
read_copy(struct account_file *f, struct account_values *v)
{
	struct account *a = f->a;
	struct account_copy c = {.copy = next_text(v)};

	c.src = next_text(v);
	c.dst = next_text(v);
	c.n = next_count(v);
	c.bytes = next_count(v);
	c.dur = next_count(v);
	*array_add(&a->copies, &a->copy_count, &f->cap.copies) = c;
}

static void
read_sequence(struct account_file *f, struct account_values *v)
{
	struct account *a = f->a;
	struct account_sequence s = {.units = next_count(v)};
	struct account_launch *all = NULL;
	size_t count = 0, cap = 0;

	while (!at_end(v)) {
		struct account_launch l = {.row = next_index(v, a->row_count)};

		l.thread = next_index(v, UINT32_MAX);
		l.path = next_index(v, a->path_count + 1);
		*array_add(&all, &count, &cap) = l;
	}
	s.count = count;
	s.all = keep(a, all, count * sizeof(*all));
	*array_add(&a->sequences, &a->sequence_count, &f->cap.sequences) = s;
}

static void
read_unit(struct account_file *f, struct account_values *v)
{
	struct account *a = f->a;
	struct account_unit u = {.device = next_index(v, a->device_count)};
	struct account_device *d;

	u.number = next_count(v);
	u.ts = next_int(v);
	u.launches = next_count(v);
	u.sequence = next_index(v, a->sequence_count + 1);
	for (size_t i = 0; i < ACCOUNT_PARTS; i++) {
		u.parts[i] = next_count(v);
		u.wall = time_end(u.wall, u.parts[i]);
	}
	*array_add(&a->units, &a->unit_count, &f->cap.units) = u;
	if (v->bad)
		return;
	d = &a->devices[u.device];
	d->units++;
	d->wall = time_end(d->wall, u.wall);
	for (size_t i = 0; i < ACCOUNT_PARTS; i++)
		d->parts[i] = time_end(d->parts[i], u.parts[i]);
}

/* ---- members ---- */

/* Members of a device or row follow it. */
static bool
read_of_line(struct account_file *f, struct span key, struct account_values *v)
{
	struct account *a = f->a;
	struct account_row *r =
	    a->row_count > 0 ? &a->rows[a->row_count - 1] : NULL;

	if (r == NULL) {
		if (a->device_count == 0 || !span_eq(key, SPAN("idle")))
			return false;
		read_idle(&a->devices[a->device_count - 1], v);
		return true;
	}
	if (span_eq(key, SPAN("on")))
		read_on(a, r, v);
	else if (span_eq(key, SPAN("times")))
		read_times(r, v);
	else if (span_eq(key, SPAN("shapes")))
		read_shapes(a, r, v);
	else
		return false;
	return true;
}

static bool
read_line(struct account_file *f, struct span key, struct account_values *v)
{
	static const struct {
		const char *key;
		void (*read)(struct account_file *f, struct account_values *v);
	} lines[] = {{"fact", read_fact}, {"device", read_device},
	    {"row", read_row}, {"call", read_call}, {"path", read_path},
	    {"copy", read_copy}, {"sequence", read_sequence},
	    {"unit", read_unit}};

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (span_eq(key, span_of(lines[i].key))) {
			lines[i].read(f, v);
			v->bad |= !at_end(v);
			f->lines++;
			return true;
		}
	return read_of_line(f, key, v);
}

/* ---- the header ---- */

static bool
read_by(struct account *a, struct span word)
{
	for (a->by = 0; a->by < ACCOUNT_BYS; a->by++)
		if (span_eq(word, span_of(account_by_name(a->by))))
			return true;
	a->by = ACCOUNT_BY_SPAN;
	return false;
}

static struct span
take_text(struct account_file *f, struct span value)
{
	f->scratch.len = 0;
	if (*value.p == '"')
		json_decode(&f->scratch, value);
	return region_copy(&f->a->region, text_span(&f->scratch));
}

static bool
read_header(struct account_file *f, struct span key, struct span value)
{
	struct account *a = f->a;

	if (span_eq(key, SPAN("name")))
		a->name = take_text(f, value);
	else if (span_eq(key, SPAN("per")))
		a->per = take_text(f, value);
	else if (span_eq(key, SPAN("by")))
		return read_by(a, take_text(f, value));
	else if (span_eq(key, SPAN("correlated")))
		a->correlated = span_eq(value, SPAN("true"));
	else if (span_eq(key, SPAN("graph")) && a->row_count > 0)
		a->rows[a->row_count - 1].in_graph =
		    span_eq(value, SPAN("true"));
	else if (span_eq(key, SPAN("unsequenced")))
		return json_int(value, &a->unsequenced);
	else if (span_eq(key, SPAN("memory")))
		return json_int(value, &a->memory_peak);
	else if (span_eq(key, SPAN("shapeless")) && a->row_count > 0)
		return json_int(value, &a->rows[a->row_count - 1].shapeless);
	return true;
}

/* The arrays of the header. */
static bool
read_header_array(struct account *a, struct span key, struct account_values *v)
{
	if (span_eq(key, SPAN("left"))) {
		a->left_out = next_count(v);
		a->left_wall = next_count(v);
		return true;
	}
	if (!span_eq(key, SPAN("period")))
		return false;
	a->period_name = next_text(v);
	a->period_every = next_count(v);
	a->period_fit = next_count(v);
	a->period_equal = next_count(v);
	return true;
}

bool
account_lines_member(struct account_file *f, struct span key, struct span value,
    const char **error)
{
	struct account_values v = {.a = f->a, .scratch = &f->scratch};

	*error = "not a line of an account";
	if (*value.p != '[')
		return read_header(f, key, value);
	json_open_array(&v.j, value);
	return !(read_line(f, key, &v) || read_header_array(f->a, key, &v)) ||
	       !v.bad;
}
