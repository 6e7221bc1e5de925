/* rocpd_rows.c - a row of a rocpd database becomes a record */

#include <math.h>
#include <stdlib.h>

#include "rocpd_args.h"
#include "tq/base/array.h"

/* columns of struct rocpd_suffix's events and counters */
enum {
	EVENT_ID,
	EVENT_CATEGORY,
	EVENT_STACK,
	EVENT_PARENT,
	EVENT_EXTDATA,
	EVENT_CALL_STACK,
	EVENT_LINE_INFO
};
enum { VALUE_EVENT, VALUE_COUNTER, VALUE_VALUE };

/* ---- references of a row ---- */

/* where it happened */
struct rocpd_place {
	int64_t pid, tid, agent, queue, stream, name;
};

/* rows of schema 4, and samples, have a track in place of pid and tid */
static struct rocpd_place
place_of(const struct rocpd_chain *c, struct row_source *rows)
{
	const struct rocpd_table *t = c->table;
	const struct rocpd_ids *ids = &c->suffix->ids;
	struct rocpd_place p = {rocpd_tables_int(t, rows, COLUMN_PID),
	    rocpd_tables_int(t, rows, COLUMN_TID),
	    rocpd_tables_int(t, rows, COLUMN_AGENT),
	    rocpd_tables_int(t, rows, COLUMN_QUEUE),
	    rocpd_tables_int(t, rows, COLUMN_STREAM),
	    rocpd_tables_int(t, rows, COLUMN_NAME)};
	const struct rocpd_track *track;

	if (t->value[COLUMN_TRACK] >= 0) {
		track = rocpd_ids_track(
		    ids, rocpd_tables_int(t, rows, COLUMN_TRACK));
		if (track != NULL) {
			p.pid = track->pid;
			p.tid = track->tid;
			p.agent = track->agent;
			p.queue = track->queue;
			p.stream = track->stream;
			if (t->value[COLUMN_NAME] < 0)
				p.name = track->name;
		}
	}
	p.pid = rocpd_ids_pid(ids, p.pid);
	p.tid = rocpd_ids_tid(ids, p.tid);
	return p;
}

/* the event of a row */
struct rocpd_event {
	int64_t id, category, stack, parent;
	struct sql_value extdata, call_stack, line_info;
};

static struct rocpd_event
event_of(struct rocpd_chain *c, struct row_source *rows)
{
	struct rocpd_details_reader *r = &c->events;
	struct rocpd_event e = {rocpd_tables_int(c->table, rows, COLUMN_EVENT),
	    ROCPD_NONE, ROCPD_NONE, ROCPD_NONE, {SQL_NULL}, {SQL_NULL},
	    {SQL_NULL}};

	if (rocpd_details_find(r, &c->suffix->events, e.id)) {
		e.category = rocpd_details_int(r, EVENT_CATEGORY);
		e.stack = rocpd_details_int(r, EVENT_STACK);
		e.parent = rocpd_details_int(r, EVENT_PARENT);
		e.extdata = rocpd_details_value(r, EVENT_EXTDATA);
		e.call_stack = rocpd_details_value(r, EVENT_CALL_STACK);
		e.line_info = rocpd_details_value(r, EVENT_LINE_INFO);
	}
	return e;
}

/* ---- values of a record ---- */

static void
put_nonzero(struct rocpd *r, enum key key, int64_t v)
{
	if (v != 0)
		rocpd_put(r, key, v);
}

static void
put_text(struct rocpd *r, enum key key, const char *text)
{
	if (text != NULL)
		record_values_text(&r->record, key, span_of(text));
}

/* "#ID", made in r->text */
static struct span
number_name(struct rocpd *r, int64_t id)
{
	r->text.len = 0;
	text_add_char(&r->text, '#');
	if (id == ROCPD_NONE)
		text_add_char(&r->text, '?');
	else
		text_add_int(&r->text, id);
	return text_span(&r->text);
}

/* begin a record of the process and thread of a row */
static void
begin(struct rocpd *r, enum kind kind, const struct rocpd_place *p)
{
	record_values_begin(&r->record, kind);
	rocpd_put(r, KEY_pid, p->pid);
	rocpd_put(r, KEY_tid, p->tid);
}

/* write it, unless its kind is not chosen */
static void
finish(struct rocpd *r, struct rocpd_table *t, enum kind kind,
    const struct row_source *rows)
{
	const struct row_bytes *row = rows->row.bytes;

	r->notes[NOTE_NEGATIVE] += row->dur < 0;
	t->records[kind]++;
	record_values_write(&r->record, row->ts, row->dur);
}

static bool
is_wanted(const struct rocpd *r, struct rocpd_table *t, enum kind kind)
{
	bool wanted = (r->settings->kinds >> kind & 1) != 0;

	t->fates[FATE_UNWANTED] += !wanted;
	return wanted;
}

/* ---- calls and ranges ---- */

/* the kind of a region or sample */
static enum kind
kind_of_call(const struct rocpd_category *category, enum rocpd_roctx roctx)
{
	if (category->marker && roctx == ROCTX_MARK)
		return KIND_mark;
	if (category->marker && roctx != ROCTX_NONE)
		return KIND_range;
	if (category->fault)
		return KIND_fault;
	return category->api != NULL ? KIND_api : KIND_range;
}

static void
write_call(struct rocpd *r, struct rocpd_chain *c, struct row_source *rows)
{
	const struct rocpd_place p = place_of(c, rows);
	const struct rocpd_event e = event_of(c, rows);
	const struct rocpd_category *category =
	    rocpd_ids_category(&c->suffix->ids, e.category);
	const struct rocpd_string *s =
	    rocpd_ids_string(&c->suffix->ids, p.name);
	enum rocpd_roctx roctx = s != NULL ? s->roctx : ROCTX_NONE;
	struct span name;
	enum kind kind;

	/* of what took no time, schema 3 has no name */
	if (c->table->rows == ROCPD_SAMPLE && c->table->value[COLUMN_NAME] < 0)
		roctx = ROCTX_MARK;
	kind = kind_of_call(category, roctx);
	if (!is_wanted(r, c->table, kind))
		return;
	begin(r, kind, &p);
	r->args.len = 0;
	if (rocpd_wants_args(r, kind)) {
		rocpd_args_call(r, c, e.id);
		if (e.parent != ROCPD_NONE && e.parent != 0) {
			rocpd_args_member(r, SPAN("parent"));
			text_add_int(&r->args, e.parent);
		}
	}
	rocpd_args_stack(r, kind, &e.call_stack);
	rocpd_args_json(r, kind, "line_info", &e.line_info);
	rocpd_args_put(r);
	name = kind != KIND_api ? rocpd_args_message(r, &e.extdata) : SPAN("");
	if (name.len == 0)
		name = s != NULL ? s->text : number_name(r, p.name);
	record_values_text(&r->record, KEY_name, name);
	if (kind == KIND_api) {
		rocpd_put(r, KEY_corr, e.stack);
		put_text(r, KEY_api, category->api);
	}
	if (kind == KIND_range)
		put_text(r, KEY_mode,
		    category->marker && roctx == ROCTX_START ? "start"
							     : "push");
	if (category->marker && kind != KIND_api)
		put_text(r, KEY_domain, "roctx");
	else if (kind == KIND_range && category->name.len > 0)
		record_values_text(&r->record, KEY_domain, category->name);
	finish(r, c->table, kind, rows);
}

/* ---- counters ---- */

static void
write_values(struct rocpd *r, const struct rocpd_waiting *of)
{
	struct rocpd_suffix *s = of->suffix;
	struct rocpd_details_reader *v = &s->values;

	if (!rocpd_details_find(v, &s->counters, of->event))
		return;
	/* an event of two rows has its counters once */
	if ((*map_get(&s->counted, (uint64_t)of->event, 0))++ > 0)
		return;
	/* the row overlaps the window, a counter is an instant */
	if (!time_window_overlaps(&r->settings->window, of->ts, 0))
		return;
	do {
		struct sql_value value = rocpd_details_value(v, VALUE_VALUE);

		if (value.type == SQL_INT)
			value =
			    (struct sql_value){SQL_REAL, .d = (double)value.i};
		if (value.type != SQL_REAL || !isfinite(value.d)) {
			s->not_numbers++;
			continue;
		}
		record_values_begin(&r->record, KIND_counter);
		rocpd_put(r, KEY_pid, of->pid);
		rocpd_put(r, KEY_corr, of->corr);
		rocpd_put(r, KEY_device, of->device);
		rocpd_put(r, KEY_counter,
		    rocpd_ids_counter(
			&s->ids, rocpd_details_int(v, VALUE_COUNTER)));
		record_values_real(&r->record, KEY_value, value.d);
		record_values_write(&r->record, of->ts, 0);
		s->value_records++;
	} while (rocpd_details_next(v));
}

void
rocpd_rows_write_waiting(struct rocpd *r, int64_t ts, int64_t dur)
{
	if (r->waiting_count == 0 || (r->waiting->ts == ts && dur > 0))
		return;
	for (size_t i = 0; i < r->waiting_count; i++)
		write_values(r, &r->waiting[i]);
	r->waiting_count = 0;
}

/* a sample is the time of counters, or of a call that took none */
static void
write_sample(struct rocpd *r, struct rocpd_chain *c, struct row_source *rows)
{
	int64_t event = rocpd_tables_int(c->table, rows, COLUMN_EVENT);
	struct rocpd_waiting of = {.suffix = c->suffix,
	    .ts = rows->row.bytes->ts,
	    .pid = place_of(c, rows).pid,
	    .device = ROCPD_NONE,
	    .corr = ROCPD_NONE,
	    .event = event};

	if (!rocpd_details_find(
		&c->suffix->values, &c->suffix->counters, event)) {
		write_call(r, c, rows);
	} else if (is_wanted(r, c->table, KIND_counter)) {
		c->table->fates[FATE_FOLDED]++;
		write_values(r, &of);
	}
}

/* ---- operations ---- */

/* keys that operations on a device have in common; returns its event */
static struct rocpd_event
begin_operation(struct rocpd *r, struct rocpd_chain *c, struct row_source *rows,
    enum kind kind, const struct rocpd_place *p)
{
	struct rocpd_event e = event_of(c, rows);

	begin(r, kind, p);
	rocpd_put(r, KEY_corr, e.stack);
	rocpd_put(r, KEY_stream, p->stream);
	if (kind != KIND_alloc)
		rocpd_put(r, KEY_queue, p->queue);
	put_nonzero(
	    r, KEY_graph, rocpd_tables_int(c->table, rows, COLUMN_GRAPH));
	put_nonzero(r, KEY_graph_node,
	    rocpd_tables_int(c->table, rows, COLUMN_GRAPH_NODE));
	return e;
}

/* grid_size counts work-items, a grid has work-groups */
static void
put_dimensions(
    struct rocpd *r, const struct rocpd_chain *c, struct row_source *rows)
{
	int64_t group[3], groups[3];

	for (int i = 0; i < 3; i++) {
		int64_t items = rocpd_tables_int(
		    c->table, rows, (enum rocpd_column)(COLUMN_GRID_X + i));

		group[i] = rocpd_tables_int(c->table, rows,
		    (enum rocpd_column)(COLUMN_WORKGROUP_X + i));
		if (group[i] <= 0 || items < 0)
			return;
		groups[i] = items / group[i] + (items % group[i] > 0);
	}
	record_values_dims(&r->record, KEY_grid, groups);
	record_values_dims(&r->record, KEY_block, group);
}

static void
put_symbol(struct rocpd *r, const struct rocpd_chain *c,
    struct row_source *rows, const struct rocpd_symbol *s)
{
	int64_t shared = rocpd_tables_int(c->table, rows, COLUMN_GROUP);

	record_values_text(&r->record, KEY_name, s->name);
	rocpd_put(r, KEY_sym, s->sym);
	rocpd_put(r, KEY_regs, s->regs);
	rocpd_put(r, KEY_smem_static, s->shared);
	if (s->shared != ROCPD_NONE && shared != ROCPD_NONE)
		rocpd_put(r, KEY_smem_dynamic,
		    shared > s->shared ? shared - s->shared : 0);
}

static void
write_kernel(struct rocpd *r, struct rocpd_chain *c, struct row_source *rows)
{
	const struct rocpd_ids *ids = &c->suffix->ids;
	struct rocpd_place p = place_of(c, rows);
	int64_t id = rocpd_tables_int(c->table, rows, COLUMN_KERNEL);
	const struct rocpd_symbol *symbol = rocpd_ids_symbol(ids, id);
	const struct rocpd_string *region = rocpd_ids_string(
	    ids, rocpd_tables_int(c->table, rows, COLUMN_REGION_NAME));
	int64_t device = rocpd_ids_device(ids, p.agent);
	int64_t event = rocpd_tables_int(c->table, rows, COLUMN_EVENT), corr;

	if (is_wanted(r, c->table, KIND_kernel)) {
		corr = begin_operation(r, c, rows, KIND_kernel, &p).stack;
		rocpd_put(r, KEY_device, device);
		if (symbol != NULL)
			put_symbol(r, c, rows, symbol);
		else
			record_values_text(
			    &r->record, KEY_name, number_name(r, id));
		put_dimensions(r, c, rows);
		rocpd_put(r, KEY_local,
		    rocpd_tables_int(c->table, rows, COLUMN_PRIVATE));
		r->args.len = 0;
		if (region != NULL && region->text.len > 0 &&
		    rocpd_wants_args(r, KIND_kernel)) {
			rocpd_args_member(r, SPAN("region"));
			r->writer.bad_bytes += (int64_t)text_add_json(
			    &r->args, region->text.p, region->text.len);
		}
		rocpd_args_put(r);
		finish(r, c->table, KIND_kernel, rows);
	} else
		corr = event_of(c, rows).stack;
	if ((r->settings->kinds >> KIND_counter & 1) != 0 &&
	    rocpd_details_find(&c->suffix->values, &c->suffix->counters, event))
		*array_add(&r->waiting, &r->waiting_count, &r->waiting_cap) =
		    (struct rocpd_waiting){c->suffix, rows->row.bytes->ts,
			p.pid, device, corr, event};
}

/* the direction of a copy between two agents, or by its name */
static const char *
direction(const struct rocpd_agent *src, const struct rocpd_agent *dst,
    const struct rocpd_string *name)
{
	static const char *const words[][2] = {
#define HIP_COPY(name, type, word) {name, word},
#include "tq/hip.def"
	};

	if (src != NULL && dst != NULL) {
		if (src->cpu)
			return dst->cpu   ? "HtoH"
			       : dst->gpu ? "HtoD"
					  : "Unknown";
		if (src->gpu && !dst->gpu)
			return dst->cpu ? "DtoH" : "Unknown";
		return !src->gpu ? "Unknown" : src == dst ? "DtoD" : "PtoP";
	}
	for (size_t i = 0; name != NULL && i < sizeof(words) / sizeof(*words);
	     i++)
		if (span_ends(name->text, span_of(words[i][0])))
			return words[i][1];
	return "Unknown";
}

static const char *
memory_of(const struct rocpd_agent *a)
{
	return a == NULL ? NULL : a->gpu ? "Device" : a->cpu ? "Host" : NULL;
}

static void
write_copy(struct rocpd *r, struct rocpd_chain *c, struct row_source *rows)
{
	const struct rocpd_ids *ids = &c->suffix->ids;
	struct rocpd_place p = place_of(c, rows);
	int64_t src_id = rocpd_tables_int(c->table, rows, COLUMN_SRC_AGENT);
	int64_t dst_id = rocpd_tables_int(c->table, rows, COLUMN_DST_AGENT);
	const struct rocpd_agent *src = rocpd_ids_agent(ids, src_id);
	const struct rocpd_agent *dst = rocpd_ids_agent(ids, dst_id);
	int64_t from = rocpd_ids_device(ids, src_id);
	int64_t to = rocpd_ids_device(ids, dst_id);

	if (!is_wanted(r, c->table, KIND_memcpy))
		return;
	begin_operation(r, c, rows, KIND_memcpy, &p);
	rocpd_put(r, KEY_device, to != ROCPD_NONE ? to : from);
	rocpd_put(r, KEY_bytes, rocpd_tables_int(c->table, rows, COLUMN_SIZE));
	put_text(
	    r, KEY_copy, direction(src, dst, rocpd_ids_string(ids, p.name)));
	put_text(r, KEY_src, memory_of(src));
	put_text(r, KEY_dst, memory_of(dst));
	if (from != to && from != ROCPD_NONE && to != ROCPD_NONE) {
		rocpd_put(r, KEY_src_device, from);
		rocpd_put(r, KEY_dst_device, to);
	}
	r->args.len = 0;
	if (rocpd_wants_args(r, KIND_memcpy)) {
		rocpd_args_address(r, "src_address",
		    rocpd_tables_int(c->table, rows, COLUMN_SRC_ADDRESS));
		rocpd_args_address(r, "dst_address",
		    rocpd_tables_int(c->table, rows, COLUMN_DST_ADDRESS));
	}
	rocpd_args_put(r);
	finish(r, c->table, KIND_memcpy, rows);
}

/* ---- memory, graphs, events ---- */

/* the word of tq for a word of AMD; NULL for another */
static const char *
word_of(const char *const (*words)[2], size_t count, struct span word)
{
	for (size_t i = 0; i < count; i++)
		if (span_eq(word, span_of(words[i][0])))
			return words[i][1];
	return NULL;
}

static void
write_alloc(struct rocpd *r, struct rocpd_chain *c, struct row_source *rows)
{
	static const char *const ops[][2] = {
#define HIP_ALLOC(type, word) {type, word},
#include "tq/hip.def"
	};
	static const char *const levels[][2] = {
#define HIP_LEVEL(name, word) {name, word},
#include "tq/hip.def"
	};
	struct rocpd_place p = place_of(c, rows);
	const struct rocpd_table *t = c->table;
	int64_t address = rocpd_tables_int(t, rows, COLUMN_ADDRESS);
	struct sql_value extdata = {SQL_NULL};

	if (!is_wanted(r, c->table, KIND_alloc))
		return;
	begin_operation(r, c, rows, KIND_alloc, &p);
	rocpd_put(r, KEY_device, rocpd_ids_device(&c->suffix->ids, p.agent));
	rocpd_put(r, KEY_bytes, rocpd_tables_int(t, rows, COLUMN_SIZE));
	put_text(r, KEY_mem,
	    word_of(levels, sizeof(levels) / sizeof(*levels),
		rocpd_tables_text(t, rows, COLUMN_LEVEL)));
	put_text(r, KEY_op,
	    word_of(ops, sizeof(ops) / sizeof(*ops),
		rocpd_tables_text(t, rows, COLUMN_TYPE)));
	r->text.len = r->args.len = 0;
	if (address != ROCPD_NONE) {
		text_add_hex(&r->text, (uint64_t)address);
		record_values_text(
		    &r->record, KEY_address, text_span(&r->text));
	}
	if (t->value[COLUMN_EXTDATA] >= 0 && rocpd_wants_args(r, KIND_alloc))
		extdata = row_source_values(rows)[t->value[COLUMN_EXTDATA]];
	rocpd_args_extdata(r, &extdata);
	rocpd_args_put(r);
	finish(r, c->table, KIND_alloc, rows);
}

/* kernels of a graph are in a table of their own, as a rule */
static void
write_graph(struct rocpd *r, struct rocpd_chain *c, struct row_source *rows)
{
	struct rocpd_place p = place_of(c, rows);
	int64_t graph = rocpd_tables_int(c->table, rows, COLUMN_GRAPH);

	if (map_find(&c->suffix->graphs, (uint64_t)graph, 0) != NULL) {
		c->table->fates[FATE_FOLDED]++;
		return;
	}
	if (!is_wanted(r, c->table, KIND_graph))
		return;
	p.queue = ROCPD_NONE;
	begin_operation(r, c, rows, KIND_graph, &p);
	rocpd_put(r, KEY_device, rocpd_ids_device(&c->suffix->ids, p.agent));
	finish(r, c->table, KIND_graph, rows);
}

static void
write_sync(struct rocpd *r, struct rocpd_chain *c, struct row_source *rows)
{
	static const char *const types[][2] = {
#define HIP_SYNC(type, word) {type, word},
#include "tq/hip.def"
	};
	struct rocpd_place p = place_of(c, rows);

	if (!is_wanted(r, c->table, KIND_sync))
		return;
	begin_operation(r, c, rows, KIND_sync, &p);
	rocpd_put(r, KEY_device, rocpd_ids_device(&c->suffix->ids, p.agent));
	put_text(r, KEY_sync,
	    word_of(types, sizeof(types) / sizeof(*types),
		rocpd_tables_text(c->table, rows, COLUMN_TYPE)));
	finish(r, c->table, KIND_sync, rows);
}

void
rocpd_rows_write(
    struct rocpd *r, struct rocpd_chain *c, struct row_source *rows)
{
	static void (*const writers[ROCPD_TABLES])(
	    struct rocpd *, struct rocpd_chain *, struct row_source *) = {
	    [ROCPD_REGION] = write_call,
	    [ROCPD_SAMPLE] = write_sample,
	    [ROCPD_KERNEL] = write_kernel,
	    [ROCPD_COPY] = write_copy,
	    [ROCPD_ALLOC] = write_alloc,
	    [ROCPD_GRAPH] = write_graph,
	    [ROCPD_OPERATION] = write_sync,
	};

	rocpd_rows_write_waiting(r, rows->row.bytes->ts, rows->row.bytes->dur);
	writers[c->table->rows](r, c, rows);
}
