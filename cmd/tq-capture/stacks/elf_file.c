/* elf_file.c - the parts of an ELF file */

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/mem.h"

#include "elf_file.h"

enum {
	HEADERS_MOST = 1 << 16, /* of segments, of sections */
	PART_MOST = 1 << 30     /* bytes */
};

static bool
read_at(const struct elf_file *e, uint64_t offset, void *to, size_t size)
{
	char *p = to;

	if (offset > e->size || size > e->size - offset)
		return false;
	if (e->fd < 0) {
		memcpy(to, e->image + offset, size);
		return true;
	}
	while (size > 0) {
		ssize_t n = pread(e->fd, p, size, (off_t)offset);

		if (n <= 0)
			return false;
		p += n;
		offset += (uint64_t)n;
		size -= (size_t)n;
	}
	return true;
}

/* an absent part if it is not all there */
static struct elf_part
read_part(const struct elf_file *e, uint64_t offset, uint64_t size)
{
	struct elf_part part = {0};

	if (size == 0 || size > PART_MOST || offset > e->size ||
	    size > e->size - offset)
		return part;
	part.bytes = mem_alloc(size + 1); /* a NUL behind names */
	part.size = size;
	if (!read_at(e, offset, part.bytes, size)) {
		free(part.bytes);
		part = (struct elf_part){0};
	}
	return part;
}

/* a table of headers; NULL: there is none */
static void *
read_headers(const struct elf_file *e, uint64_t offset, uint64_t count,
    uint64_t stride, size_t size)
{
	if (stride != size || count > HEADERS_MOST)
		return NULL;
	return read_part(e, offset, count * size).bytes;
}

static void
read_segments(struct elf_file *e, const Elf64_Ehdr *h)
{
	Elf64_Phdr *all = read_headers(
	    e, h->e_phoff, h->e_phnum, h->e_phentsize, sizeof(*all));

	if (all == NULL)
		return;
	e->segments = mem_alloc(h->e_phnum * sizeof(*e->segments));
	for (size_t i = 0; i < h->e_phnum; i++) {
		if (all[i].p_type == PT_LOAD)
			e->segments[e->segment_count++] =
			    (struct elf_segment){.offset = all[i].p_offset,
				.address = all[i].p_vaddr,
				.size = all[i].p_filesz,
				.executable = (all[i].p_flags & PF_X) != 0};
		e->has_interpreter |= all[i].p_type == PT_INTERP;
		e->is_dynamic |= all[i].p_type == PT_DYNAMIC;
		if (all[i].p_type == PT_GNU_EH_FRAME) {
			e->frame_header = all[i].p_vaddr;
			e->frame_header_size = all[i].p_filesz;
		}
	}
	free(all);
}

static void
read_sections(struct elf_file *e, const Elf64_Ehdr *h)
{
	const Elf64_Shdr *names;

	e->sections = read_headers(
	    e, h->e_shoff, h->e_shnum, h->e_shentsize, sizeof(*names));
	if (e->sections == NULL)
		return;
	e->section_count = h->e_shnum;
	if (h->e_shstrndx >= e->section_count)
		return;
	names = (const Elf64_Shdr *)e->sections + h->e_shstrndx;
	e->section_names = read_part(e, names->sh_offset, names->sh_size);
}

static bool
read_file(struct elf_file *e)
{
	const unsigned char ours = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
				       ? ELFDATA2LSB
				       : ELFDATA2MSB;
	Elf64_Ehdr h;

	if (!read_at(e, 0, &h, sizeof(h)) ||
	    memcmp(h.e_ident, ELFMAG, SELFMAG) != 0 ||
	    h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_ident[EI_DATA] != ours)
		return false;
	e->machine = h.e_machine;
	read_segments(e, &h);
	read_sections(e, &h);
	return true;
}

int
elf_file_descriptor(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

bool
elf_file_open(struct elf_file *e, int fd)
{
	struct stat st;

	*e = (struct elf_file){.fd = fd};
	if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	e->size = (uint64_t)st.st_size;
	return read_file(e);
}

bool
elf_file_open_image(struct elf_file *e, const char *image, size_t size)
{
	*e = (struct elf_file){.fd = -1, .image = image, .size = size};
	return read_file(e);
}

struct elf_part
elf_file_section(const struct elf_file *e, const char *name)
{
	const Elf64_Shdr *all = e->sections;
	const struct elf_part *names = &e->section_names;

	for (size_t i = 0; i < e->section_count; i++) {
		struct elf_part part;

		if (all[i].sh_name >= names->size ||
		    strcmp(names->bytes + all[i].sh_name, name) != 0 ||
		    all[i].sh_type == SHT_NOBITS ||
		    (all[i].sh_flags & SHF_COMPRESSED) != 0)
			continue;
		part = read_part(e, all[i].sh_offset, all[i].sh_size);
		part.address = all[i].sh_addr;
		part.entry = all[i].sh_entsize;
		return part;
	}
	return (struct elf_part){0};
}

struct elf_part
elf_file_loaded(const struct elf_file *e, uint64_t address, size_t size)
{
	struct elf_part part = {0};

	for (size_t i = 0; i < e->segment_count; i++) {
		const struct elf_segment *s = &e->segments[i];
		uint64_t from = address - s->address;

		if (address < s->address || from >= s->size ||
		    size > s->size - from)
			continue;
		part = read_part(e, s->offset + from, size);
		part.address = address;
		break;
	}
	return part;
}

struct elf_part
elf_file_build_note(const struct elf_file *e)
{
	return elf_file_section(e, ".note.gnu.build-id");
}

bool
elf_file_build_id(const struct elf_part *note, char to[72])
{
	static const char hex[] = "0123456789abcdef";
	const unsigned char *id;
	Elf64_Nhdr h;
	size_t n = 0;

	if (note->size >= sizeof(h) + 4) {
		memcpy(&h, note->bytes, sizeof(h));
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    h.n_descsz <= 32 &&
		    h.n_descsz <= note->size - sizeof(h) - 4)
			n = h.n_descsz;
	}
	id = n > 0 ? (unsigned char *)note->bytes + sizeof(h) + 4 : NULL;
	for (size_t i = 0; i < n; i++) {
		to[2 * i] = hex[id[i] >> 4];
		to[2 * i + 1] = hex[id[i] & 15];
	}
	to[2 * n] = '\0';
	return n > 0;
}

bool
elf_file_address(const struct elf_file *e, uint64_t offset, uint64_t *address)
{
	for (size_t i = 0; i < e->segment_count; i++) {
		const struct elf_segment *s = &e->segments[i];

		if (offset >= s->offset && offset - s->offset < s->size) {
			*address = s->address + (offset - s->offset);
			return true;
		}
	}
	return false;
}

void
elf_file_close(struct elf_file *e)
{
	free(e->segments);
	free(e->sections);
	free(e->section_names.bytes);
	*e = (struct elf_file){.fd = -1};
}
