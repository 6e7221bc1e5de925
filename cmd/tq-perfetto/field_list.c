/* field_list.c - what becomes of the keys of a record */

#include "field_list.h"

/* returns how many there are */
static size_t
add_fields(struct field_list *list, struct field *to, enum type type)
{
	size_t n = 0;

	for (size_t i = 0; i < KEY_COUNT; i++)
		if (keyset_has(&list->keys, (enum key)i) &&
		    keyset_has(&fields_keys, (enum key)i) &&
		    fields[i].type == type) {
			keyset_remove(&list->notes, (enum key)i);
			to[n++] = fields[i];
		}
	return n;
}

static void
make(struct field_list *list, uint64_t low, uint64_t high)
{
	list->keys = list->notes = (struct keyset){{low, high}};
	keyset_remove(&list->notes, KEY_sym);
	list->ints = add_fields(list, list->fields, TYPE_INT);
	list->lists = add_fields(list, list->fields + list->ints, TYPE_INTS);
	list->strings =
	    add_fields(list, list->fields + list->ints + list->lists, TYPE_STR);
}

const struct field_list *
field_list_look_on(
    struct field_lists *all, size_t at, uint64_t low, uint64_t high)
{
	struct field_list *list;

	for (size_t i = 0; i < FIELD_LISTS_WAYS; i++) {
		list = &all->all[(at + i) % FIELD_LISTS];
		if (field_list_is_for(list, low, high))
			return list;
		if (field_list_is_for(
			list, 0, 0)) /* free, or that of no keys */
			break;
	}
	if (!field_list_is_for(list, 0, 0))
		list = &all->all[at];
	make(list, low, high);
	return list;
}
