/* page_reports.c - the reports that the page is made of */

#include "tq/line/json.h"

#include "ranges/averages.h"
#include "ranges/pushpop.h"
#include "sums/sums.h"
#include "gpu_account.h"
#include "page_reports.h"
#include "time/serve_steps.h"
#include "waiting/waiting_reports.h"

/* ---- page_copies: by direction and kind of host memory ---- */

static bool
is_timed(struct report *r, const struct event *ev)
{
	(void)r;
	return event_has(ev, KEY_dur);
}

static void
add_copy(struct report *r, struct group *g, const struct event *ev)
{
	int64_t bytes = event_int(ev, KEY_bytes, 0);

	(void)r;
	dist_add(&g->values, event_int(ev, KEY_dur, 0));
	groups_number(g, PARTS_BYTES, bytes > 0 ? bytes : 0);
}

/* The kind of memory of the side that is on the host. */
static struct span
host_memory(const struct event *ev, struct span copy, struct text *t)
{
	enum key side = copy.p[0] == 'H' ? KEY_src : KEY_dst;
	size_t start = t->len;

	if (copy.p[0] != 'H' && copy.p[copy.len - 1] != 'H')
		return SPAN("");
	if (!event_has(ev, side))
		return SPAN("");
	json_decode(t, ev->value[side]);
	for (size_t i = start; i < t->len; i++)
		if (t->p[i] >= 'A' && t->p[i] <= 'Z')
			t->p[i] = (char)(t->p[i] - 'A' + 'a');
	return (struct span){t->p + start, t->len - start};
}

/* HtoD pageable, DtoD, fill */
static struct span
direction(const struct report *r, const struct event *ev, struct text *t)
{
	struct text memory = {0};
	struct span copy;

	(void)r;
	if (ev->kind == KIND_memset)
		return SPAN("fill");
	if (!event_has(ev, KEY_copy))
		return SPAN("copy");
	json_decode(t, ev->value[KEY_copy]);
	copy = text_span(t);
	if (copy.len == 4 && host_memory(ev, copy, &memory).len > 0) {
		text_add_char(t, ' ');
		text_add_span(t, text_span(&memory));
	}
	text_free(&memory);
	return text_span(t);
}

const struct report_kind page_reports_copies = {
    .name = "page_copies",
    .title = "Memcpy and Memset by Direction",
    .missing = "no memcpy or memset in the stream",
    .kinds = KINDS(memcpy) | KINDS(memset),
    .keys = KEYS(KEY_dur, KEY_bytes, KEY_copy, KEY_src, KEY_dst),
    .sum = SUM(KEY_dur, NULL, {{"Direction", .make = direction}}, is_timed,
	.add = add_copy, .numbers = PARTS_NUMBERS),
};

/* ---- the page ---- */

const struct report_part page_reports_of_page[] = {
    {"run", 0, NULL, false},
    {"torch_ops", 0, &averages_page, false},
    {"functions", 0, NULL, false},
    {"cuda_gpu_graph_sum", 0, NULL, false},
    {"cuda_gpu_kern_sum", 0, NULL, false},
    {"page_copies", 0, &page_reports_copies, false},
    {"cuda_api_sum", 0, NULL, false},
    {"page_ranges", 0, &pushpop_page, false},
    {"osrt_sum", 0, NULL, false},
    {"launch", 0, NULL, false},
    {"gaps", 0, NULL, true}, /* without the calls of gaps */
    {"step", 0, NULL, false},
    {"serve", 0, &serve_steps_page, false},
    {"page_account", 0, &gpu_account_kind, false},
    {"page_ranks", 0, &waiting_reports_page, true},
    {NULL, 0, NULL, false},
};
