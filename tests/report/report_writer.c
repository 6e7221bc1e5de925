/* report_writer.c - writes reports of Nsight Systems for tests */

#include <err.h>
#include <inttypes.h>
#include <lz4.h>
#include <stdlib.h>
#include <string.h>

#include "report_writer.h"

#define MAGIC "NVIDIA Tegra Profiler Report "
#define START "QDTEXT00"
#define END "U3w[END]"
#define DEVICE "Local (CLI)"

/* versions with another layout */
enum { VERSION_IN_MAGIC = 20230303, CLOCKS_BY_UUID = 20260000 };

/* ---- what is added ---- */

void
report_writer_open(struct report_writer *w)
{
	*w = (struct report_writer){.claimed = -1, .start = 1000};
	report_writer_set_version(w, "2026.1.1.204");
	report_writer_string(w, "[Unknown]", 9);
}

void
report_writer_close(struct report_writer *w)
{
	for (size_t i = 0; i < w->string_count; i++)
		free(w->strings[i].p);
	for (size_t i = 0; i < w->metric_count; i++)
		message_free(&w->metrics[i].places);
	free(w->strings);
	free(w->metrics);
	message_free(&w->target);
	message_free(&w->process);
	message_free(&w->devices);
	message_free(&w->info);
	message_free(&w->threads);
	message_free(&w->packed);
	message_free(&w->block);
}

void
report_writer_set_version(struct report_writer *w, const char *version)
{
	snprintf(w->version, sizeof(w->version), "%s", version);
}

int
report_writer_release(const struct report_writer *w)
{
	const char *p = w->version;
	long release = 0;

	for (int i = 0; i < 3; i++) {
		char *end;
		long part = strtol(p, &end, 10);

		release = release * 100 + (i > 0 ? part % 100 : part);
		p = *end == '.' ? end + 1 : end;
	}
	return (int)release;
}

/* room for one more, of all[*count] */
static void *
grown(void *all, size_t count, size_t *cap, size_t size)
{
	if (count < *cap)
		return all;
	*cap = *cap * 2 + 8;
	all = reallocarray(all, *cap, size);
	if (all == NULL)
		err(1, NULL);
	return all;
}

int64_t
report_writer_new_string(struct report_writer *w, const void *p, size_t n)
{
	struct report_writer_string *s;

	w->strings = grown(
	    w->strings, w->string_count, &w->string_cap, sizeof(*w->strings));
	s = &w->strings[w->string_count];
	s->len = n;
	s->p = malloc(n + 1);
	if (s->p == NULL)
		err(1, NULL);
	if (n > 0)
		memcpy(s->p, p, n);
	return (int64_t)w->string_count++;
}

int64_t
report_writer_string(struct report_writer *w, const void *p, size_t n)
{
	for (size_t i = 0; i < w->string_count; i++)
		if (w->strings[i].len == n &&
		    (n == 0 || memcmp(w->strings[i].p, p, n) == 0))
			return (int64_t)i;
	return report_writer_new_string(w, p, n);
}

void
report_writer_metric(struct report_writer *w, int64_t type, int64_t name,
    int64_t offset, int64_t size)
{
	struct message place = {0};
	size_t i = 0;

	while (i < w->metric_count && w->metrics[i].type != type)
		i++;
	if (i == w->metric_count) {
		w->metrics = grown(w->metrics, w->metric_count, &w->metric_cap,
		    sizeof(*w->metrics));
		w->metrics[w->metric_count++] =
		    (struct report_writer_metrics){.type = type};
	}
	message_int(&place, 1, name);
	message_int(&place, 2, offset);
	message_int(&place, 3, size);
	message_move(&w->metrics[i].places, 3, &place);
	message_free(&place);
}

/* ---- blocks ---- */

/* LZ4 of the size of a message and the message, which is emptied */
static void
add_block(struct message *to, struct message *from)
{
	struct message raw = {0};
	char *packed;
	int n;

	message_varint(&raw, from->len);
	message_raw(&raw, from->p, from->len);
	n = LZ4_compressBound((int)raw.len);
	packed = malloc((size_t)n);
	if (packed == NULL)
		err(1, NULL);
	n = LZ4_compress_default(raw.p, packed, (int)raw.len, n);
	message_varint(to, (uint64_t)n);
	message_varint(to, raw.len);
	message_raw(to, packed, (size_t)n);
	free(packed);
	message_free(&raw);
	from->len = 0;
}

void
report_writer_end_block(struct report_writer *w)
{
	if (w->in_block > 0)
		add_block(&w->packed, &w->block);
	w->in_block = 0;
}

void
report_writer_field(
    struct report_writer *w, unsigned number, const void *p, size_t n)
{
	message_bytes(&w->block, number, p, n);
	w->events += number == 1;
	w->generics += number == 2;
	if (++w->in_block == REPORT_WRITER_EVENTS)
		report_writer_end_block(w);
}

void
report_writer_event(struct report_writer *w, int64_t type, unsigned number,
    struct message *body)
{
	struct message event = {0};

	message_int(&event, 1, type);
	message_move(&event, number, body);
	report_writer_field(w, 1, event.p, event.len);
	message_free(&event);
}

/* ---- clocks ---- */

/* the clock of kind 1 began some time before the session */
enum { BEFORE = 777 };

static void
add_offset(struct message *to, int a, int b, int64_t offset)
{
	struct message pair = {0};
	char digits[32];

	message_int(&pair, 1, a);
	message_int(&pair, 2, b);
	snprintf(digits, sizeof(digits), "%" PRIu64, (uint64_t)offset);
	message_text(&pair, 5, digits);
	message_text(&pair, 6, "Offset");
	message_move(to, 1, &pair);
	message_free(&pair);
}

/* clock a is clock b and an offset */
static void
add_offsets(struct message *head, int64_t utc)
{
	struct message pairs = {0};

	add_offset(&pairs, 9, 10, 0);
	add_offset(&pairs, 7, 1, -BEFORE);
	add_offset(&pairs, 1, 3, 0);
	add_offset(&pairs, 3, 9, (int64_t)(BEFORE - (uint64_t)utc));
	message_move(head, 16, &pairs);
	message_free(&pairs);
}

/* the id of a clock is a UUID */
static void
add_uuid(struct message *to, unsigned field, int kind)
{
	char uuid[16] = {0};

	uuid[15] = (char)kind;
	message_bytes(to, field, uuid, sizeof(uuid));
}

static void
add_moment(struct message *to, int a, int b, int64_t at_a, int64_t at_b)
{
	struct message pair = {0}, both = {0}, relation = {0};

	message_int(&both, 1, at_a);
	message_int(&both, 2, at_b);
	message_move(&relation, 1, &both);
	message_double(&relation, 2, 1);
	add_uuid(&pair, 1, a);
	add_uuid(&pair, 2, b);
	message_move(&pair, 3, &relation);
	message_move(to, 1, &pair);
	message_free(&pair);
	message_free(&both);
	message_free(&relation);
}

/* the clocks by their ids, and moments in two of them */
static void
make_clocks(struct message *to, int64_t utc)
{
	enum { SYSTEM = 7, UTC = 11, SESSION = 14, BOOT = 15 };
	static const int kinds[] = {UTC, SYSTEM, BOOT, SESSION};
	struct message clocks = {0}, pairs = {0}, one = {0};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		add_uuid(&one, 1, kinds[i]);
		message_int(&one, 2, kinds[i]);
		message_move(&clocks, 1, &one);
	}
	message_move(to, 1, &clocks);
	add_moment(&pairs, UTC, SYSTEM, (int64_t)((uint64_t)utc - 500), BEFORE);
	add_moment(&pairs, BOOT, SESSION, BEFORE + 500, 0);
	message_move(to, 2, &pairs);
	message_free(&clocks);
	message_free(&pairs);
	message_free(&one);
}

/* ---- messages of the file ---- */

/* a message behind its size */
static void
add_sized(struct message *file, struct message *m)
{
	message_varint(file, m->len);
	message_raw(file, m->p, m->len);
	m->len = 0;
}

static void
add_head(struct report_writer *w, struct message *file)
{
	struct message head = {0}, part = {0};

	message_text(&part, 1, DEVICE);
	message_bytes(&part, 2, w->target.p, w->target.len);
	message_int(&part, 3, REPORT_WRITER_VM);
	message_move(&head, 1, &part);
	message_text(&part, 1, DEVICE);
	if (w->process.len > 0)
		message_bytes(&part, 26, w->process.p, w->process.len);
	message_move(&head, 2, &part);
	if (w->utc != 0 && report_writer_release(w) < CLOCKS_BY_UUID)
		add_offsets(&head, w->utc);
	message_int(&head, 17, w->start);
	if (w->stop != 0)
		message_int(&head, 18, w->stop);
	add_sized(file, &head);
	message_free(&head);
	message_free(&part);
}

/* the types of generic events, and where their numbers are */
static void
add_metrics(struct report_writer *w, struct message *header)
{
	struct message part = {0};

	if (w->metric_count == 0)
		return;
	message_int(&part, 1, REPORT_WRITER_METRICS);
	message_int(&part, 3, report_writer_string(w, "GpuMetrics", 10));
	message_move(header, 13, &part);
	for (size_t i = 0; i < w->metric_count; i++) {
		message_int(&part, 1, w->metrics[i].type);
		message_int(
		    &part, 2, report_writer_string(w, "GPU Metrics", 11));
		message_raw(
		    &part, w->metrics[i].places.p, w->metrics[i].places.len);
		message_move(header, 14, &part);
	}
	message_free(&part);
}

static void
add_header(struct report_writer *w, struct message *file)
{
	struct message header = {0}, metrics = {0};

	add_metrics(w, &metrics);
	message_int(&header, 1, w->claimed >= 0 ? w->claimed : w->events);
	message_int(&header, 3, w->no_strings ? 0 : (int64_t)w->string_count);
	if (w->thread_count > 0)
		message_int(&header, 5, w->thread_count);
	message_text(&header, 9, "lz4");
	message_int(&header, 10, 1);
	message_int(&header, 12, 1);
	message_raw(&header, metrics.p, metrics.len);
	message_int(&header, 15, w->claimed >= 0 ? 0 : w->generics);
	add_sized(file, &header);
	message_free(&header);
	message_free(&metrics);
}

static void
add_strings(struct report_writer *w, struct message *file)
{
	struct message strings = {0};

	if (w->no_strings)
		return;
	for (size_t i = 0; i < w->string_count; i++)
		message_bytes(&strings, 1, w->strings[i].p, w->strings[i].len);
	add_block(file, &strings);
	message_free(&strings);
}

static void
add_info(struct report_writer *w, struct message *file)
{
	struct message info = {0}, machine = {0};

	message_int(&machine, 1, REPORT_WRITER_VM);
	message_bytes(&machine, 2, w->devices.p, w->devices.len);
	message_move(&info, 1, &machine);
	message_int(&info, 10, 3);
	message_raw(&info, w->info.p, w->info.len);
	add_sized(file, &info);
	message_free(&info);
	message_free(&machine);
}

/* ---- sections ---- */

/* the section from byte `at` of the file to its end, in the index */
static void
end_section(struct message *index, const char *name, const struct message *file,
    size_t at)
{
	struct message entry = {0};

	message_text(&entry, 1, name);
	message_int(&entry, 2, (int64_t)at);
	if (file->len > at)
		message_int(&entry, 3, (int64_t)(file->len - at));
	message_move(index, 1, &entry);
	message_free(&entry);
}

/* a section that is one message, which is emptied */
static void
add_section(struct message *file, struct message *index, const char *name,
    struct message *m)
{
	size_t at = file->len;

	message_raw(file, m->p, m->len);
	m->len = 0;
	end_section(index, name, file, at);
}

/* later versions have it in the magic, with "@" for dots */
static void
add_magic(const struct report_writer *w, struct message *file)
{
	message_raw(file, MAGIC, strlen(MAGIC));
	if (report_writer_release(w) < VERSION_IN_MAGIC) {
		message_raw(file, "1.", 2);
		return;
	}
	for (const char *p = w->version; *p != '\0'; p++)
		message_raw(file, *p == '.' ? "@" : p, 1);
	message_raw(file, "-0v0.", 5);
}

/* the section with the events; returns where its strings are */
static size_t
add_events(struct report_writer *w, struct message *file, struct message *index)
{
	size_t at = file->len, strings;

	message_raw(file, START, strlen(START));
	add_head(w, file);
	add_header(w, file);
	report_writer_end_block(w);
	message_raw(file, w->packed.p, w->packed.len);
	strings = file->len - at - strlen(START);
	add_strings(w, file);
	if (w->thread_count > 0)
		add_sized(file, &w->threads);
	add_info(w, file);
	end_section(index, "Raw Sampling Data", file, at);
	return strings;
}

static void
add_product(const struct report_writer *w, struct message *part)
{
	char version[sizeof(w->version) + 8];

	snprintf(version, sizeof(version), "%s-0v0", w->version);
	message_text(part, 2, "00000000-0000-0000-0000-000000000000");
	message_text(part, 4, "2026-01-25T10:26:41");
	message_text(part, 5, "localhost");
	message_text(part, 6, version);
}

/* offset of the index, and the end */
static void
add_footer(struct message *file, struct message *index)
{
	uint64_t at = file->len;

	message_raw(file, index->p, index->len);
	for (int i = 0; i < 8; i++, at >>= 8)
		message_raw(file, &(unsigned char){at & 0xff}, 1);
	message_raw(file, END, strlen(END));
}

void
report_writer_finish(struct report_writer *w, struct message *file)
{
	struct message index = {0}, part = {0};
	size_t strings;

	add_magic(w, file);
	message_text(&part, 1, DEVICE);
	add_section(file, &index, "Analysis Options Data", &part);
	strings = add_events(w, file, &index);
	message_text(&part, 1, "lz4");
	message_int(&part, 2, (int64_t)strings);
	add_section(file, &index, "Sampling Data Offsets", &part);
	if (!w->no_product) {
		add_product(w, &part);
		add_section(file, &index, "UI Data", &part);
	}
	if (w->utc != 0 && report_writer_release(w) >= CLOCKS_BY_UUID) {
		make_clocks(&part, w->utc);
		add_section(file, &index, "Time Conversion Data", &part);
	}
	add_footer(file, &index);
	message_free(&part);
	message_free(&index);
}
