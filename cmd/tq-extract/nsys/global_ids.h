/*
 * global_ids.h - the processes and threads of global ids, and the devices of
 * contexts.
 *
 * A globalTid has the thread in its lowest 24 bits, the process in the next
 * 24, and the virtual machine and the host in the upper 16; a globalPid has
 * no thread.
 */
#ifndef GLOBAL_IDS_H
#define GLOBAL_IDS_H

#include "tq/base/map.h"

enum {
	GLOBAL_IDS_HOSTS = 128,
	GLOBAL_IDS_THREADS = 1 << 6,
	GLOBAL_IDS_CONTEXTS = 1 << 4,
};

/* the keys pid and tid of a global id, as they stand in a record */
struct thread_keys {
	uint64_t global;
	char text[38];
	unsigned char pid_len; /* of it the process */
	unsigned char len;
};

struct known_context {
	uint64_t process;
	int64_t context, device;
	bool used;
};

struct global_ids {
	uint64_t hosts[GLOBAL_IDS_HOSTS]; /* upper 16 bits, by first use */
	int host_count;
	struct thread_keys threads[GLOBAL_IDS_THREADS]; /* a cache */
	struct map contexts; /* (process, context) -> device + 1 */
	struct known_context recent[GLOBAL_IDS_CONTEXTS]; /* a cache */
};

void global_ids_free(struct global_ids *ids);

/*
 * The process of a global id.  Processes of all but the first host get
 * 2^24 * (number of the host) added, so that no two share a pid.
 */
int64_t global_ids_pid(struct global_ids *ids, uint64_t global);

static inline int64_t
global_ids_tid(uint64_t global)
{
	return (int64_t)(global & 0xffffff);
}

/* Not to be called directly. */
void global_ids_fill_thread(
    struct global_ids *ids, struct thread_keys *k, uint64_t global);

/*
 * Process and thread as keys of a record, each with a comma before it; one
 * that is 0 is left out.  Good until the next call.
 */
static inline const struct thread_keys *
global_ids_thread(struct global_ids *ids, uint64_t global)
{
	size_t slot = global * 0x9e3779b97f4a7c15u >> 58;
	struct thread_keys *k = &ids->threads[slot];

	_Static_assert(GLOBAL_IDS_THREADS == 1 << 6, "the hash has 6 bits");
	if (k->global != global)
		global_ids_fill_thread(ids, k, global);
	return k;
}

/*
 * A context is on one device.  process: a global id without its lowest 24
 * bits.  The device is the one that was set for the context, else the
 * argument.
 */
void global_ids_set_device(
    struct global_ids *ids, uint64_t process, int64_t context, int64_t device);
int64_t global_ids_device(const struct global_ids *ids, uint64_t process,
    int64_t context, int64_t device);

#endif
