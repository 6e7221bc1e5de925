/* unloaded_processes.c - processes of the command that can't be recorded */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/mem.h"

#include "arena/arena.h"
#include "arena/program_loader.h"
#include "lines/thread_comm.h"
#include "stacks/elf_file.h"
#include "stacks/proc_maps.h"
#include "unloaded_processes.h"

/* ns in which the loader maps the library */
static const int64_t LOADING = 1000000000;

struct library_search {
	const char *name;
	bool found;
};

static bool
is_other_file(void *search, const struct mapped_area *a)
{
	struct library_search *s = search;
	const char *slash = strrchr(a->path, '/');

	s->found = slash != NULL && strcmp(slash + 1, s->name) == 0;
	return !s->found;
}

static bool
has_library(int pid, const char *name)
{
	struct library_search s = {name, false};

	proc_maps_read(pid, is_other_file, &s);
	return s.found;
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

/* a file of /proc/PID, or as much of it as fits, with a NUL; false: it may not
   be read */
static bool
read_file(int pid, const char *name, char *to, size_t size, size_t *n)
{
	char path[64];
	ssize_t got;
	int fd;

	*n = 0;
	*to = '\0';
	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	while (*n < size - 1 && (got = read(fd, to + *n, size - 1 - *n)) > 0)
		*n += (size_t)got;
	close(fd);
	to[*n] = '\0';
	return true;
}

/* the value of "NAME=" in n bytes of variables; NULL: not set */
static const char *
find_variable(const char *all, size_t n, const char *name)
{
	size_t len = strlen(name);

	for (const char *v = all; v < all + n; v += strlen(v) + 1)
		if (strncmp(v, name, len) == 0)
			return v + len;
	return NULL;
}

/*
 * What its environment, as it began, has to do with it; NULL: nothing.  A
 * program may write over that, but it has the library then.
 */
static const char *
find_lack(int pid)
{
	enum { SIZE = 1 << 18 };
	char *all = mem_alloc(SIZE), command[2];
	const char *preload, *settings, *lack = NULL;
	size_t n, m;

	/* in the middle of an exec there is no command either */
	if (!read_file(pid, "environ", all, SIZE, &n) || n == SIZE - 1 ||
	    !read_file(pid, "cmdline", command, sizeof(command), &m) ||
	    m == 0) {
		free(all);
		return NULL;
	}
	preload = find_variable(all, n, "LD_PRELOAD=");
	settings = find_variable(all, n, CAPTURE_VARIABLE "=");
	if (preload == NULL && settings == NULL)
		lack = "its environment was cleared";
	else if (settings == NULL)
		lack = "its " CAPTURE_VARIABLE " was removed";
	else if (preload == NULL || *preload == '\0')
		lack = "it began without our LD_PRELOAD";
	else if (strstr(preload, "libtq-") == NULL)
		lack = "its LD_PRELOAD was replaced";
	free(all);
	return lack;
}

/* its sockets don't reach us */
static bool
is_in_other_network(int pid)
{
	struct stat own, its;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/ns/net", pid);
	return stat("/proc/self/ns/net", &own) == 0 && stat(path, &its) == 0 &&
	       own.st_ino != its.st_ino;
}

/* Why a process does not have the library; *sure: it won't have it later. */
static const char *
find_reason(int pid, bool *sure)
{
	const char *why = "its loader did not load it", *lack;
	char path[64];
	struct elf_file e;
	int fd;

	*sure = has_other_rights(pid);
	if (*sure)
		return "it is setuid or setgid";
	snprintf(path, sizeof(path), "/proc/%d/exe", pid);
	if (program_loader_of(path) == PROGRAM_LOADER_MUSL) {
		*sure = true;
		return "musl runs it, whose loader can't load it";
	}
	if ((lack = find_lack(pid)) != NULL) {
		*sure = true;
		return lack;
	}
	fd = elf_file_descriptor(path);
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
static struct unloaded_process *
find_process(struct unloaded_processes *u, int pid, int64_t now)
{
	char path[64];
	struct stat st;
	struct unloaded_process *p;
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
		*p = (struct unloaded_process){.pid = pid,
		    .device = st.st_dev,
		    .inode = st.st_ino,
		    .since = now};
	return p;
}

/* "train.py" of "python3 train.py", else the name of its first thread */
static void
find_name(int pid, char name[THREAD_COMM])
{
	char command[512];
	const char *script;
	size_t n;

	name[0] = '\0';
	read_file(pid, "cmdline", command, sizeof(command), &n);
	script = command + strlen(command) + 1;
	thread_comm_read(name, pid, pid);
	if (strncmp(name, "python", 6) != 0 || script >= command + n ||
	    *script == '-' || *script == '\0')
		return;
	snprintf(name, THREAD_COMM, "%s", basename(script));
}

static void
report(struct unloaded_processes *u, const struct unloaded_process *p,
    const char *why, struct text *said)
{
	uint64_t *done = map_get(&u->said, p->device, p->inode);
	char name[THREAD_COMM];

	if (*done != 0)
		return;
	*done = 1;
	u->count++;
	find_name(p->pid, name);
	if (u->timers)
		text_printf(said,
		    "process %d is not sampled: %s, and perf_event_open is "
		    "denied",
		    p->pid, why);
	else
		text_printf(said, "process %d (%s) ran %s: %s", p->pid, name,
		    p->loaded ? "unrecorded" : "without the library", why);
	text_add_char(said, '\0');
}

void
unloaded_processes_look(struct unloaded_processes *u, int pid, bool is_captured,
    int64_t now, struct text *said)
{
	struct unloaded_process *p = find_process(u, pid, now);
	const char *why = NULL;
	bool sure = true;

	if (p == NULL || p->known)
		return;
	p->loaded = p->loaded || has_library(pid, u->library);
	if (p->loaded) {
		p->known = is_captured;
		if (!is_captured && is_in_other_network(pid))
			why = "it is in another network name space";
	} else {
		why = find_reason(pid, &sure);
		if (!sure && now - p->since < LOADING)
			return;
	}
	if (why == NULL)
		return;
	p->known = true;
	report(u, p, why, said);
}

void
unloaded_processes_free(struct unloaded_processes *u)
{
	keyed_free(&u->processes);
	map_free(&u->said);
}
