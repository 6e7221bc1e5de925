/*
 * table.c - tables of whatever came: each file is read back, with headers,
 * levels, values and statistics as they should be, and no integer is lost
 */

#include <string.h>
#include <zstd.h>

#include "../../cmd/tq-table/kind_files.h"
#include "fuzz.h"
#include "tq/base/array.h"
#include "tq/base/region.h"

/* ---- the folder is in memory ---- */

static struct text *files;
static size_t file_count, file_cap;

size_t
whole_folder_add(struct whole_folder *f, const char *name)
{
	(void)f;
	(void)name;
	*array_add(&files, &file_count, &file_cap) = (struct text){0};
	return file_count - 1;
}

int
whole_folder_begin(struct whole_folder *f, size_t file)
{
	(void)f;
	(void)file;
	return 0;
}

void
whole_folder_write(struct whole_folder *f, size_t file, int fd, struct span s)
{
	(void)f;
	(void)fd;
	text_add_span(&files[file], s);
}

void
whole_folder_end(struct whole_folder *f, size_t file, int fd)
{
	(void)f;
	(void)file;
	(void)fd;
}

/* ---- Thrift ---- */

struct bytes {
	const char *p, *end;
};

/* a value: an integer, bytes, or the fields of a struct or list */
struct thrift_node {
	int id;
	int64_t number;
	struct span bytes;
	struct thrift_node *first, *next;
};

static struct region nodes;

static const char *
take(struct bytes *b, uint64_t n)
{
	const char *p = b->p;

	REQUIRE(n <= (uint64_t)(b->end - p));
	b->p += n;
	return p;
}

static uint64_t
varint(struct bytes *b)
{
	uint64_t v = 0;
	unsigned shift = 0;
	unsigned char c;

	do {
		REQUIRE(shift < 70);
		c = (unsigned char)*take(b, 1);
		v |= (uint64_t)(c & 0x7f) << shift;
		shift += 7;
	} while (c & 0x80);
	return v;
}

static int64_t
zigzag(struct bytes *b)
{
	uint64_t v = varint(b);

	return (int64_t)(v >> 1 ^ (0 - (v & 1)));
}

static struct thrift_node *read_node(struct bytes *b, int id, unsigned type);

static void
read_list(struct bytes *b, struct thrift_node *list)
{
	unsigned char head = (unsigned char)*take(b, 1);
	uint64_t count = head >> 4 == 15 ? varint(b) : head >> 4;
	struct thrift_node **to = &list->first;

	list->number = (int64_t)count;
	for (uint64_t i = 0; i < count; i++, to = &(*to)->next)
		*to = read_node(b, 0, head & 15);
}

static void
read_struct(struct bytes *b, struct thrift_node *s)
{
	struct thrift_node **to = &s->first;
	unsigned char head;
	int id = 0;

	for (; (head = (unsigned char)*take(b, 1)) != 0; to = &(*to)->next) {
		REQUIRE(head >> 4 != 0);
		id += head >> 4;
		*to = read_node(b, id, head & 15);
	}
}

static struct thrift_node *
read_node(struct bytes *b, int id, unsigned type)
{
	struct thrift_node *n = region_get(&nodes, sizeof(*n));

	n->id = id;
	switch (type) {
	case 1:
	case 2:
		n->number = type == 1;
		break;
	case 4:
	case 5:
	case 6:
		n->number = zigzag(b);
		break;
	case 8:
		n->bytes.len = varint(b);
		n->bytes.p = take(b, n->bytes.len);
		break;
	case 9:
		read_list(b, n);
		break;
	case 12:
		read_struct(b, n);
		break;
	default:
		abort();
	}
	return n;
}

static const struct thrift_node *
field(const struct thrift_node *n, int id)
{
	for (n = n->first; n != NULL; n = n->next)
		if (n->id == id)
			return n;
	return NULL;
}

static int64_t
number(const struct thrift_node *n, int id)
{
	REQUIRE((n = field(n, id)) != NULL);
	return n->number;
}

/* ---- values ---- */

/* what a column chunk is found to be */
struct found {
	int64_t type, rows, entries, nulls, values, unpacked;
	int64_t least, most;
	uint64_t sum;
	bool list, required, compressed;
	int64_t *entry; /* of the dictionary: integers, or 0 */
	size_t entry_count, entry_cap;
};

/* count numbers of so many bits; n[i] becomes number i, unless NULL */
static void
hybrid(struct bytes *b, size_t count, unsigned bits, uint16_t *n)
{
	for (size_t at = 0; at < count;) {
		uint64_t head = varint(b), step = head >> 1;
		unsigned v = 0;

		REQUIRE(step > 0);
		if (head & 1) {
			const unsigned char *p =
			    (const unsigned char *)take(b, step * bits);

			for (size_t i = 0; i < step * 8; i++) {
				v = p[i * bits / 8];
				if (bits == 16)
					v |= (unsigned)p[i * 2 + 1] << 8;
				v = v >> i * bits % 8 & ((1u << bits) - 1);
				REQUIRE(at < count || v == 0);
				if (at < count)
					n[at++] = (uint16_t)v;
			}
			REQUIRE(at == count);
			return;
		}
		v = (unsigned char)*take(b, 1);
		if (bits == 16)
			v |= (unsigned)(unsigned char)*take(b, 1) << 8;
		REQUIRE(step <= count - at && v < 1u << bits);
		while (step-- > 0)
			n[at++] = (uint16_t)v;
	}
}

static void
read_levels(struct bytes *b, size_t count, unsigned bits, uint16_t *n)
{
	uint32_t len;
	struct bytes inner;

	memcpy(&len, take(b, sizeof(len)), sizeof(len));
	inner.p = take(b, len);
	inner.end = inner.p + len;
	hybrid(&inner, count, bits, n);
	REQUIRE(inner.p == inner.end);
}

static void
see_int(struct found *f, int64_t v)
{
	if (f->values++ == 0)
		f->least = f->most = v;
	f->least = v < f->least ? v : f->least;
	f->most = v > f->most ? v : f->most;
	f->sum += (uint64_t)v;
}

static int64_t
read_plain(struct bytes *b, int64_t type)
{
	int64_t v = 0;
	uint32_t len;
	struct text t = {0};

	if (type != COLUMN_TEXT) {
		memcpy(&v, take(b, sizeof(v)), sizeof(v));
		return type == COLUMN_INT ? v : 0;
	}
	memcpy(&len, take(b, sizeof(len)), sizeof(len));
	REQUIRE(text_add_json(&t, take(b, len), len) == 0);
	text_free(&t);
	return 0;
}

static void
read_deltas(struct bytes *b, struct found *f, size_t count)
{
	int64_t v;

	REQUIRE(varint(b) == 128);
	REQUIRE(varint(b) == 4);
	REQUIRE(varint(b) == count);
	see_int(f, v = zigzag(b));
	for (size_t at = 1; at < count;) {
		uint64_t least = (uint64_t)zigzag(b);
		const unsigned char *bits = (const unsigned char *)take(b, 4);

		for (unsigned part = 0; part < 4 && at < count; part++) {
			const unsigned char *p = (const unsigned char *)take(
			    b, (uint64_t)bits[part] * 4);

			REQUIRE(bits[part] <= 64);
			for (size_t i = 0; i < 32 && at < count; i++, at++) {
				uint64_t d = 0;

				for (size_t k = 0; k < bits[part]; k++) {
					size_t bit = i * bits[part] + k;

					d |= (uint64_t)(p[bit / 8] >> bit % 8 &
							1)
					     << k;
				}
				v = (int64_t)((uint64_t)v + least + d);
				see_int(f, v);
			}
		}
	}
}

static void
read_values(struct bytes *b, struct found *f, size_t count, int64_t encoding)
{
	unsigned bits;
	uint16_t *n;

	if (encoding == ENCODING_DELTAS) {
		REQUIRE(f->type == COLUMN_INT);
		read_deltas(b, f, count);
	} else if (encoding == ENCODING_DICTIONARY) {
		n = mem_alloc(count * sizeof(*n));
		bits = (unsigned char)*take(b, 1);
		REQUIRE(bits == 8 || bits == 16);
		hybrid(b, count, bits, n);
		for (size_t i = 0; i < count; i++) {
			REQUIRE(n[i] < f->entry_count);
			see_int(f, f->entry[n[i]]);
		}
		free(n);
	} else if (f->type == COLUMN_BOOL) {
		take(b, (count + 7) / 8);
		f->values += (int64_t)count;
	} else {
		REQUIRE(encoding == ENCODING_PLAIN);
		while (count-- > 0)
			see_int(f, read_plain(b, f->type));
	}
}

static void
read_data(struct bytes *b, struct found *f, const struct thrift_node *head)
{
	size_t count = (size_t)number(head, 1), there = 0;
	uint16_t full = f->list ? 2 : 1;
	uint16_t *rep = mem_alloc(count * sizeof(*rep));
	uint16_t *def = mem_alloc(count * sizeof(*def));

	REQUIRE(count > 0);
	if (f->list)
		read_levels(b, count, 1, rep);
	if (!f->required)
		read_levels(b, count, f->list ? 2 : 1, def);
	REQUIRE(rep[0] == 0);
	for (size_t i = 0; i < count; i++) {
		if (f->required)
			def[i] = 1;
		REQUIRE(def[i] <= full);
		REQUIRE(rep[i] == 0 || (def[i] == full && def[i - 1] == full));
		f->rows += rep[i] == 0;
		there += def[i] == full;
	}
	f->entries += (int64_t)count;
	f->nulls += (int64_t)(count - there);
	read_values(b, f, there, number(head, 2));
	free(rep);
	free(def);
}

static void
read_page(struct bytes *file, struct found *f)
{
	const char *start = file->p;
	struct thrift_node head = {0};
	size_t size, packed;
	struct bytes b;
	char *body;

	read_struct(file, &head);
	size = (size_t)number(&head, 2);
	packed = (size_t)number(&head, 3);
	f->unpacked += file->p - start + (int64_t)size;
	body = mem_alloc(size + 1);
	if (f->compressed)
		REQUIRE(ZSTD_decompress(
			    body, size, take(file, packed), packed) == size);
	else
		memcpy(body, take(file, packed), size);
	REQUIRE(f->compressed || packed == size);
	b = (struct bytes){body, body + size};
	if (number(&head, 1) == 0)
		read_data(&b, f, field(&head, 5));
	else
		for (int64_t n = number(field(&head, 7), 1); n > 0; n--)
			*array_add(&f->entry, &f->entry_count, &f->entry_cap) =
			    read_plain(&b, f->type);
	REQUIRE(b.p == b.end);
	free(body);
}

/* a column chunk, which begins at file->p */
static uint64_t
read_chunk(struct bytes *file, const char *start,
    const struct thrift_node *chunk, const struct thrift_node *element,
    int64_t rows)
{
	const struct thrift_node *meta = field(chunk, 3);
	const struct thrift_node *least, *statistics = field(meta, 12);
	const char *end = file->p + number(meta, 7);
	struct found f = {.type = number(meta, 1),
	    .list = field(meta, 3)->number == 3,
	    .required = number(element, 3) == 0,
	    .compressed = number(meta, 4) != 0};
	int64_t v;

	REQUIRE(number(chunk, 2) == 0);
	REQUIRE(
	    number(meta, field(meta, 11) != NULL ? 11 : 9) == file->p - start);
	while (file->p < end)
		read_page(file, &f);
	REQUIRE(file->p == end);
	REQUIRE(f.rows == rows && f.entries == number(meta, 5));
	REQUIRE(f.unpacked == number(meta, 6));
	REQUIRE(f.nulls == number(statistics, 3));
	if (f.type == COLUMN_INT && f.values > 0) {
		REQUIRE((least = field(statistics, 6)) != NULL);
		memcpy(&v, least->bytes.p, sizeof(v));
		REQUIRE(v == f.least);
		memcpy(&v, field(statistics, 5)->bytes.p, sizeof(v));
		REQUIRE(v == f.most);
	}
	free(f.entry);
	return f.type == COLUMN_INT &&
		       !span_eq(field(meta, 3)->first->bytes, SPAN("section"))
		   ? f.sum
		   : 0;
}

/* the sum of its integers; adds to the rows */
static uint64_t
read_file(const struct text *t, int64_t *rows)
{
	struct bytes file = {t->p + 4, t->p + t->len - 8}, footer;
	struct thrift_node meta = {0};
	uint64_t sum = 0;
	uint32_t len;

	REQUIRE(t->len > 12 && memcmp(t->p, "PAR1", 4) == 0 &&
		memcmp(t->p + t->len - 4, "PAR1", 4) == 0);
	memcpy(&len, file.end, sizeof(len));
	footer = (struct bytes){file.end - len, file.end};
	file.end = footer.p;
	read_struct(&footer, &meta);
	REQUIRE(footer.p == footer.end);
	for (const struct thrift_node *g = field(&meta, 4)->first; g != NULL;
	     g = g->next) {
		const struct thrift_node *e = field(&meta, 2)->first->next;

		for (const struct thrift_node *c = field(g, 1)->first;
		     c != NULL; c = c->next) {
			sum += read_chunk(&file, t->p, c, e, number(g, 3));
			e = field(e, 5) != NULL ? e->next->next->next : e->next;
		}
		REQUIRE(e == NULL);
		*rows += number(g, 3);
	}
	REQUIRE(file.p == file.end);
	return sum;
}

/* ---- the lines ---- */

/* the sum of the integers of a record that have a column */
static uint64_t
sum_of(const struct event *ev)
{
	enum kind at = KIND_UNKNOWN;
	uint64_t sum = 0;

	for (size_t i = 0; i < schema_row_count; i++) {
		enum key k = schema_rows[i].key;

		if (k == KEY_NONE)
			at = schema_rows[i].kind;
		else if (at == ev->kind && event_has(ev, k) &&
			 schema_keys[k].type == TYPE_INT)
			sum += (uint64_t)event_number(ev->value[k]);
	}
	return sum;
}

static bool
has_ints(const struct event *ev)
{
	return event_has(ev, KEY_grid) || event_has(ev, KEY_block) ||
	       event_has(ev, KEY_cluster) || ev->kind == KIND_UNKNOWN;
}

static void
write_tables(struct span text, bool hive)
{
	static struct event ev;
	struct kind_files k = {.hive = hive};
	struct text line = {0};
	uint64_t sum = 0, found = 0;
	int64_t records = 0, rows = 0;
	bool summed = !hive; /* columns of the path are missing there */
	struct span next;

	while (span_next_line(&text, &next)) {
		line.len = 0;
		text_add_span(&line, next);
		memset(text_reserve(&line, EVENT_PADDING), 0, EVENT_PADDING);
		if (!event_parse(&ev, text_span(&line), NULL))
			continue;
		kind_files_add(&k, &ev);
		records++;
		sum += sum_of(&ev);
		summed &= !has_ints(&ev);
	}
	kind_files_finish(&k, true);
	for (size_t i = 0; i < file_count; i++) {
		found += read_file(&files[i], &rows);
		text_free(&files[i]);
		region_free(&nodes);
	}
	REQUIRE(rows == records && k.records == records);
	REQUIRE(!summed || sum == found);
	kind_files_free(&k);
	text_free(&line);
	file_count = 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span text = {(const char *)data, size};

	write_tables(text, false);
	write_tables(text, true);
	return 0;
}
