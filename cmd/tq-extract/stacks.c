/* stacks.c - symbols and call stacks, which records refer to by id */

#include <stdlib.h>

#include "export.h"
#include "source.h"
#include "tq/io/emit.h"
#include "tq/base/mem.h"

/* ---- symbols ---- */

static int64_t
define_symbol(struct nsys *x, int64_t base, int64_t demangled, int64_t mangled)
{
	uint64_t *id = map_get(&x->symbol_ids, (uint64_t)demangled,
	    (uint64_t)mangled ^ (uint64_t)base << 32);

	if (*id != 0)
		return (int64_t)*id;
	*id = (uint64_t)++x->symbol_count;
	emit_open(x->out, KIND_symbol);
	if (base >= 0)
		emit_json(x->out, KEY_name, export_string(x, base));
	emit_int(x->out, KEY_id, x->symbol_count);
	if (demangled >= 0)
		emit_json(x->out, KEY_demangled, export_string(x, demangled));
	if (mangled >= 0)
		emit_json(x->out, KEY_mangled, export_string(x, mangled));
	emit_close(x->out);
	return x->symbol_count;
}

int64_t
export_symbol(struct nsys *x, int64_t base, int64_t demangled, int64_t mangled)
{
	uint64_t hash =
	    ((uint64_t)demangled + (uint64_t)mangled) * 0x9e3779b97f4a7c15u;
	struct symbol *s = &x->symbols[hash >> 32 & (SYMBOLS - 1)];

	if (s->id == 0 || s->base != base || s->demangled != demangled ||
	    s->mangled != mangled)
		*s = (struct symbol){base, demangled, mangled,
		    define_symbol(x, base, demangled, mangled)};
	return s->id;
}

/* ---- chains that SQLite finds ---- */

static const char *const chain_tables[CHAINS] = {"CUDA_CALLCHAINS",
    "OSRT_CALLCHAINS", "SAMPLING_CALLCHAINS", "SYSCALL_CALLCHAINS"};

/*
 * A call chain is found by its id.  The primary key of the table does that;
 * where a copy has lost it, the chains are copied to a temporary table.
 */
static sqlite3_stmt *
prepare_frames(const struct database *db, const char *table)
{
	sqlite3_stmt *index =
	    database_prepare(db, "SELECT 1 FROM pragma_index_list(%Q)", table);
	bool indexed = index != NULL && database_step(db, index);
	const char *from = table;

	sqlite3_finalize(index);
	if (!indexed) {
		char *sql = sqlite3_mprintf(
		    "CREATE TEMP TABLE \"chain %w\" AS SELECT id, symbol, "
		    "module, stackDepth FROM \"%w\";"
		    "CREATE INDEX temp.\"index %w\" ON \"chain %w\" "
		    "(id, stackDepth)",
		    table, table, table, table);
		int status = sqlite3_exec(db->handle, sql, NULL, NULL, NULL);

		sqlite3_free(sql);
		if (status != SQLITE_OK)
			return NULL;
		return database_prepare(db,
		    "SELECT symbol, module FROM temp.\"chain %w\" "
		    "WHERE id = ? ORDER BY stackDepth",
		    from);
	}
	return database_prepare(db,
	    "SELECT symbol, module FROM \"%w\" WHERE id = ? "
	    "ORDER BY stackDepth",
	    from);
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

/* two lanes of 64 bits: equal stacks are told by it alone */
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

/* a frame as "symbol (module)" */
static void
add_frame(
    struct nsys *x, struct text *t, int64_t symbol, bool has_module, int64_t id)
{
	struct span module;

	text_add_char(t, t->len == 0 ? '[' : ',');
	text_add_span(t, export_string(x, symbol));
	if (!has_module)
		return;
	module = export_string(x, id);
	if (module.len <= 2)
		return;
	t->len--; /* the quote */
	text_add_str(t, " (");
	text_add(t, module.p + 1, module.len - 2);
	text_add_str(t, ")\"");
}

/* ---- chains that are read one after the other ---- */

/*
 * As a rule a table has its chains in order of their ids, each with its
 * frames in order, and events come in that order, too.  Then the next chain
 * is the one that is asked for.
 */
struct straight {
	char *columns[4];
	struct layout layout;
	struct row_shapes shapes;
	struct source rows;
	bool more; /* there is a row at hand */
};

enum { CHAIN_ID, CHAIN_SYMBOL, CHAIN_MODULE, CHAIN_DEPTH };

/* of columns that are known to be integers */
static int64_t
frame_int(struct straight *s, int column)
{
	int64_t v = 0;

	source_int(&s->rows, column, &v);
	return v;
}

static bool
has_module(struct straight *s)
{
	int64_t v;

	return source_int(&s->rows, CHAIN_MODULE, &v);
}

/* is the row at hand all integers, but for a module that may be NULL? */
static bool
is_frame(struct straight *s, int64_t *id, int64_t *depth)
{
	int64_t symbol;

	return source_int(&s->rows, CHAIN_ID, id) &&
	       source_int(&s->rows, CHAIN_SYMBOL, &symbol) &&
	       source_int(&s->rows, CHAIN_DEPTH, depth) &&
	       (has_module(s) ||
		   source_cells(&s->rows)[CHAIN_MODULE].type == CELL_NULL);
}

/* are all rows such, and in order? */
static bool
is_straight(struct nsys *x, struct straight *s)
{
	int64_t last_id = INT64_MIN, last_depth = INT64_MIN, id = 0, depth = 0;
	bool good = true;

	source_open(&s->rows, &x->db, &s->layout, &s->shapes, NULL, 0);
	while (good && source_next(&s->rows)) {
		good = is_frame(s, &id, &depth) &&
		       (id > last_id || (id == last_id && depth > last_depth));
		last_id = id;
		last_depth = depth;
	}
	source_close(&s->rows);
	return good;
}

static void
free_straight(struct straight *s)
{
	row_shapes_free(&s->shapes, free);
	free(s);
}

static struct straight *
open_straight(struct nsys *x, const char *table)
{
	static char id[] = "id", symbol[] = "symbol", module[] = "module",
		    depth[] = "stackDepth";
	struct straight *s = mem_alloc(sizeof(*s));
	int there = 0;

	*s = (struct straight){.columns = {id, symbol, module, depth}};
	for (int i = 0; i < 4; i++)
		there += database_column(&x->db, table, s->columns[i]) ==
			 s->columns[i];
	layout_init(&s->layout, &x->db, table, s->columns, 4);
	row_shapes_init(&s->shapes, &s->layout.row, 0);
	if (there < 4 || s->layout.root == 0 || !s->layout.has_rowid ||
	    !is_straight(x, s)) {
		free_straight(s);
		return NULL;
	}
	source_open(&s->rows, &x->db, &s->layout, &s->shapes, NULL, 0);
	s->more = source_next(&s->rows);
	return s;
}

static void
close_straight(struct straight *s)
{
	if (s == NULL)
		return;
	source_close(&s->rows);
	free_straight(s);
}

/* the frames of a chain; false where that is not one to come */
static bool
read_straight(struct nsys *x, struct straight *s, int64_t id, struct text *t)
{
	if (s == NULL || !s->more || frame_int(s, CHAIN_ID) > id)
		return false;
	while (s->more && frame_int(s, CHAIN_ID) < id)
		s->more = source_next(&s->rows);
	for (; s->more && frame_int(s, CHAIN_ID) == id;
	     s->more = source_next(&s->rows))
		add_frame(x, t, frame_int(s, CHAIN_SYMBOL), has_module(s),
		    frame_int(s, CHAIN_MODULE));
	return true;
}

/* ---- stacks ---- */

static bool
read_frames(struct nsys *x, struct chain *c, int64_t id, struct text *t)
{
	sqlite3_stmt *st = c->frames;

	if (!c->tried) {
		c->tried = true;
		c->straight = open_straight(x, c->table);
	}
	if (!read_straight(x, c->straight, id, t)) {
		sqlite3_reset(st);
		sqlite3_bind_int64(st, 1, id);
		while (database_step(&x->db, st))
			add_frame(x, t, sqlite3_column_int64(st, 0),
			    sqlite3_column_type(st, 1) != SQLITE_NULL,
			    sqlite3_column_int64(st, 1));
	}
	if (t->len == 0)
		return false;
	text_add_char(t, ']');
	return true;
}

static int64_t
define_stack(struct nsys *x, struct span frames)
{
	uint64_t a, b, *id;

	hash_frames(frames, &a, &b);
	id = map_get(&x->stacks, a, b);
	if (*id == 0) {
		*id = (uint64_t)++x->stack_count;
		emit_open(x->out, KIND_stack);
		emit_int(x->out, KEY_id, x->stack_count);
		emit_json(x->out, KEY_frames, frames);
		emit_close(x->out);
	}
	return (int64_t)*id;
}

int64_t
export_stack(struct nsys *x, const char *table, int64_t id)
{
	struct text *frames = &x->frames;
	struct chain *c = x->chains;
	uint64_t *stack;

	while (c < x->chains + CHAINS && strcmp(c->table, table) != 0)
		c++;
	if (c == x->chains + CHAINS || c->frames == NULL)
		return 0;
	if (c->ids.count >= CACHE)
		map_clear(&c->ids); /* it is only there to save reading */
	stack = map_get(&c->ids, (uint64_t)id, 0);
	if (*stack == 0) {
		*stack = 1;
		frames->len = 0;
		if (read_frames(x, c, id, frames))
			*stack += (uint64_t)define_stack(x, text_span(frames));
	}
	return (int64_t)*stack - 1;
}

void
export_open_chains(struct nsys *x)
{
	for (int i = 0; i < CHAINS; i++) {
		x->chains[i].table = chain_tables[i];
		if (has_table(&x->db, chain_tables[i]))
			x->chains[i].frames =
			    prepare_frames(&x->db, chain_tables[i]);
	}
}

void
export_close_chains(struct nsys *x)
{
	for (int i = 0; i < CHAINS; i++) {
		close_straight(x->chains[i].straight);
		sqlite3_finalize(x->chains[i].frames);
		map_free(&x->chains[i].ids);
	}
	map_free(&x->stacks);
	text_free(&x->frames);
}
