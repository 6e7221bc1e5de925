/* nvtx_names.c - names of ranges, and other texts by number */

#include <stdlib.h>

#include "tq/json.h"
#include "tq/mem.h"

#include "nvtx.h"

struct span
nvtx_name_text(const struct nvtx_names *names, uint32_t name)
{
	const struct span_at *s = &names->all[name];

	return (struct span){s->len > 0 ? names->texts.p + s->at : "", s->len};
}

uint32_t
nvtx_name(struct nvtx_names *names, struct span s)
{
	uint64_t h = span_hash(s), *slot;

	for (uint64_t attempt = 0;; attempt++) {
		slot = map_get(&names->map, h, attempt);
		if (*slot == 0)
			break;
		if (span_eq(nvtx_name_text(names, (uint32_t)*slot - 1), s))
			return (uint32_t)*slot - 1;
	}
	if (names->count == names->cap) {
		names->cap = names->cap * 2 + 64;
		names->all =
		    mem_resize(names->all, names->cap, sizeof(*names->all));
	}
	names->all[names->count] = (struct span_at){names->texts.len, s.len};
	text_add_span(&names->texts, s);
	*slot = ++names->count;
	return (uint32_t)*slot - 1;
}

void
nvtx_names_free(struct nvtx_names *names)
{
	map_free(&names->map);
	free(names->all);
	text_free(&names->texts);
}

struct span
nvtx_style_text(enum nvtx_style style)
{
	if (style == NVTX_NONE)
		return (struct span){"", 0};
	return style == NVTX_START ? SPAN("StartEnd") : SPAN("PushPop");
}

enum nvtx_style
nvtx_style(const struct event *ev)
{
	struct text t = {0};
	bool start = span_eq(event_str(ev, KEY_mode, &t), SPAN("start"));

	text_free(&t);
	return start ? NVTX_START : NVTX_PUSH;
}

/* A domain that the export has no name of is #1 and so on in the stream. */
static bool
nameless(const struct text *domain)
{
	size_t i = 1;

	while (i < domain->len && domain->p[i] >= '0' && domain->p[i] <= '9')
		i++;
	return domain->len > 1 && i == domain->len && domain->p[0] == '#';
}

/*
 * nsys 2023.4 writes domain:text, and the text alone for the default domain;
 * that is also what is written without --compat.  2024.6 has :text for the
 * default domain.  For both a domain without a name is the default one.
 */
bool
nvtx_event_name(struct text *t, const struct ask *ask, const struct event *ev)
{
	bool colon = ask->compat && ask->version >= 2024;

	t->len = 0;
	if (ask->compat && !colon && !event_has(ev, KEY_name))
		return false;
	if (event_has(ev, KEY_domain))
		json_decode(t, ev->value[KEY_domain]);
	if (ask->compat && nameless(t))
		t->len = 0;
	if (t->len > 0 || colon)
		text_add_char(t, ':');
	if (event_has(ev, KEY_name))
		json_decode(t, ev->value[KEY_name]);
	return true;
}
