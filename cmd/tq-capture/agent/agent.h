/*
 * write.h - records into the arena of this process: the one way in
 *
 * All of it may be called from any thread, from before main to after exit,
 * and in a child after fork, which gets an arena of its own by the first
 * call.  None of it blocks (but for full=block), takes memory from malloc
 * after the first record of a thread, changes errno, or ends the process.
 *
 *	struct writer *w = agent_thread();
 *	char *p;
 *
 *	if (w != NULL && (p = agent_begin(w, LOSS_MARK, bytes)) != NULL) {
 *		... bytes of a record ...
 *		agent_end(w, bytes);
 *	}
 */
#ifndef TQ_AGENT_AGENT_H
#define TQ_AGENT_AGENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arena/arena.h"
#include "arena/record.h"

struct writer; /* of a thread */

/*
 * The writer of this thread.  NULL where nothing is to be recorded: there is
 * no launcher, the arena could not be made, or this thread is inside of a
 * write already (a signal handler), which is counted.
 */
struct writer *agent_thread(void);

/*
 * Room for a record of bytes (a multiple of 8, at most AGENT_RECORD_MAX) in
 * this thread's chunk, or NULL with the loss counted under kind.
 */
enum { AGENT_RECORD_MAX = 32768 };
char *agent_begin(struct writer *w, enum arena_loss_kind kind, size_t bytes);

/* The record that agent_begin gave room for is complete. */
void agent_end(struct writer *w, size_t bytes);

/* Ticks of the clock of the capture, which CUPTI is to use too. */
uint64_t agent_clock(void);

/* The bits of arena.on; 0 where there is no arena. */
uint32_t agent_on(void);

/* The arena, for what has no function here; NULL where there is none. */
struct arena *agent_arena(void);

/* A diagnostic of the agent, for the launcher to print; a constant text. */
void agent_note(enum note_severity severity, const char *text);

/*
 * Define a name in a chunk of names: a record of that type with domain, id
 * and text, and address in FLAG_RANGE where it is not 0.  False, and counted,
 * where there is no room.  Takes the lock of names.
 */
bool agent_name(enum record_type type, uint32_t domain, uint64_t id,
    uint64_t address, const char *text, size_t len);

/* One more loss of that kind. */
void agent_lost(enum arena_loss_kind kind, uint64_t count);

#endif
