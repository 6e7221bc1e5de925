/* missing.c - names that the export has only the number of */

#include "missing.h"

bool
missing_is(struct span name)
{
	size_t start = name.len > 1 && name.p[1] == '-' ? 2 : 1, i = start;

	if (name.len <= start || name.p[0] != '#')
		return false;
	while (i < name.len && name.p[i] >= '0' && name.p[i] <= '9')
		i++;
	return i == name.len;
}

struct span
missing_shown(struct span name)
{
	return missing_is(name) ? SPAN("") : name;
}
