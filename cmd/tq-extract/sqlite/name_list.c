/* name_list.c - names of tables or columns */

#include <stdlib.h>
#include <strings.h>

#include "name_list.h"
#include "tq/base/array.h"

void
name_list_add(struct name_list *l, struct span name)
{
	*array_add(&l->all, &l->count, &l->cap) = mem_copy(name.p, name.len);
}

int
name_list_find(const struct name_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcasecmp(l->all[i], name) == 0)
			return (int)i;
	return -1;
}

void
name_list_free(struct name_list *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->all[i]);
	free(l->all);
}
