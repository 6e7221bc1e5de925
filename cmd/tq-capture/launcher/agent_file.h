/*
 * agent_file.h - the libraries that programs load: the agent, and the wrappers
 * beside it
 */
#ifndef TQ_CAPTURE_AGENT_FILE_H
#define TQ_CAPTURE_AGENT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "tq/base/text.h"

enum { AGENT_FILE_PATH = 4096, AGENT_FILE_PRELOAD = AGENT_FILE_PATH + 64 };

/*
 * Path of the agent: $TQ_CAPTURE_AGENT, else the one beside the program, as in
 * a build folder, or in ../lib/tq, as installed.  False: there is none.
 */
bool agent_file_find(char path[AGENT_FILE_PATH]);

/*
 * True if the loader of this system takes an agent, and *has is whether it has
 * that function, or data; false: *why is the reason.  The file is read, not
 * loaded.
 */
bool agent_file_has(
    const char *agent, const char *symbol, bool *has, struct text *why);

/* Path of a file or folder beside an agent; to be freed. */
char *agent_file_beside(const char *agent, const char *name);

/* why there is none */
#define AGENT_FILE_NONE \
	"libtq-capture.so is neither beside this program nor in ../lib/tq"

/*
 * Path of the wrappers of that name beside an agent; false: *why is the reason.
 */
bool agent_file_preload(const char *agent, const char *name,
    char path[AGENT_FILE_PRELOAD], struct text *why);

#define AGENT_FILE_OSRT "libtq-preload.so"
#define AGENT_FILE_MPI "libtq-mpi.so"

/* A variable that names the profiler of NCCL, which the agent is for us. */
#define AGENT_FILE_NCCL "NCCL_PROFILER_PLUGIN"

/* NCCL's room for that name, with the NUL */
enum { AGENT_FILE_NCCL_ROOM = 255 };

#endif
