/* unsampled_processes.c - processes of the command that timers can't sample */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent_file.h"
#include "stacks/elf_file.h"
#include "stacks/proc_maps.h"
#include "unsampled_processes.h"

/* ns in which the loader maps the library */
static const int64_t LOADING = 1000000000;

static bool
is_other_file(void *found, const struct mapped_area *a)
{
	const char *slash = strrchr(a->path, '/');

	if (slash == NULL || strcmp(slash + 1, AGENT_FILE_OSRT) != 0)
		return true;
	*(bool *)found = true;
	return false;
}

static bool
has_library(int pid)
{
	bool found = false;

	proc_maps_read(pid, is_other_file, &found);
	return found;
}

/* of two ids, real and effective, in /proc/PID/status: they differ */
static bool
differ(const char *line, const char *name)
{
	size_t n = strlen(name);
	unsigned long real;
	char *end;

	if (strncmp(line, name, n) != 0)
		return false;
	real = strtoul(line + n, &end, 10);
	return strtoul(end, NULL, 10) != real;
}

/* the rights of its file, or of its owner */
static bool
has_other_rights(int pid)
{
	char path[64], line[256];
	bool other = false;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	if ((f = fopen(path, "re")) == NULL)
		return false;
	while (!other && fgets(line, sizeof(line), f) != NULL)
		other = differ(line, "Uid:") || differ(line, "Gid:");
	fclose(f);
	return other;
}

/* Why a process does not have the library; *sure: it won't have it later. */
static const char *
find_reason(int pid, bool *sure)
{
	const char *why = "it began without our LD_PRELOAD";
	char path[64];
	struct elf_file e;
	int fd;

	*sure = has_other_rights(pid);
	if (*sure)
		return "it is setuid or setgid";
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return why;
	if (!elf_file_open(&e, fd)) {
		why = "it is no program of 64 bits";
	} else {
		/* the loader itself has no interpreter either */
		if (!e.has_interpreter)
			why = "it is statically linked";
		*sure = !e.has_interpreter && !e.is_dynamic;
		elf_file_close(&e);
	}
	close(fd);
	return why;
}

/* its program, which is a new one after an exec; NULL: it has ended */
static struct unsampled_process *
find_process(struct unsampled_processes *u, int pid, int64_t now)
{
	char path[64];
	struct stat st;
	struct unsampled_process *p;
	bool fresh;

	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	if (stat(path, &st) != 0) {
		/* others may not see which program a setuid one is */
		if (!has_other_rights(pid))
			return NULL;
		st.st_dev = 0;
		st.st_ino = (ino_t)pid;
	}
	p = keyed_get(&u->processes, (uint32_t)pid, 0, &fresh);
	if (fresh || p->device != st.st_dev || p->inode != st.st_ino)
		*p = (struct unsampled_process){.pid = pid,
		    .device = st.st_dev,
		    .inode = st.st_ino,
		    .since = now};
	return p;
}

static void
look_at(struct unsampled_processes *u, int pid, int64_t now, struct text *said)
{
	struct unsampled_process *p = find_process(u, pid, now);
	uint64_t *done;
	const char *why;
	bool sure;

	if (p == NULL || p->known)
		return;
	p->known = has_library(pid);
	if (p->known)
		return;
	why = find_reason(pid, &sure);
	if (!sure && now - p->since < LOADING)
		return;
	p->known = true;
	done = map_get(&u->said, p->device, p->inode);
	if (*done != 0)
		return;
	*done = 1;
	text_printf(said,
	    "process %d is not sampled: %s, and perf_event_open is denied", pid,
	    why);
	text_add_char(said, '\0');
}

void
unsampled_processes_look(struct unsampled_processes *u,
    const struct process_tree *tree, int64_t now, struct text *said)
{
	for (size_t i = 0; i < tree->count; i++)
		look_at(u, tree->pids[i], now, said);
}

void
unsampled_processes_free(struct unsampled_processes *u)
{
	keyed_free(&u->processes);
	map_free(&u->said);
}
