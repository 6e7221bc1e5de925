/* module.c - files whose code processes run */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tq/base/hash.h"

#include "module.h"
#include "proc_maps.h"
#include "source_line.h"

enum { VDSO_MOST = 1 << 16 };

/* ---- files ---- */

/* A file of the same name may be another one by now.  File systems without a
   device of their own, such as overlays, do not keep numbers of files. */
static bool
is_it(const struct module *m, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	       ((uint64_t)st.st_ino == m->inode || major(st.st_dev) == 0);
}

/* when the file was changed, and how long it is */
static bool
read_state(int fd, struct module *m)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	m->changed =
	    (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	m->size = st.st_size;
	return true;
}

enum { PATHS = 3 };

/*
 * the file of a module, or -1: by its path as the process sees it, or as we do;
 * or the mapped file, even if it was removed
 */
static int
open_path(struct module *m, int which)
{
	char name[4200];
	int fd;

	if (which == 0)
		snprintf(
		    name, sizeof(name), "/proc/%d/root%s", m->pid, m->path);
	else if (which == 1)
		snprintf(name, sizeof(name), "%s", m->path);
	else
		snprintf(name, sizeof(name),
		    "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, m->pid, m->start,
		    m->end);
	fd = elf_file_descriptor(name);
	if (fd >= 0 && (!is_it(m, fd) || !read_state(fd, m))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static int
open_any(struct module *m)
{
	int fd = -1;

	for (int i = 0; fd < 0 && i < PATHS; i++)
		fd = open_path(m, i);
	return fd;
}

/* ---- build ids ---- */

/* where the process has an address of the file; false: not known */
static bool
find_mapped(const struct module *m, const struct elf_file *e, uint64_t address,
    uint64_t *found)
{
	uint64_t code;

	if (!elf_file_address(e, m->offset, &code))
		return false;
	*found = m->start - code + address;
	return true;
}

/*
 * The build id in the memory of the process, in to.  False if it can't be read:
 * the file has none, or the process has ended.
 */
static bool
read_mapped_id(const struct module *m, const struct elf_file *e, char to[72])
{
	struct elf_part note = elf_file_build_note(e);
	struct iovec here = {note.bytes, note.size}, there = {NULL, note.size};
	uint64_t at;
	bool read = false;

	if (note.bytes != NULL && find_mapped(m, e, note.address, &at)) {
		there.iov_base = (void *)(uintptr_t)at;
		read = process_vm_readv(m->pid, &here, 1, &there, 1, 0) ==
		       (ssize_t)note.size;
	}
	if (read)
		elf_file_build_id(&note, to);
	free(note.bytes);
	return read;
}

static void
read_file_id(const struct elf_file *e, char to[72])
{
	struct elf_part note = elf_file_build_note(e);

	elf_file_build_id(&note, to);
	free(note.bytes);
}

/* a module that is looked for among the areas of its process */
struct wanted_area {
	const struct module *module;
	bool found;
};

static bool
is_other_area(void *wanted, const struct mapped_area *a)
{
	struct wanted_area *w = wanted;

	w->found |=
	    a->start == w->module->start && a->inode == w->module->inode;
	return !w->found;
}

/* False where the process runs another program by now. */
static bool
is_still_there(const struct module *m)
{
	struct wanted_area w = {.module = m};

	proc_maps_read(m->pid, is_other_area, &w);
	return w.found;
}

/* False if the process has another build of the file; m->build is its id. */
static bool
is_mapped(struct module *m, const struct elf_file *e)
{
	char mapped[72];

	read_file_id(e, m->build);
	if (!read_mapped_id(m, e, mapped) || strcmp(mapped, m->build) == 0 ||
	    !is_still_there(m))
		return true;
	memcpy(m->build, mapped, sizeof(mapped));
	return false;
}

/* ---- reading ---- */

static void
take_file(struct module *m, const struct elf_file *e)
{
	m->segment_count = e->segment_count;
	m->segments = mem_alloc((e->segment_count + 1) * sizeof(*m->segments));
	memcpy(
	    m->segments, e->segments, e->segment_count * sizeof(*m->segments));
	unwind_table_read(&m->table, e);
}

/* Open the debug file of a stripped module, which a package installs.  Returns
   a descriptor, to be closed after e; -1: there is no such file. */
static int
open_debug_file(const struct module *m, struct elf_file *e)
{
	char name[160], build[72];
	int fd;

	if (m->build[0] == '\0')
		return -1;
	snprintf(name, sizeof(name), "/usr/lib/debug/.build-id/%.2s/%s.debug",
	    m->build, m->build + 2);
	fd = elf_file_descriptor(name);
	if (fd < 0)
		return -1;
	if (elf_file_open(e, fd)) {
		read_file_id(e, build);
		if (strcmp(build, m->build) == 0)
			return fd;
		elf_file_close(e);
	}
	close(fd);
	return -1;
}

static bool
read_debug_symbols(struct module *m)
{
	struct elf_file e;
	int fd = open_debug_file(m, &e);

	if (fd < 0)
		return false;
	elf_symbols_read(&m->symbols, &e);
	elf_file_close(&e);
	close(fd);
	return m->symbols.count > 0;
}

static void
read_from(struct module *m, struct elf_file *e)
{
	take_file(m, e);
	if (elf_symbols_are_full(e) || !read_debug_symbols(m))
		elf_symbols_read(&m->symbols, e);
	elf_file_close(e);
}

/* the kernel's library is the same in each process */
static void
read_vdso(struct module *m)
{
	const char *image = (const char *)(uintptr_t)getauxval(AT_SYSINFO_EHDR);
	char *copy;
	struct elf_file e;
	ssize_t n;
	int fd;

	if (image == NULL)
		return;
	/* its length is unknown: read(2) of it ends where it ends */
	fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	copy = mem_alloc(VDSO_MOST);
	n = pread(fd, copy, VDSO_MOST, (off_t)(uintptr_t)image);
	if (n > 0 && elf_file_open_image(&e, copy, (size_t)n)) {
		read_file_id(&e, m->build);
		read_from(m, &e);
	}
	free(copy);
	close(fd);
}

bool
module_has_code(const struct module *m)
{
	return m->inode != 0 || strcmp(m->path, "[vdso]") == 0;
}

/* False if it is not the file that the process has mapped. */
static bool
read_path(struct module *m, int which)
{
	int fd = open_path(m, which);
	struct elf_file e;
	bool read = false;

	if (fd < 0)
		return false;
	if (elf_file_open(&e, fd)) {
		read = is_mapped(m, &e);
		if (read)
			read_from(m, &e);
		else
			elf_file_close(&e);
	}
	close(fd);
	return read;
}

void
module_read(struct module *m)
{
	bool read = false;

	if (m->read)
		return;
	m->read = true;
	if (strcmp(m->path, "[vdso]") == 0)
		read_vdso(m);
	if (m->inode == 0 || *m->path != '/')
		return;
	for (int i = 0; !read && i < PATHS; i++)
		read = read_path(m, i);
}

bool
module_address(const struct module *m, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < m->segment_count; i++) {
		const struct elf_segment *s = &m->segments[i];

		if (s->executable && offset >= s->offset &&
		    offset - s->offset < s->size) {
			*address = s->address + (offset - s->offset);
			return true;
		}
	}
	return false;
}

/* ---- lines of the source ---- */

static bool
find_source(int fd, uint64_t address, struct text *to)
{
	struct elf_file e;
	bool found = false;

	if (elf_file_open(&e, fd)) {
		found = source_line_find(&e, address, to);
		elf_file_close(&e);
	}
	return found;
}

bool
module_source(struct module *m, uint64_t address, struct text *to)
{
	struct module now = *m; /* the file may be another one by now */
	struct elf_file e;
	bool found = false;
	int fd;

	if (m->size == 0 || (fd = open_any(&now)) < 0)
		return false;
	if (now.changed == m->changed && now.size == m->size)
		found = find_source(fd, address, to);
	close(fd);
	if (!found && (fd = open_debug_file(m, &e)) >= 0) {
		found = source_line_find(&e, address, to);
		elf_file_close(&e);
		close(fd);
	}
	return found;
}

/* ---- all ---- */

/* a library of tq-capture, or CUPTI, which calls it */
static bool
is_ours(const char *name)
{
	static const char *const names[] = {
	    "libtq-capture.so", "libtq-preload.so", "libtq-mpi.so"};
	static const char cupti[] = "libcupti.so";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return strncmp(name, cupti, sizeof(cupti) - 1) == 0;
}

static struct module *
make_module(const struct module_key *key)
{
	struct module *m = mem_alloc(sizeof(*m));

	m->path = mem_copy(key->path.p, key->path.len);
	m->name = *m->path == '/' ? basename(m->path) : m->path;
	m->device = key->device;
	m->inode = key->inode;
	m->pid = key->pid;
	m->start = key->start;
	m->end = key->end;
	m->offset = key->offset;
	m->ours = is_ours(m->name);
	return m;
}

/* memory without a file, such as [vdso], is found by its name */
static struct module *
find_named(const struct modules *all, struct span path)
{
	for (size_t i = 0; i < all->count; i++)
		if (all->all[i]->inode == 0 &&
		    span_eq(span_of(all->all[i]->path), path))
			return all->all[i];
	return NULL;
}

/* true if the file was written to since it was read: another build of it */
static bool
is_rebuilt(const struct module *m, int pid)
{
	struct module now = {.path = m->path, .pid = pid, .inode = m->inode};
	int fd;

	if (!m->read || m->size == 0 || (fd = open_any(&now)) < 0)
		return false;
	close(fd);
	return now.changed != m->changed || now.size != m->size;
}

struct module *
module_of(struct modules *m, const struct module_key *key)
{
	uint64_t *slot = NULL;
	struct module *found = NULL;

	if (key->inode != 0) {
		slot = map_get(&m->by_file, key->inode,
		    key->device ^ hash_text(key->path));
		found = *slot != 0 ? m->all[*slot - 1] : NULL;
	} else {
		found = find_named(m, key->path);
	}
	/* an inode that another file has by now */
	if (found != NULL && span_eq(span_of(found->path), key->path) &&
	    !is_rebuilt(found, key->pid))
		return found;
	found = make_module(key);
	found->number = (uint32_t)m->count;
	*array_add(&m->all, &m->count, &m->cap) = found;
	if (slot != NULL)
		*slot = m->count;
	return found;
}

void
module_free_all(struct modules *m)
{
	for (size_t i = 0; i < m->count; i++) {
		unwind_table_free(&m->all[i]->table);
		elf_symbols_free(&m->all[i]->symbols);
		free(m->all[i]->segments);
		free(m->all[i]->path);
		free(m->all[i]);
	}
	free(m->all);
	map_free(&m->by_file);
	*m = (struct modules){0};
}
