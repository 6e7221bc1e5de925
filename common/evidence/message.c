/* message.c - what messages of a profiler mean */

#include <ctype.h>
#include <string.h>

#include "message.h"

static const struct meaning {
	const char *words[2]; /* all of them are in the text; or NULL */
	enum message is;
} meanings[] = {
    {{"CUPTI", "dropped"}, MESSAGE_DROPPED},
    {{"Unified Memory cannot be traced", NULL}, MESSAGE_NO_MIGRATIONS},
    {{"backtrace", "disabled"}, MESSAGE_NO_SAMPLES},
    {{"backtrace", "Unable to configure"}, MESSAGE_NO_SAMPLES},
    {{"driver version", "is not supported by this build"},
	MESSAGE_OLD_PROFILER},
    {{"ERR_NVGPUCTRPERM", NULL}, MESSAGE_NO_PERMISSION},
    {{"CUPTI_ERROR_INSUFFICIENT_PRIVILEGES", NULL}, MESSAGE_NO_PERMISSION},
};

static bool
has(struct span s, const char *word)
{
	return word == NULL || memmem(s.p, s.len, word, strlen(word)) != NULL;
}

/* The last number of a text; 1 without one. */
static int64_t
last_number(struct span s)
{
	int64_t n = 1;

	for (size_t i = 0; i < s.len; i++) {
		if (!isdigit((unsigned char)s.p[i]))
			continue;
		for (n = 0; i < s.len && isdigit((unsigned char)s.p[i]); i++)
			if (__builtin_mul_overflow(n, (int64_t)10, &n) ||
			    __builtin_add_overflow(
				n, (int64_t)(s.p[i] - '0'), &n))
				return 1;
	}
	return n;
}

enum message
message_of(struct span text, bool error, int64_t *count)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
		const struct meaning *m = &meanings[i];

		if (!has(text, m->words[0]) || !has(text, m->words[1]))
			continue;
		if (m->is == MESSAGE_DROPPED)
			*count = last_number(text);
		return m->is == MESSAGE_DROPPED && *count == 0 ? MESSAGE_NOTHING
							       : m->is;
	}
	return error ? MESSAGE_ERROR : MESSAGE_NOTHING;
}

static const struct {
	const char *title, *reason, *remedy;
} texts[MESSAGES] = {
    [MESSAGE_NO_SAMPLES] = {"CPU samples were not recorded",
	"The profiler may not read the processor's events: "
	"/proc/sys/kernel/perf_event_paranoid is too high, or a container "
	"forbids it.",
	"Lower /proc/sys/kernel/perf_event_paranoid to 1, or leave out CPU "
	"samples."},
    [MESSAGE_NO_MIGRATIONS] = {"Migrations of unified memory were not recorded",
	"The profiler can't trace them on these devices.",
	"Record on a machine where it can: it can't in WSL2, nor where devices "
	"can't reach each other's memory."},
    [MESSAGE_OLD_PROFILER] = {"The profiler is older than the driver",
	"It records with libraries for an older driver, and may miss "
	"operations.",
	"Record with a profiler that is as new as the driver."},
    [MESSAGE_NO_PERMISSION] = {"The profiler has no permission for all it "
			       "records",
	"The driver restricts performance counters to administrators.",
	"Record as root, or load the driver with "
	"NVreg_RestrictProfilingToAdminUsers=0."},
    [MESSAGE_ERROR] = {"The profiler reports errors", "The first one:"},
};

const char *
message_title(enum message m)
{
	return texts[m].title;
}

const char *
message_reason(enum message m)
{
	return texts[m].reason;
}

const char *
message_remedy(enum message m)
{
	return texts[m].remedy;
}
