/* attach.c - a process that runs already */

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tq/base/mem.h"

#include "attach.h"
#include "counters/process_tree.h"
#include "lines/thread_comm.h"

int
attach_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

/* ---- names ---- */

char **
attach_command(pid_t pid)
{
	char path[64], *text = NULL, **words;
	size_t size = 0, count = 0;
	ssize_t len = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", (int)pid);
	if ((f = fopen(path, "re")) != NULL) {
		len = getdelim(&text, &size, EOF, f);
		fclose(f);
	}
	len = len > 0 ? len : 0;
	words = mem_alloc(((size_t)len + 2) * sizeof(*words));
	words[0] = NULL;
	/* each word has its NUL */
	for (ssize_t at = 0; at < len; at += (ssize_t)strlen(text + at) + 1) {
		words[count++] = mem_copy(text + at, strlen(text + at));
		words[count] = NULL;
	}
	free(text);
	return words;
}

void
attach_free(char **command)
{
	for (char **w = command; w != NULL && *w != NULL; w++)
		free(*w);
	free(command);
}

static void
define_threads(struct out_stream *s, int pid)
{
	char path[64], name[THREAD_COMM];
	struct dirent *e;
	DIR *tasks;

	if (thread_comm_read(name, pid, pid))
		out_stream_name(s, pid, 0, span_of(name), -1);
	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	if ((tasks = opendir(path)) == NULL)
		return;
	while ((e = readdir(tasks)) != NULL) {
		int tid = (int)strtol(e->d_name, NULL, 10);

		if (tid > 0 && thread_comm_read(name, pid, tid))
			out_stream_name(s, pid, tid, span_of(name), -1);
	}
	closedir(tasks);
}

void
attach_define(struct outputs *to, pid_t pid)
{
	struct process_tree tree = {0};

	process_tree_read(&tree, pid);
	for (size_t i = 0; i < tree.count; i++)
		for (size_t k = 0; k < to->count; k++)
			define_threads(to->all[k], tree.pids[i]);
	process_tree_free(&tree);
}
