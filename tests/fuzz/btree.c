/* btree - any bytes as the pages of a database: each page read as a root */

#include <sys/mman.h>
#include <unistd.h>

#include "../../cmd/tq-extract/btree.h"
#include "fuzz.h"

enum { PAGE = 512, HEADER = 100, COLUMNS = 9, CELLS = 6 };

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

static void
read_all(const struct btree_file *f, uint32_t root, int64_t first)
{
	static const signed char slots[COLUMNS] = {
	    0, 1, -1, 2, 3, -1, 4, 5, -1};
	struct cell cells[CELLS];
	struct btree b;
	volatile uint64_t sum = 0;
	int64_t v, last = INT64_MIN;

	if (btree_open(&b, f, root, first, INT64_MAX, 4))
		while (btree_next(&b, slots, COLUMNS, cells)) {
			if (b.rowid <= last && last != INT64_MIN)
				abort(); /* rows must ascend */
			last = b.rowid;
			for (int i = 0; i < CELLS; i++) {
				sum += cell_int(&cells[i], &v);
				if (cells[i].type < CELL_TEXT)
					continue;
				/* all bytes must be readable */
				for (size_t k = 0; k < cells[i].s.len; k++)
					sum += (unsigned char)cells[i].s.p[k];
			}
		}
	(void)sum;
	btree_close(&b);
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
