/*
 * elf_file.h - the parts of an ELF file of 64 bits that unwinding and symbols
 * need, each read into memory when it is first used
 *
 * The file may be truncated, corrupt or made by an enemy: every part is inside
 * of the file, and of a size that is bounded; a part that is not is absent.
 */
#ifndef TQ_CAPTURE_ELF_FILE_H
#define TQ_CAPTURE_ELF_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tq/base/span.h"

struct elf_segment {
	uint64_t offset, address, size; /* size in the file */
	bool executable;
};

/* a part of the file; bytes NULL: absent.  free(3) bytes */
struct elf_part {
	char *bytes;
	size_t size;
	uint64_t address; /* in the memory of a process, before relocation */
	uint64_t entry;   /* bytes of an entry, of tables */
};

struct elf_file {
	int fd; /* -1: the file is in memory, at image */
	const char *image;
	uint64_t size;
	struct elf_segment *segments; /* that are loaded */
	size_t segment_count;
	void *sections; /* Elf64_Shdr */
	size_t section_count;
	struct elf_part section_names;
	uint64_t frame_header; /* address of .eh_frame_hdr, 0: none */
	uint64_t frame_header_size;
	uint16_t machine;     /* EM_X86_64 ... */
	bool has_interpreter; /* a loader runs it */
	bool is_dynamic;      /* it has a table for a loader, or is one */
};

/* Open a program's file for reading, whatever stands at its path by now: a pipe
   is not waited for.  -1 with errno if there is none. */
int elf_file_descriptor(const char *path);

/* Read the headers of an open file, which stays the caller's; false if it is no
   ELF file of 64 bits in our byte order. */
bool elf_file_open(struct elf_file *e, int fd);

/* The same of a file that is in memory. */
bool elf_file_open_image(struct elf_file *e, const char *image, size_t size);

/* The section of that name, or an absent part. */
struct elf_part elf_file_section(const struct elf_file *e, const char *name);

/* size bytes of the file that are loaded at an address, or an absent part. */
struct elf_part elf_file_loaded(
    const struct elf_file *e, uint64_t address, size_t size);

/* The section with the build id, or an absent part. */
struct elf_part elf_file_build_note(const struct elf_file *e);

/* The build id in such a section, in hexadecimal, in to; false, and "": there
   is none. */
bool elf_file_build_id(const struct elf_part *note, char to[72]);

/* The address of a byte of the file that is loaded; false: it is not. */
bool elf_file_address(
    const struct elf_file *e, uint64_t offset, uint64_t *address);

void elf_file_close(struct elf_file *e);

#endif
