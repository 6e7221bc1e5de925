/* page_draft.c - the state that the parts of page_fill() share */

#include "tq/advice/adviser.h"
#include "tq/names/fold_name.h"
#include "tq/show/amount.h"
#include "page_draft.h"

void
page_draft_input(
    struct printed_command_input *in, const struct report_settings *s)
{
	const struct adviser *a = s->adviser;

	printed_command_input(in, s->operands);
	in->window = s->window;
	in->step = s->step_text;
	in->rules_step = a != NULL && a->survey.chosen ? s->step_text : NULL;
}

struct report *
page_draft_report(const struct page_draft *f, const char *name)
{
	for (size_t i = 0; i < f->rs->count; i++)
		if (f->rs->all[i].page &&
		    strcmp(f->rs->all[i].kind->name, name) == 0)
			return &f->rs->all[i];
	return NULL;
}

struct span
page_draft_text(struct page_draft *f)
{
	struct span s = region_copy(&f->p->life, text_span(&f->text));

	f->text.len = 0;
	return s;
}

struct span
page_draft_command(struct page_draft *f, const char *command)
{
	f->text.len = 0;
	printed_command_add(&f->text, &f->input, span_of(command));
	return page_draft_text(f);
}

struct span
page_draft_range(struct page_draft *f, struct span name)
{
	f->text.len = 0;
	text_add_span(&f->text, name);
	f->text.len = fold_name_always(f->text.p, f->text.len);
	return page_draft_text(f);
}

int64_t
page_draft_sum(struct page_draft *f, dist_wide sum)
{
	if (sum >= INT64_MAX) {
		f->p->saturated = true;
		return INT64_MAX;
	}
	return (int64_t)sum;
}

bool
page_draft_same_span(const struct page_draft *f)
{
	const struct page *p = f->p;

	for (size_t i = 1; i < p->gpu_count; i++)
		if (page_gpu_length(&p->gpus[i]) !=
		    page_gpu_length(&p->gpus[0]))
			return false;
	return true;
}

void
page_draft_add_span(struct page_draft *f, struct text *t)
{
	const struct page *p = f->p;

	if (!page_draft_same_span(f)) {
		amount_time(t, p->time_of);
		text_add_str(t, " of GPU time");
		return;
	}
	amount_time(t, page_gpu_length(&p->gpus[0]));
	text_add_str(t,
	    p->active_only ? " from first to last GPU operation" : " recorded");
	if (p->gpu_count > 1 && !p->active_only)
		text_add_str(t, " each");
}

struct span
page_draft_gpu(const struct page_draft *f, size_t gpu)
{
	return gpu < f->p->gpu_count ? f->p->gpus[f->gpu_of[gpu]].name
				     : SPAN("");
}
