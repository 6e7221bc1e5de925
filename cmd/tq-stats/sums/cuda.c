/* cuda.c - the names of API calls and operations */

#include "tq/line/cuda_words.h"

#include "compat/call_names.h"
#include "compat/missing.h"
#include "cuda.h"

struct span
cuda_shown(const struct report *r, struct span name)
{
	return r->settings->compat ? missing_shown(name) : name;
}

struct span
cuda_api_name(const struct report *r, const struct event *ev, struct text *t)
{
	if (r->settings->compat && event_has(ev, KEY_raw))
		return call_names_shown(ev, t);
	return cuda_shown(r, event_str(ev, KEY_name, t));
}

static struct span
kernel_name(const struct report *r, const struct event *ev, struct text *t)
{
	int64_t sym = event_int(ev, KEY_sym, NO_ID);
	struct span name = {"", 0};
	struct defined_name symbol;

	if (r->arg != NULL && strcmp(r->arg, "base") == 0)
		return event_str(ev, KEY_name, t);
	if (report_wants_mangled(r))
		name = names_mangled(r->names, sym);
	if (name.len == 0 && names_symbol(r->names, sym, &symbol))
		name = symbol.more; /* demangled */
	return name.len > 0 ? name : event_str(ev, KEY_name, t);
}

struct span
cuda_kernel_name(const struct report *r, const struct event *ev, struct text *t)
{
	return cuda_shown(r, kernel_name(r, ev, t));
}

static void
add_direction(const struct event *ev, struct text *t)
{
	size_t start = t->len;
	struct span copy = event_str(ev, KEY_copy, t);
	const char *name = cuda_words_copy(copy);

	if (name != NULL) {
		t->len = start;
		text_add_str(t, name);
	} else if (t->len == start) { /* not decoded to there already */
		text_add_span(t, copy);
	}
}

struct span
cuda_graph_name(int64_t id, struct text *t)
{
	size_t start = t->len;

	text_printf(t, "[CUDA graph %lld]", (long long)id);
	return (struct span){t->p + start, t->len - start};
}

struct span
cuda_operation_name(const struct event *ev, struct text *t)
{
	size_t start = t->len;

	if (ev->kind == KIND_memset)
		return SPAN("[CUDA memset]");
	if (ev->kind == KIND_graph)
		return cuda_graph_name(event_int(ev, KEY_graph, 0), t);
	text_add_str(t, "[CUDA memcpy");
	if (event_has(ev, KEY_copy)) {
		text_add_char(t, ' ');
		add_direction(ev, t);
	}
	text_add_char(t, ']');
	return (struct span){t->p + start, t->len - start};
}

/* [x,y,z] */
bool
cuda_dims(const struct event *ev, enum key k, int64_t d[3])
{
	const char *p = ev->value[k].p, *end;

	d[0] = d[1] = d[2] = 0;
	if (!event_has(ev, k))
		return false;
	end = p + ev->value[k].len;
	for (size_t i = 0; i < 3 && p < end; i++) {
		for (; p < end && (*p < '0' || *p > '9'); p++)
			;
		for (; p < end && *p >= '0' && *p <= '9'; p++)
			if (d[i] < INT64_MAX / 10 - 9)
				d[i] = d[i] * 10 + (*p - '0');
	}
	return true;
}

struct span
cuda_dims_text(const struct event *ev, enum key k, struct text *t)
{
	size_t start = t->len;
	int64_t d[3];

	if (!cuda_dims(ev, k, d))
		return (struct span){"", 0};
	text_printf(t, "%4lld %4lld %4lld", (long long)d[0], (long long)d[1],
	    (long long)d[2]);
	return (struct span){t->p + start, t->len - start};
}
