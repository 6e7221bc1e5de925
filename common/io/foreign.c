/* foreign.c - files that are no streams */

#include "tq/base/ascii.h"
#include "tq/io/foreign.h"
#include "tq/line/json.h"

/* ---- known, and not read ---- */

enum test { START, HOLDS, LINE, NAME, KEY };

static const struct {
	enum test test;
	struct span bytes; /* which may have a NUL among them */
	const char *word, *what;
} refused[] = {
#define BYTES(text) \
	{ \
		text, sizeof(text) - 1 \
	}
#define START(bytes, what) {START, BYTES(bytes), NULL, what},
#define HOLDS(bytes, word, what) {HOLDS, BYTES(bytes), word, what},
#define LINE(text, what) {LINE, BYTES(text), NULL, what},
#define NAME(end, what) {NAME, BYTES(end), NULL, what},
#define KEY(name, what) {KEY, BYTES(name), NULL, what},
#include "refused.def"
};

/* behind a byte order mark and white space */
static struct span
text_of(struct span head)
{
	size_t n = span_begins(head, SPAN("\xef\xbb\xbf")) ? 3 : 0;

	while (n < head.len && ascii_is_space(head.p[n]))
		n++;
	return (struct span){head.p + n, head.len - n};
}

/* true if it is an object with this key, as far as the text goes */
static bool
has_key(struct span text, struct span name)
{
	struct text key = {0};
	struct json j;
	struct span value;
	bool found = false;

	json_open(&j, text);
	while (!found && json_next_key(&j, &key)) {
		found = span_eq(text_span(&key), name);
		if (!json_take(&j, &value))
			break;
	}
	text_free(&key);
	return found;
}

static bool
passes(enum test test, const char *name, struct span head, struct span bytes,
    const char *word)
{
	switch (test) {
	case NAME:
		return span_ends(span_of(name), bytes);
	case HOLDS:
		return span_begins(head, bytes) &&
		       memmem(head.p, head.len, word, strlen(word)) != NULL;
	case LINE:
		return span_begins(text_of(head), bytes);
	case KEY:
		return has_key(text_of(head), bytes);
	case START:
		break;
	}
	return span_begins(head, bytes);
}

/*
 * The profile of XLA is a message of protobuf whose field 1 is a plane: a
 * message of an id and a name, which begins with one of the names below.
 */
static bool
is_xplane(struct span head)
{
	static const char *const names[] = {"/host:", "/device:", "/task:"};

	if (head.len == 0 || *head.p != '\n')
		return false;
	if (head.len > 32)
		head.len = 32;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *p =
		    memmem(head.p, head.len, names[i], strlen(names[i]));

		/* its field, and its length */
		if (p != NULL && p - head.p >= 4 && p[-2] == '\x12')
			return true;
	}
	return false;
}

const char *
foreign_refused(const char *name, struct span head)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (passes(refused[i].test, name, head, refused[i].bytes,
			refused[i].word))
			return refused[i].what;
	return is_xplane(head) ? "is a profile of XLA: give the trace.json.gz "
				 "beside it"
			       : NULL;
}

/* ---- written by tq-stats --partial ---- */

static const struct {
	enum kind kind;
	const char *begin; /* of a line before kinds; the key of args */
	const char *key, *what;
} parts[] = {
    {KIND_partial, "{\"partial\"", "partial",
	"is a partial: tq-stats --merge reads it"},
    {KIND_account, "{\"account\"", "account",
	"is an account: tq-diff reads it"},
};

enum { PARTS = sizeof(parts) / sizeof(*parts) };

enum kind
foreign_part(const struct event *trace)
{
	if (trace->kind != KIND_trace || !event_has(trace, KEY_args) ||
	    !event_is(trace, KEY_source, SPAN("tq-stats")))
		return KIND_UNKNOWN;
	for (size_t i = 0; i < PARTS; i++)
		if (has_key(trace->value[KEY_args], span_of(parts[i].key)))
			return parts[i].kind;
	return KIND_UNKNOWN;
}

const char *
foreign_part_what(enum kind part)
{
	return parts[part == parts[0].kind ? 0 : 1].what;
}

/* ---- read by tq-extract ---- */

enum { IN_NAME, IN_LINE, WHOLE_LINE };

#define REPORT "is a report of Nsight Systems:"

/* the first row that fits counts */
static const struct {
	int where;
	const char *text; /* the end of the name, or the start of the line */
	const char *what;
} files[] = {
    {IN_LINE, "SQLite format 3", "is an SQLite database:"},
    {IN_LINE, "NVIDIA Tegra Profiler Report", REPORT},
    {IN_NAME, ".nsys-rep", REPORT},
    {IN_NAME, ".qdrep", REPORT},
    {IN_NAME, ".pftrace", "is a trace for Perfetto:"},
    {IN_LINE, "{\"traceEvents\"", "is a Chrome trace:"},
    {IN_LINE, "{\"schemaVersion\"", "is a Chrome trace:"},
    {WHOLE_LINE, "{", "is JSON, perhaps a Chrome trace:"},
    {IN_LINE, "[", "is a JSON array, perhaps a Chrome trace:"},
    {IN_LINE, "\"", "is JSON, perhaps a Chrome trace:"},
};

/* blanks between the tokens do not count */
static bool
starts_with(struct span line, const char *text)
{
	size_t i = 0;

	for (; *text != '\0'; i++) {
		if (i == line.len)
			return false;
		if (line.p[i] == *text)
			text++;
		else if (line.p[i] != ' ' && line.p[i] != '\t')
			return false;
	}
	return true;
}

const char *
foreign_what(const char *name, struct span line)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		const char *text = files[i].text;

		if (files[i].where == IN_NAME
			? span_ends(span_of(name), span_of(text))
			: starts_with(line, text) &&
			      (files[i].where == IN_LINE ||
				  line.len == strlen(text)))
			return files[i].what;
	}
	/* version 1: until the release after 0.2 */
	for (size_t i = 0; i < PARTS; i++)
		if (starts_with(line, parts[i].begin))
			return parts[i].what;
	return NULL;
}
