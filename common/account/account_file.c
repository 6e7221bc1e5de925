/*
 * account_file.c - an account as records
 *
 * An account is a section of the stream, see tq-events(5): a trace record,
 * whose args are the header, records of the kind account, and an end record.
 *
 *	header   = {"account":VERSION,"name":TEXT,"by":BY,"per":TEXT,
 *	           "left":[UNITS,NS],"unsequenced":N[,"correlated":true]
 *	           [,"memory":BYTES][,"period":[NAME,EVERY,FIT,EQUAL]]}
 *	account  = {"fact":[NAME,VALUE]}
 *	         | {"device":[RANK,PID,DEVICE,NAME,SMS,FIRST,UNTIL,OPS]
 *	           [,"idle":[{PART,CAUSE,NS}]]}
 *	         | {"row":[KIND,GROUP,NAME,FULL],"on":[{DEVICE,SUM}],
 *	           "times":[{BUCKET,N}][,"graph":true]
 *	           [,"shapes":[{GRID,SUM}]][,"shapeless":N]}
 *	         | {"call":[KIND,NAME,N,DUR]}
 *	         | {"path":[PATH,N,DUR,IDLE,SUM]}
 *	         | {"copy":[COPY,SRC,DST,N,BYTES,DUR]}
 *	         | {"sequence":[UNITS,{ROW,THREAD,PATH}]}
 *	         | {"unit":[DEVICE,NUMBER,TS,LAUNCHES,SEQUENCE,{PART}]}
 *	SUM      = N,DUR,EXPOSED
 *
 * Each account is the args of a record; those of one kind stand together, in
 * this order.  DEVICE of rows and units, and ROW, are indexes of records from
 * 0; PATH and SEQUENCE from 1, where 0 is none.  An absent number is null.
 * Unknown members are ignored.
 *
 * In version 2 the header and each account were lines of their own, and the
 * last line was {"end":LINES}, with the number of lines between.
 */

#include <inttypes.h>

#include "tq/account/account_file.h"
#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/io/emit.h"
#include "tq/io/foreign.h"

#include "account_lines.h"

static void
add_int(struct text *t, int64_t v)
{
	if (v == NO_ID)
		text_add_str(t, "null");
	else
		text_add_int(t, v);
}

static void
add_ints(struct text *t, const int64_t *all, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		text_add_char(t, ',');
		add_int(t, all[i]);
	}
}

#define ADD_INTS(t, ...) \
	add_ints(t, (const int64_t[]){__VA_ARGS__}, \
	    sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))

static void
add_sum(struct text *t, const struct account_sum *s)
{
	ADD_INTS(t, s->n, s->dur, s->exposed);
}

static void
add_text(struct text *t, struct span s)
{
	text_add_json(t, s.p, s.len);
}

static void
add_word(struct text *t, const char *word)
{
	add_text(t, span_of(word));
}

/* A record, up to the value of its first member. */
static void
open_line(struct output *o, const char *member)
{
	emit_open(o, KIND_account);
	emit_key(o, KEY_args);
	text_printf(&o->buf, "{\"%s\":[", member);
}

static void
close_line(struct output *o, const char *close)
{
	text_add_str(&o->buf, close);
	emit_close(o);
}

static void
write_header(struct output *o, const struct account *a)
{
	struct text *t = &o->buf;

	emit_open(o, KIND_trace);
	emit_int(o, KEY_version, EMIT_VERSION);
	emit_str(o, KEY_source, SPAN("tq-stats"));
	emit_key(o, KEY_args);
	text_printf(t, "{\"account\":%d,\"name\":", ACCOUNT_VERSION);
	add_text(t, a->name);
	text_add_str(t, ",\"by\":");
	add_word(t, account_by_name(a->by));
	text_add_str(t, ",\"per\":");
	add_text(t, a->per);
	text_printf(t,
	    ",\"left\":[%" PRId64 ",%" PRId64 "],\"unsequenced\":%" PRId64,
	    a->left_out, a->left_wall, a->unsequenced);
	if (a->correlated)
		text_add_str(t, ",\"correlated\":true");
	if (a->memory_peak != NO_ID)
		text_printf(t, ",\"memory\":%" PRId64, a->memory_peak);
	if (a->period_name.len > 0) {
		text_add_str(t, ",\"period\":[");
		add_text(t, a->period_name);
		ADD_INTS(t, a->period_every, a->period_fit, a->period_equal);
		text_add_char(t, ']');
	}
	close_line(o, "}");
}

/* The finer causes of idle time. */
static void
write_idle(struct text *t, const struct account_device *d)
{
	static const char begin[] = ",\"idle\":[";
	const char *before = begin;

	for (enum account_part p = PART_SYNC; p < ACCOUNT_PARTS; p++)
		for (enum idle_cause c = 0; c < IDLE_CAUSES; c++) {
			int64_t ns = account_idle(d, p)[c];

			if (ns == 0)
				continue;
			text_add_str(t, before);
			add_word(t, account_part_name(p));
			text_add_char(t, ',');
			add_word(t, idle_cause_name(c));
			ADD_INTS(t, ns);
			before = ",";
		}
	text_add_str(t, before != begin ? "]" : "");
}

static void
write_devices(struct output *o, const struct account *a)
{
	struct text *t = &o->buf;

	for (size_t i = 0; i < a->fact_count; i++) {
		open_line(o, "fact");
		add_text(t, a->facts[i].name);
		text_add_char(t, ',');
		add_text(t, a->facts[i].value);
		close_line(o, "]}");
	}
	for (size_t i = 0; i < a->device_count; i++) {
		const struct account_device *d = &a->devices[i];

		open_line(o, "device");
		add_int(t, d->rank);
		ADD_INTS(t, d->pid, d->device);
		text_add_char(t, ',');
		add_text(t, d->name);
		ADD_INTS(t, d->sms, d->first, d->until, d->ops);
		text_add_char(t, ']');
		write_idle(t, d);
		close_line(o, "}");
	}
}

static void
write_sums(struct text *t, const struct account *a, const struct account_row *r)
{
	const char *comma = "";

	text_add_str(t, ",\"on\":[");
	for (size_t i = 0; i < a->device_count; i++) {
		const struct account_sum *s = &r->on[i];

		if (s->n == 0 && s->dur == 0)
			continue;
		text_printf(t, "%s%zu", comma, i);
		add_sum(t, s);
		comma = ",";
	}
	text_add_str(t, "],\"times\":[");
	for (size_t i = 0; i < r->times.count; i++)
		text_printf(t, "%s%" PRId32 ",%" PRId64, i > 0 ? "," : "",
		    r->times.all[i].bucket, r->times.all[i].n);
	text_add_char(t, ']');
}

static void
write_row(
    struct output *o, const struct account *a, const struct account_row *r)
{
	struct text *t = &o->buf;

	open_line(o, "row");
	add_word(t, schema_kinds[r->kind].name);
	text_add_char(t, ',');
	add_word(t, account_part_name((enum account_part)r->group));
	text_add_char(t, ',');
	add_text(t, r->name);
	if (!span_eq(r->name, r->full)) {
		text_add_char(t, ',');
		add_text(t, r->full);
	}
	text_add_char(t, ']');
	write_sums(t, a, r);
	if (r->in_graph)
		text_add_str(t, ",\"graph\":true");
	for (size_t i = 0; i < r->shape_count; i++) {
		text_add_str(t, i == 0 ? ",\"shapes\":[" : ",");
		add_text(t, r->shapes[i].grid);
		add_sum(t, &r->shapes[i].sum);
	}
	if (r->shape_count > 0)
		text_add_char(t, ']');
	if (r->shapeless > 0)
		text_printf(t, ",\"shapeless\":%" PRId64, r->shapeless);
	close_line(o, "}");
}

static void
write_host(struct output *o, const struct account *a)
{
	struct text *t = &o->buf;

	for (size_t i = 0; i < a->call_count; i++) {
		const struct account_call *c = &a->calls[i];

		open_line(o, "call");
		add_word(t, schema_kinds[c->kind].name);
		text_add_char(t, ',');
		add_text(t, c->name);
		ADD_INTS(t, c->n, c->dur);
		close_line(o, "]}");
	}
	for (size_t i = 0; i < a->path_count; i++) {
		const struct account_path *p = &a->paths[i];

		open_line(o, "path");
		account_path_add(t, a, i);
		ADD_INTS(t, p->n, p->dur, p->idle);
		add_sum(t, &p->work);
		close_line(o, "]}");
	}
	for (size_t i = 0; i < a->copy_count; i++) {
		const struct account_copy *c = &a->copies[i];

		open_line(o, "copy");
		add_text(t, c->copy);
		text_add_char(t, ',');
		add_text(t, c->src);
		text_add_char(t, ',');
		add_text(t, c->dst);
		ADD_INTS(t, c->n, c->bytes, c->dur);
		close_line(o, "]}");
	}
}

static void
write_units(struct output *o, const struct account *a)
{
	struct text *t = &o->buf;

	for (size_t i = 0; i < a->sequence_count; i++) {
		const struct account_sequence *s = &a->sequences[i];

		open_line(o, "sequence");
		add_int(t, s->units);
		for (size_t k = 0; k < s->count; k++)
			text_printf(t, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32,
			    s->all[k].row, s->all[k].thread, s->all[k].path);
		close_line(o, "]}");
	}
	for (size_t i = 0; i < a->unit_count; i++) {
		const struct account_unit *u = &a->units[i];

		open_line(o, "unit");
		add_int(t, u->device);
		ADD_INTS(t, u->number, u->ts, u->launches, u->sequence);
		add_ints(t, u->parts, ACCOUNT_PARTS);
		close_line(o, "]}");
	}
}

void
account_file_write(struct output *o, const struct account *a)
{
	write_header(o, a);
	o->lines = 0;
	write_devices(o, a);
	for (size_t i = 0; i < a->row_count; i++)
		write_row(o, a, &a->rows[i]);
	write_host(o, a);
	write_units(o, a);
	emit_open(o, KIND_end);
	emit_int(o, KEY_events, o->lines);
	emit_close(o);
}

/* ---- reading ---- */

static bool
begin_account(struct account_file *f, struct span value, bool old)
{
	f->error = "an account begins before the end of another";
	if (f->a != NULL)
		return false;
	f->error = "an account of another version";
	if (!json_int(value, &f->version) ||
	    f->version != (old ? ACCOUNT_VERSION - 1 : ACCOUNT_VERSION))
		return false;
	f->version = 0;
	f->a = account_new();
	f->old = old;
	f->lines = 0;
	memset(&f->cap, 0, sizeof(f->cap));
	return true;
}

static void
end_account(struct account_file *f, struct accounts *all)
{
	*array_add(&all->all, &all->count, &all->cap) = f->a;
	f->a = NULL;
}

/* The members of a header, or of another line; old: of version 2. */
static bool
read_members(struct account_file *f, struct span object, bool header, bool old)
{
	struct json j;
	struct span value;

	f->error = NULL;
	json_open(&j, object);
	while (json_next(&j, &f->key, &value)) {
		struct span key = text_span(&f->key);

		if (header && span_eq(key, SPAN("account"))) {
			if (!begin_account(f, value, old))
				return false;
		} else if (f->a == NULL || f->old != old) {
			f->error = "not a line of an account";
			return false;
		} else if (!account_lines_member(f, key, value, &f->error)) {
			return false;
		}
	}
	f->error = j.error;
	return j.error == NULL;
}

bool
account_file_has(const struct account_file *f, const struct event *ev)
{
	return ev->kind == KIND_account || foreign_part(ev) == KIND_account ||
	       (f->a != NULL && !f->old && ev->kind != KIND_trace);
}

bool
account_file_read(
    struct account_file *f, const struct event *ev, struct accounts *all)
{
	f->error = "not a line of an account";
	if (ev->kind == KIND_end && f->a != NULL && !f->old) {
		end_account(f, all);
		return true;
	}
	if ((ev->kind != KIND_trace && ev->kind != KIND_account) ||
	    (ev->kind == KIND_account && f->a == NULL) ||
	    !event_has(ev, KEY_args))
		return false;
	return read_members(
	    f, ev->value[KEY_args], ev->kind == KIND_trace, false);
}

/* ---- version 2: until the release after 0.2 ---- */

static bool
is_old_header(struct span line)
{
	return span_begins(line, SPAN("{\"account\":"));
}

bool
account_file_has_line(const struct account_file *f, struct span line)
{
	return f->a != NULL || is_old_header(line);
}

bool
account_file_read_line(
    struct account_file *f, struct span line, struct accounts *all)
{
	struct span value;
	struct json j;
	int64_t lines;

	json_open(&j, line);
	if (f->a == NULL || !f->old || !json_next(&j, &f->key, &value) ||
	    !span_eq(text_span(&f->key), SPAN("end")))
		return read_members(f, line, is_old_header(line), true);
	if (!json_int(value, &lines) || (uint64_t)lines != f->lines) {
		f->error = "lines of the account are missing";
		return false;
	}
	end_account(f, all);
	return true;
}

void
account_file_free(struct account_file *f)
{
	account_free(f->a);
	text_free(&f->key);
	text_free(&f->scratch);
	*f = (struct account_file){0};
}
