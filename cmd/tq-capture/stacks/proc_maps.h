/*
 * proc_maps.h - the mappings of a process: /proc/PID/maps
 */
#ifndef TQ_CAPTURE_PROC_MAPS_H
#define TQ_CAPTURE_PROC_MAPS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* a line: START-END PERMISSIONS OFFSET MAJOR:MINOR INODE PATH */
struct mapped_area {
	uint64_t start, end, offset;
	uint64_t device; /* major << 32 | minor */
	uint64_t inode;
	bool runs;        /* its code may be executed */
	const char *path; /* in the line; "": it has none */
};

/* False: that is no such line.  line loses its newline. */
bool proc_maps_parse(struct mapped_area *a, char *line);

/*
 * Give the areas of a process, in order of address, until take returns false.
 * False if the file can't be read.
 */
bool proc_maps_read(
    pid_t pid, bool (*take)(void *arg, const struct mapped_area *a), void *arg);

#endif
