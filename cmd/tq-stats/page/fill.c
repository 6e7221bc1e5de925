/* fill.c - the state that the parts of page_fill() share */

#include "naming/fold_name.h"
#include "tq/show/amount.h"
#include "fill.h"

struct report *
fill_report(const struct fill *f, const char *name)
{
	for (size_t i = 0; i < f->rs->count; i++)
		if (strcmp(f->rs->all[i].kind->name, name) == 0)
			return &f->rs->all[i];
	return NULL;
}

struct span
fill_text(struct fill *f)
{
	struct span s = region_copy(&f->p->life, text_span(&f->text));

	f->text.len = 0;
	return s;
}

struct span
fill_command(struct fill *f, const char *before, const char *after)
{
	f->text.len = 0;
	text_add_str(&f->text, before);
	text_add_span(&f->text, text_span(&f->operands));
	if (after != NULL)
		text_add_str(&f->text, after);
	return fill_text(f);
}

struct span
fill_range(struct fill *f, struct span name)
{
	f->text.len = 0;
	text_add_span(&f->text, name);
	f->text.len = fold_name_always(f->text.p, f->text.len);
	return fill_text(f);
}

int64_t
fill_sum(struct fill *f, dist_wide sum)
{
	if (sum >= INT64_MAX) {
		f->p->saturated = true;
		return INT64_MAX;
	}
	return (int64_t)sum;
}

bool
fill_same_span(const struct fill *f)
{
	const struct page *p = f->p;

	for (size_t i = 1; i < p->gpu_count; i++)
		if (page_gpu_length(&p->gpus[i]) !=
		    page_gpu_length(&p->gpus[0]))
			return false;
	return true;
}

void
fill_add_span(struct fill *f, struct text *t)
{
	const struct page *p = f->p;

	if (!fill_same_span(f)) {
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
fill_gpu(const struct fill *f, size_t gpu)
{
	return gpu < f->p->gpu_count ? f->p->gpus[f->gpu_of[gpu]].name
				     : SPAN("");
}
