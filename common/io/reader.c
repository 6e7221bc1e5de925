/* reader.c - records and their sections */

#include <err.h>
#include <errno.h>
#include <inttypes.h>

#include "tq/io/emit.h"
#include "tq/io/reader.h"

#include "foreign.h"

static void
flush_output(void *out)
{
	output_flush(out);
}

void
reader_init(struct reader *r, char **operands, const struct keyset *want,
    struct output *out)
{
	*r = (struct reader){.want = want};
	input_init(&r->in, operands);
	if (out != NULL) {
		r->in.idle = flush_output;
		r->in.idle_arg = out;
	}
}

void
reader_rewind(struct reader *r)
{
	input_rewind(&r->in);
	r->in_section = false;
	r->lines = 0;
	r->quiet = true;
}

void
reader_free(struct reader *r)
{
	event_free(&r->event);
	input_free(&r->in);
}

static void
cut_short(struct reader *r)
{
	if (!r->quiet)
		warnx("warning: %s: stream ends without its end record",
		    r->in.name);
	r->status = 1;
	r->in_section = false;
}

/* the next line, across operands; false at the end of all of them */
static bool
next_line(struct reader *r, struct span *line)
{
	const char *error;

	while (!input_line(&r->in, line, &error)) {
		if (r->in.ended && r->in.lineno == 0 && error == NULL) {
			/* whoever was to write it died before it could */
			if (!r->quiet)
				warnx("warning: %s: is empty", r->in.name);
			r->status = 1;
		}
		if (error != NULL && (!r->in.ended || r->in.changed))
			errx(1, "%s: %s", r->in.name, error);
		if (!r->in.ended)
			return false;
		if (error != NULL) {
			if (!r->quiet)
				warnx("%s: %s", r->in.name, error);
			r->status = 1;
		}
		if (r->in_section)
			cut_short(r);
	}
	return true;
}

/* does the end record at hand count the lines that came before it? */
static bool
count_agrees(struct reader *r)
{
	/* want may not have asked for the count */
	return event_parse(&r->event, r->event.line, NULL) &&
	       event_int(&r->event, KEY_events, -1) == r->lines;
}

static void
check_trace(struct reader *r)
{
	int64_t version;

	if (!event_parse(&r->event, r->event.line, NULL))
		return;
	/* within a version, kinds and keys are only added */
	version = event_int(&r->event, KEY_version, EMIT_VERSION);
	if (version != EMIT_VERSION)
		errx(1,
		    "%s:%zu: version %" PRId64 " of the stream is not known",
		    r->in.name, r->in.lineno, version);
	if (!r->any_order && event_int(&r->event, KEY_slack, 0) > 0)
		errx(1,
		    "%s: is not in order of time: put it through tq-extract "
		    "first",
		    r->in.name);
}

/* false where the record is not to be seen by the tool */
static bool
enter(struct reader *r)
{
	switch (r->event.kind) {
	case KIND_trace:
		if (r->in_section)
			cut_short(r);
		check_trace(r);
		r->in_section = true;
		r->lines = 0;
		return true;
	case KIND_end:
		if (!r->in_section)
			return false;
		if (!count_agrees(r)) {
			cut_short(r);
			return false;
		}
		r->in_section = false;
		return true;
	default:
		r->lines++;
		return true;
	}
}

static _Noreturn void
refuse_line(const struct reader *r, struct span line)
{
	const char *what =
	    r->in.lineno <= 3 ? foreign_what(r->in.name, line) : NULL;

	if (what != NULL && what[strlen(what) - 1] == ':')
		errx(1, "%s: %s tq-extract %s | %s", r->in.name, what,
		    r->in.name, program_invocation_short_name);
	if (what != NULL)
		errx(1, "%s: %s", r->in.name, what);
	errx(1, "%s:%zu: %s", r->in.name, r->in.lineno, r->event.error);
}

bool
reader_next(struct reader *r)
{
	struct span line;

	while (next_line(r, &line)) {
		/* of a line without newline all has to be there */
		if (!event_parse(
			&r->event, line, r->in.partial ? NULL : r->want)) {
			if (r->in.partial && r->in_section)
				continue; /* the next line is none */
			refuse_line(r, line);
		}
		if (enter(r))
			return true;
	}
	return false;
}
