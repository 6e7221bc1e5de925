/* cupti_names.c - names that CUPTI's records point to, each defined once */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cupti_names.h"
#include "agent/agent.h"

enum {
	FIRST_SLOTS = 1024,
	FUNCTIONS = 4096, /* callbacks with names */
	TEXT_MOST = 32000 /* bytes; longer names are cut */
};

struct kernel_symbol {
	uint64_t id, hash;
	struct kernel_symbol *next; /* of the same bucket */
	size_t len;
	char text[]; /* with a NUL */
};

/* by address, open addressing; an address stays once it is there */
struct symbol_slot {
	const char *address;
	struct kernel_symbol *symbol;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct symbol_slot *slots;
static size_t n_slots, n_addresses;
static struct kernel_symbol *buckets[FIRST_SLOTS]; /* by text */
static uint64_t n_symbols;

static size_t
hash_address(const char *address)
{
	uint64_t h = (uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15);

	return (size_t)(h >> 20);
}

static uint64_t
hash_text(const char *s, size_t len)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)s[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* The slot of an address, or the empty one where it belongs. */
static struct symbol_slot *
slot_of(struct symbol_slot *table, size_t n, const char *address)
{
	size_t i = hash_address(address) & (n - 1);

	while (table[i].address != NULL && table[i].address != address)
		i = (i + 1) & (n - 1);
	return &table[i];
}

static bool
grow(void)
{
	size_t i, n = n_slots == 0 ? FIRST_SLOTS : 2 * n_slots;
	struct symbol_slot *table = calloc(n, sizeof(*table));

	if (table == NULL)
		return false;
	for (i = 0; i < n_slots; i++)
		if (slots[i].address != NULL)
			*slot_of(table, n, slots[i].address) = slots[i];
	free(slots);
	slots = table;
	n_slots = n;
	return true;
}

static struct kernel_symbol *
symbol_of(const char *text)
{
	size_t len = strnlen(text, TEXT_MOST);
	uint64_t h = hash_text(text, len);
	struct kernel_symbol *s, **bucket = &buckets[h % FIRST_SLOTS];

	for (s = *bucket; s != NULL; s = s->next)
		if (s->hash == h && s->len == len &&
		    memcmp(s->text, text, len) == 0)
			return s;
	s = malloc(sizeof(*s) + len + 1);
	if (s == NULL)
		return NULL;
	s->id = ++n_symbols;
	s->hash = h;
	s->len = len;
	memcpy(s->text, text, len);
	s->text[len] = '\0';
	s->next = *bucket;
	*bucket = s;
	return s;
}

/* under the lock: define the text that is at that address now */
static struct kernel_symbol *
define_symbol(const char *text)
{
	struct kernel_symbol *s;
	struct symbol_slot *slot;

	if (2 * n_addresses >= n_slots && !grow())
		return NULL;
	s = symbol_of(text);
	if (s == NULL || !agent_name(RECORD_SYMBOL, 0, s->id, (uintptr_t)text,
			     s->text, s->len))
		return NULL;
	slot = slot_of(slots, n_slots, text);
	n_addresses += slot->address == NULL;
	slot->address = text;
	slot->symbol = s;
	return s;
}

uint64_t
cupti_names_symbol(const char *text)
{
	struct kernel_symbol *s = NULL;
	uint64_t id;

	if (text == NULL)
		return 0;
	pthread_mutex_lock(&lock);
	if (n_slots != 0)
		s = slot_of(slots, n_slots, text)->symbol;
	if (s == NULL || strncmp(s->text, text, TEXT_MOST) != 0)
		s = define_symbol(text);
	id = s == NULL ? 0 : s->id;
	pthread_mutex_unlock(&lock);
	return id;
}

/*
 * Two threads may define it at once, which is harmless; none goes on before it
 * is defined.
 */
void
cupti_names_function(
    const struct cupti_lib *lib, enum api_source source, uint32_t callback)
{
	static _Atomic bool defined[2][FUNCTIONS];
	_Atomic bool *mine;
	const char *name = NULL;

	if (callback >= FUNCTIONS)
		return;
	mine = &defined[source == API_RUNTIME][callback];
	if (atomic_load_explicit(mine, memory_order_relaxed))
		return;
	if (lib->callback_name(source == API_RUNTIME
				   ? CUPTI_CB_DOMAIN_RUNTIME_API
				   : CUPTI_CB_DOMAIN_DRIVER_API,
		callback, &name) != CUPTI_SUCCESS ||
	    name == NULL ||
	    agent_name(RECORD_FUNCTION, 0, (uint64_t)source << 32 | callback, 0,
		name, strlen(name)))
		atomic_store_explicit(mine, true, memory_order_relaxed);
}
