/* labels.c - what groups and rows are called */

#include <inttypes.h>

#include "tq/draw/labels.h"

static void
name_process(struct track_group *g, const struct defined_name *p)
{
	struct text *name = &g->name;
	bool is_real = g->device == NO_ID && g->pid == g->process;

	if (g->process == NO_ID) {
		if (g->device == NO_ID)
			text_add_str(name, "trace");
		return;
	}
	if (g->device != NO_ID)
		text_add_str(name, " \xc2\xb7 ");
	if (p->number != NO_ID)
		text_printf(name, "rank %" PRId64 " ", p->number);
	if (p->name.len > 0)
		text_add_span(name, p->name);
	else
		text_add_str(name, "process");
	/* viewers show the real one themselves */
	if (!is_real || p->name.len == 0)
		text_printf(name, " %" PRId64, g->process);
}

static void
name_device(const struct tracks *t, struct track_group *g)
{
	struct defined_name d;

	if (g->device == NO_ID)
		return;
	names_device(t->names, g->process, g->device, &d);
	if (g->device >= 0)
		text_printf(&g->name, "GPU %" PRId64, g->device);
	else
		text_add_str(&g->name, "GPU");
	if (d.name.len > 0) {
		text_add_char(&g->name, ' ');
		text_add_span(&g->name, d.name);
	}
	if (d.number != NO_ID && d.number != g->device)
		text_printf(&g->label, "physical GPU %" PRId64, d.number);
	if (d.more.len > 0) {
		if (g->label.len > 0)
			text_add_char(&g->label, ',');
		text_add_span(&g->label, d.more);
	}
}

static void
label_host(
    const struct tracks *t, struct track_group *g, const struct defined_name *p)
{
	struct span host = p->more.len > 0 ? p->more : text_span(&t->host);

	if (host.len == 0 && t->section < 2)
		return;
	if (g->label.len > 0)
		text_add_char(&g->label, ',');
	if (host.len > 0) {
		text_add_str(&g->label, "host ");
		text_add_span(&g->label, host);
	} else
		text_printf(&g->label, "section %" PRId64, t->section);
}

void
labels_group(const struct tracks *t, struct track_group *g,
    const struct defined_name *process)
{
	name_device(t, g);
	name_process(g, process);
	label_host(t, g, process);
}

static void
name_stream(const struct tracks *t, struct track_row *r)
{
	const struct track_group *g = r->group;
	struct defined_name s;

	names_stream(t->names, g->process, g->device, r->a, r->b, &s);
	if (r->kind == ROW_SYNC && r->b == NO_ID) {
		text_add_str(&r->name, "sync device");
		return;
	}
	if (r->kind == ROW_SYNC)
		text_add_str(&r->name, "sync ");
	if (r->b == NO_ID)
		text_add_str(&r->name, "no stream");
	else
		text_printf(&r->name, "stream %" PRId64, r->b);
	if (s.name.len > 0) {
		text_add_char(&r->name, ' ');
		text_add_span(&r->name, s.name);
	}
	if (s.more.len > 0 && !span_eq(s.more, SPAN("default"))) {
		text_add_str(&r->name, " (");
		text_add_span(&r->name, s.more);
		text_add_char(&r->name, ')');
	}
}

/* a second context may have streams of the same numbers */
static void
name_context(struct tracks *t, struct track_row *r)
{
	uint64_t key = r->group->number * 2 + (r->kind == ROW_SYNC);
	uint64_t *first =
	    map_get(&t->row_map, UINT64_MAX / 2 - key, (uint64_t)r->b);

	if (*first == 0)
		*first = (uintptr_t)r;
	else if (r->a != NO_ID)
		text_printf(&r->name, " context %" PRId64, r->a);
}

static void
name_thread(const struct tracks *t, struct track_row *r)
{
	static const char *const suffixes[ROW_KINDS] = {
	    [ROW_CALLS] = "OS calls",
	    [ROW_SCHED] = "on CPU",
	    [ROW_SAMPLES] = "samples",
	    [ROW_OVERHEAD] = "overhead",
	    [ROW_OTHER] = "other",
	};
	const char *suffix = suffixes[r->kind];
	struct defined_name n;

	if (r->a == NO_ID) {
		text_add_str(&r->name, suffix != NULL ? suffix : "process");
		return;
	}
	names_thread(t->names, r->group->process, r->a, &n);
	if (n.name.len > 0)
		text_add_span(&r->name, n.name);
	else
		text_add_str(&r->name, "thread");
	if (suffix != NULL || n.name.len == 0)
		text_printf(&r->name, " %" PRId64, r->a);
	if (suffix != NULL) {
		text_add_char(&r->name, ' ');
		text_add_str(&r->name, suffix);
	}
}

/* which thread it is comes first: viewers cut long names off */
static void
name_projected(const struct tracks *t, struct track_row *r)
{
	struct defined_name n;

	/* the main thread goes without saying */
	if (r->a != r->group->process && r->a != NO_ID) {
		names_thread(t->names, r->group->process, r->a, &n);
		if (n.name.len > 0)
			text_add_span(&r->name, n.name);
		else
			text_add_str(&r->name, "thread");
		text_printf(&r->name, " %" PRId64 " ", r->a);
	}
	text_add_str(&r->name, "projected ranges");
}

void
labels_row(struct tracks *t, struct track_row *r)
{
	switch (r->kind) {
	case ROW_STREAM:
	case ROW_SYNC:
		name_stream(t, r);
		name_context(t, r);
		break;
	case ROW_PROJECTED:
		name_projected(t, r);
		break;
	case ROW_MEMORY:
		text_add_str(&r->name, "memory");
		break;
	case ROW_MESSAGES:
		text_add_str(&r->name, "messages");
		break;
	default:
		name_thread(t, r);
	}
}
