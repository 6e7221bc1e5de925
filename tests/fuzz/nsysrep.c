/*
 * nsysrep.c - a report of Nsight Systems: whatever is in it, what comes out are
 * records in order of time, with --salvage, too.
 *
 * Most inputs are no file, since its blocks are compressed: they say what is to
 * be written, and which bytes of the file to change.  An odd first byte is
 * followed by a file.  NSYSREP_FILE=FILE in the environment keeps what the
 * input becomes.
 */

#include "fuzz.h"
#include "fuzz_exit.h"
#include "fuzz_source.h"
#include "../report/report_writer.h"
#include "source.h"

/* what a message said is of no use here, nor memory that a jump leaves */
const char *__asan_default_options(void);

const char *
__asan_default_options(void)
{
	return "detect_leaks=0";
}

enum { TEXT_MAX = 24, PATCHES = 16, REPEATS = 64 };

/* bits of the first byte */
enum { WHOLE_FILE = 1, DAMAGE = 2, SALVAGE = 4, RAW_METRICS = 8 };

/* bytes of the fuzzer; zeros follow them */
struct choices {
	const uint8_t *p, *end;
};

/* events that are like one another have a tail in common */
struct made_event {
	int64_t type, at;
	unsigned number, head; /* field 1 and on, or field 2 and on */
	struct message tail;
};

static struct report_writer out;
static struct made_event last;

static uint8_t
choose(struct choices *c)
{
	return c->p < c->end ? *c->p++ : 0;
}

static unsigned
choose_of(struct choices *c, size_t n)
{
	return choose(c) % (unsigned)n;
}

/* ---- numbers ---- */

static int64_t
any_bytes(struct choices *c, unsigned n)
{
	uint64_t v = 0;

	while (n-- > 0)
		v = v << 8 | choose(c);
	return (int64_t)v;
}

/* a process or thread; few of them */
static int64_t
global_id(struct choices *c)
{
	unsigned how = choose(c);

	return REPORT_WRITER_VM + ((100 + (how & 1)) << 24) +
	       (how & 2 ? 100 + (how >> 2 & 3) : 0);
}

/* mostly what real files have, and what is at the edges */
static int64_t
any_number(struct choices *c)
{
	static const int64_t edges[] = {-1, INT64_MIN, INT64_MAX, UINT32_MAX,
	    INT32_MIN, (int64_t)1 << 53, 127, 128, 16383, 16384, UINT16_MAX,
	    (int64_t)1 << 35};
	unsigned how = choose(c);

	switch (how >> 5) {
	case 0:
	case 1:
	case 2:
		return how & 0x1f;
	case 3:
		return edges[how % (sizeof(edges) / sizeof(edges[0]))];
	case 4:
	case 5:
		return global_id(c);
	case 6:
		return any_bytes(c, 2);
	default:
		return any_bytes(c, 8);
	}
}

/* near the event before */
static int64_t
any_time(struct choices *c)
{
	unsigned how = choose(c);

	if (how == 255)
		return any_number(c);
	if (how >= 240)
		return (int8_t)choose(c) * (int64_t)1000000;
	last.at += (int8_t)how;
	return last.at;
}

/* ---- messages ---- */

static size_t
any_text(struct choices *c, char text[TEXT_MAX])
{
	size_t n = choose_of(c, TEXT_MAX);

	for (size_t i = 0; i < n; i++)
		text[i] = (char)choose(c);
	return n;
}

/* a field; wire types that no field has are for patches to make */
static void
any_field(struct choices *c, struct message *to, unsigned field, int depth)
{
	struct message inner = {0};
	char text[TEXT_MAX];
	unsigned how = choose(c);

	if (how < 160)
		message_int(to, field, any_number(c));
	else if (how < 200)
		message_bytes(to, field, text, any_text(c, text));
	else if (how < 210)
		message_double(to, field, (double)any_number(c));
	else if (how < 220)
		message_float(to, field, (float)any_number(c));
	else if (depth > 0) {
		for (unsigned n = how % 8; n > 0; n--)
			any_field(c, &inner, 1 + choose_of(c, 40), depth - 1);
		message_move(to, field, &inner);
		message_free(&inner);
	}
}

/* fields with these numbers, each left out now and then */
static void
these_fields(struct choices *c, struct message *to, const uint8_t *numbers)
{
	for (; *numbers != 0; numbers++) {
		unsigned how = choose(c);

		if (how < 200)
			message_int(to, *numbers, any_number(c));
		else if (how < 230)
			any_field(c, to, *numbers, 1);
	}
}

/* ---- events ---- */

/* events that are read: their numbers, and fields behind the head */
static const struct event_sort {
	uint8_t type, number;
	int8_t event_class; /* of field 6; -1: another */
	uint8_t sub;        /* a message in it, or 0 */
	uint8_t fields[12], sub_fields[16];
} sorts[] = {
    {79, 107, -1, 101, {4, 5, 6, 7, 8, 9},
	{1, 2, 3, 10, 11, 12, 13, 14, 15, 16, 17, 20, 21, 27, 31}},
    {80, 107, -1, 102, {4, 5, 6, 7, 8}, {1, 2, 4, 5, 10, 12, 16}},
    {80, 107, -1, 103, {4, 5, 6, 7, 8}, {1, 2, 4}},
    {106, 107, -1, 105, {4, 5, 6, 7, 8}, {1, 2, 3, 4}},
    {127, 107, -1, 106, {4, 5, 6, 7, 8}, {1, 2}},
    {130, 107, -1, 107, {4, 5, 6, 7, 8}, {1, 2}},
    {48, 108, 0, 15, {7, 8, 13}, {1, 2, 4, 5, 6, 8}},
    {48, 108, 1, 0, {7, 8, 13}, {0}},
    {48, 108, 3, 0, {7, 8, 13}, {0}},
    {48, 108, 103, 0, {7, 8, 13}, {0}},
    {48, 108, 27, 15, {7, 8, 13, 20}, {1, 2, 6, 8}},
    {47, 108, 31, 0, {7, 8, 13}, {0}},
    {48, 108, 32, 0, {7, 8, 13}, {0}},
    {113, 108, 77, 33, {7, 13}, {1, 2}},
    {131, 108, 94, 37, {7, 13}, {1, 2}},
    {132, 108, 95, 38, {7, 13}, {1}},
    {41, 106, -1, 0, {3, 4, 5, 6}, {0}},
    {31, 104, -1, 4, {3, 6, 11, 12}, {1, 2, 4}},
    {27, 113, -1, 0, {2, 5, 6}, {0}},
    {49, 110, -1, 1, {2, 3, 4, 5}, {1, 2}},
    {28, 109, -1, 0, {1, 2}, {0}},
    {59, 102, -1, 8, {4, 5, 6, 7, 9, 10, 12, 13}, {1, 2, 3, 4, 5, 6, 7, 8}},
    {60, 102, -1, 0, {4, 6, 7, 9, 10, 11, 12, 13}, {0}},
    {34, 102, -1, 0, {5, 7, 9, 13}, {0}},
    {75, 102, -1, 0, {7, 9, 13}, {0}},
    {33, 102, -1, 0, {5, 7, 9, 13}, {0}},
};

static void
add_event(struct choices *c)
{
	struct message body = {0};
	unsigned how = choose(c);

	if (last.head == 2)
		message_int(&body, 1, how < 250 ? last.type : choose(c));
	for (unsigned i = 0; i < (how % 8 == 7 ? how % 3 : 3); i++)
		if (last.head == 1 || i < 1)
			message_int(&body, last.head + i,
			    i < 2 ? any_time(c) : any_number(c));
	message_raw(&body, last.tail.p, last.tail.len);
	report_writer_event(&out, last.type, last.number, &body);
	message_free(&body);
}

/* the text of an NVTX event, of a process or a diagnostic */
static void
add_text(struct choices *c, const struct event_sort *sort)
{
	char text[TEXT_MAX];

	if (sort->number == 102 || sort->number >= 110)
		message_bytes(&last.tail, sort->number == 102 ? 7 : 6, text,
		    any_text(c, text));
}

static void
new_event(struct choices *c)
{
	const struct event_sort *sort =
	    &sorts[choose_of(c, sizeof(sorts) / sizeof(sorts[0]))];
	struct message inner = {0};

	last.type = sort->type;
	last.number = sort->number;
	last.head = sort->number == 102 ? 2 : 1;
	last.tail.len = 0;
	if (sort->event_class >= 0)
		message_int(&last.tail, 6, sort->event_class);
	these_fields(c, &last.tail, sort->fields);
	for (unsigned n = 1 + (choose(c) == 255 ? choose_of(c, 9) : 0);
	     sort->sub != 0 && n > 0; n--) {
		these_fields(c, &inner, sort->sub_fields);
		message_move(&last.tail, sort->sub, &inner);
	}
	if (choose(c) & 1)
		add_text(c, sort);
	message_free(&inner);
	add_event(c);
}

/* any event, with any fields */
static void
odd_event(struct choices *c)
{
	last.type = choose(c) & 1 ? choose(c) : any_number(c);
	last.number = 100 + choose_of(c, 16);
	last.head = 1 + choose_of(c, 2);
	last.tail.len = 0;
	for (unsigned n = choose_of(c, 32); n > 0; n--)
		any_field(c, &last.tail, 1 + choose_of(c, 48), 2);
	add_event(c);
}

/* the event before, but for its head; perhaps with other bytes in its tail */
static void
same_events(struct choices *c)
{
	if (last.number == 0)
		return;
	if (choose(c) & 1 && last.tail.len > 0)
		last.tail.p[any_bytes(c, 1) % last.tail.len] = (char)choose(c);
	for (unsigned n = choose_of(c, REPEATS); n > 0; n--)
		add_event(c);
}

/* ---- the rest of a file ---- */

static void
definition(struct choices *c)
{
	static const uint8_t thread[] = {2, 3, 4, 0},
			     device[] = {1, 2, 3, 6, 0},
			     context[] = {1, 2, 3, 4, 5, 6, 7, 0},
			     gpu[] = {1, 11, 14, 15, 41, 42, 0};
	struct message m = {0};
	char text[TEXT_MAX];

	switch (choose_of(c, 7)) {
	case 0:
		these_fields(c, &m, thread);
		message_move(&out.threads, 1, &m);
		out.thread_count++;
		break;
	case 1:
		these_fields(c, &m, device);
		message_move(&out.devices, 9, &m);
		break;
	case 2:
		these_fields(c, &m, gpu);
		message_bytes(&m, 2 + choose_of(c, 6), text, any_text(c, text));
		message_move(&out.devices, 7, &m);
		break;
	case 3:
		these_fields(c, &m, context);
		message_move(&out.info, 14, &m);
		break;
	case 4:
		these_fields(c, &m, context);
		message_move(&out.info, 15, &m);
		break;
	case 5:
		message_int(&m, 1, choose(c) & 1 ? 605 : 619);
		message_bytes(&m, 2, text, any_text(c, text));
		message_move(&out.target, 1, &m);
		break;
	default:
		message_bytes(&out.process, 10 + choose_of(c, 2), text,
		    any_text(c, text));
		break;
	}
	message_free(&m);
}

/* samples of GPU metrics, and where their numbers are */
static void
generic(struct choices *c)
{
	int64_t type = REPORT_WRITER_METRICS | choose_of(c, 2);
	struct message m = {0};
	char text[TEXT_MAX];

	if (choose(c) % 4 == 0)
		report_writer_metric(&out, type, choose_of(c, 16),
		    any_number(c), choose_of(c, 10));
	message_int(&m, 1, choose(c) % 16 == 0 ? any_number(c) : type);
	message_int(&m, 2, any_time(c));
	message_bytes(&m, 3, text, any_text(c, text));
	report_writer_field(&out, 2, m.p, m.len);
	message_free(&m);
}

static void
settings(struct choices *c)
{
	static const char *const versions[] = {"2026.1.1.204", "2025.5.2",
	    "2025.1.1", "2024.5.1", "2022.4.1", "2021.2.1", "2020.3.4",
	    "2026.2.1"};
	unsigned how = choose(c);

	report_writer_set_version(&out, versions[how % 8]);
	out.no_product = how & 8;
	out.utc = how & 16 ? any_number(c) : 0;
	out.no_strings = (how & 0xe0) == 0xe0;
	out.claimed = (how & 0xe0) == 0xc0 ? choose(c) : -1;
	out.stop = (how & 0xe0) == 0xa0 ? any_number(c) : 0;
}

static void
step(struct choices *c)
{
	char text[TEXT_MAX];
	unsigned how = choose(c);

	if (how < 110)
		new_event(c);
	else if (how < 170)
		same_events(c);
	else if (how < 190)
		odd_event(c);
	else if (how < 200)
		report_writer_field(&out, 1 + how % 3, text, any_text(c, text));
	else if (how < 215)
		report_writer_end_block(&out);
	else if (how < 230)
		report_writer_string(&out, text, any_text(c, text));
	else if (how < 245)
		definition(c);
	else
		generic(c);
}

/* a few bytes are changed, counted from the end, where most sections are */
static void
patch(struct choices *c, struct message *file)
{
	for (unsigned n = choose_of(c, PATCHES); n > 0; n--) {
		uint64_t at = (uint64_t)any_bytes(c, 2);

		file->p[file->len - 1 - at % file->len] = (char)choose(c);
	}
	if (choose(c) == 255)
		file->len -= (uint64_t)any_bytes(c, 2) % file->len;
}

static void
make_report(struct message *file, const uint8_t *data, size_t size)
{
	struct choices c = {data, data + size};
	bool damage = choose(&c) & DAMAGE;
	/* what is to be changed stands in front: it is never cut off */
	struct choices damages = {c.p, c.p + (damage && size > 64 ? 64 : 0)};

	if (damage)
		c.p = damages.end;
	report_writer_open(&out);
	settings(&c);
	while (c.p < c.end)
		step(&c);
	report_writer_finish(&out, file);
	report_writer_close(&out);
	if (damage)
		patch(&damages, file);
}

/* ---- the property ---- */

/* what SQLite keeps of a connection that a jump left */
static sqlite3 *left;

static int
opened(
    sqlite3 *db, const char **message, const struct sqlite3_api_routines *api)
{
	(void)message;
	(void)api;
	left = db;
	return SQLITE_OK;
}

static void
close_left(void)
{
	sqlite3_stmt *st;

	if (left == NULL)
		return;
	while ((st = sqlite3_next_stmt(left, NULL)) != NULL)
		sqlite3_finalize(st);
	sqlite3_close(left);
	left = NULL;
}

static void
keep(const void *p, size_t size)
{
	const char *name = getenv("NSYSREP_FILE");
	FILE *to = name != NULL ? fopen(name, "w") : NULL;

	if (to == NULL)
		return;
	fwrite(p, 1, size, to);
	fclose(to);
}

static void
read_report(unsigned how, const void *p, size_t size)
{
	keep(p, size);
	fuzz_settings.salvage = how & SALVAGE;
	fuzz_settings.raw_metrics = how & RAW_METRICS;
	if (!fuzz_source(&nsysrep_source, p, size, NULL))
		close_left();
	left = NULL;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct message file = {0};

	if (size < 2)
		return 0;
	sqlite3_auto_extension((void (*)(void))opened);
	last.number = 0;
	last.at = 1000;
	if (data[0] & WHOLE_FILE)
		read_report(data[0], data + 1, size - 1);
	else {
		make_report(&file, data, size);
		read_report(data[0], file.p, file.len);
	}
	message_free(&file);
	return 0;
}
