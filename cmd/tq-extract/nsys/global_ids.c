/* global_ids.c - the processes, threads and devices of global ids */

#include <string.h>

#include "global_ids.h"
#include "tq/base/text.h"

void
global_ids_free(struct global_ids *ids)
{
	map_free(&ids->contexts);
}

int64_t
global_ids_pid(struct global_ids *ids, uint64_t global)
{
	uint64_t host = global >> 48;
	int i;

	for (i = 0; i < ids->host_count; i++)
		if (ids->hosts[i] == host)
			break;
	if (i == ids->host_count && i < GLOBAL_IDS_HOSTS)
		ids->hosts[ids->host_count++] = host;
	return (int64_t)(global >> 24 & 0xffffff) + ((int64_t)i << 24);
}

void
global_ids_fill_thread(
    struct global_ids *ids, struct thread_keys *k, uint64_t global)
{
	char *p = k->text;

	k->global = global;
	if ((global >> 24 & 0xffffff) != 0) {
		memcpy(p, ",\"pid\":", 7);
		p = text_digits_int(p + 7, global_ids_pid(ids, global));
	}
	k->pid_len = (unsigned char)(p - k->text);
	if (global_ids_tid(global) != 0) {
		memcpy(p, ",\"tid\":", 7);
		p = text_digits_int(p + 7, global_ids_tid(global));
	}
	k->len = (unsigned char)(p - k->text);
}

void
global_ids_set_device(
    struct global_ids *ids, uint64_t process, int64_t context, int64_t device)
{
	uint64_t slot = process ^ process >> 24 ^ (uint64_t)context;
	struct known_context *c = &ids->recent[slot % GLOBAL_IDS_CONTEXTS];

	if (c->used && c->process == process && c->context == context &&
	    c->device == device)
		return; /* as nearly always */
	*c = (struct known_context){process, context, device, true};
	*map_get(&ids->contexts, process, (uint64_t)context) =
	    (uint64_t)device + 1;
}

int64_t
global_ids_device(const struct global_ids *ids, uint64_t process,
    int64_t context, int64_t device)
{
	const uint64_t *known =
	    map_find(&ids->contexts, process, (uint64_t)context);

	return known != NULL ? (int64_t)(*known - 1) : device;
}
