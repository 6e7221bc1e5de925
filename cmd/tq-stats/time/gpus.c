/* gpus.c - which devices of the processes of a section are one GPU */

#include <stdlib.h>

#include "tq/base/array.h"

#include "gpus.h"

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

struct shared_gpu *
gpus_find(struct gpus *g, const struct names *n, int64_t pid, int64_t device,
    size_t account)
{
	int64_t number;
	uint32_t i;

	if (!make_key(&g->key, n, pid, device, &number))
		return NULL;
	i = intern_get(&g->keys, text_span(&g->key));
	if (i == g->count)
		*array_add(&g->all, &g->count, &g->cap) =
		    (struct shared_gpu){.number = number != NO_ID ? number : i,
			.pid = pid,
			.first = account};
	return &g->all[i];
}

void
gpus_reset(struct gpus *g)
{
	intern_clear(&g->keys);
	g->count = 0;
}

void
gpus_free(struct gpus *g)
{
	intern_free(&g->keys);
	free(g->all);
	text_free(&g->key);
}
