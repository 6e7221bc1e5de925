/* module.c - files whose code processes run */

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "tq/base/hash.h"

#include "module.h"

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

/* the file of a module, or -1: by its path as the process sees it, or as we do;
   or what is mapped, even if it was removed */
static int
open_path(struct module *m)
{
	char name[4200];

	for (int i = 0; i < 3; i++) {
		int fd;

		if (i == 0)
			snprintf(name, sizeof(name), "/proc/%d/root%s", m->pid,
			    m->path);
		else if (i == 1)
			snprintf(name, sizeof(name), "%s", m->path);
		else
			snprintf(name, sizeof(name),
			    "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, m->pid,
			    m->start, m->end);
		fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
		if (fd >= 0 && is_it(m, fd) && read_state(fd, m))
			return fd;
		if (fd >= 0)
			close(fd);
	}
	return -1;
}

static void
take_file(struct module *m, const struct elf_file *e)
{
	m->segment_count = e->segment_count;
	m->segments = mem_alloc((e->segment_count + 1) * sizeof(*m->segments));
	memcpy(
	    m->segments, e->segments, e->segment_count * sizeof(*m->segments));
	elf_file_build_id(e, m->build);
	unwind_table_read(&m->table, e);
}

/* symbols of a file that was stripped, if a package has them */
static bool
read_debug_symbols(struct module *m)
{
	char name[160];
	struct elf_file e;
	bool read = false;
	int fd;

	if (m->build[0] == '\0')
		return false;
	snprintf(name, sizeof(name), "/usr/lib/debug/.build-id/%.2s/%s.debug",
	    m->build, m->build + 2);
	fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (elf_file_open(&e, fd)) {
		elf_symbols_read(&m->symbols, &e);
		elf_file_close(&e);
		read = m->symbols.count > 0;
	}
	close(fd);
	return read;
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
	/* how long it is, is not said: read(2) of it ends where it ends */
	fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	copy = mem_alloc(VDSO_MOST);
	n = pread(fd, copy, VDSO_MOST, (off_t)(uintptr_t)image);
	if (n > 0 && elf_file_open_image(&e, copy, (size_t)n))
		read_from(m, &e);
	free(copy);
	close(fd);
}

bool
module_has_code(const struct module *m)
{
	return m->inode != 0 || strcmp(m->path, "[vdso]") == 0;
}

void
module_read(struct module *m)
{
	struct elf_file e;
	int fd;

	if (m->read)
		return;
	m->read = true;
	if (strcmp(m->path, "[vdso]") == 0)
		read_vdso(m);
	if (m->inode == 0 || *m->path != '/' || (fd = open_path(m)) < 0)
		return;
	if (elf_file_open(&e, fd))
		read_from(m, &e);
	close(fd);
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
	const char *slash;

	m->path = mem_copy(key->path.p, key->path.len);
	slash = *m->path == '/' ? strrchr(m->path, '/') : NULL;
	m->name = slash != NULL ? slash + 1 : m->path;
	m->device = key->device;
	m->inode = key->inode;
	m->pid = key->pid;
	m->start = key->start;
	m->end = key->end;
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

	if (!m->read || m->size == 0 || (fd = open_path(&now)) < 0)
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
