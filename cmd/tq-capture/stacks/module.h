/*
 * module.h - the files whose code processes run: a table to unwind by, and
 * symbols, made at the first address in a file
 */
#ifndef TQ_CAPTURE_MODULE_H
#define TQ_CAPTURE_MODULE_H

#include "elf_symbols.h"
#include "unwind_table.h"

#include "tq/base/keyed.h"
#include "tq/base/span.h"
#include "tq/base/text.h"

/* the identity of a mapped file, by which processes share its tables */
struct module {
	char *path;       /* as the kernel names it */
	const char *name; /* the last part of it */
	uint32_t number;  /* from 0 */
	int pid;          /* a process that maps it: path is below its root */
	uint64_t start, end; /* where that process has its code, */
	uint64_t offset;     /* from there in the file on */
	uint64_t device, inode;
	int64_t changed, size; /* mtime in ns, bytes, of the file when read */
	bool read;             /* the following are made */
	bool ours;             /* a library of tq-capture: in no stack */
	char build[72];        /* build id in memory; "": none */
	struct elf_segment *segments;
	size_t segment_count;
	struct unwind_table table;
	struct elf_symbols symbols;
};

/* all files; {0} is none */
struct modules {
	struct module **all;
	size_t count, cap;
	struct map by_file; /* (inode, device and path) -> index + 1 */
};

/* contents of a mapped file */
struct module_key {
	struct span path;
	uint64_t device, inode, start, end, offset;
	int pid;
};

/* The module of a mapping, a new one if it is the first of its file. */
struct module *module_of(struct modules *m, const struct module_key *key);

/* False for memory without a file, in which programs make code as they run. */
bool module_has_code(const struct module *m);

/* Read the table and symbols of a module, unless that is done. */
void module_read(struct module *m);

/* The address in the file of one at an offset in it; false: it is no code. */
bool module_address(const struct module *m, uint64_t offset, uint64_t *address);

/* Append "hang.c:12", the line of the source that the code at an address is of;
   false: not known.  Reads the file, or that with its debug information. */
bool module_source(struct module *m, uint64_t address, struct text *to);

void module_free_all(struct modules *m);

#endif
