/* report_memo.c - events that repeat */

#include <stdlib.h>

#include "read/proto_reader.h"
#include "report_memo.h"
#include "tq/base/array.h"

enum {
	MEMOS = 1 << MEMO_BITS,
	MISSES = 6, /* after which an event gets a memo: that takes time */
	OLD_MAX = 1 << 12, /* formats that wait to be freed */
	VALUE_SIZE = 16,   /* of a constant */
	TEXT_SLACK = 128,  /* bytes that may be read behind a text */
};

void
report_memo_open(struct report_memos *m)
{
	*m = (struct report_memos){
	    .all = mem_alloc(MEMOS * sizeof(struct report_memo)),
	    .places = mem_alloc(MEMOS * sizeof(struct memo_place))};
	report_memo_clear(m);
}

/* the place gets the memo of other events */
static struct report_memo *
replace(struct report_memos *m, size_t place, uint32_t tag)
{
	struct report_memo *memo = &m->all[place];

	/* rows may have its format */
	if (memo->format != NULL)
		*array_add(&m->old, &m->old_count, &m->old_cap) = memo->format;
	memo->format = NULL;
	memo->key = 0;
	m->places[place].tag = tag;
	return memo;
}

struct report_memo *
report_memo_miss(struct report_memos *m, size_t place, uint32_t tag)
{
	struct memo_place *p = &m->places[place];

	if (p->missed != tag) {
		if (p->misses == 0)
			p->missed = tag;
		else
			p->misses--;
		return NULL;
	}
	if (++p->misses < MISSES || m->old_count >= OLD_MAX)
		return NULL;
	p->misses = 0;
	/* an empty place of the two, else either, as the tag has it */
	if (p->tag != 0 && (m->places[place ^ 1].tag == 0 || (tag & 2) != 0))
		place ^= 1;
	return replace(m, place, tag);
}

/* ---- making ---- */

/* the field that is the hole in events of a table; in a message, or not */
static const struct hole {
	enum report_table table;
	uint32_t sub, number;
} holes[] = {
#define VARIES(id, sub, number) {REPORT_##id, sub, number},
#include "report_tables.def"
};

static const struct hole *
hole_of(enum report_table table)
{
	for (size_t i = 0; i < sizeof(holes) / sizeof(holes[0]); i++)
		if (holes[i].table == table)
			return &holes[i];
	return NULL;
}

/* the bytes of the integer in the hole; none at the end: there is no hole */
static struct span
find_hole(const struct report_event *e, const struct hole *hole)
{
	struct span found = {(const char *)e->end, 0}, body;
	struct proto_reader r = {e->p, e->end, false};
	struct proto_field f;
	uint64_t tag;

	if (hole == NULL)
		return found;
	body = (struct span){(const char *)e->p, (size_t)(e->end - e->p)};
	if (hole->sub != 0) {
		if (!proto_reader_find(body, hole->sub, &f) ||
		    f.bytes.p == NULL)
			return found;
		r = proto_reader(f.bytes);
	}
	for (;;) {
		struct proto_reader at = r;

		if (!proto_reader_next(&r, &f))
			return found;
		if (f.number != hole->number || f.bytes.p != NULL ||
		    !proto_reader_varint(&at, &tag) || (tag & 7) != 0)
			continue;
		found = (struct span){(const char *)at.p, (size_t)(r.p - at.p)};
	}
}

/*
 * True if each field that differs is in the event once: of several the last
 * would count, and be in the tail.
 */
static bool
are_single(const struct report_event *e, const struct hole *hole)
{
	const struct memo_shape *shape = &memo_shapes[e->number == MEMO_NVTX];
	struct proto_reader r = {e->p, e->end, false};
	unsigned seen[MEMO_VALUES] = {0};
	struct proto_field f;

	while (proto_reader_next(&r, &f)) {
		for (int i = 0; i < MEMO_HEAD; i++)
			seen[i] += f.number == shape->head[i];
		if (hole != NULL)
			seen[MEMO_HOLE] +=
			    f.number ==
			    (hole->sub != 0 ? hole->sub : hole->number);
	}
	for (int i = 0; i < MEMO_VALUES; i++)
		if (seen[i] > 1)
			return false;
	return !r.broken;
}

bool
report_memo_begin(struct report_memo *memo, const struct memo_head *h,
    const struct report_event *e, enum report_table table)
{
	const struct hole *which = hole_of(table);
	struct span hole = find_hole(e, which);
	const char *tail = (const char *)h->tail, *end = (const char *)e->end;
	size_t before, behind;

	if (hole.p < tail || !are_single(e, which))
		return false;
	before = (size_t)(hole.p - tail);
	behind = (size_t)(end - hole.p) - hole.len;
	if (hole.len > 0 && behind == 0)
		return false; /* there would seem to be no hole */
	*memo = (struct report_memo){.key = h->key,
	    .next = memo,
	    .n = before + behind,
	    .behind_hole = behind,
	    .hole_bytes = which != NULL && which->sub != 0 ? hole.len : 0,
	    .example = {e->type, e->number, e->event_class, NULL, NULL},
	    .table = table};
	memcpy(memo->tail, tail, before);
	memcpy(memo->tail + before, hole.p + hole.len, behind);
	return true;
}

/* a value of the tail: a constant at the offset, with all its bytes */
static struct value_ref
constant_ref(enum slot_type type, unsigned offset)
{
	struct value_ref r = slot_row_ref(
	    type == SLOT_SMALL || type == SLOT_SHORT ? SLOT_LONG : type,
	    offset);

	if (r.type != SQL_NULL && r.base != BASE_FIXED)
		r.base = BASE_CONSTANT;
	return r;
}

/* the texts of a row, one behind the other */
static size_t
texts_of(const unsigned char *row)
{
	size_t n = 0;

	for (unsigned i = 0; i < row[1]; i++)
		if (row[SLOT_ROW_TYPES + i] == SLOT_TEXT)
			n += slot_row_value(row, i).s.len;
	return n;
}

static struct row_format *
make_format(const unsigned char *row)
{
	unsigned count = row[1];
	/* constants and texts are behind the references */
	size_t refs =
	    (sizeof(struct row_format) + count * sizeof(struct value_ref) + 7) &
	    ~(size_t)7;
	struct row_format *f = mem_alloc(
	    refs + (size_t)count * VALUE_SIZE + texts_of(row) + TEXT_SLACK);
	unsigned char *constants = (unsigned char *)f + refs;
	char *text = (char *)constants + (size_t)count * VALUE_SIZE;

	f->flat = true;
	f->constants = constants;
	for (unsigned i = 0; i < count; i++) {
		enum slot_type type = (enum slot_type)row[SLOT_ROW_TYPES + i];
		unsigned char *to = constants + (size_t)i * VALUE_SIZE;
		struct span s;

		f->values[i] = constant_ref(type, i * VALUE_SIZE);
		memcpy(to, row + row[0] + ((size_t)i << row[2]), 8);
		if (type != SLOT_TEXT)
			continue;
		s = slot_row_value(row, i).s;
		if (s.len > 0)
			memcpy(text, s.p, s.len);
		s.p = text;
		memcpy(to, &s, sizeof(s));
		text += s.len;
	}
	return f;
}

/* the value of a row that a value of the head is; -1: of none */
static int
value_of(const struct report_memo *memo, const struct memo_head *h,
    const struct report_decoder *d, unsigned i)
{
	const struct memo_shape *shape =
	    &memo_shapes[memo->example.number == MEMO_NVTX];
	const struct hole *hole = hole_of(memo->table);

	if (i < MEMO_HEAD)
		return report_memo_has(h, i)
			   ? report_decoder_value(d, shape->head[i])
			   : -1;
	return memo->behind_hole > 0 && hole->sub == 0
		   ? report_decoder_value(d, hole->number)
		   : -1;
}

bool
report_memo_format(struct report_memo *memo, const struct memo_head *h,
    const struct report_decoder *d, const unsigned char *row, int rowid)
{
	struct row_format *f = make_format(row);

	for (unsigned i = 0; i < MEMO_VALUES; i++) {
		int value = value_of(memo, h, d, i);
		int64_t v;

		if (value < 0)
			continue;
		/* the value in the hole was not taken yet */
		if (i < MEMO_HEAD &&
		    (!slot_row_int(row, value, &v) || v != (int64_t)h->v[i])) {
			free(f);
			return false;
		}
		f->values[value] = (struct value_ref){
		    SQL_INT, BASE_ROW, 0, (unsigned short)(i * 8)};
	}
	if (rowid >= 0)
		f->values[rowid] =
		    (struct value_ref){SQL_INT, BASE_ROWID, 0, 0};
	memo->format = f;
	return true;
}

/* ---- the end ---- */

static void
free_format(struct row_format *f)
{
	if (f != NULL)
		free(f->program);
	free(f);
}

void
report_memo_release(struct report_memos *m)
{
	for (size_t i = 0; i < m->old_count; i++)
		free_format(m->old[i]);
	m->old_count = 0;
}

void
report_memo_clear(struct report_memos *m)
{
	report_memo_release(m);
	for (size_t i = 0; i < MEMOS; i++) {
		if (m->places[i].tag != 0) {
			free_format(m->all[i].format);
			m->all[i] = (struct report_memo){0};
		}
		m->places[i] = (struct memo_place){0};
	}
	m->all->next = m->all;
	m->last = m->all;
}

void
report_memo_close(struct report_memos *m)
{
	report_memo_clear(m);
	free(m->all);
	free(m->places);
	free(m->old);
}
