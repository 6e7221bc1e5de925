/* remote_python.c - the CPython that another process runs */

#include <ctype.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "stacks/elf_file.h"
#include "stacks/proc_maps.h"

#include "remote_python.h"

/* clang-format off */
static const struct remote_offsets offsets[] = {
	/* head, next, threads, next_thread, tid, pthread, chunk,
	   generator, owner, size */
	{ 8,  32, 0,    8, 8, PYTHON_NONE, 176, PYTHON_NONE,
	    96, PYTHON_NONE, 184},
	{ 9,  32, 0,    8, 8, PYTHON_NONE, 176, PYTHON_NONE,
	    96, PYTHON_NONE, 184},
	{10,  32, 0,    8, 8, PYTHON_NONE, 176, PYTHON_NONE,
	    88, PYTHON_NONE, 184},
	{11,  40, 0,   16, 8, 160, PYTHON_NONE, 296, PYTHON_NONE, 69, 320},
	{12,  40, 0,   72, 8, 144, PYTHON_NONE, 232, PYTHON_NONE, 70, 256},
	{13, 632, 7264, 7344, 8, 160, PYTHON_NONE, 232, PYTHON_NONE, 70, 256},
};
/* clang-format on */

bool
remote_python_read(pid_t pid, const struct remote_piece *pieces, size_t count)
{
	struct iovec to[REMOTE_PIECES], from[REMOTE_PIECES];
	size_t size = 0;

	for (size_t i = 0; i < count; i++) {
		to[i] = (struct iovec){pieces[i].to, pieces[i].size};
		from[i] = (struct iovec){
		    (void *)(uintptr_t)pieces[i].address, pieces[i].size};
		size += pieces[i].size;
	}
	return process_vm_readv(pid, to, count, from, count, 0) ==
	       (ssize_t)size;
}

/* ---- symbols ---- */

/* the two that are needed, before relocation; 0: not in the file */
struct python_symbols {
	uint64_t runtime, code_type;
};

static void
take_symbol(struct python_symbols *s, const Elf64_Sym *sym, const char *name)
{
	if (sym->st_shndx == SHN_UNDEF)
		return;
	if (strcmp(name, "_PyRuntime") == 0)
		s->runtime = sym->st_value;
	else if (strcmp(name, "PyCode_Type") == 0)
		s->code_type = sym->st_value;
}

static struct python_symbols
read_symbols(const struct elf_file *e)
{
	struct elf_part table = elf_file_section(e, ".dynsym");
	struct elf_part names = elf_file_section(e, ".dynstr");
	struct python_symbols s = {0};

	for (size_t at = 0;
	     names.bytes != NULL && table.size - at >= sizeof(Elf64_Sym) &&
	     table.bytes != NULL;
	     at += sizeof(Elf64_Sym)) {
		Elf64_Sym sym;

		memcpy(&sym, table.bytes + at, sizeof(sym));
		if (sym.st_name < names.size)
			take_symbol(&s, &sym, names.bytes + sym.st_name);
	}
	free(table.bytes);
	free(names.bytes);
	return s;
}

/* ---- files ---- */

/* "3.11" of python3.11 and libpython3.11.so.1.0; false: it is no Python.  *v
   is empty of a build that is not known: python3.13t. */
static bool
version_of(const char *path, char v[8])
{
	const char *name = basename(path), *end;

	if (strncmp(name, "lib", 3) == 0)
		name += 3;
	if (strncmp(name, "python3.", 8) != 0 ||
	    !isdigit((unsigned char)name[8]))
		return false;
	for (end = name + 8; isdigit((unsigned char)*end);)
		end++;
	v[0] = '\0';
	if ((*end == '\0' || *end == '.') && end - name - 6 < 8)
		snprintf(v, 8, "%.*s", (int)(end - name - 6), name + 6);
	return true;
}

/* False if the file has no such symbols. */
static bool
take_file(struct remote_python *p, const struct mapped_area *m)
{
	char path[PATH_MAX + 32];
	struct python_symbols s = {0};
	struct elf_file e;
	uint64_t address;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/root%s", (int)p->pid, m->path);
	fd = elf_file_descriptor(path);
	if (fd < 0)
		return false;
	if (elf_file_open(&e, fd) &&
	    elf_file_address(&e, m->offset, &address)) {
		s = read_symbols(&e);
		p->runtime = m->start - address + s.runtime;
		p->code_type = m->start - address + s.code_type;
	}
	elf_file_close(&e);
	close(fd);
	return s.runtime != 0 && s.code_type != 0;
}

/* ---- offsets ---- */

/* From 3.13 on the runtime begins with its own offsets; they are right where
   a later patch has moved something. */
static bool
read_own_offsets(struct remote_python *p)
{
	/* numbers of eight bytes, behind "xdebugpy" */
	enum {
		FREE_THREADED = 2,
		HEAD = 5,
		NEXT = 8,
		THREADS,
		THREAD_NEXT = 21,
		FRAME = 23,
		TID = 25,
		CHUNK,
		NUMBERS
	};
	uint64_t v[NUMBERS];
	const struct remote_piece all = {p->runtime, v, sizeof(v)};

	if (!remote_python_read(p->pid, &all, 1) ||
	    memcmp(v, "xdebugpy", 8) != 0 || v[FREE_THREADED] != 0)
		return false;
	if (v[HEAD] > INT16_MAX || v[NEXT] > INT16_MAX ||
	    v[THREADS] > INT16_MAX || v[TID] != (uint64_t)p->at.tid ||
	    v[FRAME] != (uint64_t)p->layout->frame ||
	    v[THREAD_NEXT] != (uint64_t)p->at.next_thread ||
	    v[CHUNK] != (uint64_t)p->at.chunk)
		return false;
	p->at.head = (int16_t)v[HEAD];
	p->at.next = (int16_t)v[NEXT];
	p->at.threads = (int16_t)v[THREADS];
	return true;
}

bool
remote_python_layout(struct remote_python *p, const char *version)
{
	p->layout = python_layout_of(version);
	for (size_t i = 0; i < sizeof(offsets) / sizeof(offsets[0]); i++)
		if (p->layout != NULL && offsets[i].minor == p->layout->minor) {
			p->at = offsets[i];
			return p->at.minor < 13 || read_own_offsets(p);
		}
	return false;
}

/* the file that is looked for, and its place */
struct python_search {
	struct remote_python *python;
	enum remote_found found;
	bool memory_denied;
};

/* False also where the process is gone. */
static bool
is_denied(pid_t pid)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		close(fd);
	return fd < 0 && (errno == EACCES || errno == EPERM);
}

/* The mappings of a process may be read where its memory may not. */
static bool
is_memory_denied(pid_t pid, uint64_t address)
{
	char byte;

	errno = 0;
	return !remote_python_read(
		   pid, &(const struct remote_piece){address, &byte, 1}, 1) &&
	       (errno == EPERM || errno == EACCES);
}

static bool
try_area(void *arg, const struct mapped_area *a)
{
	struct python_search *s = arg;
	char version[8];

	if (a->offset == 0 && a->path[0] == '/' &&
	    version_of(a->path, version) && take_file(s->python, a)) {
		s->memory_denied = is_memory_denied(s->python->pid, a->start);
		s->found = remote_python_layout(s->python, version)
			       ? REMOTE_FOUND
			       : REMOTE_UNKNOWN;
	}
	return s->found == REMOTE_ABSENT;
}

enum remote_found
remote_python_find(struct remote_python *p, pid_t pid)
{
	struct python_search s = {p, REMOTE_ABSENT};

	*p = (struct remote_python){.pid = pid};
	if (!proc_maps_read(pid, try_area, &s))
		return is_denied(pid) ? REMOTE_DENIED : REMOTE_ABSENT;
	if (s.found != REMOTE_ABSENT && s.memory_denied)
		return REMOTE_DENIED;
	return s.found;
}
