/*
 * report_rows.c - the events of a report as rows in order of time
 *
 * A chain is intervals of events whose times ascend; a reader goes through the
 * blocks of one chain, and decodes some events ahead.
 */

#include <err.h>
#include <errno.h>
#include <stdlib.h>

#include "read/proto_reader.h"
#include "report_rows.h"
#include "report_store.h"
#include "tq/io/sorter.h"

enum {
	TEXT_AHEAD = 1 << 16, /* bytes of texts of the rows ahead, roughly */
	SORT_MEMORY = 16 << 20,
};

/* ---- rows ---- */

/* a place in the file: before an event */
struct block_place {
	size_t block;
	size_t offset;  /* in its message */
	int64_t number; /* of the event */
	int64_t nvtx;   /* of the next event of NVTX_EVENTS */
};

/* of one chain */
struct rows_reader {
	struct report_store *store;
	const struct rowids *interval, *last; /* of the chain */
	struct block_place at;
	bool began;
	size_t sample; /* numbers of the next event that were given */

	unsigned char *rows; /* ROW_SOURCE_AHEAD of them */
	size_t row_size;
	struct text texts; /* that rows have, copied from blocks */
};

/* the number of a chain of frames: where its event is */
static int64_t
chain_at(const struct block_place *at)
{
	return (int64_t)(((uint64_t)at->block + 1) << 32 | at->offset);
}

/* the bytes of all texts of a row */
static size_t
texts_size(const unsigned char *row, unsigned count)
{
	size_t n = 0;

	for (unsigned i = 0; i < count; i++)
		if (row[SLOT_ROW_TYPES + i] == SLOT_TEXT)
			n += slot_row_value(row, i).s.len + REPORT_SLACK;
	return n;
}

/* texts are spans of a block that may go: copy them to where there is room */
static void
copy_texts(struct text *to, unsigned char *row, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct span s;

		if (row[SLOT_ROW_TYPES + i] != SLOT_TEXT)
			continue;
		s = slot_row_value(row, i).s;
		if (s.len > 0)
			memcpy(to->p + to->len, s.p, s.len);
		slot_row_set_text(
		    row, i, (struct span){to->p + to->len, s.len});
		to->len += s.len + REPORT_SLACK;
	}
}

/* room for the texts of a row; false where rows ahead would have to move */
static bool
keep_texts(struct text *to, unsigned char *row, unsigned count, bool first)
{
	size_t n = texts_size(row, count);

	if (n > to->cap - to->len) {
		if (!first)
			return false;
		text_reserve(to, n > TEXT_AHEAD ? n : TEXT_AHEAD);
	}
	copy_texts(to, row, count);
	return true;
}

static void
finish_row(const struct report_consumer *c, unsigned char *row,
    struct row_bytes *r, int64_t rowid)
{
	if (c->rowid >= 0)
		slot_row_set_int(row, (unsigned)c->rowid, rowid);
	r->rowid = rowid;
	r->size = 0;
	r->text = 0;
	if (r->format == NULL)
		r->format = slot_row_format(&c->table->formats, r->p);
}

/* ---- GPU metrics ---- */

static int
column_of(const struct report_consumer *c, const char *name)
{
	return record_map_value(&c->table->record, name);
}

static void
set_column(const struct report_consumer *c, unsigned char *row,
    const char *name, int64_t v)
{
	int i = column_of(c, name);

	if (i >= 0)
		slot_row_set_int(row, (unsigned)i, v);
}

/* the row of number i of a sample; false where its bytes are cut */
static bool
sample_row(const struct report_consumer *c, const struct metric_sample *sample,
    size_t i, unsigned char *row, struct row_bytes *r)
{
	uint64_t v;

	if (!report_metrics_value(sample, i, &v))
		return false;
	slot_row_begin(row, c->decoder.shape);
	set_column(c, row, "timestamp", sample->ts);
	set_column(c, row, "typeId", sample->type->id);
	set_column(c, row, "metricId", (int64_t)i);
	set_column(c, row, "value", (int64_t)v);
	*r =
	    (struct row_bytes){.p = row, .ts = sample->ts, .number = c->number};
	finish_row(c, row, r, 0);
	return true;
}

/* ---- a reader ---- */

/* the block with an event */
static size_t
block_of(const struct nsysrep *r, int64_t number)
{
	size_t low = 0, high = r->count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (r->blocks[middle].first <= number)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static struct block_place
start_of(const struct nsysrep *r, size_t block)
{
	const struct report_block *b = &r->blocks[block];

	return (struct block_place){block, 0, b->first, b->first_nvtx};
}

/*
 * The number of the first event behind those of a block that the index has:
 * the rest of a damaged block is lost.
 */
static int64_t
end_of(const struct report_store *s, size_t block)
{
	return block + 1 < s->report->count ? s->report->blocks[block + 1].first
					    : s->seen + 1;
}

/* to the block where an interval begins, unless the reader is there or in it */
static void
go_to(struct rows_reader *r, int64_t number)
{
	const struct nsysrep *report = r->store->report;
	size_t block;

	if (r->began && r->at.number >= number)
		return;
	block = block_of(report, number);
	if (!r->began || r->at.block != block)
		r->at = start_of(report, block);
	r->began = true;
}

/* the events of a block from a place on; false where it is damaged */
static bool
open_block(struct report_store *s, const struct block_place *at,
    struct block_events *events)
{
	struct span message;
	const char *why;

	if (!report_blocks_get(&s->blocks, at->block, &message, &why))
		return false;
	*events =
	    (struct block_events){(const unsigned char *)message.p + at->offset,
		(const unsigned char *)message.p + message.len};
	return true;
}

static inline void
go_behind(struct block_place *at, const struct found_event *f, size_t bytes)
{
	at->number++;
	at->offset += bytes;
	at->nvtx += f->table == REPORT_NVTX_EVENTS;
}

/* ---- rows of an event ---- */

/* add the row of an event; false where there is no room for it */
static bool
add_event(
    struct rows_reader *r, struct row_source *s, const struct found_event *f)
{
	unsigned char *row = r->rows + s->count * r->row_size;
	struct row_bytes *bytes = &s->ahead[s->count];
	const struct report_consumer *c =
	    report_store_decode(r->store, f, chain_at(&r->at), row, bytes);

	if (c == NULL)
		return true;
	if (c->decoder.shape.shift > 3 && bytes->format == NULL &&
	    !keep_texts(&r->texts, row, c->decoder.shape.count, s->count == 0))
		return false;
	finish_row(c, row, bytes,
	    f->table == REPORT_NVTX_EVENTS ? r->at.nvtx : r->at.number);
	s->count++;
	return true;
}

/* the same for a generic event, number by number */
static bool
add_sample(struct rows_reader *r, struct row_source *s, struct span generic)
{
	const struct report_stream *t = &r->store->streams[REPORT_GPU_METRICS];
	struct metric_sample sample;

	if (t->count == 0 ||
	    !report_metrics_take(&r->store->metrics, generic, &sample))
		return true;
	for (; r->sample < sample.type->count; r->sample++) {
		if (s->count == ROW_SOURCE_AHEAD)
			return false;
		s->count += sample_row(t->consumers, &sample, r->sample,
		    r->rows + s->count * r->row_size, &s->ahead[s->count]);
	}
	r->sample = 0;
	return true;
}

static bool
add_rows(
    struct rows_reader *r, struct row_source *s, const struct found_event *f)
{
	if (f->part == BLOCK_GENERIC)
		return add_sample(r, s, f->bytes);
	return f->table == REPORT_TABLES || add_event(r, s, f);
}

/*
 * The hot loop: add the rows of events up to one of that number, or up to the
 * end of the room.  False where there is no room.
 */
static bool
add_events(struct rows_reader *r, struct row_source *s,
    struct block_events *events, int64_t end)
{
	const unsigned char *start = events->p - r->at.offset, *before;
	int64_t number = r->at.number;
	struct found_event f;
	bool room = true;

	for (; number < end; number++) {
		before = events->p;
		room = s->count < ROW_SOURCE_AHEAD;
		if (!room || !report_store_next(r->store, events, &f))
			break;
		if (f.known) {
			struct row_bytes *bytes = &s->ahead[s->count];

			bytes->rowid = number;
			if (f.table == REPORT_NVTX_EVENTS)
				bytes->rowid = r->at.nvtx++;
			s->count += report_store_known(r->store, &f,
			    r->rows + s->count * r->row_size, bytes);
			continue;
		}
		r->at.number = number;
		r->at.offset = (size_t)(before - start);
		room = add_rows(r, s, &f);
		if (!room) { /* it comes again */
			events->p = before;
			break;
		}
		r->at.nvtx += f.table == REPORT_NVTX_EVENTS;
	}
	r->at.number = number;
	r->at.offset = (size_t)(events->p - start);
	return room;
}

/* to the last mark before an event of the block, if that is ahead */
static void
go_to_mark(struct rows_reader *r, int64_t number)
{
	const struct report_store *s = r->store;
	const struct report_block *b = &s->report->blocks[r->at.block];
	const struct event_mark *mark;
	int64_t n;

	if (number - r->at.number < STORE_MARK)
		return;
	n = (number - b->first) / STORE_MARK;
	mark = &s->marks[b->marks + (size_t)n];
	r->at = (struct block_place){r->at.block, mark->offset,
	    b->first + n * STORE_MARK, b->first_nvtx + mark->nvtx};
}

/*
 * Go over events of a block that are before the interval: only events of
 * NVTX_EVENTS have to be distinguished.
 */
static void
skip_events(struct rows_reader *r, struct block_events *events, int64_t end)
{
	bool nvtx =
	    r->store->report->blocks[r->at.block].tables >> REPORT_NVTX_EVENTS &
	    1;

	while (r->at.number < r->interval->first && r->at.number < end) {
		const unsigned char *before = events->p, *p, *behind;
		enum block_part part = report_blocks_next(events, &p, &behind);

		if (part > BLOCK_GENERIC)
			return;
		r->at.number++;
		r->at.offset += (size_t)(events->p - before);
		r->at.nvtx += nvtx && part == BLOCK_EVENT &&
			      report_tables_nvtx(p, behind);
	}
}

/*
 * Add the rows of events of the interval that are in the block where the
 * reader is.  False where there is no room for more.
 */
static bool
read_block(struct rows_reader *r, struct row_source *s)
{
	const struct nsysrep *report = r->store->report;
	int64_t end = end_of(r->store, r->at.block);
	struct block_events events;
	bool room = true;

	if (r->interval->first < end)
		go_to_mark(r, r->interval->first);
	if (r->at.number < end && open_block(r->store, &r->at, &events)) {
		skip_events(r, &events, end);
		room = add_events(r, s, &events,
		    r->interval->last < end ? r->interval->last + 1 : end);
	}
	if (!room || r->at.number > r->interval->last)
		return room;
	if (r->at.block + 1 < report->count)
		r->at = start_of(report, r->at.block + 1);
	else
		r->at.number = INT64_MAX;
	return true;
}

static bool
fill(struct row_source *s, void *reader)
{
	struct rows_reader *r = reader;

	s->at = s->count = 0;
	r->texts.len = 0;
	if (r->store->chains.count == 1) /* all rows were written */
		report_memo_release(&r->store->memos);
	while (r->interval < r->last) {
		go_to(r, r->interval->first);
		if (!read_block(r, s))
			break;
		if (r->at.number > r->interval->last)
			r->interval++;
	}
	return s->count > 0;
}

static void
close_reader(void *reader)
{
	struct rows_reader *r = reader;

	text_free(&r->texts);
	free(r->rows);
	free(r);
}

static const struct row_feed feed = {fill, close_reader};

static struct rows_reader *
open_reader(struct report_store *s, const struct row_chain *chain)
{
	struct rows_reader *r = mem_alloc(sizeof(*r));

	*r = (struct rows_reader){
	    .store = s, .row_size = report_store_row_size(s)};
	r->rows = mem_alloc(ROW_SOURCE_AHEAD * r->row_size);
	if (chain != NULL) {
		r->interval = chain->intervals;
		r->last = chain->intervals + chain->count;
	}
	return r;
}

static void
begin_rows(struct report_store *s, struct event_table *tables, size_t count)
{
	report_store_consumers(s, tables, count);
	for (size_t i = 0; i < count; i++)
		if (tables[i].formats.slots == NULL)
			row_format_open(
			    &tables[i].formats, &tables[i].layout.row, 0);
}

void
report_rows_merge(struct event_store *store, struct event_table *tables,
    size_t count, struct row_merge *m)
{
	struct report_store *s = (struct report_store *)store;

	begin_rows(s, tables, count);
	/* a block for each chain, and one more, as two may be in one */
	s->blocks.limit =
	    (unsigned)(s->chains.count < BLOCKS_MAX ? s->chains.count + 1
						    : BLOCKS_MAX);
	for (size_t i = 0; i < s->chains.count; i++)
		row_source_open_feed(&row_merge_add(m, NULL, 0)->rows, &feed,
		    open_reader(s, &s->chains.all[i]), SLOT_ROW_VALUES);
}

/* ---- sorted ---- */

/* what writes the sorted events */
struct sorted_rows {
	struct rows_reader *reader;
	struct row_source source;
	struct text bytes; /* of an event */
	void (*write)(void *arg, struct row_source *row);
	void *arg;
};

/* the head of an event in the sorter, in front of its bytes */
struct sorted_event {
	struct block_place at;
	enum block_part part;
};

/* the time of an event that becomes records; false for any other */
static bool
time_of(struct report_store *s, const struct found_event *f, unsigned char *row,
    struct row_bytes *times)
{
	struct metric_sample sample;

	if (f->part == BLOCK_EVENT)
		return report_store_decode(s, f, 0, row, times) != NULL;
	if (!report_metrics_take(&s->metrics, f->bytes, &sample))
		return false;
	times->ts = sample.ts;
	times->dur = 0;
	times->number = s->streams[REPORT_GPU_METRICS].consumers->number;
	return time_window_overlaps(&s->window, sample.ts, 0);
}

static void
sort_event(struct sorter *sorter, const struct nsysrep *r, struct text *line,
    const struct sorted_event *head, const struct found_event *f,
    const struct row_bytes *times)
{
	line->len = 0;
	text_add(line, (const char *)head, sizeof(*head));
	text_add_span(line, f->bytes);
	if (!sorter_add(sorter, times->ts, times->dur, text_span(line), 0))
		err(1, "%s: sorting", r->name);
}

/* add the events of one kind from one table, in order of the file */
static void
sort_table(struct report_store *s, struct sorter *sorter,
    enum report_table table, unsigned number, unsigned char *row)
{
	struct text line = {0};

	for (size_t i = 0; i < s->report->count; i++) {
		struct sorted_event head = {.at = start_of(s->report, i)};
		int64_t end = end_of(s, i);
		struct block_events events;
		struct found_event f;

		if (!(s->report->blocks[i].tables >> table & 1) ||
		    !open_block(s, &head.at, &events))
			continue;
		while (head.at.number < end) {
			const unsigned char *before = events.p;
			struct row_bytes times = {0};

			if (!report_store_next(s, &events, &f))
				break;
			head.part = f.part;
			if (f.table == table && time_of(s, &f, row, &times) &&
			    times.number == number)
				sort_event(sorter, s->report, &line, &head, &f,
				    &times);
			go_behind(&head.at, &f, (size_t)(events.p - before));
		}
	}
	text_free(&line);
}

/* the rows of a sorted event */
static void
write_sorted(void *sorted, const struct sorter_line *line)
{
	struct sorted_rows *o = sorted;
	struct rows_reader *r = o->reader;
	struct sorted_event head;
	struct found_event f = {.table = REPORT_GPU_METRICS};
	size_t n = line->line.len - sizeof(head);
	const unsigned char *p;
	bool whole = false;

	memcpy(&head, line->line.p, sizeof(head));
	o->bytes.len = 0;
	p = (const unsigned char *)text_reserve(&o->bytes, n + REPORT_SLACK);
	memcpy(o->bytes.p, line->line.p + sizeof(head), n);
	memset(o->bytes.p + n, 0, REPORT_SLACK);
	f.part = head.part;
	f.bytes = (struct span){o->bytes.p, n};
	if (f.part == BLOCK_EVENT && report_tables_take(&f.event, p, p + n))
		f.table = report_tables_match(&r->store->known, &f.event);
	r->at = head.at;
	r->store->sorted_chain = chain_at(&head.at);
	r->store->sorted = f.bytes;
	while (!whole) {
		o->source.row.bytes = NULL;
		o->source.at = o->source.count = 0;
		r->texts.len = 0;
		whole = add_rows(r, &o->source, &f);
		for (unsigned i = 0; i < o->source.count; i++) {
			row_source_set(&o->source, i);
			o->write(o->arg, &o->source);
		}
	}
}

bool
report_rows_sort(struct event_store *store, struct event_table *tables,
    size_t count, void (*write)(void *arg, struct row_source *row), void *arg)
{
	struct report_store *s = (struct report_store *)store;
	struct sorted_rows sorted = {.write = write, .arg = arg};
	struct sorter *sorter;

	if (!s->chains.unsorted)
		return false;
	begin_rows(s, tables, count);
	sorted.reader = open_reader(s, NULL);
	row_source_open_feed(
	    &sorted.source, &feed, sorted.reader, SLOT_ROW_VALUES);
	sorter = sorter_open(SORT_MEMORY);
	/* of equal times, the events of the first table come first */
	for (size_t i = 0; i < count; i++)
		sort_table(s, sorter, report_tables_find(tables[i].name),
		    (unsigned)i, sorted.reader->rows);
	if (!sorter_finish(sorter, write_sorted, &sorted))
		err(1, "%s: sorting", s->report->name);
	sorter_free(sorter);
	row_source_close(&sorted.source);
	text_free(&sorted.bytes);
	return true;
}

/* ---- frames ---- */

static void
give_frame(struct span message,
    void (*frame)(void *arg, const struct chain_frame *), void *arg)
{
	enum { SYMBOL = 1, MODULE = 2 };
	struct proto_reader p = proto_reader(message);
	struct chain_frame f = {0};
	struct proto_field field;

	while (proto_reader_next(&p, &field)) {
		if (field.bytes.p != NULL)
			continue;
		if (field.number == SYMBOL)
			f.symbol = (int64_t)field.v;
		if (field.number == MODULE) {
			f.module = (int64_t)field.v;
			f.has_module = true;
		}
	}
	frame(arg, &f);
}

/* the event that a chain has its number from */
static bool
find_chain_event(struct report_store *s, int64_t chain, struct span *bytes)
{
	struct block_place at = {.block = (size_t)((uint64_t)chain >> 32) - 1,
	    .offset = (uint32_t)chain};
	const unsigned char *p, *end;
	struct block_events events;

	if (chain <= 0)
		return false;
	if (chain == s->sorted_chain) {
		*bytes = s->sorted;
		return true;
	}
	if (at.block >= s->report->count || !open_block(s, &at, &events) ||
	    report_blocks_next(&events, &p, &end) != BLOCK_EVENT)
		return false;
	*bytes = (struct span){(const char *)p, (size_t)(end - p)};
	return true;
}

void
report_rows_frames(struct event_store *store, int64_t chain,
    void (*frame)(void *arg, const struct chain_frame *), void *arg)
{
	enum { CALL = 108, CALL_FRAMES = 15, SAMPLE_FRAMES = 4 };
	struct report_store *s = (struct report_store *)store;
	struct report_event e;
	struct proto_reader r;
	struct proto_field f;
	struct span bytes;

	if (!find_chain_event(s, chain, &bytes) ||
	    !report_tables_take(&e, (const unsigned char *)bytes.p,
		(const unsigned char *)bytes.p + bytes.len))
		return;
	r = (struct proto_reader){e.p, e.end, false};
	while (proto_reader_next(&r, &f))
		if (f.bytes.p != NULL &&
		    f.number ==
			(e.number == CALL ? CALL_FRAMES : SAMPLE_FRAMES))
			give_frame(f.bytes, frame, arg);
}
