/* btree.c - a reader of table b-trees in an SQLite file */

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btree.h"
#include "tq/mem.h"

enum {
	FILE_HEADER = 100, /* in front of page 1 */
	LEAF = 0x0d,
	INTERIOR = 0x05,
	LEAF_HEADER = 8,
	INTERIOR_HEADER = 12,
	UTF8 = 1,
};

/* what a corrupt file may make us read beyond a page, harmlessly */
enum { SLACK = 64 };

static uint32_t
get2(const unsigned char *p)
{
	return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t
get4(const unsigned char *p)
{
	return get2(p) << 16 | get2(p + 2);
}

/* a varint of 1 to 9 bytes; NULL where it does not end before end */
static inline const unsigned char *
varint(const unsigned char *p, const unsigned char *end, uint64_t *v)
{
	uint64_t x = 0;

	if (p < end && *p < 0x80) {
		*v = *p;
		return p + 1;
	}
	for (int i = 0; i < 9; i++, p++) {
		if (p >= end)
			return NULL;
		if (i == 8) {
			*v = x << 8 | *p;
			return p + 1;
		}
		x = x << 7 | (*p & 0x7f);
		if (*p < 0x80) {
			*v = x;
			return p + 1;
		}
	}
	return NULL;
}

static bool
read_at(int fd, void *buf, size_t n, uint64_t offset)
{
	unsigned char *p = buf;

	while (n > 0) {
		ssize_t got = pread(fd, p, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		p += got;
		offset += (uint64_t)got;
		n -= (size_t)got;
	}
	return true;
}

bool
btree_file_open(struct btree_file *f, int fd)
{
	unsigned char h[FILE_HEADER];
	struct stat st;
	uint64_t pages;

	if (fstat(fd, &st) < 0 || !read_at(fd, h, sizeof(h), 0) ||
	    memcmp(h, "SQLite format 3", 16) != 0)
		return false;
	f->fd = fd;
	f->page_size = get2(h + 16) == 1 ? 65536 : get2(h + 16);
	if (f->page_size < 512 || (f->page_size & (f->page_size - 1)) != 0)
		return false;
	f->usable = f->page_size - h[20];
	pages = (uint64_t)st.st_size / f->page_size;
	f->page_count = get4(h + 28);
	/*
	 * The fractions of a payload that may be in a page are fixed; the
	 * page count is good if it is of the version of the last change.
	 */
	return f->usable >= 480 && h[21] == 64 && h[22] == 32 && h[23] == 32 &&
	       get4(h + 56) == UTF8 && f->page_count <= pages &&
	       f->page_count > 0 && get4(h + 24) == get4(h + 92);
}

/* ---- pages ---- */

static bool
corrupt(struct btree *b)
{
	b->corrupt = true;
	return false;
}

/*
 * Check the head of a page: type and number of cells; the offset of the
 * head, which is not 0 on page 1.
 */
static bool
check_page(const struct btree_file *f, const unsigned char *page,
    uint32_t number, int type, uint32_t *cells)
{
	uint32_t at = number == 1 ? FILE_HEADER : 0;
	uint32_t head = type == LEAF ? LEAF_HEADER : INTERIOR_HEADER;

	*cells = get2(page + at + 3);
	return page[at] == type && at + head + *cells * 2 <= f->usable;
}

/* the cell i of a page; NULL where it is not in the page */
static const unsigned char *
cell_at(const struct btree_file *f, const unsigned char *page, uint32_t number,
    uint32_t head, uint32_t i)
{
	uint32_t at = number == 1 ? FILE_HEADER : 0;
	uint32_t offset = get2(page + at + head + i * 2);

	return offset < f->usable ? page + offset : NULL;
}

/* a leaf, from those read ahead or from the file */
static const unsigned char *
load_leaf(struct btree *b, uint32_t number)
{
	const struct btree_file *f = b->file;
	uint32_t n;

	if (number == 0 || number > f->page_count)
		return NULL;
	if (number < b->window_first ||
	    number - b->window_first >= b->window_pages) {
		/* read ahead only where it paid off before */
		n = number == b->window_first + b->window_pages
			? b->window_pages * 2
			: 1;
		if (n > b->window_size)
			n = b->window_size;
		if (n > f->page_count - number + 1)
			n = f->page_count - number + 1;
		b->window_pages = 0;
		if (n == 0 ||
		    !read_at(f->fd, b->window, (size_t)n * f->page_size,
			(uint64_t)(number - 1) * f->page_size))
			return NULL;
		b->window_first = number;
		b->window_pages = n;
	}
	return b->window + (size_t)(number - b->window_first) * f->page_size;
}

static bool
page_type(struct btree *b, uint32_t number, int *type)
{
	unsigned char t;

	if (number == 0 || number > b->file->page_count ||
	    /* more pages than there are: the tree goes in circles */
	    ++b->pages_seen > 2 * (uint64_t)b->file->page_count + BTREE_DEPTH)
		return false;
	if (number >= b->window_first &&
	    number - b->window_first < b->window_pages) {
		t = b->window[(size_t)(number - b->window_first) *
				  b->file->page_size +
			      (number == 1 ? FILE_HEADER : 0)];
	} else if (!read_at(b->file->fd, &t, 1,
		       (uint64_t)(number - 1) * b->file->page_size +
			   (number == 1 ? FILE_HEADER : 0)))
		return false;
	*type = t;
	return true;
}

/* the child of an interior page; its last has no cell */
static uint32_t
child(struct btree *b, const struct btree_level *l, uint32_t i)
{
	uint32_t at = l->number == 1 ? FILE_HEADER : 0;
	const unsigned char *cell;

	if (i == l->cells)
		return get4(l->page + at + 8);
	cell = cell_at(b->file, l->page, l->number, INTERIOR_HEADER, i);
	return cell != NULL ? get4(cell) : 0;
}

/* the largest rowid below child i */
static bool
child_key(
    struct btree *b, const struct btree_level *l, uint32_t i, int64_t *key)
{
	const unsigned char *cell =
	    cell_at(b->file, l->page, l->number, INTERIOR_HEADER, i);
	uint64_t v;

	if (cell == NULL ||
	    varint(cell + 4, l->page + b->file->page_size, &v) == NULL)
		return false;
	*key = (int64_t)v;
	return true;
}

static bool
push_level(struct btree *b, uint32_t number)
{
	struct btree_level *l = &b->levels[b->depth];

	if (b->depth == BTREE_DEPTH)
		return false;
	if (l->page == NULL)
		l->page = mem_resize(NULL, b->file->page_size + SLACK, 1);
	if (!read_at(b->file->fd, l->page, b->file->page_size,
		(uint64_t)(number - 1) * b->file->page_size) ||
	    !check_page(b->file, l->page, number, INTERIOR, &l->cells))
		return false;
	l->number = number;
	l->index = 0;
	b->depth++;
	return true;
}

/* from page number down to the leaf that holds the first rowid >= from */
static bool
descend(struct btree *b, uint32_t number, int64_t from)
{
	int type;

	for (;;) {
		struct btree_level *l;
		int64_t key;

		if (!page_type(b, number, &type))
			return corrupt(b);
		if (type == LEAF)
			break;
		if (type != INTERIOR || !push_level(b, number))
			return corrupt(b);
		l = &b->levels[b->depth - 1];
		while (l->index < l->cells) {
			if (!child_key(b, l, l->index, &key))
				return corrupt(b);
			if (key >= from)
				break;
			l->index++;
		}
		number = child(b, l, l->index);
	}
	b->leaf = load_leaf(b, number);
	b->leaf_number = number;
	b->leaf_index = 0;
	if (b->leaf == NULL ||
	    !check_page(b->file, b->leaf, number, LEAF, &b->leaf_cells))
		return corrupt(b);
	return true;
}

/* to the next leaf; false at the end */
static bool
next_leaf(struct btree *b)
{
	while (b->depth > 0) {
		struct btree_level *l = &b->levels[b->depth - 1];

		if (l->index < l->cells) {
			l->index++;
			return descend(b, child(b, l, l->index), INT64_MIN);
		}
		b->depth--;
	}
	return false;
}

bool
btree_open(struct btree *b, const struct btree_file *f, uint32_t root,
    int64_t first, int64_t last, uint32_t window)
{
	*b = (struct btree){
	    .file = f, .last = last, .rowid = first, .window_size = window};
	b->window = mem_resize(NULL, (size_t)window * f->page_size + SLACK, 1);
	return descend(b, root, first);
}

void
btree_close(struct btree *b)
{
	for (int i = 0; i < BTREE_DEPTH; i++)
		free(b->levels[i].page);
	free(b->window);
	text_free(&b->overflow);
}

/* ---- rows ---- */

/* gather a payload whose tail is on other pages */
static bool
gather(
    struct btree *b, const unsigned char *local, uint32_t n, uint64_t payload)
{
	const struct btree_file *f = b->file;
	uint32_t next = get4(local + n);
	unsigned char link[4];

	if (payload > (uint64_t)f->page_count * f->page_size)
		return false;
	b->overflow.len = 0;
	text_reserve(&b->overflow, payload + SLACK);
	text_add(&b->overflow, (const char *)local, n);
	while (b->overflow.len < payload) {
		uint64_t left = payload - b->overflow.len;
		uint64_t offset = (uint64_t)(next - 1) * f->page_size;

		if (left > f->usable - 4)
			left = f->usable - 4;
		if (next == 0 || next > f->page_count ||
		    !read_at(f->fd, link, 4, offset) ||
		    !read_at(f->fd, b->overflow.p + b->overflow.len, left,
			offset + 4))
			return false;
		b->overflow.len += left;
		next = get4(link);
	}
	return true;
}

/* the bytes of the row whose cell is at p; NULL where it is corrupt */
static const unsigned char *
payload_of(struct btree *b, const unsigned char *p, uint64_t *size)
{
	const struct btree_file *f = b->file;
	const unsigned char *end = b->leaf + f->usable;
	uint32_t max = f->usable - 35, min = (f->usable - 12) * 32 / 255 - 23;
	uint64_t rowid, n;

	if ((p = varint(p, end, size)) == NULL ||
	    (p = varint(p, end, &rowid)) == NULL)
		return NULL;
	b->rowid = (int64_t)rowid;
	if (*size <= max)
		return (uint64_t)(end - p) >= *size ? p : NULL;
	n = min + (*size - min) % (f->usable - 4);
	if (n > max)
		n = min;
	if ((uint64_t)(end - p) < n + 4 || !gather(b, p, (uint32_t)n, *size))
		return NULL;
	return (const unsigned char *)b->overflow.p;
}

static int64_t
get_int(const unsigned char *p, unsigned bytes)
{
	switch (bytes) {
	case 1:
		return (signed char)p[0];
	case 2:
		return (int16_t)get2(p);
	case 3:
		return (int64_t)(signed char)p[0] * 65536 + get2(p + 1);
	case 4:
		return (int32_t)get4(p);
	case 6:
		return (int64_t)(int16_t)get2(p) * 4294967296 + get4(p + 2);
	default:
		return (int64_t)((uint64_t)get4(p) << 32 | get4(p + 4));
	}
}

/* a value by its serial type; the bytes are known to be there */
static void
set_cell(struct cell *c, uint64_t type, const unsigned char *p, uint64_t n)
{
	uint64_t bits;

	switch (type) {
	case 0:
		c->type = CELL_NULL;
		break;
	case 1:
	case 2:
	case 3:
	case 4:
	case 5:
	case 6:
		c->type = CELL_INT;
		c->i = get_int(p, (unsigned)n);
		break;
	case 7:
		bits = (uint64_t)get_int(p, 8);
		c->type = CELL_REAL;
		memcpy(&c->d, &bits, sizeof(c->d));
		break;
	case 8:
	case 9:
		c->type = CELL_INT;
		c->i = (int64_t)type - 8;
		break;
	default:
		c->type = type % 2 == 0 ? CELL_BLOB : CELL_TEXT;
		c->s = (struct span){(const char *)p, n};
	}
}

static bool
decode(const unsigned char *row, uint64_t size, const signed char *slots,
    int count, struct cell *cells)
{
	static const unsigned char lengths[12] = {
	    0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};
	const unsigned char *p, *body, *end = row + size, *head_end;
	uint64_t head, type, n;
	int col = 0;

	if ((p = varint(row, end, &head)) == NULL || head > size)
		return false;
	head_end = body = row + head;
	for (; col < count && p < head_end; col++) {
		if ((p = varint(p, head_end, &type)) == NULL)
			return false;
		if (type < 12) {
			if (type > 9)
				return false; /* reserved */
			n = lengths[type];
		} else
			n = (type - 12) / 2;
		if ((uint64_t)(end - body) < n)
			return false;
		if (slots[col] >= 0)
			set_cell(&cells[slots[col]], type, body, n);
		body += n;
	}
	for (; col < count; col++)
		if (slots[col] >= 0)
			cells[slots[col]].type = CELL_NULL;
	return true;
}

bool
btree_next(
    struct btree *b, const signed char *slots, int count, struct cell *cells)
{
	const unsigned char *p;
	int64_t before = b->rowid;
	uint64_t size;

	if (b->corrupt)
		return false;
	for (;;) {
		while (b->leaf_index == b->leaf_cells)
			if (!next_leaf(b))
				return false;
		p = cell_at(b->file, b->leaf, b->leaf_number, LEAF_HEADER,
		    b->leaf_index++);
		if (p == NULL || (p = payload_of(b, p, &size)) == NULL)
			return corrupt(b);
		/* before the first row, rowid is where to start */
		if (b->started || b->rowid >= before)
			break;
	}
	if (b->started && b->rowid <= before)
		return corrupt(b);
	b->started = true;
	if (b->rowid > b->last)
		return false;
	return decode(p, size, slots, count, cells) ? true : corrupt(b);
}
