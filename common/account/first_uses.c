/* first_uses.c - which calls load the code of a kernel */

#include "tq/names/model.h"

#include "tq/account/first_uses.h"

/* ns: a call of a launch that takes less loads nothing; with a profiler most
   take 5 to 20 us */
enum { LOADS_LEAST = 50000 };

bool
first_uses_add(struct first_uses *f, const struct event *ev)
{
	uint64_t *seen;

	if (ev->kind != KIND_kernel)
		return false;
	seen = map_get(&f->symbols, model_process(ev), model_symbol(ev));
	if (*seen != 0)
		return false;
	*seen = 1;
	return event_int(ev, KEY_api_dur, 0) >= LOADS_LEAST;
}

void
first_uses_reset(struct first_uses *f)
{
	map_clear(&f->symbols);
}

void
first_uses_free(struct first_uses *f)
{
	map_free(&f->symbols);
}
