/* source.c - the list of sources */

#include <err.h>

#include "chrome/chrome_source.h"
#include "folded/folded_source.h"
#include "memory/memory_source.h"
#include "nccl/nccl_source.h"
#include "nsys/nsys_source.h"
#include "nsysrep/nsysrep_source.h"
#include "perf/perf_source.h"
#include "perfetto/perfetto_source.h"
#include "refused.h"
#include "rocpd/rocpd_source.h"
#include "rpd/rpd_source.h"
#include "sort_stream.h"
#include "source.h"
#include "speedscope/speedscope_source.h"
#include "tq/io/emit.h"
#include "tq/io/status.h"
#include "wprof/wprof_source.h"

/* in the order in which they are tried; each detects its own input */
static const struct source *const sources[] = {
    &nsysrep_source,
    &nsys_source,
    &rpd_source,
    &rocpd_source,
    &wprof_source,
    &nccl_source,
    &speedscope_source,
    &memory_source,
    &chrome_source,
    &perfetto_source,
    &perf_source,
    &folded_source,
    &sort_stream_source,
};

enum { COUNT = sizeof(sources) / sizeof(sources[0]) };

static const struct source *
by_name(const char *name)
{
	for (int i = 0; i < COUNT; i++)
		if (strcmp(sources[i]->name, name) == 0)
			return sources[i];
	return NULL;
}

bool
source_exists(const char *name)
{
	return by_name(name) != NULL;
}

void
source_list(struct text *to)
{
	for (int i = 0; i < COUNT; i++)
		text_printf(
		    to, "%-10s %s\n", sources[i]->name, sources[i]->about);
}

/* of sources that read databases, or of all others */
static const struct source *
detect(const struct source_input *in, bool database)
{
	for (int i = 0; i < COUNT; i++)
		if (sources[i]->database == database && sources[i]->detect(in))
			return sources[i];
	return NULL;
}

static void
open_database(struct source_input *in, struct database *db, const char *unknown)
{
	database_open(db, in->from, !in->settings->sqlite,
	    in->settings->via_nsys, unknown);
	in->db = db;
}

const struct source *
source_find(struct source_input *in, struct database *db, const char *format)
{
	const struct source *s;

	if (format != NULL) {
		s = by_name(format);
		if (s->database)
			open_database(in, db, "not a database");
		return s;
	}
	refused_file(in->from);
	if ((s = detect(in, false)) != NULL)
		return s;
	/* exits where it is none */
	open_database(in, db, refused_unknown(in->from));
	if ((s = detect(in, true)) == NULL) {
		refused_database(db);
		errx(TQ_FAIL, "%s: no table of an nsys export in it", db->name);
	}
	return s;
}

void
source_write_lost(struct output *o, int64_t ts, const char *reason,
    const char *what, int64_t count)
{
	if (count == 0)
		return;
	emit_open(o, KIND_lost);
	emit_int(o, KEY_ts, ts);
	emit_str(o, KEY_reason, span_of(reason));
	emit_str(o, KEY_what, span_of(what));
	emit_int(o, KEY_count, count);
	emit_close(o);
}
