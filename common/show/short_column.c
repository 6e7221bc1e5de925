/* short_column.c - a column with names of kernels, shortened */

#include <stdlib.h>

#include "tq/base/mem.h"

#include "tq/show/short_names.h"
#include "short_column.h"

void
short_column_open(struct short_column *s, struct table *t)
{
	*s = (struct short_column){0};
	if (t->kernels == NULL)
		return;
	while (s->column < t->column_count &&
	       strcmp(t->columns[s->column].name, t->kernels) != 0)
		s->column++;
	s->any = s->column < t->column_count;
	for (size_t i = 0; s->any && i < table_rows(t); i++)
		intern_get(
		    &s->names, table_cell_text(t, &table_row(t, i)[s->column]));
}

void
short_column_make(struct short_column *s, size_t width, const char *ellipsis)
{
	if (!s->any)
		return;
	region_free(&s->life);
	s->shorts =
	    mem_resize(s->shorts, s->names.count + 1, sizeof(*s->shorts));
	short_names(s->names.texts, s->names.count,
	    width > SHORT_NAMES_LEAST ? width : SHORT_NAMES_LEAST, ellipsis,
	    s->shorts, &s->life);
}

struct span
short_column_text(const struct short_column *s, struct span name)
{
	return s->shorts[intern_find(&s->names, name)];
}

void
short_column_free(struct short_column *s)
{
	intern_free(&s->names);
	region_free(&s->life);
	free(s->shorts);
}
