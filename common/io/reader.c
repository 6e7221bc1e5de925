/* reader.c - records and their sections */

#include <endian.h>
#include <err.h>
#include <errno.h>
#include <inttypes.h>

#include "tq/base/shell.h"
#include "tq/io/emit.h"
#include "tq/io/foreign.h"
#include "tq/io/reader.h"

static int
flush_output(void *out)
{
	output_flush(out);
	return -1;
}

/* ---- order ---- */

static void
forget_time(struct reader *r)
{
	r->newest = (struct newest_time){.value = INT64_MIN};
	r->section_late = 0;
}

/* the same as numbers */
static void
compare_times(struct reader *r, struct span ts)
{
	struct newest_time *n = &r->newest;
	int64_t t = event_number(ts), newest = n->value;

	if (n->len > 0)
		newest = event_number((struct span){n->text, n->len});
	if (t < newest) {
		if (r->in_section || !r->grep)
			r->section_late++;
		return;
	}
	n->value = t;
	n->len = t >= 0 && ts.len <= sizeof(n->text) ? ts.len : 0;
	memcpy(n->text, ts.p, sizeof(n->text)); /* may read the padding */
}

/*
 * Count the record at hand if it is older than one before it.  Of two times
 * with as many digits the later one is greater byte by byte.
 */
static inline void
check_order(struct reader *r)
{
	struct span ts = r->event.value[KEY_ts];
	struct newest_time *n = &r->newest;
	uint64_t now[2], then[2];

	memcpy(now, ts.p, sizeof(now)); /* may read the padding */
	memcpy(then, n->text, sizeof(then));
	if (ts.len == n->len &&
	    (be64toh(now[0]) > be64toh(then[0]) ||
		(now[0] == then[0] && be64toh(now[1]) >= be64toh(then[1]))))
		memcpy(n->text, now, sizeof(now));
	else
		compare_times(r, ts);
}

/* true if the section, which ends here, was in order where it has to be */
static bool
was_ordered(struct reader *r)
{
	bool ordered = r->any_order || r->live || r->section_late == 0;

	if (!ordered)
		r->late += r->section_late;
	forget_time(r);
	return ordered;
}

/* at the end of an operand */
static void
warn_late(struct reader *r)
{
	if (r->late == 0)
		return;
	if (!r->quiet)
		warnx("warning: %s: %" PRId64 " record%s not in order of "
		      "time: put it through tq-extract first",
		    r->in.name, r->late, r->late == 1 ? " is" : "s are");
	r->late = 0;
	r->status = 1;
}

/* ---- the reader ---- */

void
reader_init(struct reader *r, char **operands, const struct keyset *want,
    struct output *out)
{
	*r = (struct reader){.want = want};
	for (enum kind k = 0; k < KIND_COUNT; k++)
		r->timed[k] = schema_role(k) != ROLE_DEF &&
			      schema_role(k) != ROLE_FRAME &&
			      !schema_follows(k);
	forget_time(r);
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
	r->in_section = r->live = false;
	r->lines = 0;
	r->quiet = true;
	forget_time(r);
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
	r->in_section = r->live = false;
}

/* the next line, across operands; false at the end of all of them */
static bool
next_line(struct reader *r, struct span *line)
{
	const char *error;

	while (!input_line(&r->in, line, &error)) {
		r->any |= r->in.lineno > 0;
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
		was_ordered(r);
		if (r->in_section)
			cut_short(r);
		warn_late(r);
	}
	return true;
}

/* Parse all of the present record; the program ends where it is wrong. */
static void
read_whole(struct reader *r)
{
	if (!event_parse(&r->event, r->event.line, NULL))
		errx(1, "%s:%zu: %s", r->in.name, r->in.lineno, r->event.error);
}

/* True if the end record counts the lines before it. */
static bool
count_agrees(struct reader *r)
{
	read_whole(r); /* want may lack the count */
	return event_int(&r->event, KEY_events, -1) == r->lines;
}

static bool
is_from_file(const struct reader *r)
{
	struct stat st;

	return fstat(r->in.fd, &st) == 0 && S_ISREG(st.st_mode);
}

static void
check_part(const struct reader *r)
{
	enum kind part = foreign_part(&r->event);

	if (part != KIND_UNKNOWN && (r->takes_parts >> part & 1) == 0)
		errx(1, "%s: %s", r->in.name, foreign_part_what(part));
}

static void
check_trace(struct reader *r)
{
	int64_t version;

	read_whole(r);
	/* within a version, kinds and keys are only added */
	version = event_int(&r->event, KEY_version, EMIT_VERSION);
	if (version != EMIT_VERSION)
		errx(1,
		    "%s:%zu: version %" PRId64 " of the stream is not known",
		    r->in.name, r->in.lineno, version);
	check_part(r);
	r->live = event_int(&r->event, KEY_slack, 0) > 0;
	if (r->live && !r->any_order && (!r->takes_live || is_from_file(r)))
		errx(1,
		    "%s: is not in order of time: put it through tq-extract "
		    "first",
		    r->in.name);
}

/* true if the section was read from its beginning to its end, in order */
static bool
is_complete(struct reader *r)
{
	bool ordered = was_ordered(r);

	if (!r->in_section) {
		if (!r->quiet)
			warnx("warning: %s: stream begins without its trace "
			      "record",
			    r->in.name);
		r->status = 1;
		return false;
	}
	if (!count_agrees(r)) {
		cut_short(r);
		return false;
	}
	r->in_section = r->live = false;
	return ordered;
}

/* false where the record is not to be seen by the tool */
static bool
enter(struct reader *r)
{
	switch (r->event.kind) {
	case KIND_trace:
		was_ordered(r);
		if (r->in_section)
			cut_short(r);
		check_trace(r);
		r->in_section = true;
		r->lines = 0;
		return true;
	case KIND_end:
		return is_complete(r);
	default:
		r->lines++;
		if (r->timed[r->event.kind] && event_has(&r->event, KEY_ts))
			check_order(r);
		return true;
	}
}

/* the input is not a stream yet: a command that makes it one */
static _Noreturn void
refuse_recording(const struct reader *r, const char *what)
{
	static struct text t; /* no error leaks it */

	t.len = 0;
	if (strcmp(r->in.name, INPUT_STDIN) != 0) {
		text_add_char(&t, ' ');
		shell_add_file(&t, r->in.name);
	}
	errx(1, "%s: %s tq-extract%.*s | %s", r->in.name, what, (int)t.len,
	    t.len > 0 ? t.p : "", program_invocation_short_name);
}

static _Noreturn void
refuse_line(const struct reader *r, struct span line)
{
	const struct input *in = &r->in;
	const char *what = NULL;

	if (in->bytes == in->len) /* the file begins there */
		what =
		    foreign_refused(in->name, (struct span){in->buf, in->len});
	if (what == NULL && in->lineno <= 3)
		what = foreign_what(in->name, line);
	if (what == NULL && in->lineno == 1 && *line.p != '{')
		what = "is no stream; if it is a recording:";
	if (what != NULL && what[strlen(what) - 1] == ':')
		refuse_recording(r, what);
	if (what != NULL)
		errx(1, "%s: %s", r->in.name, what);
	errx(1, "%s:%zu: %s", r->in.name, r->in.lineno, r->event.error);
}

static inline bool
parse(struct reader *r, struct span line)
{
	if (r->in.outline != NULL)
		return event_parse_outlined(
		    &r->event, line, r->in.outline, r->want);
	/* of a line without newline all has to be there */
	return event_parse(&r->event, line, r->in.partial ? NULL : r->want);
}

bool
reader_next(struct reader *r)
{
	struct span line;

	while (next_line(r, &line)) {
		if (!parse(r, line)) {
			if (r->in.partial && r->in_section)
				continue; /* the next line is none */
			if (r->other != NULL && r->other(r->other_arg, line))
				continue;
			refuse_line(r, line);
		}
		if (enter(r))
			return true;
	}
	return false;
}
