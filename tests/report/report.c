/*
 * report.c - makes a report of Nsight Systems from a text, for tests
 *
 *	report < text > x.nsys-rep
 *
 * A line is an item: words with blanks between, "#" and what follows is a
 * comment.  Behind the name stand values, then KEY=VALUE in any order.  A value
 * is a number, a word, or a "string" with \" \\ \n \xNN; "-" leaves the field
 * out.  Where the file has the id of a string, the value is its text.
 *
 *	version 2026.1.1.204	version -	(-: no section has it)
 *	os "..."   host "..."   command "a.out" "argument" ...
 *	environment "NAME" "VALUE"
 *	utc NS   start NS   stop NS
 *	events N	the header has N, however many there are
 *	no strings	the table of strings is empty
 *	string "..."	one more string, though it may be there
 *	block		a new block begins
 *	metric TYPE "NAME" OFFSET SIZE
 *	generic TYPE TIME HEX
 *	event TYPE BODY FIELD=VALUE FIELD.FIELD=VALUE ...
 *		any event; there a value is an integer, "bytes", $"text" with a
 *		string id, 1.5d or 1.5f; fields of a message inside are of one
 *		message as long as they follow each other, and "-" ends it
 *	raw FIELD HEX	any field of a block: 1 is an event, 2 a generic one
 *
 * and the items of a table below, with what they have if nothing is given.
 */

#include <err.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "report_writer.h"

enum { WORDS = 256, NAME = 64, PID = 100 };

/* a word, or KEY=VALUE; key is empty for a word without */
struct word {
	char *p; /* the value, with a NUL behind it */
	size_t len;
	char *module; /* of symbol@module; NULL: none */
	size_t module_len;
	bool quoted, string_id; /* "..." and $"..." */
	bool used;
	char key[NAME];
};

static struct report_writer out;
static struct word words[WORDS];
static size_t count, line_number;

static _Noreturn __attribute__((format(printf, 1, 2))) void
fail(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "report: <stdin>:%zu: ", line_number);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(1);
}

/* ---- words ---- */

static int
hex_digit(char c)
{
	const char *digits = "0123456789abcdef", *at;

	at = c != '\0' ? strchr(digits, c | 0x20) : NULL;
	if (at == NULL)
		fail("'%c': no hexadecimal digit", c);
	return (int)(at - digits);
}

/* the character behind a backslash; *p goes to its last byte */
static char
escaped(char **p)
{
	char c = *++*p;

	if (c == 'n')
		return '\n';
	if (c == 'x') {
		c = (char)(hex_digit((*p)[1]) << 4);
		c = (char)(c | hex_digit((*p)[2]));
		*p += 2;
	} else if (c != '"' && c != '\\')
		fail("\\%c: no such escape", c);
	return c;
}

/* a string at *p, in place; *p goes behind it */
static char *
take_string(char **p, size_t *len)
{
	char *start = ++*p, *to = start;

	for (; **p != '"'; ++*p) {
		if (**p == '\0')
			fail("a string without its end");
		*to++ = **p == '\\' ? escaped(p) : **p;
	}
	++*p;
	*len = (size_t)(to - start);
	return start;
}

/* a value at *p; *p goes behind it, and a NUL stands there or before */
static void
take_value(struct word *w, char **p)
{
	w->string_id = **p == '$' && (*p)[1] == '"';
	*p += w->string_id;
	w->quoted = **p == '"';
	if (w->quoted) {
		w->p = take_string(p, &w->len);
		if (**p == '@' && (*p)[1] == '"') {
			++*p;
			w->module = take_string(p, &w->module_len);
		}
	} else {
		w->p = *p;
		w->len = strcspn(*p, " \t");
		*p += w->len;
	}
	if (**p != '\0' && **p != ' ' && **p != '\t')
		fail("no blank before '%s'", *p);
	if (**p != '\0')
		*(*p)++ = '\0';
	w->p[w->len] = '\0';
	if (w->module != NULL)
		w->module[w->module_len] = '\0';
}

/* the words of a line, which is changed */
static void
split(char *p)
{
	for (count = 0;; count++) {
		struct word *w = &words[count];
		size_t n;

		p += strspn(p, " \t");
		if (*p == '\0' || *p == '#')
			break;
		if (count == WORDS - 1)
			fail("too many words");
		*w = (struct word){0};
		n = strcspn(p, "=\" \t$");
		if (p[n] == '=' && n > 0 && n < sizeof(w->key)) {
			memcpy(w->key, p, n);
			w->key[n] = '\0';
			p += n + 1;
		}
		take_value(w, &p);
	}
	words[count] = (struct word){0};
}

/* word i, which is a value without a key */
static struct word *
plain(size_t i)
{
	if (i >= count || words[i].key[0] != '\0')
		fail("'%s' lacks a value", words[0].p);
	words[i].used = true;
	return &words[i];
}

static int64_t
number_of(const char *s)
{
	char *end;
	int64_t v =
	    *s == '-' ? strtoll(s, &end, 0) : (int64_t)strtoull(s, &end, 0);

	if (end == s || *end != '\0')
		fail("'%s': not a number", s);
	return v;
}

static int64_t
number(size_t i)
{
	return number_of(plain(i)->p);
}

static int64_t
name(size_t i)
{
	const struct word *w = plain(i);

	return report_writer_string(&out, w->p, w->len);
}

/* the bytes of word i */
static struct message
bytes(size_t i)
{
	const struct word *w = plain(i);
	struct message m = {0};

	if (w->len % 2 != 0)
		fail("'%s': an odd number of digits", w->p);
	for (size_t k = 0; k < w->len; k += 2)
		message_raw(&m,
		    &(unsigned char){(unsigned char)(hex_digit(w->p[k]) << 4 |
						     hex_digit(w->p[k + 1]))},
		    1);
	return m;
}

/* ---- items that are the same field for field ---- */

enum as {
	NUMBER = 1,
	TEXT,
	STRING,         /* a string id */
	TEXT_OR_STRING, /* the field, or with $"..." the one five behind it */
	DIMENSIONS,     /* X,Y,Z: this field and the two behind it */
	GLOBAL_PID,
	GLOBAL_TID,
	FRAMES,    /* any number of frames */
	SYNC_TYPE, /* whose field moved when nsys numbered types anew */
};

/*
 * A field of an item.  key "1", "2", ... are the words behind the name.  The
 * field is one of the message in field sub, or with 0 of the body itself.
 * otherwise: a value; "=KEY": that of another; NULL: none.
 */
struct item_field {
	const char *key;
	enum as as;
	unsigned sub, number;
	const char *otherwise;
};

/* of an event: type (0: field 1 of the body) and the number of the body */
enum part { EVENT, THREAD, DEVICES, INFO };

struct item {
	const char *name;
	enum part part;
	unsigned type, number;
	struct item_field fields[32];
};

#define MUST "!"
/* what only the constant stands for */
#define ALWAYS(value, number) \
	{ \
		"", NUMBER, 0, number, value \
	}
#define ACTIVITY(kind) \
	{"1", NUMBER, 0, 1, MUST}, {"2", NUMBER, 0, 2, MUST}, \
	    {"corr", NUMBER, 0, 3, "0"}, {"device", NUMBER, 0, 4, "0"}, \
	    {"context", NUMBER, 0, 5, "1"}, {"stream", NUMBER, 0, 6, "7"}, \
	    ALWAYS(kind, 7), \
	{ \
		"pid", GLOBAL_PID, 0, 8, "100" \
	}
#define CALL(class) \
	{"1", NUMBER, 0, 1, MUST}, {"2", NUMBER, 0, 2, MUST}, \
	    {"corr", NUMBER, 0, 3, "0"}, {"class", NUMBER, 0, 6, class}, \
	{ \
		"name", STRING, 0, 7, MUST \
	}
#define THREAD_OF \
	{ \
		"tid", GLOBAL_TID, 0, 13, "=pid" \
	}

static const struct item items[] = {
    {"process", EVENT, 27, 113,
	{{"at", NUMBER, 0, 1, "-5000"}, {"1", GLOBAL_PID, 0, 2, MUST},
	    {"command", TEXT, 0, 5, NULL}, {"2", TEXT, 0, 6, NULL}}},
    {"thread", THREAD, 0, 1,
	{{"3", STRING, 0, 2, MUST}, {"priority", NUMBER, 0, 3, "20"},
	    {"2", GLOBAL_TID, 0, 4, MUST}}},
    {"gpu", DEVICES, 0, 7,
	{{"1", NUMBER, 0, 1, MUST}, {"2", TEXT, 0, 2, MUST},
	    {"bus", TEXT, 0, 3, NULL}, ALWAYS("1", 4),
	    {"uuid", TEXT, 0, 5, NULL}, {"chip", TEXT, 0, 7, NULL},
	    {"memory", NUMBER, 0, 11, NULL}, {"sms", NUMBER, 0, 14, NULL},
	    {"cu", NUMBER, 0, 15, NULL}, {"major", NUMBER, 0, 41, NULL},
	    {"minor", NUMBER, 0, 42, NULL}}},
    {"device", DEVICES, 0, 9,
	{{"1", NUMBER, 0, 1, MUST}, {"2", NUMBER, 0, 2, MUST},
	    {"3", NUMBER, 0, 3, MUST}, {"uuid", TEXT, 0, 5, NULL},
	    {"sms", NUMBER, 0, 6, NULL}}},
    {"context", INFO, 0, 14,
	{{"null_stream", NUMBER, 0, 1, "7"}, ALWAYS("0", 2), ALWAYS("1", 3),
	    {"1", NUMBER, 0, 4, MUST}, {"2", NUMBER, 0, 5, MUST},
	    {"3", NUMBER, 0, 6, MUST}, {"parent", NUMBER, 0, 7, "0"},
	    ALWAYS("0", 8)}},
    {"stream", INFO, 0, 15,
	{{"3", NUMBER, 0, 1, MUST}, ALWAYS("0", 2), ALWAYS("1", 3),
	    {"1", NUMBER, 0, 4, MUST}, {"2", NUMBER, 0, 5, MUST},
	    {"priority", NUMBER, 0, 6, "0"}, {"flag", NUMBER, 0, 7, "3"}}},
    {"stream_name", INFO, 0, 13,
	{{"5", TEXT, 0, 1, MUST}, ALWAYS("0", 2), ALWAYS("1", 3),
	    {"1", NUMBER, 0, 4, MUST}, {"2", NUMBER, 0, 5, MUST},
	    {"3", NUMBER, 0, 6, MUST}, {"4", NUMBER, 0, 7, MUST}}},
    {"kernel", EVENT, 79, 107,
	{ACTIVITY("3"), {"demangled", STRING, 101, 1, "=name"},
	    {"name", STRING, 101, 2, MUST}, {"mangled", STRING, 101, 3, NULL},
	    {"grid", DIMENSIONS, 101, 10, "1,1,1"},
	    {"block", DIMENSIONS, 101, 13, "1,1,1"},
	    {"static", NUMBER, 101, 16, NULL},
	    {"dynamic", NUMBER, 101, 17, NULL}, {"regs", NUMBER, 101, 21, NULL},
	    {"graph_node", NUMBER, 101, 27, NULL},
	    {"graph", NUMBER, 101, 29, NULL}}},
    {"memcpy", EVENT, 80, 107,
	{ACTIVITY("1"), {"bytes", NUMBER, 102, 1, "0"},
	    {"kind", NUMBER, 102, 2, "1"}, {"src", NUMBER, 102, 4, NULL},
	    {"dst", NUMBER, 102, 5, NULL}, {"count", NUMBER, 102, 16, "1"}}},
    {"memset", EVENT, 80, 107,
	{ACTIVITY("2"), {"bytes", NUMBER, 103, 1, "0"},
	    {"value", NUMBER, 103, 2, "0"}, {"mem", NUMBER, 103, 4, NULL}}},
    {"sync", EVENT, 106, 107,
	{ACTIVITY("5"), {"event", NUMBER, 105, 1, "4294967295"},
	    {"type", SYNC_TYPE, 105, 0, "1"}}},
    {"api", EVENT, 48, 108,
	{CALL("0"), {"ret", NUMBER, 0, 8, "0"}, THREAD_OF,
	    {"frame", FRAMES, 0, 15, NULL}}},
    {"osrt", EVENT, 48, 108,
	{CALL("27"), {"ret", NUMBER, 0, 8, "0"}, THREAD_OF,
	    {"frame", FRAMES, 0, 15, NULL}, {"nesting", NUMBER, 0, 20, "0"}}},
    {"overhead", EVENT, 48, 108,
	{CALL("103"), {"type", NUMBER, 0, 8, "0"}, THREAD_OF}},
    {"range", EVENT, 0, 102,
	{{"type", NUMBER, 0, 1, "59"}, {"1", NUMBER, 0, 2, MUST},
	    {"id", NUMBER, 0, 4, NULL}, {"category", NUMBER, 0, 5, NULL},
	    {"color", NUMBER, 0, 6, NULL}, {"text", TEXT_OR_STRING, 0, 7, NULL},
	    {"tid", GLOBAL_TID, 0, 9, "=pid"}, {"2", NUMBER, 0, 10, MUST},
	    {"domain", NUMBER, 0, 13, "0"}, ALWAYS("1", 14)}},
    {"mark", EVENT, 34, 102,
	{ALWAYS("34", 1), {"1", NUMBER, 0, 2, MUST},
	    {"category", NUMBER, 0, 5, NULL}, {"color", NUMBER, 0, 6, NULL},
	    {"text", TEXT_OR_STRING, 0, 7, NULL},
	    {"tid", GLOBAL_TID, 0, 9, "=pid"}, {"domain", NUMBER, 0, 13, "0"},
	    ALWAYS("1", 14)}},
    {"domain", EVENT, 75, 102,
	{ALWAYS("75", 1), {"at", NUMBER, 0, 2, "-1000"},
	    {"2", TEXT_OR_STRING, 0, 7, MUST},
	    {"tid", GLOBAL_TID, 0, 9, "=pid"}, {"1", NUMBER, 0, 13, MUST},
	    ALWAYS("1", 14)}},
    {"sched", EVENT, 41, 106,
	{{"1", NUMBER, 0, 1, MUST}, {"cpu", NUMBER, 0, 3, "0"},
	    {"on", NUMBER, 0, 4, "1"}, {"state", NUMBER, 0, 5, NULL},
	    {"tid", GLOBAL_TID, 0, 6, "=pid"}, ALWAYS("1", 7)}},
    {"sample", EVENT, 31, 104,
	{{"1", NUMBER, 0, 1, MUST}, {"cpu", NUMBER, 0, 3, "0"},
	    {"frame", FRAMES, 0, 4, NULL}, {"state", NUMBER, 0, 6, "1"},
	    {"tid", GLOBAL_TID, 0, 11, "=pid"}, ALWAYS("1", 12)}},
    {"diagnostic", EVENT, 49, 110,
	{{"1", NUMBER, 1, 1, MUST}, {"", NUMBER, 1, 2, "1"},
	    {"source", NUMBER, 0, 2, "3"}, {"severity", NUMBER, 0, 3, "1"},
	    {"2", TEXT, 0, 4, MUST}, {"pid", GLOBAL_PID, 0, 5, "0"}}},
};

/* the word with a key; NULL for none */
static struct word *
find(const char *key)
{
	if (key[0] >= '1' && key[0] <= '9') {
		size_t i = (size_t)(key[0] - '0');

		/* words count before the first key only */
		for (size_t k = 1; k <= i; k++)
			if (k >= count || words[k].key[0] != '\0')
				return NULL;
		return &words[i];
	}
	for (size_t i = 1; i < count; i++)
		if (key[0] != '\0' && strcmp(words[i].key, key) == 0)
			return &words[i];
	return NULL;
}

static int64_t
number_at(const char *key, int64_t otherwise)
{
	const struct word *w = find(key);

	return w != NULL && strcmp(w->p, "-") != 0 ? number_of(w->p)
						   : otherwise;
}

static void
add_frames(struct message *to, unsigned field)
{
	struct message frame = {0};

	for (size_t i = 1; i < count; i++) {
		const struct word *w = &words[i];

		if (strcmp(w->key, "frame") != 0)
			continue;
		words[i].used = true;
		message_int(
		    &frame, 1, report_writer_string(&out, w->p, w->len));
		if (w->module != NULL)
			message_int(&frame, 2,
			    report_writer_string(
				&out, w->module, w->module_len));
		for (unsigned f = 4; f <= 6; f++)
			message_int(&frame, f, 0);
		message_move(to, field, &frame);
	}
	message_free(&frame);
}

static void
add_dimensions(struct message *to, unsigned field, const char *s)
{
	for (unsigned i = 0; i < 3; i++) {
		char *end;
		int64_t v = strtoll(s, &end, 0);

		if (end == s || *end != (i < 2 ? ',' : '\0'))
			fail("'%s': not X,Y,Z", s);
		message_int(to, field + i, v);
		s = end + 1;
	}
}

/* pid and tid of a global id; of a thread item they are its words */
static int64_t
global_tid(const struct item *item, int64_t tid)
{
	const char *key = item->part == THREAD ? "1" : "pid";
	int64_t pid = number_at(key, PID);

	if (find(key) != NULL)
		find(key)->used = true;
	return REPORT_WRITER_VM + (pid << 24) + tid;
}

static void
add_value(const struct item *item, const struct item_field *f,
    struct message *to, const struct word *w)
{
	unsigned sync = report_writer_release(&out) < 20250100 ? 2 : 4;

	switch (f->as) {
	case NUMBER:
		message_int(to, f->number, number_of(w->p));
		break;
	case TEXT:
		message_bytes(to, f->number, w->p, w->len);
		break;
	case STRING:
		message_int(
		    to, f->number, report_writer_string(&out, w->p, w->len));
		break;
	case TEXT_OR_STRING:
		if (w->string_id)
			message_int(to, f->number + 5,
			    report_writer_string(&out, w->p, w->len));
		else
			message_bytes(to, f->number, w->p, w->len);
		break;
	case DIMENSIONS:
		add_dimensions(to, f->number, w->p);
		break;
	case GLOBAL_PID:
		message_int(
		    to, f->number, REPORT_WRITER_VM + (number_of(w->p) << 24));
		break;
	case GLOBAL_TID:
		message_int(to, f->number, global_tid(item, number_of(w->p)));
		break;
	case SYNC_TYPE:
		message_int(to, sync, number_of(w->p));
		break;
	case FRAMES:
		break;
	}
}

/* a field with what was given, or its default */
static void
add_field(
    const struct item *item, const struct item_field *f, struct message *to)
{
	struct word *w = find(f->key);
	struct word constant = {0};
	char copy[NAME];

	if (f->as == FRAMES) {
		add_frames(to, f->number);
		return;
	}
	if (w == NULL && f->otherwise != NULL && f->otherwise[0] == '=')
		w = find(f->otherwise + 1);
	if (w == NULL && f->otherwise != NULL &&
	    strcmp(f->otherwise, MUST) == 0)
		fail("'%s' lacks %s%s", item->name,
		    f->key[0] <= '9' ? "value " : "", f->key);
	if (w == NULL && f->otherwise != NULL) {
		snprintf(copy, sizeof(copy), "%s",
		    f->otherwise[0] == '=' ? "100" : f->otherwise);
		constant.p = copy;
		constant.len = strlen(copy);
		w = &constant;
	}
	if (w == NULL)
		return;
	w->used = true;
	if (w->quoted || strcmp(w->p, "-") != 0)
		add_value(item, f, to, w);
}

static void
add_part(const struct item *item, struct message *body)
{
	switch (item->part) {
	case EVENT:
		report_writer_event(&out,
		    item->type != 0 ? item->type : number_at("type", 59),
		    item->number, body);
		break;
	case THREAD:
		message_move(&out.threads, item->number, body);
		out.thread_count++;
		break;
	case DEVICES:
		message_move(&out.devices, item->number, body);
		break;
	case INFO:
		message_move(&out.info, item->number, body);
		break;
	}
}

/* fields of a message follow each other, and it stands where they begin */
static void
add_item(const struct item *item)
{
	struct message body = {0}, inner = {0};
	const struct item_field *f = item->fields;

	for (; f->key != NULL; f++) {
		add_field(item, f, f->sub != 0 ? &inner : &body);
		if (f->sub != 0 && f[1].sub != f->sub)
			message_move(&body, f->sub, &inner);
	}
	add_part(item, &body);
	message_free(&body);
	message_free(&inner);
}

/* ---- any event ---- */

static void
add_any(struct message *to, unsigned field, const struct word *w)
{
	char *end;
	double v;

	if (w->string_id)
		message_int(
		    to, field, report_writer_string(&out, w->p, w->len));
	else if (w->quoted)
		message_bytes(to, field, w->p, w->len);
	else if (w->len > 1 && strpbrk(w->p, "xX") == NULL &&
		 strchr("df", w->p[w->len - 1]) != NULL) {
		v = strtod(w->p, &end);
		if (end != w->p + w->len - 1)
			fail("'%s': not a number", w->p);
		if (*end == 'd')
			message_double(to, field, v);
		else
			message_float(to, field, (float)v);
	} else
		message_int(to, field, number_of(w->p));
}

/* FIELD or FIELD.FIELD */
static void
take_key(const char *key, unsigned long *outer, unsigned long *inner)
{
	char *end;

	*outer = strtoul(key, &end, 10);
	*inner = 0;
	if (*end == '.')
		*inner = strtoul(end + 1, &end, 10);
	if (*end != '\0' || end == key)
		fail("'%s': not a number of a field", key);
}

static void
any_event(void)
{
	struct message body = {0}, message = {0};
	unsigned long within = 0, field, inner;

	for (size_t i = 3; i <= count; i++) {
		struct word *w = &words[i];

		field = inner = 0;
		w->used = true;
		if (w->key[0] != '\0')
			take_key(w->key, &field, &inner);
		else if (i < count && strcmp(w->p, "-") != 0)
			fail("'%s' has no key", w->p);
		if (within != 0 && (inner == 0 || field != within))
			message_move(&body, (unsigned)within, &message);
		within = inner != 0 ? field : 0;
		if (w->key[0] != '\0')
			add_any(inner != 0 ? &message : &body,
			    (unsigned)(inner != 0 ? inner : field), w);
	}
	report_writer_event(&out, number(1), (unsigned)number(2), &body);
	message_free(&body);
	message_free(&message);
}

/* ---- the other items ---- */

static void
set_version(void)
{
	const struct word *w = plain(1);

	out.no_product = strcmp(w->p, "-") == 0;
	if (!out.no_product)
		report_writer_set_version(&out, w->p);
}

/* a value of the target, by its key */
static void
add_target(int64_t key, const char *text)
{
	struct message value = {0};

	message_int(&value, 1, key);
	message_text(&value, 2, text);
	message_move(&out.target, 1, &value);
	message_free(&value);
}

static void
add_environment(void)
{
	enum { KEY = 610 };
	struct message variable = {0};
	const char *key = plain(1)->p, *value = plain(2)->p;
	char *both;

	message_text(&variable, 1, key);
	message_text(&variable, 2, value);
	message_move(&out.process, 30, &variable);
	message_free(&variable);
	if (asprintf(&both, "%s=%s", key, value) < 0)
		err(1, NULL);
	add_target(KEY, both);
	free(both);
}

static void
add_command(void)
{
	for (size_t i = 1; i < count; i++)
		message_bytes(
		    &out.process, i == 1 ? 10 : 11, plain(i)->p, words[i].len);
}

static void
add_generic(void)
{
	struct message generic = {0}, packed = bytes(3);

	message_int(&generic, 1, number(1));
	message_int(&generic, 2, number(2));
	message_move(&generic, 3, &packed);
	report_writer_field(&out, 2, generic.p, generic.len);
	message_free(&generic);
	message_free(&packed);
}

static void
add_raw(void)
{
	struct message m = bytes(2);

	report_writer_field(&out, (unsigned)number(1), m.p, m.len);
	message_free(&m);
}

/* an item that is in no table; false for others */
static bool
special(const char *item)
{
	if (strcmp(item, "version") == 0)
		set_version();
	else if (strcmp(item, "os") == 0)
		add_target(605, plain(1)->p);
	else if (strcmp(item, "host") == 0)
		add_target(619, plain(1)->p);
	else if (strcmp(item, "command") == 0)
		add_command();
	else if (strcmp(item, "environment") == 0)
		add_environment();
	else if (strcmp(item, "utc") == 0)
		out.utc = number(1);
	else if (strcmp(item, "start") == 0)
		out.start = number(1);
	else if (strcmp(item, "stop") == 0)
		out.stop = number(1);
	else if (strcmp(item, "events") == 0)
		out.claimed = number(1);
	else if (strcmp(item, "no") == 0 && strcmp(plain(1)->p, "strings") == 0)
		out.no_strings = true;
	else if (strcmp(item, "string") == 0)
		report_writer_new_string(&out, plain(1)->p, words[1].len);
	else if (strcmp(item, "block") == 0)
		report_writer_end_block(&out);
	else if (strcmp(item, "metric") == 0)
		report_writer_metric(
		    &out, number(1), name(2), number(3), number(4));
	else if (strcmp(item, "generic") == 0)
		add_generic();
	else if (strcmp(item, "event") == 0)
		any_event();
	else if (strcmp(item, "raw") == 0)
		add_raw();
	else
		return false;
	return true;
}

static void
take_item(void)
{
	const struct item *item = items,
			  *end = items + sizeof(items) / sizeof(items[0]);
	const char *what = words[0].p;

	if (!special(what)) {
		while (item < end && strcmp(item->name, what) != 0)
			item++;
		if (item == end)
			fail("'%s': no such item", what);
		add_item(item);
	}
	for (size_t i = 1; i < count; i++)
		if (!words[i].used)
			fail("'%s' has no '%s'", what,
			    words[i].key[0] != '\0' ? words[i].key
						    : words[i].p);
}

int
main(int argc, char *argv[])
{
	struct message file = {0};
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;

	if (argc != 1) {
		fprintf(stderr, "usage: %s < text > file\n", argv[0]);
		return 2;
	}
	report_writer_open(&out);
	while ((n = getline(&line, &cap, stdin)) > 0) {
		line_number++;
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		split(line);
		if (count > 0)
			take_item();
	}
	free(line);
	report_writer_finish(&out, &file);
	report_writer_close(&out);
	if (fwrite(file.p, 1, file.len, stdout) != file.len ||
	    fflush(stdout) != 0)
		err(1, "<stdout>");
	message_free(&file);
	return 0;
}
