/* gpu_numbers.c - which devices of processes are one GPU */

#include <stdlib.h>

#include "tq/account/gpu_numbers.h"
#include "tq/base/array.h"

/* Some exports have a UUID of zeros. */
static bool
is_uuid(struct span uuid)
{
	for (size_t i = 0; i < uuid.len; i++)
		if (uuid.p[i] != '0' && uuid.p[i] != '-')
			return true;
	return false;
}

/* Make the key; false if nothing says which GPU it is. */
static bool
make_key(struct text *key, const struct names *n, int64_t pid, int64_t device,
    int64_t *number)
{
	struct defined_name d, process;
	struct span uuid = names_own_device(n, pid, device, &d);

	key->len = 0;
	*number = d.number;
	if (is_uuid(uuid)) {
		text_add_span(key, uuid);
		return true;
	}
	if (d.number == NO_ID)
		return false;
	names_process(n, pid, &process);
	text_printf(key, "%lld ", (long long)d.number);
	text_add_span(key, process.more); /* its host */
	return true;
}

/* True if another device of the process is that GPU. */
static bool
is_taken(const struct gpu_numbers *g, int64_t pid, uint32_t gpu)
{
	for (size_t i = 0; i < g->count; i++)
		if (g->users[i].pid == pid && g->users[i].gpu == gpu)
			return true;
	return false;
}

uint32_t
gpu_numbers_find(struct gpu_numbers *g, const struct names *n, int64_t pid,
    int64_t device, int64_t *number)
{
	uint32_t gpu;

	if (!make_key(&g->key, n, pid, device, number))
		return INTERN_NONE;
	while (is_taken(g, pid, gpu = intern_get(&g->keys, text_span(&g->key))))
		text_add_char(&g->key, '+');
	*array_add(&g->users, &g->count, &g->cap) = (struct gpu_user){pid, gpu};
	return gpu;
}

void
gpu_numbers_reset(struct gpu_numbers *g)
{
	intern_clear(&g->keys);
	g->count = 0;
}

void
gpu_numbers_free(struct gpu_numbers *g)
{
	intern_free(&g->keys);
	free(g->users);
	text_free(&g->key);
}
