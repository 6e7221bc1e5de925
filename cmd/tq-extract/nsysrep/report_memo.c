/* report_memo.c - events that repeat */

#include <stdlib.h>

#include "read/proto_reader.h"
#include "report_memo.h"
#include "tq/base/array.h"

enum {
	MEMOS = 1 << MEMO_BITS,
	OLD_MAX = 4096,  /* formats that wait to be freed */
	VALUE_SIZE = 16, /* of a constant */
};

void
report_memo_open(struct report_memos *m)
{
	*m = (struct report_memos){
	    .all = mem_alloc(MEMOS * sizeof(struct report_memo))};
	report_memo_clear(m);
}

struct report_memo *
report_memo_replace(
    struct report_memos *m, struct report_memo *memo, uint64_t hash)
{
	if (memo->other != hash || m->old_count >= OLD_MAX) {
		memo->other = hash;
		return NULL;
	}
	/* rows may have its format */
	if (memo->format != NULL)
		*array_add(&m->old, &m->old_count, &m->old_cap) = memo->format;
	memo->format = NULL;
	memo->key = 0;
	return memo;
}

/* ---- making ---- */

/* where an integer that differs begins in the tail; the end: nowhere */
static const unsigned char *
find_hole(const struct report_event *e, enum report_table table,
    const unsigned char **end)
{
	static const struct {
		enum report_table table;
		uint32_t sub, number;
	} varying[] = {
#define VARIES(id, sub, number) {REPORT_##id, sub, number},
#include "report_tables.def"
	};
	struct proto_field f;
	struct proto_reader r;
	const unsigned char *hole = e->end;

	for (size_t i = 0; i < sizeof(varying) / sizeof(varying[0]); i++) {
		uint64_t tag;

		if (varying[i].table != table)
			continue;
		r = (struct proto_reader){e->p, e->end, false};
		if (!proto_reader_find((struct span){(const char *)e->p,
					   (size_t)(e->end - e->p)},
			varying[i].sub, &f) ||
		    f.bytes.p == NULL)
			continue;
		r = proto_reader(f.bytes);
		while (r.p < r.end) {
			const unsigned char *before = r.p;

			if (!proto_reader_next(&r, &f))
				break;
			if (f.number != varying[i].number || f.bytes.p != NULL)
				continue;
			*end = r.p;
			r.p = before;
			if (!proto_reader_varint(&r, &tag))
				break;
			hole = r.p;
			r.p = *end;
		}
	}
	return hole;
}

bool
report_memo_begin(struct report_memo *memo, const struct memo_head *h,
    const struct report_event *e, enum report_table table)
{
	const unsigned char *hole_end = e->end;
	const unsigned char *hole = find_hole(e, table, &hole_end);
	size_t before, behind;

	if (hole < h->tail)
		return false;
	before = (size_t)(hole - h->tail);
	behind = (size_t)(e->end - hole_end);
	if (hole == e->end)
		behind = 0;
	else if (behind == 0)
		return false; /* there would seem to be none */
	*memo = (struct report_memo){.key = h->key,
	    .next = memo,
	    .n = before + behind,
	    .behind = behind,
	    .like = {e->type, e->number, e->event_class, NULL, NULL},
	    .table = table,
	    .process = -1,
	    .device = -1,
	    .context = -1};
	memcpy(memo->tail, h->tail, before);
	memcpy(memo->tail + before, hole_end, behind);
	return true;
}

/* a value of the tail: a constant at the offset */
static struct value_ref
constant_ref(enum slot_type type, unsigned offset)
{
	struct value_ref r = {SQL_INT, BASE_CONSTANT, 0, (unsigned short)offset};

	switch (type) {
	case SLOT_NULL:
		return row_format_null;
	case SLOT_ZERO:
		return (struct value_ref){SQL_INT, BASE_FIXED, 0, FIXED_ZERO};
	case SLOT_ONE:
		return (struct value_ref){SQL_INT, BASE_FIXED, 0, FIXED_ONE};
	case SLOT_REAL:
		r.type = SQL_REAL;
		break;
	case SLOT_TEXT:
		r.type = SQL_TEXT;
		break;
	default:
		break;
	}
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
	size_t refs = (sizeof(struct row_format) +
			  count * sizeof(struct value_ref) + 7) &
		      ~(size_t)7;
	struct row_format *f = mem_alloc(refs + (size_t)count * VALUE_SIZE +
					 texts_of(row) + SLOT_ROW_SLACK);
	unsigned char *constants = (unsigned char *)f + refs;
	char *text = (char *)constants + (size_t)count * VALUE_SIZE;

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

bool
report_memo_format(struct report_memo *memo, const struct memo_head *h,
    const struct report_decoder *d, const unsigned char *row)
{
	struct row_format *f = make_format(row);

	for (unsigned i = 0; i < MEMO_HEAD; i++) {
		int value = d->body[i + 1];
		int64_t v;

		if (value < 0 || !report_memo_has(h, i + 1))
			continue;
		if (!slot_row_int(row, value, &v) || v != (int64_t)h->v[i]) {
			free(f);
			return false;
		}
		f->values[value] = (struct value_ref){
		    SQL_INT, BASE_ROW, 0, (unsigned short)(i * 8)};
	}
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
		free_format(m->all[i].format);
		m->all[i] = (struct report_memo){.next = m->all};
	}
	m->last = m->all;
}

void
report_memo_close(struct report_memos *m)
{
	report_memo_clear(m);
	free(m->all);
	free(m->old);
}
