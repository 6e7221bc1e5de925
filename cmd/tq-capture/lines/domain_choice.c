/* domain_choice.c - the NVTX domains that are recorded */

#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"

#include "domain_choice.h"

void
domain_choice_add(struct domain_choice *d, const char *list)
{
	struct text name = {0};

	for (;; list++) {
		if (*list == '\\' && list[1] == ',') {
			text_add_char(&name, *++list);
			continue;
		}
		if (*list != ',' && *list != '\0') {
			text_add_char(&name, *list);
			continue;
		}
		d->names =
		    mem_resize(d->names, d->count + 1, sizeof(*d->names));
		d->names[d->count++] = mem_copy(name.p, name.len);
		name.len = 0;
		if (*list == '\0')
			break;
	}
	text_free(&name);
}

bool
domain_choice_want(const struct domain_choice *d, struct span name)
{
	if (d->count == 0)
		return true;
	if (name.len == 0)
		name = SPAN("default");
	for (size_t i = 0; i < d->count; i++)
		if (strlen(d->names[i]) == name.len &&
		    memcmp(d->names[i], name.p, name.len) == 0)
			return !d->exclude;
	return d->exclude;
}

void
domain_choice_free(struct domain_choice *d)
{
	for (size_t i = 0; i < d->count; i++)
		free(d->names[i]);
	free(d->names);
	*d = (struct domain_choice){0};
}
