/*
 * agent.h - records into the arena of this process, for the half for CUPTI
 *
 * Any thread may call these functions, from before main to after exit, and in a
 * child after fork, which gets an arena of its own by the first call.  They
 * don't block (but with full=block), call malloc after the first record of a
 * thread, change errno, or end the process.
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
 * The writer of this thread.  NULL if nothing is recorded: there is no
 * launcher, the arena could not be made, or this thread is in the middle of a
 * record (we are in a signal handler), which is counted.
 */
struct writer *agent_thread(void);

/*
 * Room for a record of bytes (a multiple of 8, at most AGENT_RECORD_MAX) in
 * this thread's chunk, or NULL with the loss counted under kind.
 */
enum { AGENT_RECORD_MAX = 32768 };
char *agent_begin(struct writer *w, enum arena_loss_kind kind, size_t bytes);

/*
 * Remember in arena.writing[buffer] that the record in the room of agent_begin,
 * of bytes, is a copy of the one at that offset of the buffer.
 */
void agent_copies(
    struct writer *w, size_t bytes, uint32_t buffer, uint64_t offset);

/* The record in the room of agent_begin is complete. */
void agent_end(struct writer *w, size_t bytes);

/* As python_stack_take, of the thread of that writer. */
uint32_t agent_python_stack(struct writer *w);

/*
 * Write the record of that many bytes, a multiple of 8, with FLAG_BLOB: behind
 * it comes the native stack of this thread, of most bytes at most; see struct
 * osrt_stack.  Before it, modules that are mapped are written, unless that was
 * done within the last `period` ticks.
 */
void agent_put_stack(struct writer *w, struct record *r, size_t bytes,
    size_t most, uint64_t period);

/* Ticks of the clock of the capture, which CUPTI uses too. */
uint64_t agent_clock(void);

/* The bits of arena.on; 0 where there is no arena. */
uint32_t agent_on(void);

/* The arena; NULL: there is none. */
struct arena *agent_arena(void);

/* The number of the arena, which a fork changes; 0: there is no arena. */
uint32_t agent_generation(void);

/* A diagnostic, which the launcher prints; text is constant. */
void agent_note(enum note_severity severity, const char *text);

/*
 * Define a name in a chunk of names: a record of that type with domain, id
 * and text, and address in FLAG_RANGE if it is not 0.  False, with the loss
 * counted, if there is no room.  Takes the lock of the process.
 */
bool agent_name(enum record_type type, uint32_t domain, uint64_t id,
    uint64_t address, const char *text, size_t len);

/* Count more losses of that kind. */
void agent_lost(enum arena_loss_kind kind, uint64_t count);

#endif
