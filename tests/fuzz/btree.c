/* btree - any bytes as the pages of a database: each page read as a root */

#include <sys/mman.h>
#include <unistd.h>

#include "sqlite/btree.h"
#include "sqlite/row_format.h"
#include "fuzz.h"

enum { PAGE = 512, HEADER = 100, COLUMNS = 9, CELLS = 6, AHEAD = 5 };

/* a header that the reader accepts, in front of what the fuzzer made */
static void
write_header(unsigned char *h, uint32_t pages)
{
	static const unsigned char fixed[24] = "SQLite format 3\0"
					       "\x02\x00\x01\x01\x00\x40\x20";

	memset(h, 0, HEADER);
	memcpy(h, fixed, sizeof(fixed));
	h[23] = 32;
	h[31] = (unsigned char)pages;
	h[59] = 1; /* UTF-8 */
}

/* all that a shape knows of a row must be what decoding it finds */
static void
compare(const struct row *r, const struct sql_value *cells)
{
	for (int i = 0; i < CELLS; i++) {
		const struct value_ref *at = &r->bytes->format->values[i];

		if (at->type != cells[i].type)
			abort();
		if (at->type == SQL_INT && row_int(r, at) != cells[i].i)
			abort();
		if (at->type >= SQL_TEXT &&
		    !span_eq(row_text(r, at), cells[i].s))
			abort();
	}
	if (r->bytes->format->integers &&
	    row_early_int(r->bytes, r->bytes->format->values) != cells->i)
		abort();
}

static uint64_t
sum_cells(const struct sql_value *cells)
{
	uint64_t sum = 0;
	int64_t v;

	for (int i = 0; i < CELLS; i++) {
		sum += sql_value_int(&cells[i], &v);
		if (cells[i].type < SQL_TEXT)
			continue;
		/* all bytes must be readable */
		for (size_t k = 0; k < cells[i].s.len; k++)
			sum += (unsigned char)cells[i].s.p[k];
	}
	return sum;
}

/* false where the row is corrupt */
static bool
read_row(struct row_formats *formats, struct row_bytes *bytes)
{
	volatile uint64_t sum = 0;
	struct sql_value cells[CELLS];
	struct row r;

	if (!row_format_find(formats, bytes) ||
	    !row_format_decode(bytes, formats->layout, cells))
		return false;
	row_init(&r);
	row_set(&r, bytes);
	sum += sum_cells(cells);
	(void)sum;
	if (bytes->format != NULL)
		compare(&r, cells);
	return true;
}

static void
read_all(const struct btree_file *f, uint32_t root, int64_t first)
{
	static const struct row_layout layout = {
	    .slots = {0, 1, -1, 2, 3, -1, 4, 5, -1},
	    .width = COLUMNS,
	    .count = CELLS,
	    .alias = -1,
	    .rowid = -1};
	struct row_bytes rows[1 + AHEAD];
	struct row_formats formats;
	struct btree b;
	int64_t last = INT64_MIN;
	bool good = true;

	row_format_open(&formats, &layout, 1); /* the first cell */
	good = btree_open(&b, f, root) && btree_seek(&b, first);
	while (good && btree_next(&b)) {
		unsigned n;

		rows[0] = (struct row_bytes){b.row, b.size, b.rowid, 0, 0};
		n = 1 + btree_next_here(&b, rows + 1, AHEAD);
		for (unsigned i = 0; i < n && good; i++) {
			int64_t rowid = rows[i].rowid;

			if (rowid < first ||
			    (rowid <= last && last != INT64_MIN))
				abort(); /* rows must ascend */
			last = rowid;
			good = read_row(&formats, &rows[i]);
		}
	}
	btree_close(&b);
	row_format_close(&formats);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t pages = (uint32_t)(size / PAGE) + 1;
	unsigned char header[HEADER];
	struct btree_file f;
	int fd;

	if (pages > 64)
		return 0;
	fd = memfd_create("btree", 0);
	if (fd < 0 || ftruncate(fd, (off_t)pages * PAGE) < 0 ||
	    pwrite(fd, data, size, 0) < 0)
		return 0;
	write_header(header, pages);
	if (pwrite(fd, header, HEADER, 0) == HEADER && btree_file_open(&f, fd))
		for (uint32_t root = 0; root <= pages + 1; root++) {
			read_all(&f, root, INT64_MIN);
			read_all(&f, root, 100);
		}
	close(fd);
	return 0;
}
