/* record_map.c - how the columns of a row become the keys of a record */

#include <stdlib.h>

#include "record_map.h"
#include "tq/base/array.h"

/* ---- columns ---- */

int
record_map_value(const struct record_map *m, const char *column)
{
	return column != NULL ? name_list_find(&m->names, column) : -1;
}

/* the value that a column becomes; -1 where the table lacks it */
static int
add_column(
    struct record_map *m, const struct name_list *available, const char *name)
{
	int i;

	if (name == NULL ||
	    (strcmp(name, "rowid") != 0 && name_list_find(available, name) < 0))
		return -1;
	if ((i = name_list_find(&m->names, name)) < 0) {
		i = (int)m->names.count;
		name_list_add(&m->names, span_of(name));
	}
	return i;
}

/* the same for a sister of a column that ends in X */
static int
add_dimension(struct record_map *m, const struct name_list *available,
    const char *name, char dimension)
{
	char *other = mem_copy(name, strlen(name));
	int i;

	other[strlen(other) - 1] = dimension;
	i = add_column(m, available, other);
	free(other);
	return i;
}

/* columns that a key needs besides its own, which become values 1, 2 ... */
static const char *const others[AS_NOTHING][KEY_VALUES - 1] = {
    [AS_DEVICE] = {"globalPid", "contextId"},
    [AS_SYNC] = {"globalPid", "correlationId", "deprecatedSyncType", "streamId",
	"eventId"},
    [AS_WAIT_STREAM] = {"globalPid"},
    [AS_WAIT_CONTEXT] = {"globalPid", "contextId"},
    [AS_WAIT_CORR] = {"globalPid"},
    [AS_CATEGORY] = {"globalTid", "domainId"},
    [AS_DOMAIN] = {"globalTid"},
    [AS_GPU] = {"globalTid"},
    [AS_END_TID] = {"globalTid"},
};

/* find the columns of a key; false where the table lacks them */
static bool
add_columns(struct record_map *m, const struct name_list *available,
    const struct column_map *from, int value[KEY_VALUES])
{
	if (from->how == AS_CONST)
		return true;
	value[0] = add_column(m, available, from->column);
	for (int i = 1; i < KEY_VALUES; i++)
		value[i] = add_column(m, available, others[from->how][i - 1]);
	switch (from->how) {
	case AS_DIMS:
		value[1] = add_dimension(m, available, from->column, 'Y');
		value[2] = add_dimension(m, available, from->column, 'Z');
		return value[0] >= 0 && value[1] >= 0 && value[2] >= 0;
	case AS_SYMBOL:
		value[1] = value[0];
		value[0] = add_column(m, available, "shortName");
		value[2] = add_column(m, available, "mangledName");
		return value[0] >= 0 || value[1] >= 0;
	case AS_NAME:
		value[1] = add_column(m, available, from->aux);
		return value[0] >= 0 || value[1] >= 0;
	case AS_FILE:
	case AS_FILE_BYTES:
		return value[0] >= 0 &&
		       name_list_find(available, from->aux) >= 0;
	default:
		return value[0] >= 0;
	}
}

/* ---- keys ---- */

/* a thread stands for two keys */
static bool
is_chosen(const struct record_map *m, const struct column_map *from)
{
	return from->how != AS_NOTHING &&
	       (keyset_has(&m->chosen, from->key) ||
		   (from->how == AS_TID && keyset_has(&m->chosen, KEY_pid)));
}

static void
add_key(struct record_map *m, const struct name_list *available,
    const struct column_map *from)
{
	struct key_source key = {.from = from,
	    .arg = from->arg != NULL ? from->arg : from->column,
	    .value = {-1, -1, -1, -1, -1, -1}};

	if (is_chosen(m, from) && add_columns(m, available, from, key.value))
		*array_add(&m->keys, &m->key_count, &m->key_cap) = key;
}

/* the order of keys in a record; members of args by their name */
static int
by_key(const void *a, const void *b)
{
	const struct key_source *x = a, *y = b;

	if (x->from->key != y->from->key)
		return x->from->key < y->from->key ? -1 : 1;
	return x->from->key == KEY_args ? strcmp(x->arg, y->arg) : 0;
}

/* the use of the first value of a key; all others are integers */
static enum value_use
use_of(enum how how)
{
	switch (how) {
	case AS_TIME:
	case AS_END:
		return USE_NONE; /* times have been read before */
	case AS_NUMBER:
	case AS_RANGE_ID:
		return USE_NUMBER;
	case AS_TEXT:
	case AS_NAME:
	case AS_BINARY:
	case AS_MEMBERS:
		return USE_TEXT;
	default:
		return USE_INTEGER;
	}
}

/* keep the facts about a key that the writer needs before it sees a row */
static void
note_key(struct record_map *m, const struct key_source *k)
{
	enum how how = k->from->how;

	for (int i = 0; i < KEY_VALUES; i++)
		if (k->value[i] >= 0)
			m->uses[k->value[i]] =
			    i == 0 ? use_of(how) : USE_INTEGER;
	m->defines |= how == AS_SYMBOL || how == AS_STACK ||
		      (how == AS_GPU && m->launches);
	if (how == AS_END)
		m->end = k->value[0];
	if (how == AS_DEVICE)
		m->device = k;
	if (how == AS_SYNC)
		m->sync = k;
}

void
record_map_init(struct record_map *m, const struct name_list *available,
    const char *const *first, size_t count)
{
	m->end = -1;
	for (size_t i = 0; i < count; i++)
		add_column(m, available, first[i]);
	for (const struct column_map *c = m->columns; c->column != NULL; c++)
		add_key(m, available, c);
	if (m->key_count > 0)
		qsort(m->keys, m->key_count, sizeof(*m->keys), by_key);
	m->uses = mem_alloc((m->names.count + 1) * sizeof(*m->uses));
	for (size_t i = 0; i < m->key_count; i++)
		note_key(m, &m->keys[i]);
	m->flat.count = (unsigned)m->names.count;
}

bool
record_map_has(const struct record_map *m, enum how how)
{
	for (size_t i = 0; i < m->key_count; i++)
		if (m->keys[i].from->how == how)
			return true;
	return false;
}

void
record_map_free(struct record_map *m)
{
	free(m->keys);
	free(m->uses);
	name_list_free(&m->names);
	typed_row_free(&m->flat);
}
