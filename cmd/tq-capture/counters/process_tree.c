/* process_tree.c - a process and all of its descendants */

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "process_tree.h"
#include "tq/base/array.h"

/* the children that thread tid of pid has made */
static void
add_children(struct process_tree *t, int pid, const char *tid)
{
	char path[PATH_MAX], *list = NULL, *end;
	const char *at;
	size_t size = 0;
	FILE *f;
	long child;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/children", pid, tid);
	if ((f = fopen(path, "re")) == NULL)
		return;
	if (getline(&list, &size, f) < 0)
		size = 0; /* it has none */
	fclose(f);
	at = size > 0 ? list : "";
	for (; (child = strtol(at, &end, 10)) > 0 && end != at; at = end)
		*array_add(&t->pids, &t->count, &t->cap) = (int)child;
	free(list);
}

void
process_tree_read(struct process_tree *t, pid_t root)
{
	t->count = 0;
	*array_add(&t->pids, &t->count, &t->cap) = root;
	for (size_t i = 0; i < t->count; i++) {
		char path[64];
		struct dirent *e;
		DIR *tasks;

		snprintf(path, sizeof(path), "/proc/%d/task", t->pids[i]);
		if ((tasks = opendir(path)) == NULL)
			continue;
		while ((e = readdir(tasks)) != NULL)
			if (e->d_name[0] != '.')
				add_children(t, t->pids[i], e->d_name);
		closedir(tasks);
	}
}

void
process_tree_free(struct process_tree *t)
{
	free(t->pids);
}
