/* schema.c - the table of events.def at run time */

#include <string.h>

#include "tq/line/schema.h"

const char schema_keep[] = "";
const char schema_call[] = "call";
const char schema_domain[] = "domain";
const char schema_range[] = "range";
const char schema_text[] = "text";

/* the words of the column redact */
#define KEEP schema_keep
#define CALL schema_call
#define DOMAIN schema_domain
#define RANGE schema_range
#define TEXT schema_text

const struct schema_key schema_keys[KEY_COUNT] = {
#define KEY(id, type, unit, redact, doc) \
	{#id, sizeof(#id) - 1, TYPE_##type, unit, redact, doc},
#include "tq/events.def"
};

const struct schema_kind schema_kinds[KIND_COUNT] = {
#define KIND(id, name, role, track, category, redact, doc) \
	{name, sizeof(name) - 1, ROLE_##role, TRACK_##track, category, redact, \
	    doc},
#include "tq/events.def"
};

const struct schema_definition schema_definitions[KIND_COUNT] = {
#define DEFINES(kind, reference, ...) \
	[KIND_##kind] = {KEY_##reference, {__VA_ARGS__, KEY_NONE}},
#include "tq/events.def"
};

const struct schema_row schema_rows[] = {
#define KIND(id, name, role, track, category, redact, doc) \
	{KIND_##id, KEY_NONE},
#define FIELD(key) {KIND_UNKNOWN, KEY_##key},
#include "tq/events.def"
};

const size_t schema_row_count = sizeof(schema_rows) / sizeof(schema_rows[0]);

/* names in common use for several kinds, or for one */
static const struct {
	const char *name;
	uint64_t kinds;
} aliases[] = {
    {"cuda", 1ull << KIND_kernel | 1ull << KIND_memcpy | 1ull << KIND_memset |
		 1ull << KIND_sync | 1ull << KIND_graph | 1ull << KIND_api},
    {"cuda-api", 1ull << KIND_api},
    {"nvtx", 1ull << KIND_range | 1ull << KIND_mark},
    {"nvtx-kernel", 1ull << KIND_gpu_range},
};

struct keyset
schema_keys_of(enum kind kind)
{
	struct keyset keys = {{0}};
	enum kind at = KIND_UNKNOWN;

	for (size_t i = 0; i < schema_row_count; i++)
		if (schema_rows[i].key == KEY_NONE)
			at = schema_rows[i].kind;
		else if (at == kind)
			keyset_add(&keys, schema_rows[i].key);
	return keys;
}

const char *
schema_type(enum type type)
{
	static const char *const names[] = {
	    [TYPE_INT] = "int",
	    [TYPE_STR] = "string",
	    [TYPE_BOOL] = "bool",
	    [TYPE_NUM] = "number",
	    [TYPE_INTS] = "int[]",
	    [TYPE_STRS] = "string[]",
	    [TYPE_OBJ] = "object",
	};

	return names[type];
}

/*
 * Both look-ups run for every member of every record.  A word is hashed by
 * its first and last bytes and its length; a slot holds an index + 1.
 */
enum { SLOTS = 1024 };

static unsigned
hash(const char *p, size_t len)
{
	unsigned char a = p[0], b = p[len - 1], c = p[len / 2];

	return (a * 29u + b * 113u + c * 331u + (unsigned)len * 577u) % SLOTS;
}

static unsigned char key_slots[SLOTS], kind_slots[SLOTS];

static void
insert(unsigned char *slots, const char *p, size_t len, size_t i)
{
	unsigned h = hash(p, len);

	while (slots[h] != 0)
		h = (h + 1) % SLOTS;
	slots[h] = (unsigned char)(i + 1);
}

__attribute__((constructor)) static void
fill_slots(void)
{
	_Static_assert(KEY_COUNT < 256, "a slot is a byte");
	_Static_assert(KIND_COUNT < 64, "a set of kinds has 64 bits");

	for (size_t i = 0; i < KEY_COUNT; i++)
		insert(key_slots, schema_keys[i].name, schema_keys[i].len, i);
	for (size_t i = 0; i < KIND_COUNT; i++)
		insert(
		    kind_slots, schema_kinds[i].name, schema_kinds[i].len, i);
}

/* memcmp without the call, for words of 1 to 16 bytes: by parts of them */
static bool
same(const char *a, const char *b, size_t len)
{
	uint64_t a8, b8;
	uint32_t a4, b4;

	if (len >= 8) {
		memcpy(&a8, a, 8);
		memcpy(&b8, b, 8);
		if (a8 != b8)
			return false;
		memcpy(&a8, a + len - 8, 8);
		memcpy(&b8, b + len - 8, 8);
		return a8 == b8;
	}
	if (len >= 4) {
		memcpy(&a4, a, 4);
		memcpy(&b4, b, 4);
		if (a4 != b4)
			return false;
		memcpy(&a4, a + len - 4, 4);
		memcpy(&b4, b + len - 4, 4);
		return a4 == b4;
	}
	return a[0] == b[0] && a[len / 2] == b[len / 2] &&
	       a[len - 1] == b[len - 1];
}

#define KEY(id, type, unit, redact, doc) \
	_Static_assert(sizeof(#id) - 1 <= 16, "same compares up to 16 bytes");
#include "tq/events.def"

enum key
schema_key(const char *p, size_t len)
{
	if (len == 0)
		return KEY_NONE;
	for (unsigned h = hash(p, len); key_slots[h]; h = (h + 1) % SLOTS) {
		const struct schema_key *k = &schema_keys[key_slots[h] - 1];

		if (k->len == len && same(k->name, p, len))
			return (enum key)(key_slots[h] - 1);
	}
	return KEY_NONE;
}

enum kind
schema_kind(const char *p, size_t len)
{
	if (len == 0)
		return KIND_UNKNOWN;
	for (unsigned h = hash(p, len); kind_slots[h]; h = (h + 1) % SLOTS) {
		const struct schema_kind *k = &schema_kinds[kind_slots[h] - 1];

		if (k->len == len && same(k->name, p, len))
			return (enum kind)(kind_slots[h] - 1);
	}
	return KIND_UNKNOWN;
}

static uint64_t
kinds_named(const char *p, size_t len)
{
	enum kind kind = schema_kind(p, len);

	if (kind != KIND_UNKNOWN)
		return 1ull << kind;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strlen(aliases[i].name) == len &&
		    memcmp(aliases[i].name, p, len) == 0)
			return aliases[i].kinds;
	return 0;
}

bool
schema_choose(const char *list, uint64_t *set, const char **bad, size_t *len)
{
	for (;;) {
		size_t n = strcspn(list, ",");
		uint64_t kinds = kinds_named(list, n);

		if (kinds == 0) {
			*bad = list;
			*len = n;
			return false;
		}
		*set |= kinds;
		if (list[n] == '\0')
			return true;
		list += n + 1;
	}
}

void
schema_near_kinds(struct suggestion *n)
{
	for (enum kind k = 0; k < KIND_COUNT; k++)
		suggestion_consider(n, schema_kinds[k].name);
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		suggestion_consider(n, aliases[i].name);
}

void
schema_near_keys(struct suggestion *n)
{
	for (enum key k = 0; k < KEY_COUNT; k++)
		suggestion_consider(n, schema_keys[k].name);
}
