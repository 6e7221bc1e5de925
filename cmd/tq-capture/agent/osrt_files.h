/*
 * osrt_files.h - which file a descriptor of the program is
 */
#ifndef TQ_AGENT_OSRT_FILES_H
#define TQ_AGENT_OSRT_FILES_H

#include <stdbool.h>
#include <stddef.h>

enum { OSRT_FILE_MAX = 512 }; /* bytes of a name; the rest is left out */

/*
 * Copy the name of fd's file: a path, "socket:" and its peer, "pipe", or the
 * kernel's name for it.  ask: query the kernel, unless it did so before.
 * closed: its file until just now, if that is known.  Returns the length; 0:
 * unknown.  Changes errno; takes no lock, and calls no function of the C
 * library that could be wrapped.
 */
size_t osrt_files_name(int fd, bool ask, bool closed, char to[OSRT_FILE_MAX]);

/* fd is another file from now on; -1: all are. */
void osrt_files_forget(int fd);

#endif
