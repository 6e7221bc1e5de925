/* nsysrep.c - a report of Nsight Systems: sections, messages, blocks */

#include <err.h>
#include <inttypes.h>
#include <lz4.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fetch.h"
#include "read/proto_reader.h"
#include "nsysrep.h"
#include "tq/base/array.h"

/*
 * report = magic [version] section ... index footer
 * index = (field 1: {1 name, 2 offset, 3 size}) ...
 * footer = offset of the index: 8 bytes, "U3w[END]"
 *
 * events = "QDTEXT00" sized(head) sized(header) block ... strings
 * strings = block ... [sized(threads)] sized(info)
 * block = packed size, size: varints, LZ4 of sized(message)
 * sized(m) = bytes of m: a varint, m
 */

#define MAGIC "NVIDIA Tegra Profiler Report "
#define START "QDTEXT00"
#define END "U3w[END]"

enum {
	FOOTER = 16,
	VARINT_MAX = 10,
	START_WITHIN = 16 << 20, /* of a cut report */
};

static const char events_section[] = "Raw Sampling Data",
		  offsets_section[] = "Sampling Data Offsets",
		  product_section[] = "UI Data",
		  clocks_section[] = "Time Conversion Data";

/* bytes of the file, by their offsets */
struct extent {
	int64_t at, end;
};

void
nsysrep_damaged(const struct nsysrep *r, const char *fmt, ...)
{
	struct text what = {0};
	va_list ap;
	char *s;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		errx(1, "out of memory");
	va_end(ap);
	text_add_visible(&what, span_of(s), "");
	errx(1, "%s: a damaged report: %.*s%s", r->name, (int)what.len, what.p,
	    r->salvage ? "" : "; --salvage reads what it can");
}

bool
nsysrep_detect(struct span head)
{
	return span_begins(head, SPAN(MAGIC));
}

/* ---- bytes of the file ---- */

/* up to n bytes; returns how many there are */
static size_t
read_some(const struct nsysrep *r, int64_t at, void *to, size_t n)
{
	char *p = to;
	size_t done = 0;

	while (done < n) {
		ssize_t got =
		    pread(r->fd, p + done, n - done, at + (int64_t)done);

		if (got < 0)
			err(1, "%s", r->name);
		if (got == 0)
			break;
		done += (size_t)got;
	}
	return done;
}

static void
read_all(const struct nsysrep *r, int64_t at, void *to, size_t n)
{
	if (read_some(r, at, to, n) != n)
		errx(1, "%s: was cut while it was read", r->name);
}

/* a copy of an extent, which lies within the file */
static void
read_extent(const struct nsysrep *r, struct extent e, struct text *to)
{
	size_t n = (size_t)(e.end - e.at);
	char *p;

	to->len = 0;
	p = text_reserve(to, n + REPORT_SLACK);
	read_all(r, e.at, p, n);
	memset(p + n, 0, REPORT_SLACK);
	to->len = n;
}

/* a varint of the file, and go behind it; false where it does not end */
static bool
read_varint(const struct nsysrep *r, struct extent *e, uint64_t *v)
{
	char bytes[VARINT_MAX];
	size_t n = (size_t)(e->end - e->at);
	struct proto_reader p;
	bool ok;

	n = read_some(r, e->at, bytes, n < VARINT_MAX ? n : VARINT_MAX);
	p = proto_reader((struct span){bytes, n});
	ok = proto_reader_varint(&p, v);
	if (ok)
		e->at += (const char *)p.p - bytes;
	return ok;
}

/* the extent of a message that follows its size; false where it is cut */
static bool
take_sized(const struct nsysrep *r, struct extent *e, struct extent *message)
{
	uint64_t n;

	if (!read_varint(r, e, &n) || n > (uint64_t)(e->end - e->at))
		return false;
	*message = (struct extent){e->at, e->at + (int64_t)n};
	e->at = message->end;
	return true;
}

/* true if all of it is fields */
static bool
is_message(struct span bytes)
{
	struct proto_reader p = proto_reader(bytes);
	struct proto_field f;

	while (proto_reader_next(&p, &f))
		;
	return !p.broken;
}

/* false where it is cut, or no message */
static bool
read_sized(const struct nsysrep *r, struct extent *e, struct text *to)
{
	struct extent message;

	if (!take_sized(r, e, &message))
		return false;
	read_extent(r, message, to);
	return is_message(text_span(to));
}

/* ---- the index ---- */

/* the extent of the index; false where the file has no footer */
static bool
read_footer(const struct nsysrep *r, struct extent *index)
{
	unsigned char footer[FOOTER];
	uint64_t at = 0;

	if (r->size < FOOTER)
		return false;
	read_all(r, r->size - FOOTER, footer, FOOTER);
	if (memcmp(footer + 8, END, 8) != 0)
		return false;
	for (int i = 8; i-- > 0;)
		at = at << 8 | footer[i];
	index->end = r->size - FOOTER;
	index->at = at < (uint64_t)index->end ? (int64_t)at : index->end;
	return true;
}

/* the extent of a section; none where the index lacks it, or lies */
static struct extent
find_section(const struct nsysrep *r, struct span index, const char *name)
{
	struct proto_reader p = proto_reader(index);
	struct extent e = {0};
	struct proto_field f;

	while (proto_reader_next(&p, &f)) {
		uint64_t at, size;

		if (f.number != 1 || f.bytes.p == NULL ||
		    !span_eq(proto_reader_bytes(f.bytes, 1), span_of(name)))
			continue;
		at = (uint64_t)proto_reader_int(f.bytes, 2);
		size = (uint64_t)proto_reader_int(f.bytes, 3);
		if (at <= (uint64_t)r->size && size <= (uint64_t)r->size - at)
			e = (struct extent){(int64_t)at, (int64_t)(at + size)};
	}
	return e;
}

static bool
is_empty(struct extent e)
{
	return e.at == e.end;
}

/* ---- the version ---- */

/* digits up to a dot become a part of the release */
static int
release_of(struct span version)
{
	int parts[3] = {0}, n = 0;
	size_t i = 0;

	for (; n < 3 && i < version.len; n++, i++)
		for (; i < version.len && version.p[i] >= '0' &&
		       version.p[i] <= '9' && parts[n] < 10000;
		     i++)
			parts[n] = parts[n] * 10 + version.p[i] - '0';
	return REPORT_RELEASE(parts[0], parts[1] % 100, parts[2] % 100);
}

/* what there is up to a dash */
static void
set_version(struct nsysrep *r, struct span version)
{
	const char *dash = memchr(version.p, '-', version.len);

	if (dash != NULL)
		version.len = (size_t)(dash - version.p);
	r->version.len = 0;
	text_add_visible(&r->version, version, "");
	r->release = release_of(text_span(&r->version));
}

/*
 * From 2023.3.3 on the version is a part of the magic, with "@" for dots:
 * "2026@1@1@204-261137176666v0."; before, "1." is there.
 */
static void
read_magic_version(struct nsysrep *r)
{
	char bytes[64];
	size_t n = read_some(r, (int64_t)strlen(MAGIC), bytes, sizeof(bytes));
	size_t len = 0;

	while (len < n && (bytes[len] == '@' || bytes[len] == '-' ||
			      (bytes[len] >= '0' && bytes[len] <= '9')))
		len++;
	for (size_t i = 0; i < len; i++)
		if (bytes[i] == '@')
			bytes[i] = '.';
	if (memchr(bytes, '.', len) != NULL)
		set_version(r, (struct span){bytes, len});
	else if (!(n > 1 && bytes[0] == '1' && bytes[1] == '.'))
		errx(1,
		    "%s: its container is not known, perhaps of a newer nsys: "
		    "--via-nsys has nsys export it",
		    r->name);
}

/* ---- blocks ---- */

/* the next block of an extent; NULL, or why it is none */
static const char *
next_block(const struct nsysrep *r, struct extent *e, struct report_block *b)
{
	uint64_t packed, size;

	if (!read_varint(r, e, &packed) || !read_varint(r, e, &size))
		return "a block without its sizes";
	if (packed > (uint64_t)(e->end - e->at))
		return "a block that ends behind the section";
	/* LZ4 makes 255 bytes of one at most */
	if (size > 255 * packed + 64 || size > REPORT_BLOCK_MAX ||
	    packed > INT32_MAX)
		return "a block with an impossible size";
	*b = (struct report_block){
	    .at = e->at, .packed = (uint32_t)packed, .size = (uint32_t)size};
	e->at += (int64_t)packed;
	return NULL;
}

/* blocks up to the end; NULL, or why they end before it */
static const char *
find_blocks(struct nsysrep *r, struct extent *e)
{
	const char *why = NULL;

	while (why == NULL && e->at < e->end) {
		struct extent next = *e;
		struct report_block b;

		why = next_block(r, &next, &b);
		if (why != NULL)
			break;
		*array_add(&r->blocks, &r->count, &r->cap) = b;
		*e = next;
	}
	return why;
}

/* the bytes of a block; NULL, or why there are none */
static const char *
unpack(struct nsysrep *r, const struct report_block *b, struct text *to,
    struct span *message)
{
	struct proto_reader p;
	uint64_t n;
	char *out;

	if (r->room < b->packed) {
		r->room = b->packed;
		r->packed = mem_resize(r->packed, r->room, 1);
	}
	to->len = 0;
	out = text_reserve(to, (size_t)b->size + REPORT_SLACK);
	read_all(r, b->at, r->packed, b->packed);
	if (LZ4_decompress_safe(r->packed, out, (int)b->packed, (int)b->size) !=
	    (int)b->size)
		return "LZ4 cannot unpack it";
	to->len = b->size;
	memset(out + b->size, 0, REPORT_SLACK);
	p = proto_reader(text_span(to));
	if (!proto_reader_varint(&p, &n) || n != (uint64_t)(p.end - p.p))
		return "it is no message";
	*message = (struct span){(const char *)p.p, n};
	return NULL;
}

bool
nsysrep_unpack(struct nsysrep *r, size_t i, struct text *to,
    struct span *message, const char **why)
{
	*why = unpack(r, &r->blocks[i], to, message);
	return *why == NULL;
}

/* ---- strings ---- */

/* the strings of a block; their number, with those before it, is returned */
static int64_t
block_strings(struct nsysrep *r, struct span message, int64_t id,
    void (*string)(void *arg, int64_t id, struct span s), void *arg)
{
	struct proto_reader p = proto_reader(message);
	struct proto_field f;

	while (proto_reader_next(&p, &f))
		if (f.number == 1 && f.bytes.p != NULL)
			string(arg, id++, f.bytes);
	if (p.broken)
		nsysrep_damaged(r, "its strings are no message");
	return id;
}

int64_t
nsysrep_strings(struct nsysrep *r,
    void (*string)(void *arg, int64_t id, struct span s), void *arg)
{
	struct extent e = {r->strings_at, r->size};
	struct text bytes = {0};
	struct span message;
	int64_t id = 0;

	while (r->strings_at > 0 && id < r->strings) {
		int64_t before = id;
		struct report_block b;
		const char *why = next_block(r, &e, &b);

		if (why == NULL)
			why = unpack(r, &b, &bytes, &message);
		if (why != NULL)
			nsysrep_damaged(r, "%s, among its strings", why);
		id = block_strings(r, message, id, string, arg);
		if (id == before)
			break;
	}
	text_free(&bytes);
	return id;
}

/* go behind the blocks of strings; false where they are cut */
static bool
skip_strings(struct nsysrep *r, struct extent *e)
{
	struct text bytes = {0};
	int64_t left = r->strings;
	bool ok = true;

	while (ok && left > 0) {
		int64_t before = left;
		struct report_block b;
		struct proto_reader p;
		struct proto_field f;
		struct span message;

		ok = next_block(r, e, &b) == NULL &&
		     unpack(r, &b, &bytes, &message) == NULL;
		if (!ok)
			break;
		p = proto_reader(message);
		while (proto_reader_next(&p, &f))
			left -= f.number == 1 && f.bytes.p != NULL;
		ok = !p.broken && left < before;
	}
	text_free(&bytes);
	return ok;
}

/* ---- the section with the events ---- */

/* threads of a message, which add up to the number in the header */
static int64_t
count_threads(struct span message)
{
	struct proto_reader p = proto_reader(message);
	struct proto_field f;
	int64_t n = 0;

	while (proto_reader_next(&p, &f))
		n += f.number == 1 && f.bytes.p != NULL;
	return n;
}

/* threads and info, which follow the strings; false where they are damaged */
static bool
read_behind_strings(struct nsysrep *r, struct extent e)
{
	int64_t left = proto_reader_int(text_span(&r->header), 5);
	struct text part = {0};
	bool ok = true;

	while (ok && left > 0 && (ok = read_sized(r, &e, &part))) {
		int64_t threads = count_threads(text_span(&part));

		text_add_span(&r->threads, text_span(&part));
		ok = threads > 0;
		left -= threads;
	}
	text_free(&part);
	if (ok && e.at < e.end)
		ok = read_sized(r, &e, &r->info);
	return ok;
}

/*
 * Read the messages before the blocks, and move e behind them.  Returns NULL,
 * or a sentence about the error.
 */
static const char *
read_front(struct nsysrep *r, struct extent *e)
{
	char start[8];
	struct span header;

	if (e->end - e->at < 8)
		return "its events have no start";
	read_all(r, e->at, start, 8);
	if (memcmp(start, START, 8) != 0)
		return "its events do not begin with " START;
	e->at += 8;
	if (!read_sized(r, e, &r->head) || !read_sized(r, e, &r->header))
		return "its head is cut or damaged";
	header = text_span(&r->header);
	r->events = proto_reader_int(header, 1);
	r->strings = proto_reader_int(header, 3);
	if (__builtin_add_overflow(
		r->events, proto_reader_int(header, 15), &r->events) ||
	    r->events < 0 || r->strings < 0)
		return "its header has impossible numbers";
	if (!span_eq(proto_reader_bytes(header, 9), SPAN("lz4")))
		errx(1,
		    "%s: its blocks are not compressed with LZ4: --via-nsys "
		    "has nsys export it",
		    r->name);
	return NULL;
}

/* the product and the clocks, which a report may lack */
static void
read_small_sections(struct nsysrep *r, struct span sections)
{
	struct extent e = find_section(r, sections, product_section);
	struct text bytes = {0};

	if (!is_empty(e)) {
		read_extent(r, e, &bytes);
		set_version(r, proto_reader_bytes(text_span(&bytes), 6));
		text_free(&bytes);
	}
	e = find_section(r, sections, clocks_section);
	if (!is_empty(e))
		read_extent(r, e, &r->clocks);
}

/*
 * Find the blocks of events, and read the messages behind them.  Returns NULL,
 * or a sentence about the error.
 */
static const char *
read_events(struct nsysrep *r, struct extent events, uint64_t strings)
{
	struct extent blocks = events, behind;
	const char *why = read_front(r, &blocks);

	if (why != NULL)
		return why;
	if (strings > (uint64_t)(events.end - events.at - 8) ||
	    events.at + 8 + (int64_t)strings < blocks.at)
		return "its strings are not behind its events";
	r->strings_at = blocks.end = events.at + 8 + (int64_t)strings;
	why = find_blocks(r, &blocks);
	if (why != NULL)
		return why;
	behind = (struct extent){r->strings_at, events.end};
	if (!skip_strings(r, &behind)) {
		r->strings_at = 0;
		return r->salvage ? NULL : "its strings are cut or damaged";
	}
	if (!read_behind_strings(r, behind) && !r->salvage)
		return "its threads or its info are cut or damaged";
	return NULL;
}

/*
 * Read a report that has an index.  Returns NULL, or a sentence about the
 * error.
 */
static const char *
read_sections(struct nsysrep *r, struct extent index)
{
	struct extent events, offsets;
	struct text bytes = {0}, sections = {0};
	uint64_t strings;

	read_extent(r, index, &sections);
	events = find_section(r, text_span(&sections), events_section);
	offsets = find_section(r, text_span(&sections), offsets_section);
	read_small_sections(r, text_span(&sections));
	text_free(&sections);
	if (is_empty(events) || is_empty(offsets))
		return "its index has no section with events";
	read_extent(r, offsets, &bytes);
	strings = (uint64_t)proto_reader_int(text_span(&bytes), 2);
	text_free(&bytes);
	return read_events(r, events, strings);
}

/* ---- a cut or damaged report ---- */

/* the offset of the start of the events; -1 where there is none */
static int64_t
find_start(const struct nsysrep *r)
{
	size_t n = r->size < START_WITHIN ? (size_t)r->size : START_WITHIN;
	char *bytes = mem_alloc(n + 1), *start;
	int64_t at = -1;

	n = read_some(r, 0, bytes, n);
	if ((start = memmem(bytes, n, START, strlen(START))) != NULL)
		at = start - bytes;
	free(bytes);
	return at;
}

/* how many events and generic ones a block has; -1 where it is damaged */
static int64_t
count_events(
    struct nsysrep *r, const struct report_block *b, struct text *bytes)
{
	struct span message;
	struct proto_reader p;
	struct proto_field f;
	int64_t n = 0;

	if (unpack(r, b, bytes, &message) != NULL)
		return -1;
	p = proto_reader(message);
	while (proto_reader_next(&p, &f))
		n += f.number <= 2 && f.bytes.p != NULL;
	return p.broken ? -1 : n;
}

/*
 * Where the blocks of events end: the strings are in the blocks behind them, by
 * the number of events, if they are there.
 */
static void
split_blocks(struct nsysrep *r, struct extent rest)
{
	struct text bytes = {0};
	int64_t left = r->events;
	size_t i = 0;

	for (; i < r->count && left > 0; i++) {
		int64_t n = count_events(r, &r->blocks[i], &bytes);

		left -= n > 0 ? n : 0;
	}
	text_free(&bytes);
	if (left == 0 && i < r->count) {
		struct extent e = {r->blocks[i - (i > 0)].at, rest.end};

		/* the sizes of a block stand before it */
		e.at = i > 0 ? e.at + r->blocks[i - 1].packed : rest.at;
		r->count = i;
		r->strings_at = e.at;
		if (!skip_strings(r, &e))
			r->strings_at = 0;
		else if (!read_behind_strings(r, e))
			r->info.len = 0;
	}
}

/* without its index: values read before are of no use */
static void
read_cut(struct nsysrep *r)
{
	struct extent e = {find_start(r), r->size};
	const char *why;

	r->count = 0;
	r->strings_at = 0;
	r->threads.len = r->info.len = 0;
	if (e.at < 0)
		errx(
		    1, "%s: the report was cut off before its events", r->name);
	r->cut = true;
	if ((why = read_front(r, &e)) != NULL)
		errx(1, "%s: nothing to salvage: %s", r->name, why);
	find_blocks(r, &e);
	split_blocks(r, e);
}

/* ---- opening ---- */

void
nsysrep_open(struct nsysrep *r, const struct operand *from, bool salvage)
{
	struct extent index;
	const char *why;
	struct stat st;
	bool cut;

	*r = (struct nsysrep){
	    .name = from->name, .fd = from->fd, .salvage = salvage};
	if (!nsysrep_detect(operand_head(from)))
		errx(1, "%s: does not begin like a report of Nsight Systems",
		    r->name);
	if (!from->seekable) {
		r->fd = fetch_copy(r->name, from->zio, -1);
		r->spooled = true;
		fetch_forget_copied();
	}
	if (fstat(r->fd, &st) < 0)
		err(1, "%s", r->name);
	r->size = st.st_size;
	read_magic_version(r);
	cut = !read_footer(r, &index);
	if (cut && !salvage)
		errx(1,
		    "%s: the report was cut off: its index and its strings are "
		    "missing (--salvage reads the events that are there)",
		    r->name);
	why = cut ? NULL : read_sections(r, index);
	if (why != NULL && !salvage)
		nsysrep_damaged(r, "%s", why);
	if (cut || why != NULL)
		read_cut(r);
	if (r->release == 0) /* later ones have it in their magic */
		r->release = REPORT_RELEASE(2023, 3, 1);
}

void
nsysrep_close(struct nsysrep *r)
{
	if (r->spooled)
		close(r->fd);
	free(r->blocks);
	free(r->packed);
	text_free(&r->version);
	text_free(&r->head);
	text_free(&r->header);
	text_free(&r->threads);
	text_free(&r->info);
	text_free(&r->clocks);
}
