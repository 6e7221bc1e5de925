/* btree.c - a reader of table b-trees in an SQLite file */

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "btree.h"
#include "big_endian.h"
#include "tq/base/mem.h"

enum {
	FILE_HEADER = 100, /* in front of page 1 */
	LEAF = 0x0d,
	INTERIOR = 0x05,
	LEAF_HEADER = 8,
	INTERIOR_HEADER = 12,
	CELL_MIN = 6, /* bytes of a cell and its pointer */
	UTF8 = 1,
};

/* bytes to read ahead at most */
enum { WINDOW = 1 << 16 };

/* false at the end of the file, and on an error, which *error then is */
static bool
read_at(int fd, void *buf, size_t n, uint64_t offset, int *error)
{
	unsigned char *p = buf;

	while (n > 0) {
		ssize_t got = pread(fd, p, n, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			*error = errno;
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
	int error;

	if (fstat(fd, &st) < 0 || !read_at(fd, h, sizeof(h), 0, &error) ||
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
	return page[at] == type && at + head + *cells * 2 <= f->usable &&
	       *cells <= (f->page_size - LEAF_HEADER) / CELL_MIN;
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

/*
 * How many pages to read from number on: more each time that all pages of the
 * last read were used, but for pages of other tables in between.
 */
static uint32_t
pages_ahead(const struct btree *b, uint32_t number)
{
	const struct btree_file *f = b->file;
	uint32_t end = b->window_first + b->window_pages, n = 1;

	if (number >= end && number - end < b->window_pages)
		n = b->window_pages * 2;
	if (n > WINDOW / f->page_size)
		n = WINDOW / f->page_size;
	if (n > f->page_count - number + 1)
		n = f->page_count - number + 1;
	return n > 0 ? n : 1;
}

static inline bool
in_window(const struct btree *b, uint32_t number)
{
	return number >= b->window_first &&
	       number - b->window_first < b->window_pages;
}

/* room for pages; only bytes that no read fills are cleared */
static void
make_window(struct btree *b, uint32_t pages)
{
	size_t size = (size_t)pages * b->file->page_size;

	free(b->window);
	b->window = mem_resize(NULL, size + BTREE_SLACK, 1);
	memset(b->window + size, 0, BTREE_SLACK);
	b->window_room = pages;
}

/* a leaf, from the pages read ahead or from the file */
static const unsigned char *
load_leaf(struct btree *b, uint32_t number)
{
	const struct btree_file *f = b->file;

	if (number == 0 || number > f->page_count)
		return NULL;
	if (!in_window(b, number)) {
		uint32_t n = pages_ahead(b, number);

		if (n > b->window_room)
			make_window(b, n);
		b->window_pages = 0;
		if (!read_at(f->fd, b->window, (size_t)n * f->page_size,
			(uint64_t)(number - 1) * f->page_size, &b->error))
			return NULL;
		b->window_first = number;
		b->window_pages = n;
	}
	return b->window + (size_t)(number - b->window_first) * f->page_size;
}

/*
 * The type of a page is in its first byte; where leaves are known to be, all
 * of it is read at once.
 */
static bool
page_type(struct btree *b, uint32_t number, int *type)
{
	uint32_t at = number == 1 ? FILE_HEADER : 0;
	const unsigned char *leaf;
	unsigned char t;

	if (number == 0 || number > b->file->page_count ||
	    /* more pages than there are: the tree goes in circles */
	    ++b->pages_seen > 2 * (uint64_t)b->file->page_count + BTREE_DEPTH)
		return false;
	if (b->depth == b->leaf_depth || in_window(b, number)) {
		leaf = load_leaf(b, number);
		if (leaf == NULL)
			return false;
		t = leaf[at];
	} else if (!read_at(b->file->fd, &t, 1,
		       (uint64_t)(number - 1) * b->file->page_size + at,
		       &b->error))
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

/*
 * The bounds of the current child of l, of which the lower one is known; false
 * where the keys do not ascend.
 */
static bool
bound_child(
    struct btree *b, const struct btree_level *l, struct btree_bounds *bounds)
{
	if (l->index == l->cells)
		bounds->last = l->bounds.last;
	else if (!child_key(b, l, l->index, &bounds->last))
		return false;
	return bounds->first <= bounds->last && bounds->last <= l->bounds.last;
}

/* the same for any child, here the child of a seek */
static bool
find_bounds(
    struct btree *b, const struct btree_level *l, struct btree_bounds *bounds)
{
	int64_t key;

	bounds->first = l->bounds.first;
	if (l->index > 0) {
		if (!child_key(b, l, l->index - 1, &key) || key == INT64_MAX ||
		    key < bounds->first)
			return false;
		bounds->first = key + 1;
	}
	return bound_child(b, l, bounds);
}

static bool
push_level(struct btree *b, uint32_t number, struct btree_bounds bounds)
{
	struct btree_level *l = &b->levels[b->depth];

	if (b->depth == BTREE_DEPTH)
		return false;
	if (l->page == NULL)
		l->page = mem_alloc(b->file->page_size + BTREE_SLACK);
	/* the upper levels rarely change */
	if (l->number != number) {
		l->number = 0;
		if (!read_at(b->file->fd, l->page, b->file->page_size,
			(uint64_t)(number - 1) * b->file->page_size,
			&b->error) ||
		    !check_page(
			b->file, l->page, number, INTERIOR, &l->cells) ||
		    l->cells == 0)
			return false;
		l->number = number;
	}
	l->index = 0;
	l->bounds = bounds;
	b->depth++;
	return true;
}

/* the first child of a level that has rowids >= from, or its last */
static bool
find_child(struct btree *b, struct btree_level *l, int64_t from)
{
	uint32_t end = l->cells;
	int64_t key;

	while (l->index < end) {
		uint32_t middle = l->index + (end - l->index) / 2;

		if (!child_key(b, l, middle, &key))
			return false;
		if (key >= from)
			end = middle;
		else
			l->index = middle + 1;
	}
	return true;
}

/* a leaf without rows is an empty table, and so the root */
static bool
open_leaf(struct btree *b, uint32_t number)
{
	b->leaf_depth = b->depth;
	b->leaf = load_leaf(b, number);
	if (b->leaf == NULL ||
	    !check_page(b->file, b->leaf, number, LEAF, &b->leaf_left))
		return false;
	b->leaf_cell = b->leaf + (number == 1 ? FILE_HEADER : 0) + LEAF_HEADER;
	return b->leaf_left > 0 || b->depth == 0;
}

/*
 * From page number, with these bounds, down to the leaf that holds the first
 * rowid >= from.
 */
static bool
descend(
    struct btree *b, uint32_t number, struct btree_bounds bounds, int64_t from)
{
	struct btree_level *l;
	int type;

	for (;;) {
		if (!page_type(b, number, &type))
			return corrupt(b);
		if (type == LEAF)
			break;
		if (type != INTERIOR || !push_level(b, number, bounds))
			return corrupt(b);
		l = &b->levels[b->depth - 1];
		if ((from != INT64_MIN && !find_child(b, l, from)) ||
		    !find_bounds(b, l, &bounds))
			return corrupt(b);
		l->last = bounds.last;
		number = child(b, l, l->index);
	}
	b->leaf_bounds = bounds;
	if (open_leaf(b, number))
		return true;
	b->leaf_left = 0;
	return corrupt(b);
}

/* to the child behind the current one */
static bool
next_child(struct btree *b, struct btree_level *l)
{
	struct btree_bounds bounds = {l->last, 0};

	if (bounds.first++ == INT64_MAX)
		return corrupt(b);
	l->index++;
	if (!bound_child(b, l, &bounds))
		return corrupt(b);
	l->last = bounds.last;
	return descend(b, child(b, l, l->index), bounds, INT64_MIN);
}

/* to the next leaf; false at the end */
static bool
next_leaf(struct btree *b)
{
	if (b->rowid > b->leaf_bounds.last)
		return corrupt(b);
	while (b->depth > 0) {
		struct btree_level *l = &b->levels[b->depth - 1];

		if (l->index < l->cells)
			return next_child(b, l);
		b->depth--;
	}
	return false;
}

bool
btree_open(struct btree *b, const struct btree_file *f, uint32_t root)
{
	*b = (struct btree){.file = f,
	    .root = root,
	    .usable = f->usable,
	    .local = f->usable - 35,
	    .leaf_depth = -1};
	return btree_seek(b, INT64_MIN);
}

bool
btree_seek(struct btree *b, int64_t first)
{
	b->started = false;
	b->first = first;
	b->depth = 0;
	b->pages_seen = 0;
	b->leaf_left = 0;
	return !b->corrupt &&
	       descend(b, b->root, (struct btree_bounds){INT64_MIN, INT64_MAX},
		   first);
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
	text_reserve(&b->overflow, payload + BTREE_SLACK);
	text_add(&b->overflow, (const char *)local, n);
	while (b->overflow.len < payload) {
		uint64_t left = payload - b->overflow.len;
		uint64_t offset = (uint64_t)(next - 1) * f->page_size;

		if (left > f->usable - 4)
			left = f->usable - 4;
		if (next == 0 || next > f->page_count ||
		    !read_at(f->fd, link, 4, offset, &b->error) ||
		    !read_at(f->fd, b->overflow.p + b->overflow.len, left,
			offset + 4, &b->error))
			return false;
		b->overflow.len += left;
		next = get4(link);
	}
	return true;
}

/* the bytes of the row whose cell is at p; NULL where it is corrupt */
static inline const unsigned char *
payload_of(struct btree *b, const unsigned char *p)
{
	const struct btree_file *f = b->file;
	const unsigned char *end = b->leaf + f->usable;
	uint32_t min;
	uint64_t rowid, n;

	if ((p = varint(p, end, &b->size)) == NULL ||
	    (p = varint(p, end, &rowid)) == NULL)
		return NULL;
	b->rowid = (int64_t)rowid;
	if (b->size <= b->local)
		return (uint64_t)(end - p) >= b->size ? p : NULL;
	min = (f->usable - 12) * 32 / 255 - 23;
	n = min + (b->size - min) % (f->usable - 4);
	if (n > b->local)
		n = min;
	if ((uint64_t)(end - p) < n + 4 || !gather(b, p, (uint32_t)n, b->size))
		return NULL;
	return (const unsigned char *)b->overflow.p;
}

/* the cell that the next pointer of the leaf points to */
static inline bool
read_cell(struct btree *b)
{
	const struct btree_file *f = b->file;
	uint32_t offset = get2(b->leaf_cell);

	b->leaf_cell += 2;
	b->leaf_left--;
	if (offset >= f->usable)
		return false;
	b->row = payload_of(b, b->leaf + offset);
	return b->row != NULL;
}

bool
btree_next(struct btree *b)
{
	int64_t before = b->rowid;

	if (b->corrupt)
		return false;
	do {
		while (b->leaf_left == 0)
			if (!next_leaf(b))
				return false;
		if (!read_cell(b))
			return corrupt(b);
	} while (!b->started && b->rowid < b->first);
	if ((b->started && b->rowid <= before) ||
	    b->rowid < b->leaf_bounds.first || b->rowid > b->leaf_bounds.last)
		return corrupt(b);
	b->started = true;
	return true;
}
