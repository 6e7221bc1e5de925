/* schema_print.c - the kinds and keys of the stream, for people and databases
 */

#include "schema_print.h"
#include "tq/line/schema.h"

/* how a database reads a line: a column for each key */
static const struct database_form {
	const char *begin, *separator, *end;
	const char *before, *between, *after; /* of the key and its type */
	const char *types[TYPE_OBJ + 1];      /* NULL: the key again */
} forms[] = {
    /* the parameter "columns" of read_json */
    [SCHEMA_PRINT_DUCKDB] = {"{", ",\n ", "}\n", "'", "': '", "'",
	{[TYPE_INT] = "BIGINT",
	    [TYPE_STR] = "VARCHAR",
	    [TYPE_BOOL] = "BOOLEAN",
	    [TYPE_NUM] = "DOUBLE",
	    [TYPE_INTS] = "BIGINT[]",
	    [TYPE_STRS] = "VARCHAR[]",
	    [TYPE_OBJ] = "JSON"}},
    /* a structure of JSONEachRow */
    [SCHEMA_PRINT_CLICKHOUSE] = {"", ",\n", "\n", "`", "` ", "",
	{[TYPE_INT] = "Nullable(Int64)",
	    [TYPE_STR] = "Nullable(String)",
	    [TYPE_BOOL] = "Nullable(Bool)",
	    [TYPE_NUM] = "Nullable(Float64)",
	    [TYPE_INTS] = "Array(Int64)",
	    [TYPE_STRS] = "Array(String)",
	    [TYPE_OBJ] = "Nullable(String)"}},
    /* a view of a table of lines; types are those of JSON */
    [SCHEMA_PRINT_SQLITE] = {"CREATE TABLE IF NOT EXISTS line (json TEXT);\n"
			     "CREATE VIEW IF NOT EXISTS event AS SELECT\n ",
	",\n ", "\nFROM line;\n", "json ->> '", "' AS \"", "\"", {NULL}},
};

static void
print_rows(struct text *t)
{
	enum kind kind = KIND_UNKNOWN;

	for (size_t i = 0; i < schema_row_count; i++) {
		const struct schema_row *row = &schema_rows[i];
		const struct schema_key *key;

		if (row->key == KEY_NONE) {
			kind = row->kind;
			continue;
		}
		key = &schema_keys[row->key];
		text_printf(t,
		    "{\"kind\":\"%s\",\"key\":\"%s\",\"type\":\"%s\","
		    "\"unit\":\"%s\",\"doc\":\"%s\"}\n",
		    schema_kinds[kind].name, key->name, schema_type(key->type),
		    key->unit, key->doc);
	}
}

void
schema_print(struct text *t, enum schema_print_form form)
{
	const struct database_form *f = &forms[form];

	if (form == SCHEMA_PRINT_NDJSON) {
		print_rows(t);
		return;
	}
	text_add_str(t, f->begin);
	for (enum key k = 0; k < KEY_COUNT; k++) {
		const struct schema_key *key = &schema_keys[k];
		const char *type = f->types[key->type];

		if (k > 0)
			text_add_str(t, f->separator);
		text_add_str(t, f->before);
		text_add_str(t, key->name);
		text_add_str(t, f->between);
		text_add_str(t, type != NULL ? type : key->name);
		text_add_str(t, f->after);
	}
	text_add_str(t, f->end);
}
