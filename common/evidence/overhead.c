/* overhead.c - whose time a record of kind overhead is */

#include <strings.h>

#include "tq/evidence/overhead.h"

static const struct {
	const char *word; /* in any case */
	enum overhead_of of;
} words[] = {
    {"(profiler)", OVERHEAD_PROFILER},
    {"profiling", OVERHEAD_PROFILER},
    {"flush", OVERHEAD_PROFILER},
    {"buffer request", OVERHEAD_PROFILER},
    {"instrumentation", OVERHEAD_PROFILER},
    {"resource", OVERHEAD_PROFILER},
    {"tls allocation", OVERHEAD_PROFILER},
    {"chunk allocation", OVERHEAD_PROFILER},
    {"loading", OVERHEAD_LOADING},
    {"compiler", OVERHEAD_LOADING},
    {"jit", OVERHEAD_LOADING},
};

static bool
has(struct span s, const char *word)
{
	size_t n = strlen(word);

	for (size_t i = 0; i + n <= s.len; i++)
		if (strncasecmp(s.p + i, word, n) == 0)
			return true;
	return false;
}

enum overhead_of
overhead_of_event(const struct event *ev)
{
	static const enum key keys[] = {KEY_what, KEY_name};

	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
		for (size_t i = 0; event_has(ev, keys[k]) &&
				   i < sizeof(words) / sizeof(*words);
		     i++)
			if (has(ev->value[keys[k]], words[i].word))
				return words[i].of;
	return OVERHEAD_PROGRAM;
}
