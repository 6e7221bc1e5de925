/*
 * payload.c - any definitions of schemas, enums and counters, and any bytes
 * as what they describe: what comes out is JSON, of bounded length, and the
 * values of counters are records.
 *
 * The input is commands, a byte each; see act().
 */

#include <string.h>

#include "lines/lines.h"
#include "lines/nvtx_counters.h"
#include "lines/payload.h"
#include "fuzz.h"
#include "tq/line/json.h"

/* what is written of one payload: a line that is not much longer than that */
enum { LONGEST = 1 << 20, PAYLOADS = 4 /* of an input, for its speed */ };

/* the input, as far as it was not read */
struct input {
	const uint8_t *p;
	size_t left;
	int payloads;
};

/* in place of stream.c: how many values came */
static struct {
	struct out_stream stream;
	int values, others;
} out;

struct output *
out_stream_begin(struct out_stream *s, enum kind kind, enum line_class which,
    uint32_t process, uint32_t corr)
{
	(void)which;
	(void)process;
	(void)corr;
	emit_open(&s->line, kind);
	return &s->line;
}

static void
check_line(struct output *line)
{
	struct text *t = &line->buf;

	emit_close(line);
	REQUIRE(json_valid((struct span){t->p, t->len - 1}));
	t->len = 0;
}

void
out_stream_put(struct out_stream *s, int64_t ts, int64_t dur)
{
	(void)ts;
	(void)dur;
	out.values++;
	check_line(&s->line);
}

/* of an event whose time is none of the recording */
void
out_stream_drop(struct out_stream *s)
{
	out_stream_put(s, 0, 0);
}

void
out_stream_define(struct out_stream *s)
{
	out.others++;
	check_line(&s->line);
}

void
out_stream_name(struct out_stream *s, int64_t pid, int64_t tid,
    struct span name, int64_t rank)
{
	(void)s;
	(void)pid;
	(void)tid;
	(void)name;
	(void)rank;
}

void
out_stream_lost(struct out_stream *s, int64_t ts, uint32_t process, int64_t pid,
    const struct lost_records *lost)
{
	(void)s;
	(void)ts;
	(void)process;
	(void)pid;
	(void)lost;
}

static uint64_t
number(struct input *in, size_t bytes)
{
	uint64_t v = 0;

	if (bytes > in->left)
		bytes = in->left;
	if (bytes > 0)
		memcpy(&v, in->p, bytes);
	in->p += bytes;
	in->left -= bytes;
	return v;
}

static struct span
bytes(struct input *in)
{
	size_t n = number(in, 1);
	struct span s = {(const char *)in->p, n < in->left ? n : in->left};

	in->p += s.len;
	in->left -= s.len;
	return s;
}

/* small numbers in one byte, any in nine */
static void
add_number(struct text *t, struct input *in)
{
	uint64_t v = number(in, 1);

	if (v == 255)
		v = number(in, 8);
	text_add(t, (const char *)&v, sizeof(v));
}

static void
add_bytes(struct text *t, struct span s)
{
	uint64_t n = s.len;

	text_add(t, (const char *)&n, sizeof(n));
	text_add_span(t, s);
	while (t->len % 8 != 0)
		text_add_char(t, '\0');
}

/* so many numbers, and what follows each: an entry's texts and numbers */
static void
add_definition(struct text *t, struct input *in, bool is_schema)
{
	uint64_t n;

	for (int i = 0; i < (is_schema ? 4 : 1); i++)
		add_number(t, in);
	n = number(in, 1);
	text_add(t, (const char *)&n, sizeof(n));
	for (uint64_t k = 0; k < n && in->left > 0; k++) {
		for (int i = 0; i < (is_schema ? 4 : 2); i++)
			add_number(t, in);
		add_bytes(t, bytes(in));
		if (!is_schema)
			continue;
		add_bytes(t, (struct span){"", 0});
		for (int i = 0; i < 3; i++)
			add_number(t, in);
		add_bytes(t, (struct span){"unit", 4});
	}
}

static void
define(struct dictionary *names, enum record_type type, struct input *in)
{
	struct record r = {.type = (uint8_t)type};
	struct record_parts x = {.id = number(in, 1)};
	struct text blob = {0};

	if (type == RECORD_COUNTERDEF) {
		for (int i = 0; i < 5; i++)
			add_number(&blob, in);
		add_bytes(&blob, (struct span){"unit", 4});
	} else if (type == RECORD_SCHEMA || type == RECORD_ENUM) {
		add_definition(&blob, in, type == RECORD_SCHEMA);
	} else {
		x.range = number(in, 1);
	}
	x.text = bytes(in);
	x.blob = text_span(&blob);
	dictionary_define(names, &r, &x);
	text_free(&blob);
}

static void
check_payload(struct dictionary *names, struct input *in)
{
	struct text t = {0}, blobs = {0};

	for (int n = 1 + (int)number(in, 1) % 2; n > 0; n--) {
		add_number(&blobs, in);
		add_bytes(&blobs, bytes(in));
	}
	text_add_char(&t, '{');
	REQUIRE(payload_add_blobs(&t, "key", names, 0, text_span(&blobs)));
	text_add_char(&t, '}');
	REQUIRE(json_valid(text_span(&t)));
	REQUIRE(t.len < LONGEST);
	payload_name(names, 0, text_span(&blobs));
	text_free(&t);
	text_free(&blobs);
}

static void
check_counter(struct lines *l, struct input *in)
{
	struct record r = {.type = RECORD_COUNTER};
	struct record_parts x = {.id = number(in, 1)};
	struct text blob = {0};
	struct span rest;

	add_number(&blob, in);
	for (int n = (int)number(in, 1) % 4; n > 0; n--)
		add_number(&blob, in);
	rest = bytes(in);
	text_add_span(&blob, rest);
	x.blob = text_span(&blob);
	out.values = 0;
	REQUIRE(nvtx_counters_record(l, &r, &x) == out.values);
	text_free(&blob);
}

static void
act(struct lines *l, struct input *in)
{
	static const enum record_type types[] = {RECORD_SCHEMA, RECORD_SCHEMA,
	    RECORD_ENUM, RECORD_COUNTERDEF, RECORD_CATEGORY, RECORD_STRING};
	unsigned command = (unsigned)number(in, 1) % 8;

	if (command < 6)
		define(&l->names, types[command], in);
	else if (command == 6 && in->payloads++ < PAYLOADS)
		check_payload(&l->names, in);
	else if (command == 7)
		check_counter(l, in);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct clock_piece piece = {.slope = UINT64_C(1) << 32};
	struct clock clock = {.pieces = &piece, .count = 1};
	struct capture_ids ids = {0};
	struct lines lines = {.clock = &clock, .out = &out.stream, .ids = &ids};
	struct input in = {.p = data, .left = size};

	while (in.left > 0)
		act(&lines, &in);
	lines_free(&lines);
	text_free(&out.stream.line.buf);
	return 0;
}
