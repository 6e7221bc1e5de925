/*
 * account_file.c - an account as text
 *
 *	file     = { account }
 *	account  = {"account":VERSION,"name":TEXT,"by":BY,"per":TEXT,
 *	           "left":[UNITS,NS],"unsequenced":N[,"correlated":true]
 *	           [,"memory":BYTES][,"period":[NAME,EVERY,FIT,EQUAL]]}
 *	           { line } {"end":LINES}
 *	line     = {"fact":[NAME,VALUE]}
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
 * Each is a line, and lines of one kind stand together, in this order.  DEVICE
 * of rows and units, and ROW, are indexes of lines from 0; PATH and SEQUENCE
 * from 1, where 0 is none.  An absent number is null.  LINES are those between
 * the first and the last of the account.  Unknown members are ignored.
 */

#include <inttypes.h>

#include "tq/account/account_file.h"
#include "tq/base/array.h"
#include "tq/base/time.h"
#include "tq/line/schema.h"

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

static void
write_header(struct text *t, const struct account *a)
{
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
	text_add_str(t, "}\n");
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
write_devices(struct text *t, const struct account *a)
{
	for (size_t i = 0; i < a->fact_count; i++) {
		text_add_str(t, "{\"fact\":[");
		add_text(t, a->facts[i].name);
		text_add_char(t, ',');
		add_text(t, a->facts[i].value);
		text_add_str(t, "]}\n");
	}
	for (size_t i = 0; i < a->device_count; i++) {
		const struct account_device *d = &a->devices[i];

		text_add_str(t, "{\"device\":[");
		add_int(t, d->rank);
		ADD_INTS(t, d->pid, d->device);
		text_add_char(t, ',');
		add_text(t, d->name);
		ADD_INTS(t, d->sms, d->first, d->until, d->ops);
		text_add_char(t, ']');
		write_idle(t, d);
		text_add_str(t, "}\n");
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
write_row(struct text *t, const struct account *a, const struct account_row *r)
{
	text_add_str(t, "{\"row\":[");
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
	text_add_str(t, "}\n");
}

static void
write_host(struct text *t, const struct account *a)
{
	for (size_t i = 0; i < a->call_count; i++) {
		const struct account_call *c = &a->calls[i];

		text_add_str(t, "{\"call\":[");
		add_word(t, schema_kinds[c->kind].name);
		text_add_char(t, ',');
		add_text(t, c->name);
		ADD_INTS(t, c->n, c->dur);
		text_add_str(t, "]}\n");
	}
	for (size_t i = 0; i < a->path_count; i++) {
		const struct account_path *p = &a->paths[i];

		text_add_str(t, "{\"path\":[");
		account_path_add(t, a, i);
		ADD_INTS(t, p->n, p->dur, p->idle);
		add_sum(t, &p->work);
		text_add_str(t, "]}\n");
	}
	for (size_t i = 0; i < a->copy_count; i++) {
		const struct account_copy *c = &a->copies[i];

		text_add_str(t, "{\"copy\":[");
		add_text(t, c->copy);
		text_add_char(t, ',');
		add_text(t, c->src);
		text_add_char(t, ',');
		add_text(t, c->dst);
		ADD_INTS(t, c->n, c->bytes, c->dur);
		text_add_str(t, "]}\n");
	}
}

static void
write_units(struct text *t, const struct account *a)
{
	for (size_t i = 0; i < a->sequence_count; i++) {
		const struct account_sequence *s = &a->sequences[i];

		text_printf(t, "{\"sequence\":[%" PRId64, s->units);
		for (size_t k = 0; k < s->count; k++)
			text_printf(t, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32,
			    s->all[k].row, s->all[k].thread, s->all[k].path);
		text_add_str(t, "]}\n");
	}
	for (size_t i = 0; i < a->unit_count; i++) {
		const struct account_unit *u = &a->units[i];

		text_printf(t, "{\"unit\":[%" PRIu32, u->device);
		ADD_INTS(t, u->number, u->ts, u->launches, u->sequence);
		add_ints(t, u->parts, ACCOUNT_PARTS);
		text_add_str(t, "]}\n");
	}
}

void
account_file_write(struct text *t, const struct account *a)
{
	write_header(t, a);
	write_devices(t, a);
	for (size_t i = 0; i < a->row_count; i++)
		write_row(t, a, &a->rows[i]);
	write_host(t, a);
	write_units(t, a);
	text_printf(t, "{\"end\":%zu}\n",
	    a->fact_count + a->device_count + a->row_count + a->call_count +
		a->path_count + a->copy_count + a->sequence_count +
		a->unit_count);
}

bool
account_file_begins(struct span line)
{
	return span_begins(line, SPAN("{\"account\":"));
}

/* ---- reading ---- */

/* The end of an account: all lines are there. */
static bool
end_account(struct account_file *f, struct span value, struct accounts *all)
{
	int64_t lines;

	if (!json_int(value, &lines) || (uint64_t)lines != f->lines) {
		f->error = "lines of the account are missing";
		return false;
	}
	*array_add(&all->all, &all->count, &all->cap) = f->a;
	f->a = NULL;
	return true;
}

static bool
begin_account(struct account_file *f, struct span value)
{
	f->error = "an account begins before the end of another";
	if (f->a != NULL)
		return false;
	f->error = "an account of another version";
	if (!json_int(value, &f->version) || f->version != ACCOUNT_VERSION)
		return false;
	f->a = account_new();
	f->lines = 0;
	memset(&f->cap, 0, sizeof(f->cap));
	return true;
}

bool
account_file_read(
    struct account_file *f, struct span line, struct accounts *all)
{
	struct json j;
	struct span value;
	bool first = true;

	f->error = NULL;
	json_open(&j, line);
	while (json_next(&j, &f->key, &value)) {
		struct span key = text_span(&f->key);

		if (first && span_eq(key, SPAN("account"))) {
			if (!begin_account(f, value))
				return false;
		} else if (f->a == NULL) {
			f->error = "not a line of an account";
			return false;
		} else if (first && span_eq(key, SPAN("end"))) {
			return end_account(f, value, all);
		} else if (!account_lines_member(f, key, value, &f->error)) {
			return false;
		}
		first = false;
	}
	f->error = j.error;
	return j.error == NULL;
}

void
account_file_free(struct account_file *f)
{
	account_free(f->a);
	text_free(&f->key);
	text_free(&f->scratch);
	*f = (struct account_file){0};
}
