/* proc_maps.c - /proc/PID/maps */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proc_maps.h"

bool
proc_maps_parse(struct mapped_area *a, char *line)
{
	char *at;

	line[strcspn(line, "\n")] = '\0';
	a->start = strtoull(line, &at, 16);
	if (at == line || *at != '-')
		return false;
	a->end = strtoull(at + 1, &at, 16);
	/* " r-xp " */
	if (strnlen(at, 6) < 6 || *at != ' ' || at[5] != ' ')
		return false;
	a->runs = at[3] == 'x';
	a->offset = strtoull(at + 6, &at, 16);
	a->device = strtoull(at, &at, 16) << 32;
	if (*at != ':')
		return false;
	a->device |= strtoull(at + 1, &at, 16);
	a->inode = strtoull(at, &at, 10);
	a->path = at + strspn(at, " ");
	return a->end > a->start;
}

bool
proc_maps_read(
    pid_t pid, bool (*take)(void *arg, const struct mapped_area *a), void *arg)
{
	char path[64], *line = NULL;
	struct mapped_area a;
	bool more = true;
	size_t size = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	if ((f = fopen(path, "re")) == NULL)
		return false;
	while (more && getline(&line, &size, f) > 0)
		if (proc_maps_parse(&a, line))
			more = take(arg, &a);
	free(line);
	fclose(f);
	return true;
}
