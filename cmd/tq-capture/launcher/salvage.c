/* salvage.c - records in the buffers that CUPTI had when its process died */

#include <dlfcn.h>

#include "arena/salvage_abi.h"

#include "salvage.h"

enum { SALVAGE_BYTES = 1 << 16 };

/* functions of the agent, the only place that is built with CUPTI's structs */
struct salvager {
	size_t (*next)(struct salvage *s, char *out, size_t room);
	const char *(*function)(enum api_source source, uint32_t callback);
};

static bool
load_salvager(struct salvager *s, const char *agent)
{
	void *library = dlopen(agent, RTLD_LAZY | RTLD_LOCAL);

	*s = (struct salvager){0};
	if (library == NULL)
		return false;
	*(void **)&s->next = dlsym(library, "tq_capture_salvage");
	*(void **)&s->function = dlsym(library, "tq_capture_function");
	return s->next != NULL && s->function != NULL;
}

/* an API call whose name the process did not live to define */
static void
name_function(struct captured_process *t, const struct salvager *s,
    const struct record *r)
{
	const struct record_api *a = (const void *)r;
	struct record head = {.type = RECORD_FUNCTION, .flags = FLAG_TEXT};
	struct record_parts x = {.id = (uint64_t)a->source << 32 | a->callback};
	const char *name;

	if (dictionary_find(&t->lines.names, RECORD_FUNCTION, 0, x.id) != NULL)
		return;
	name = s->function((enum api_source)a->source, a->callback);
	if (name == NULL)
		return;
	x.text = span_of(name);
	dictionary_define(&t->lines.names, &head, &x);
}

/* the calls of a buffer are handed over, too; nobody else writes these now */
static void
count_calls(struct arena *a, const struct salvage *s)
{
	atomic_fetch_add(&a->launch_records, s->launches);
	if (s->corr != 0 && (int32_t)(s->corr - a->record_corr) > 0)
		atomic_store(&a->record_corr, s->corr);
}

static void
salvage_buffer(struct captured_process *t, const struct salvager *s, uint32_t i)
{
	static char out[SALVAGE_BYTES] __attribute__((aligned(8)));
	const struct chunk none = {.tid = t->lines.pid};
	struct salvage at = {.arena = t->arena,
	    .buffer = (char *)t->arena + arena_size(t->chunks, i),
	    .bytes = ARENA_BUFFER,
	    .written = arena_written(t->arena, i, t->chunks)};
	size_t n, length;

	while ((n = s->next(&at, out, sizeof(out))) > 0)
		for (size_t k = 0; k < n; k += length) {
			const struct record *r = (const void *)(out + k);

			if ((length = record_parts_length(out + k, n - k)) == 0)
				return;
			if (r->type == RECORD_API)
				name_function(t, s, r);
			lines_dispatch(&t->lines, &none, r);
			t->salvaged++;
		}
	count_calls(t->arena, &at);
}

void
salvage_target(struct captured_process *t, const char *agent)
{
	struct salvager s;
	bool loaded = false;

	for (uint32_t i = 0; i < t->buffers; i++) {
		if (atomic_load(&t->arena->buffer[i]) != BUFFER_LENT)
			continue;
		if (!loaded && !load_salvager(&s, agent))
			return; /* an agent without CUPTI lends no buffers */
		loaded = true;
		salvage_buffer(t, &s, i);
	}
}
