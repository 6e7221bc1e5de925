/* call_chains.c - stack records from the tables of call chains */

#include <stdlib.h>

#include "call_chains.h"
#include "event_store.h"
#include "sqlite/row_source.h"
#include "tq/base/mem.h"
#include "write/definition_writer.h"

enum { CHAINS_CACHE = 1 << 12 };

static const char *const table_names[CALL_CHAINS_TABLES] = {"CUDA_CALLCHAINS",
    "OSRT_CALLCHAINS", "SAMPLING_CALLCHAINS", "SYSCALL_CALLCHAINS"};

/* ---- chains that SQLite finds ---- */

/* a copy of a table that has lost its primary key; false where it failed */
static bool
copy_indexed(const struct database *db, const char *table)
{
	char *sql =
	    database_sql("CREATE TEMP TABLE \"chain %w\" AS SELECT id, symbol, "
			 "module, stackDepth FROM \"%w\";"
			 "CREATE INDEX temp.\"index %w\" ON \"chain %w\" "
			 "(id, stackDepth)",
		table, table, table, table);
	int status = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

	sqlite3_free(sql);
	return status == SQLITE_OK;
}

/* the frames of a chain by its id, which the primary key finds */
static sqlite3_stmt *
prepare_frames(const struct database *db, const char *table)
{
	sqlite3_stmt *index =
	    database_prepare(db, "SELECT 1 FROM pragma_index_list(%Q)", table);
	bool indexed = index != NULL && database_step(db, index);

	sqlite3_finalize(index);
	if (!indexed && !copy_indexed(db, table))
		return NULL;
	return database_prepare(db,
	    "SELECT symbol, module FROM %s%w\" WHERE id = ? "
	    "ORDER BY stackDepth",
	    indexed ? "\"" : "temp.\"chain ", table);
}

static bool
has_table(const struct database *db, const char *table)
{
	return database_int(db, 0,
		   database_prepare(db,
		       "SELECT 1 FROM sqlite_master WHERE name = %Q "
		       "UNION SELECT 1 FROM sqlite_temp_master "
		       "WHERE name = %Q",
		       table, table)) == 1;
}

/* 128 bits: stacks with the same hash count as equal */
static void
hash_frames(struct span s, uint64_t *a, uint64_t *b)
{
	uint64_t word;

	*a = 0xcbf29ce484222325u ^ s.len;
	*b = 0x84222325cbf29ce4u;
	for (size_t i = 0; i < s.len; i += sizeof(word)) {
		size_t n = s.len - i;

		word = 0;
		memcpy(&word, s.p + i, n < sizeof(word) ? n : sizeof(word));
		*a = (*a ^ word) * 0x9e3779b97f4a7c15u;
		*a ^= *a >> 32;
		*b = (*b + word) * 0xd6e8feb86659fd93u;
		*b ^= *b >> 29;
	}
}

/* append a frame to c->frames, as "symbol (module)" */
static void
add_frame(struct call_chains *c, int64_t symbol, bool has_module, int64_t id)
{
	struct text *t = &c->frames;
	struct span module;

	if (t->len > 0)
		text_add_char(t, ',');
	text_add_span(t, string_ids_get(c->strings, symbol));
	if (!has_module)
		return;
	module = string_ids_get(c->strings, id);
	if (module.len <= 2)
		return;
	t->len--; /* the quote */
	text_add_str(t, " (");
	text_add(t, module.p + 1, module.len - 2);
	text_add_str(t, ")\"");
}

static void
add_stored_frame(void *chains, const struct chain_frame *f)
{
	add_frame(chains, f->symbol, f->has_module, f->module);
}

/* ---- chains in order of their ids ---- */

/*
 * As a rule a table has its chains in order of their ids, each with its
 * frames in order, and events refer to them in that order, too.  Then the
 * next chain of the table is the next one needed.
 */
struct sequential_chains {
	char *columns[4];
	struct table_layout layout;
	struct row_formats formats;
	struct row_source rows;
	bool more; /* rows has a current row */
};

enum { CHAIN_ID, CHAIN_SYMBOL, CHAIN_MODULE, CHAIN_DEPTH };

/* of columns that are_sequential() has found to be integers */
static int64_t
frame_int(struct sequential_chains *s, int column)
{
	int64_t v = 0;

	row_source_int(&s->rows, column, &v);
	return v;
}

static bool
has_module(struct sequential_chains *s)
{
	int64_t v;

	return row_source_int(&s->rows, CHAIN_MODULE, &v);
}

/* true if the current row is integers, or NULL for the module */
static bool
is_frame(struct sequential_chains *s, int64_t *id, int64_t *depth)
{
	int64_t symbol;

	return row_source_int(&s->rows, CHAIN_ID, id) &&
	       row_source_int(&s->rows, CHAIN_SYMBOL, &symbol) &&
	       row_source_int(&s->rows, CHAIN_DEPTH, depth) &&
	       (has_module(s) ||
		   row_source_values(&s->rows)[CHAIN_MODULE].type == SQL_NULL);
}

/* true if all rows are frames, in order of their chains */
static bool
are_sequential(const struct database *db, struct sequential_chains *s)
{
	int64_t last_id = INT64_MIN, last_depth = INT64_MIN, id = 0, depth = 0;
	bool good = true;

	row_source_open(&s->rows, db, &s->layout, &s->formats, NULL, 0);
	while (good && row_source_next(&s->rows)) {
		good = is_frame(s, &id, &depth) &&
		       (id > last_id || (id == last_id && depth > last_depth));
		last_id = id;
		last_depth = depth;
	}
	row_source_close(&s->rows);
	return good;
}

static void
free_sequential(struct sequential_chains *s)
{
	row_format_close(&s->formats);
	free(s);
}

static struct sequential_chains *
open_sequential(const struct database *db, const char *table)
{
	static char id[] = "id", symbol[] = "symbol", module[] = "module",
		    depth[] = "stackDepth";
	struct sequential_chains *s = mem_alloc(sizeof(*s));
	int columns = 0;

	*s = (struct sequential_chains){.columns = {id, symbol, module, depth}};
	for (int i = 0; i < 4; i++)
		columns +=
		    database_column(db, table, s->columns[i]) == s->columns[i];
	row_source_layout(&s->layout, db, table, s->columns, 4);
	row_format_open(&s->formats, &s->layout.row, 0);
	if (columns < 4 || s->layout.root == 0 || !s->layout.has_rowid ||
	    !are_sequential(db, s)) {
		free_sequential(s);
		return NULL;
	}
	row_source_open(&s->rows, db, &s->layout, &s->formats, NULL, 0);
	s->more = row_source_next(&s->rows);
	return s;
}

static void
close_sequential(struct sequential_chains *s)
{
	if (s == NULL)
		return;
	row_source_close(&s->rows);
	free_sequential(s);
}

/* the frames of a chain; false where the table has none such to come */
static bool
read_sequential(struct call_chains *c, struct sequential_chains *s, int64_t id)
{
	if (s == NULL || !s->more || frame_int(s, CHAIN_ID) > id)
		return false;
	while (s->more && frame_int(s, CHAIN_ID) < id)
		s->more = row_source_next(&s->rows);
	for (; s->more && frame_int(s, CHAIN_ID) == id;
	     s->more = row_source_next(&s->rows))
		add_frame(c, frame_int(s, CHAIN_SYMBOL), has_module(s),
		    frame_int(s, CHAIN_MODULE));
	return true;
}

/* ---- stacks ---- */

/* read the frames of a chain into c->frames; false where there are none */
static bool
read_frames(struct call_chains *c, struct chain_table *t, int64_t id)
{
	struct event_store *store = c->db->store;
	sqlite3_stmt *st = t->frames;

	if (!t->tried && store == NULL) {
		t->tried = true;
		t->sequential = open_sequential(c->db, t->name);
	}
	c->frames.len = 0;
	if (store != NULL) {
		store->frames(store, id, add_stored_frame, c);
	} else if (!read_sequential(c, t->sequential, id)) {
		sqlite3_reset(st);
		sqlite3_bind_int64(st, 1, id);
		while (database_step(c->db, st))
			add_frame(c, sqlite3_column_int64(st, 0),
			    sqlite3_column_type(st, 1) != SQLITE_NULL,
			    sqlite3_column_int64(st, 1));
	}
	return c->frames.len > 0;
}

/* the id of the stack in c->frames, whose record is written where it is new */
static uint64_t
find_or_write(struct call_chains *c)
{
	uint64_t a, b, *id;

	hash_frames(text_span(&c->frames), &a, &b);
	id = map_get(&c->stacks, a, b);
	if (*id == 0) {
		*id = (uint64_t)++c->stack_count;
		definition_writer_stack(
		    c->out, c->stack_count, text_span(&c->frames));
	}
	return *id;
}

int64_t
call_chains_stack(struct call_chains *c, const char *table, int64_t chain)
{
	struct chain_table *t = c->tables, *end = t + CALL_CHAINS_TABLES;
	uint64_t *stack;

	while (t < end && strcmp(t->name, table) != 0)
		t++;
	if (t == end || (t->frames == NULL && c->db->store == NULL))
		return 0;
	if (t->ids.count >= CHAINS_CACHE)
		map_clear(&t->ids);
	stack = map_get(&t->ids, (uint64_t)chain, 0);
	if (*stack == 0) {
		*stack = 1;
		if (read_frames(c, t, chain))
			*stack += find_or_write(c);
	}
	return (int64_t)*stack - 1;
}

void
call_chains_open(struct call_chains *c)
{
	for (int i = 0; i < CALL_CHAINS_TABLES; i++) {
		c->tables[i].name = table_names[i];
		if (has_table(c->db, table_names[i]))
			c->tables[i].frames =
			    prepare_frames(c->db, table_names[i]);
	}
}

void
call_chains_close(struct call_chains *c)
{
	for (int i = 0; i < CALL_CHAINS_TABLES; i++) {
		close_sequential(c->tables[i].sequential);
		sqlite3_finalize(c->tables[i].frames);
		map_free(&c->tables[i].ids);
	}
	map_free(&c->stacks);
	text_free(&c->frames);
}
