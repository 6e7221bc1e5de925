/* failed_calls.c - api_errors: calls of CUDA and HIP that failed, by code */

#include <stdlib.h>

#include "tq/evidence/api_error.h"
#include "tq/names/model.h"
#include "tq/show/col.h"

#include "gpu_calls.h"
#include "report.h"

struct failed_calls {
	struct recording_evidence evidence;
	struct gpu_calls calls;
	struct text said;
	bool ended;
};

static void
failed_event(struct report *r, const struct event *ev)
{
	struct failed_calls *s = r->state;

	evidence_event(&s->evidence, ev);
	if (ev->kind == KIND_api)
		gpu_calls_add(&s->calls, ev);
}

static void
failed_section_end(struct report *r)
{
	gpu_calls_section_end(&((struct failed_calls *)r->state)->calls);
}

static void
failed_row(struct table *t, const struct evidence_failure *f,
    const struct evidence_call *c, int64_t pid, struct span call)
{
	const char *name = api_error_name(c->call.family, f->code);

	col_int(t, "Failed", UNIT_NONE, f->count);
	col_int(t, "Calls", UNIT_NONE, c->count);
	col_int_if(t, "First", UNIT_TIME, f->ts != NO_ID, f->ts);
	col_id(t, "PID", pid);
	col_int(t, "Code", UNIT_NONE, f->code);
	col_text(t, "Error", span_of(name != NULL ? name : "unknown"));
	col_text(t, "Call", call);
}

/* most failures first, then as they came */
static int
by_count(const void *pa, const void *pb)
{
	const struct evidence_failure *a = *(void *const *)pa;
	const struct evidence_failure *b = *(void *const *)pb;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return (a > b) - (a < b);
}

/* Once the facts are known, what the report says where no call failed. */
static void
finish(struct report *r)
{
	struct failed_calls *s = r->state;

	if (s->ended)
		return;
	s->ended = true;
	evidence_finish(&s->evidence);
	if (s->calls.count == 0)
		return;
	gpu_calls_add_failed(&s->said, &s->calls, &s->evidence);
	text_add_char(&s->said, '\0');
	r->missing = s->said.p;
}

static void
failed_table(struct report *r, struct table *t)
{
	struct failed_calls *s = r->state;
	const struct recording_evidence *e = &s->evidence;
	const struct evidence_failure **order;

	finish(r);
	col_heading(t, failed_row, &(struct evidence_failure){0},
	    &(struct evidence_call){0}, 0, SPAN(""));
	order = region_get(&r->life, (e->failures.count + 1) * sizeof(*order));
	for (size_t i = 0; i < e->failures.count; i++)
		order[i] = &e->failures.all[i];
	qsort(order, e->failures.count, sizeof(*order), by_count);
	for (size_t i = 0; i < e->failures.count; i++) {
		const struct evidence_call *c = &e->calls.all[order[i]->call];
		const struct evidence_process *p =
		    numbered_find(&e->processes, c->process);

		failed_row(t, order[i], c, p->pid,
		    intern_text(&e->texts, order[i]->name));
	}
}

/* That no call failed is an answer, too. */
static bool
failed_text(struct report *r, struct output *o)
{
	struct failed_calls *s = r->state;

	finish(r);
	if (s->evidence.failures.count > 0 || s->calls.count == 0)
		return false;
	text_printf(&o->buf, " ** %s (%s):\n\n %s\n", r->kind->title, r->name,
	    r->missing);
	return true;
}

static void
failed_close(struct report *r)
{
	struct failed_calls *s = r->state;

	evidence_free(&s->evidence);
	gpu_calls_free(&s->calls);
	text_free(&s->said);
}

static void
failed_wanted(struct keyset *want)
{
	static const enum key keys[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
	    KEY_corr, KEY_name, KEY_ret, KEY_raw, KEY_gpu, KEY_NONE};

	keyset_add_all(&want[KIND_api], keys);
	gpu_calls_keys(want);
}

const struct report_kind failed_calls_reports[] = {
    {.name = "api_errors",
	.question = ASKS_WHOLE,
	.title = "Calls of CUDA and HIP That Failed",
	.missing = "no call of CUDA or HIP in the stream",
	.kinds = KINDS(trace) | KINDS(end) | KINDS(api),
	.rows = ROWS_FAILURE,
	.wanted = failed_wanted,
	.row_parts = true,
	.largest = "Failed",
	.most = SIZE_MAX,
	.size = sizeof(struct failed_calls),
	.event = failed_event,
	.section_end = failed_section_end,
	.table = failed_table,
	.text = failed_text,
	.close = failed_close},
    {0},
};
