/* parquet_file.c - a table as a file of Apache Parquet */

#include <stdlib.h>

#include "parquet_file.h"
#include "thrift.h"

static const struct span magic = {"PAR1", 4};

/* numbers of Parquet */
enum { VERSION = 1, CODEC_NONE = 0, CODEC_ZSTD = 6 };
enum { REQUIRED, OPTIONAL, REPEATED };
enum { CONVERTED_UTF8 = 0, CONVERTED_LIST = 3 };
enum { LOGICAL_STRING = 1, LOGICAL_LIST = 3 };

/* where a column is in the file */
struct column_place {
	int64_t start, data, end;
};

void
parquet_file_row(struct parquet_file *f, bool ordered, int64_t value)
{
	if (f->rows == 0)
		f->sorted = f->order != NULL;
	else if (value < f->newest)
		f->sorted = false;
	f->sorted &= ordered;
	f->newest = value;
	f->rows++;
}

/* ---- row groups ---- */

static void
add_path(struct thrift *t, const struct table_column *c)
{
	thrift_list(t, 3, THRIFT_BYTES, c->list ? 3 : 1);
	thrift_add_bytes(t, span_of(c->name));
	if (!c->list)
		return;
	thrift_add_bytes(t, SPAN("list"));
	thrift_add_bytes(t, SPAN("element"));
}

static void
add_encodings(struct thrift *t, unsigned encodings)
{
	thrift_list(t, 2, THRIFT_I32, (size_t)__builtin_popcount(encodings));
	for (int i = 0; encodings >> i != 0; i++)
		if ((encodings >> i & 1) != 0)
			thrift_add_int(t, i);
}

static void
add_statistics(struct thrift *t, const struct table_column *c)
{
	const size_t size = sizeof(c->least);

	thrift_open(t, 12);
	thrift_int(t, 3, THRIFT_I64, c->nulls);
	if (c->type == COLUMN_INT && table_column_any(c)) {
		thrift_bytes(t, 5, (struct span){(const char *)&c->most, size});
		thrift_bytes(
		    t, 6, (struct span){(const char *)&c->least, size});
	}
	thrift_close(t);
}

static void
add_column(struct thrift *t, const struct table_column *c,
    const struct column_place *at)
{
	thrift_add_open(t);
	thrift_int(t, 2, THRIFT_I64, 0); /* the format wants it so */
	thrift_open(t, 3);
	thrift_int(t, 1, THRIFT_I32, c->type);
	add_encodings(t, c->pages.encodings);
	add_path(t, c);
	thrift_int(
	    t, 4, THRIFT_I32, c->pages.compressed ? CODEC_ZSTD : CODEC_NONE);
	thrift_int(t, 5, THRIFT_I64, c->entries);
	thrift_int(t, 6, THRIFT_I64, c->pages.unpacked);
	thrift_int(t, 7, THRIFT_I64, at->end - at->start);
	thrift_int(t, 9, THRIFT_I64, at->data);
	if (at->data > at->start)
		thrift_int(t, 11, THRIFT_I64, at->start);
	add_statistics(t, c);
	thrift_close(t);
	thrift_close(t);
}

static void
add_sorting(struct thrift *t, const struct parquet_file *f)
{
	thrift_list(t, 4, THRIFT_STRUCT, 1);
	thrift_add_open(t);
	thrift_int(t, 1, THRIFT_I32, f->order - f->columns);
	thrift_bool(t, 2, false);
	thrift_bool(t, 3, false);
	thrift_close(t);
}

static struct column_place
write_column(struct parquet_file *f, int fd, struct page_press *press,
    struct table_column *c)
{
	struct span dictionary, data;
	struct column_place at = {.start = f->size};

	table_column_finish(c, press, f->rows);
	dictionary = text_span(&c->pages.dictionary);
	data = text_span(&c->pages.data);
	at.data = at.start + (int64_t)dictionary.len;
	at.end = at.data + (int64_t)data.len;
	f->size = at.end;
	whole_folder_write(f->folder, f->number, fd, dictionary);
	whole_folder_write(f->folder, f->number, fd, data);
	return at;
}

static void
write_columns(struct parquet_file *f, int fd, struct page_press *press,
    struct thrift *t, bool trim)
{
	int64_t start = f->size, unpacked = 0;

	thrift_add_open(t);
	thrift_list(t, 1, THRIFT_STRUCT, f->count);
	for (size_t i = 0; i < f->count; i++) {
		struct table_column *c = &f->columns[i];
		struct column_place at = write_column(f, fd, press, c);

		add_column(t, c, &at);
		unpacked += c->pages.unpacked;
		c->used |= table_column_any(c);
		table_column_clear(c, trim);
	}
	thrift_int(t, 2, THRIFT_I64, unpacked);
	thrift_int(t, 3, THRIFT_I64, f->rows);
	if (f->sorted)
		add_sorting(t, f);
	thrift_int(t, 5, THRIFT_I64, start);
	thrift_int(t, 6, THRIFT_I64, f->size - start);
	thrift_close(t);
}

void
parquet_file_flush(struct parquet_file *f, struct page_press *press, bool trim)
{
	struct thrift t = {.to = &f->groups};
	int fd;

	if (f->rows == 0)
		return;
	fd = whole_folder_begin(f->folder, f->number);
	if (f->size == 0) {
		whole_folder_write(f->folder, f->number, fd, magic);
		f->size = (int64_t)magic.len;
	}
	write_columns(f, fd, press, &t, trim);
	whole_folder_end(f->folder, f->number, fd);
	f->group_count++;
	f->all_rows += f->rows;
	f->rows = 0;
}

/* ---- the footer ---- */

static void
add_logical(struct thrift *t, int type)
{
	thrift_open(t, 10);
	thrift_open(t, type);
	thrift_close(t);
	thrift_close(t);
}

/* a column without a list, or the elements of one */
static void
add_leaf(
    struct thrift *t, const struct table_column *c, const char *name, int times)
{
	thrift_add_open(t);
	thrift_int(t, 1, THRIFT_I32, c->type);
	thrift_int(t, 3, THRIFT_I32, times);
	thrift_bytes(t, 4, span_of(name));
	if (c->type == COLUMN_TEXT) {
		thrift_int(t, 6, THRIFT_I32, CONVERTED_UTF8);
		add_logical(t, LOGICAL_STRING);
	}
	thrift_close(t);
}

static void
add_list(struct thrift *t, const struct table_column *c)
{
	thrift_add_open(t);
	thrift_int(t, 3, THRIFT_I32, OPTIONAL);
	thrift_bytes(t, 4, span_of(c->name));
	thrift_int(t, 5, THRIFT_I32, 1);
	thrift_int(t, 6, THRIFT_I32, CONVERTED_LIST);
	add_logical(t, LOGICAL_LIST);
	thrift_close(t);
	thrift_add_open(t);
	thrift_int(t, 3, THRIFT_I32, REPEATED);
	thrift_bytes(t, 4, SPAN("list"));
	thrift_int(t, 5, THRIFT_I32, 1);
	thrift_close(t);
	add_leaf(t, c, "element", REQUIRED);
}

static void
add_schema(struct thrift *t, const struct parquet_file *f)
{
	size_t elements = 1;

	for (size_t i = 0; i < f->count; i++)
		elements += f->columns[i].list ? 3 : 1;
	thrift_list(t, 2, THRIFT_STRUCT, elements);
	thrift_add_open(t);
	thrift_bytes(t, 4, SPAN("schema"));
	thrift_int(t, 5, THRIFT_I32, (int64_t)f->count);
	thrift_close(t);
	for (size_t i = 0; i < f->count; i++) {
		const struct table_column *c = &f->columns[i];

		if (c->list)
			add_list(t, c);
		else
			add_leaf(
			    t, c, c->name, c->required ? REQUIRED : OPTIONAL);
	}
}

static void
add_property(
    struct thrift *t, const char *name, const char *suffix, const char *value)
{
	struct text key = {0};

	text_printf(&key, "%s%s", name, suffix);
	thrift_add_open(t);
	thrift_bytes(t, 1, text_span(&key));
	thrift_bytes(t, 2, span_of(value));
	thrift_close(t);
	text_free(&key);
}

/* definitions are of columns with values */
static void
add_properties(struct thrift *t, const struct parquet_file *f,
    const struct parquet_property *properties, size_t count)
{
	size_t sum = count;

	for (size_t i = 0; i < f->count; i++)
		if (f->columns[i].used)
			sum += f->columns[i].unit[0] != '\0' ? 2 : 1;
	thrift_list(t, 5, THRIFT_STRUCT, sum);
	for (size_t i = 0; i < count; i++)
		add_property(t, properties[i].name, "", properties[i].value);
	for (size_t i = 0; i < f->count; i++) {
		const struct table_column *c = &f->columns[i];

		if (!c->used)
			continue;
		if (c->unit[0] != '\0')
			add_property(t, c->name, ".unit", c->unit);
		add_property(t, c->name, ".doc", c->doc);
	}
}

/* so that readers believe least and greatest values */
static void
add_orders(struct thrift *t, const struct parquet_file *f)
{
	thrift_list(t, 7, THRIFT_STRUCT, f->count);
	for (size_t i = 0; i < f->count; i++) {
		thrift_add_open(t);
		thrift_open(t, 1);
		thrift_close(t);
		thrift_close(t);
	}
}

void
parquet_file_finish(struct parquet_file *f, struct page_press *press,
    const struct parquet_property *properties, size_t count)
{
	struct text footer = {0};
	struct thrift t = {.to = &footer};
	uint32_t len;
	int fd;

	parquet_file_flush(f, press, true);
	thrift_int(&t, 1, THRIFT_I32, VERSION);
	add_schema(&t, f);
	thrift_int(&t, 3, THRIFT_I64, f->all_rows);
	thrift_list(&t, 4, THRIFT_STRUCT, f->group_count);
	text_add_span(&footer, text_span(&f->groups));
	add_properties(&t, f, properties, count);
	thrift_bytes(&t, 6, SPAN("tq-table version " TQ_VERSION));
	add_orders(&t, f);
	thrift_close(&t);
	len = (uint32_t)footer.len;
	text_add(&footer, (const char *)&len, sizeof(len)); /* little-endian */
	text_add_span(&footer, magic);

	fd = whole_folder_begin(f->folder, f->number);
	whole_folder_write(f->folder, f->number, fd, text_span(&footer));
	whole_folder_end(f->folder, f->number, fd);
	f->size += (int64_t)footer.len;
	text_free(&footer);
	parquet_file_free(f);
}

void
parquet_file_free(struct parquet_file *f)
{
	for (size_t i = 0; i < f->count; i++)
		table_column_free(&f->columns[i]);
	free(f->columns);
	f->columns = NULL;
	f->count = 0;
	text_free(&f->groups);
}

size_t
parquet_file_memory(const struct parquet_file *f)
{
	size_t sum = f->groups.cap;

	for (size_t i = 0; i < f->count; i++)
		sum += table_column_memory(&f->columns[i]);
	return sum;
}
