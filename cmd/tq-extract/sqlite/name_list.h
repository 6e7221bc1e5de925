/* name_list.h - names of tables or columns, which SQL spells in any case */
#ifndef NAME_LIST_H
#define NAME_LIST_H

#include "tq/base/text.h"

/* {0} is an empty list */
struct name_list {
	char **all;
	size_t count, cap;
};

/* Add a copy of a name. */
void name_list_add(struct name_list *l, struct span name);

/* The index of a name; -1 if the list lacks it. */
int name_list_find(const struct name_list *l, const char *name);

void name_list_free(struct name_list *l);

#endif
