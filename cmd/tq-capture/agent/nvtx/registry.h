/*
 * registry.h - domains, strings and other definitions of this process
 *
 * All libraries of a process that contain NVTX share them.  A definition is
 * written at once; in a child after fork, or if there was no room for it, it is
 * written again before a record that uses it.
 */
#ifndef TQ_AGENT_REGISTRY_H
#define TQ_AGENT_REGISTRY_H

#include "agent/nvtx_record.h"

#define REGISTRY_DOMAIN UINT64_C(0x6e69616d6f447174) /* "tqDomain" */
#define REGISTRY_STRING UINT64_C(0x676e697274537174) /* "tqString" */

/* the target of a handle of NVTX; magic distinguishes it from other pointers */
struct registered {
	uint64_t magic;
	struct registered *next; /* of objects with the same hash */
	uint64_t id;
	uint32_t domain; /* of a string */
	uint32_t len;
	_Atomic uint32_t generation; /* in which it was written */
	char text[];
};

/* All functions are for threads that are inside: see writer.h. */

/*
 * The domain of that name, or the string in a domain; a new one if there is
 * none.  NULL if there is no memory.
 */
struct registered *registry_domain(struct nvtx_text text);
struct registered *registry_string(uint32_t domain, struct nvtx_text text);

/* Write the definition of n, unless this arena has it. */
void registry_write_name(struct registered *n);

/*
 * the object of a handle, its definition written if there is room for it; NULL
 * if the handle is not ours
 */
static inline const struct registered *
registry_behind(const void *handle, uint64_t magic, const struct writer *w)
{
	struct registered *n = (struct registered *)(uintptr_t)handle;
	uintptr_t address = (uintptr_t)handle;

	if (address < 4096 || address % 8 != 0 || n->magic != magic)
		return NULL;
	if (atomic_load_explicit(&n->generation, memory_order_acquire) !=
	    w->generation)
		registry_write_name(n);
	return n;
}

/* The id behind a handle; 0, the default domain, if it is NULL or not ours. */
static inline uint32_t
registry_domain_id(const void *handle, const struct writer *w)
{
	const struct registered *n =
	    registry_behind(handle, REGISTRY_DOMAIN, w);

	return n != NULL ? (uint32_t)n->id : 0;
}

/* The string behind a handle, or NULL.  If there was no room for its
   definition, record its text instead of its id. */
static inline const struct registered *
registry_string_of(const void *handle, const struct writer *w)
{
	return registry_behind(handle, REGISTRY_STRING, w);
}

/*
 * Copy a definition of another kind with its text and blob, and write it. False
 * if there is no memory.  bytes: for registry_payload_size.
 */
bool registry_define(struct nvtx_record *e, size_t bytes);

/* The bytes of a payload with that schema; 0: unknown. */
size_t registry_payload_size(uint32_t domain, uint64_t schema);

/* Write the definitions of registry_define that this arena lacks. */
void registry_repeat_all(void);
extern _Atomic uint32_t registry_written; /* generation that lacks none */

static inline void
registry_repeat(const struct writer *w)
{
	if (atomic_load_explicit(&registry_written, memory_order_acquire) !=
	    w->generation)
		registry_repeat_all();
}

/* Write the record of a definition into a chunk of names. */
bool registry_write(struct nvtx_record *e);

/* An id, from first on, for a definition that the program gives none. */
uint64_t registry_number(uint64_t first);

#endif
