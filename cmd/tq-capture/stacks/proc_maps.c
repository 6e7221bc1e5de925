/* proc_maps.c - /proc/PID/maps */

#include <dirent.h>
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

/* who gets the areas of a process */
struct area_taker {
	bool (*take)(void *arg, const struct mapped_area *a);
	void *arg;
	bool opened; /* a file could be read */
};

/* false: the file has no area */
static bool
read_file(struct area_taker *t, const char *path)
{
	char *line = NULL;
	struct mapped_area a;
	bool some = false, more = true;
	size_t size = 0;
	FILE *f = fopen(path, "re");

	if (f == NULL)
		return false;
	t->opened = true;
	while (more && getline(&line, &size, f) > 0)
		if (proc_maps_parse(&a, line)) {
			some = true;
			more = t->take(t->arg, &a);
		}
	free(line);
	fclose(f);
	return some;
}

/* the first thread has ended, and so /proc/PID has nothing; others go on */
static void
read_of_others(struct area_taker *t, pid_t pid)
{
	char path[320];
	struct dirent *e;
	bool some = false;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	if ((tasks = opendir(path)) == NULL)
		return;
	while (!some && (e = readdir(tasks)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/%d/task/%s/maps", (int)pid,
		    e->d_name);
		some = read_file(t, path);
	}
	closedir(tasks);
}

bool
proc_maps_read(
    pid_t pid, bool (*take)(void *arg, const struct mapped_area *a), void *arg)
{
	struct area_taker t = {.take = take, .arg = arg};
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	if (!read_file(&t, path))
		read_of_others(&t, pid);
	return t.opened;
}
