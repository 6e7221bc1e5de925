/* record_values.c - a record that a source makes value by value */

#include <stdlib.h>

#include "record_values.h"
#include "time_window.h"

static struct column_map
column_of(enum key key)
{
	static const enum how hows[] = {[TYPE_INT] = AS_INT,
	    [TYPE_STR] = AS_TEXT,
	    [TYPE_BOOL] = AS_NOTHING,
	    [TYPE_NUM] = AS_NUMBER,
	    [TYPE_INTS] = AS_NOTHING,
	    [TYPE_STRS] = AS_NOTHING,
	    [TYPE_OBJ] = AS_MEMBERS};

	switch (key) {
	case KEY_ts:
		return (struct column_map){"start", key, AS_TIME};
	case KEY_dur:
		return (struct column_map){"end", key, AS_END};
	case KEY_grid:
		return (struct column_map){"gridX", key, AS_DIMS};
	case KEY_block:
		return (struct column_map){"blockX", key, AS_DIMS};
	default:
		return (struct column_map){
		    schema_keys[key].name, key, hows[schema_keys[key].type]};
	}
}

static void
make_map(struct value_map *v, const struct key_choice *keys, enum kind kind)
{
	static const char *const dims[] = {
	    "gridY", "gridZ", "blockY", "blockZ"};
	/* of a call or an operation, whatever its kind */
	static const enum key more[] = {
	    KEY_tid, KEY_graph, KEY_graph_node, KEY_stack, KEY_NONE};
	struct keyset has = schema_keys_of(kind);
	struct name_list available = {0};
	size_t count = 0;

	if (schema_role(kind) != ROLE_DEF)
		keyset_add_all(&has, more);
	/* a NULL column behind the last */
	v->columns = mem_alloc((KEY_COUNT + 1) * sizeof(*v->columns));
	for (enum key k = 0; k < KEY_COUNT; k++)
		if (keyset_has(&has, k)) {
			v->columns[count] = column_of(k);
			name_list_add(
			    &available, span_of(v->columns[count++].column));
		}
	for (size_t i = 0; i < sizeof(dims) / sizeof(dims[0]); i++)
		name_list_add(&available, span_of(dims[i]));
	v->map = (struct record_map){.kind = kind,
	    .chosen = key_choice_of(keys, kind),
	    .columns = v->columns};
	record_map_init(&v->map, &available, NULL, 0);
	name_list_free(&available);
	memset(v->at, -1, sizeof(v->at));
	for (size_t i = 0; i < v->map.key_count; i++)
		v->at[v->map.keys[i].from->key] =
		    (short)v->map.keys[i].value[0];
}

void
record_values_free(struct record_values *r)
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (r->maps[k].columns != NULL) {
			record_map_free(&r->maps[k].map);
			free(r->maps[k].columns);
		}
}

void
record_values_begin(struct record_values *r, enum kind kind)
{
	r->now = &r->maps[kind];
	if (r->now->columns == NULL)
		make_map(r->now, r->keys, kind);
	typed_row_clear(&r->now->map.flat);
}

/* one of the values of a key */
static void
set(struct record_values *r, enum key key, int i, const struct sql_value *v)
{
	struct record_map *m = &r->now->map;
	int at = r->now->at[key];

	if (at >= 0)
		typed_row_set(&m->flat, at + i, m->uses[at + i], v);
}

void
record_values_int(struct record_values *r, enum key key, int64_t v)
{
	const struct sql_value i = {SQL_INT, .i = v};

	set(r, key, 0, &i);
}

void
record_values_real(struct record_values *r, enum key key, double v)
{
	const struct sql_value d = {SQL_REAL, .d = v};

	set(r, key, 0, &d);
}

void
record_values_text(struct record_values *r, enum key key, struct span text)
{
	const struct sql_value s = {SQL_TEXT, .s = text};

	set(r, key, 0, &s);
}

void
record_values_dims(struct record_values *r, enum key key, const int64_t dims[3])
{
	for (int i = 0; i < 3; i++) {
		const struct sql_value v = {SQL_INT, .i = dims[i]};

		set(r, key, i, &v);
	}
}

void
record_values_write(struct record_values *r, int64_t ts, int64_t dur)
{
	static const struct sql_value ended = {SQL_INT, .i = 0};
	struct record_map *m = &r->now->map;

	if (m->end >= 0 && dur != NEVER_ENDED)
		typed_row_set(&m->flat, m->end, USE_INTEGER, &ended);
	row_writer_flat(r->writer, m, ts, dur);
}

void
record_values_define(struct record_values *r)
{
	row_writer_flat(r->writer, &r->now->map, 0, 0);
}

void
record_values_count(const struct record_values *r, int64_t counts[KIND_COUNT])
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_role(k) != ROLE_DEF)
			counts[k] += r->maps[k].map.records;
}
