/* attach.c - a process that runs already */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tq/base/mem.h"

#include "attach.h"
#include "counters/process_tree.h"

enum { NAME = 64 };

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

/* the name that the kernel has for a thread; false: it has ended */
static bool
read_name(char name[NAME], int pid, const char *tid)
{
	char path[96];
	ssize_t n = -1;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/task/%s/comm", pid, tid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0) {
		n = read(fd, name, NAME - 1);
		close(fd);
	}
	name[n > 0 ? n - 1 : 0] = '\0'; /* without the newline */
	return n > 0;
}

static void
define(struct out_stream *s, int pid, const char *tid, const char *name)
{
	emit_open(&s->line, tid != NULL ? KIND_thread : KIND_process);
	emit_int(&s->line, KEY_pid, pid);
	if (tid != NULL)
		emit_int(&s->line, KEY_tid, strtoll(tid, NULL, 10));
	emit_str(&s->line, KEY_name, span_of(name));
	emit_close(&s->line);
	out_stream_define(s);
}

static void
define_threads(struct out_stream *s, int pid)
{
	char path[64], number[24], name[NAME];
	struct dirent *e;
	DIR *tasks;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	snprintf(number, sizeof(number), "%d", pid);
	if (read_name(name, pid, number))
		define(s, pid, NULL, name);
	if ((tasks = opendir(path)) == NULL)
		return;
	while ((e = readdir(tasks)) != NULL)
		if (e->d_name[0] != '.' && read_name(name, pid, e->d_name))
			define(s, pid, e->d_name, name);
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
