/* python_stack.c - the Python stack of this thread, as a number */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "agent/agent.h"
#include "agent/nvtx/registry.h"
#include "agent/process.h"

#include "python_frames.h"
#include "python_stack.h"
#include "python_text.h"

enum {
	CODES = 1 << 15, /* functions, and stacks, that are known at most */
	STACKS = 1 << 15,
	WORDS = 1 << 20, /* of all stacks */
	PROBES = 32,
	NAME_MAX = 1024, /* bytes of a name, and of a file's */
	TABLE_MAX = 24 << 10
};

/*
 * A function, by the address of its code.  Another one may come to be there,
 * with its name, file and table where the old ones were: all <module>s have one
 * name, and begin at line 1.  So a part of the table is looked at, too.
 */
struct known_code {
	const char *code, *name, *file, *table;
	uint64_t head[2]; /* of the table: its length and first bytes */
	int32_t line;
	uint32_t number;
	_Atomic uint32_t generation; /* of the arena that has its definition */
};

struct known_stack {
	uint64_t hash;
	uint32_t first, count; /* in words */
	uint32_t number;
	_Atomic uint32_t generation;
};

static struct known_code codes[CODES];
static _Atomic(struct known_code *) code_slots[2 * CODES];
static _Atomic uint32_t code_count;
static struct known_stack stacks[STACKS];
static _Atomic(struct known_stack *) stack_slots[2 * STACKS];
static _Atomic uint32_t stack_count;
static uint64_t words[WORDS]; /* function, and instruction << 32 */
static _Atomic uint32_t word_count;

static uint64_t
mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * UINT64_C(0x9e3779b97f4a7c15);
	return h ^ h >> 29;
}

/* ---- functions ---- */

/* members that distinguish a function from an earlier one at its address */
static inline void
identify(struct known_code *k, const struct python_layout *l, const char *code)
{
	k->code = code;
	k->name = python_frames_pointer(code, l->name);
	k->file = python_frames_pointer(code, l->file);
	k->table = python_frames_pointer(code, l->table);
	k->line = python_frames_number(code, l->line);
	python_frames_head(k->head, k->table);
}

static inline bool
is_same(
    const struct known_code *k, const struct python_layout *l, const char *code)
{
	uint64_t head[2];

	if (k->code != code ||
	    k->name != python_frames_pointer(code, l->name) ||
	    k->file != python_frames_pointer(code, l->file) ||
	    k->table != python_frames_pointer(code, l->table) ||
	    k->line != python_frames_number(code, l->line))
		return false;
	python_frames_head(head, k->table);
	return k->head[0] == head[0] && k->head[1] == head[1];
}

static bool
define_code(const struct known_code *k, const struct python_layout *l)
{
	char name[NAME_MAX], file[NAME_MAX];
	size_t table_len;
	const char *table = python_frames_bytes(k->table, &table_len);
	uint64_t numbers[] = {(uint64_t)k->line, (uint64_t)l->lines, 0};
	uint64_t table_number;
	struct blob_piece pieces[] = {{numbers, sizeof(numbers)}, {file, 0},
	    {&table_number, sizeof(table_number)}, {table, 0}};
	struct nvtx_record e;

	nvtx_record_init(&e, RECORD_PYTHON_CODE, LOSS_NAME, 0);
	nvtx_record_set_id(&e, k->number);
	e.flags |= FLAG_TEXT;
	e.text = (struct nvtx_text){.bytes = name,
	    .len = python_text_copy(name, sizeof(name), l, k->name)};
	numbers[2] = pieces[1].len = python_text_copy(
	    file, sizeof(file), l, python_frames_pointer(k->code, l->file));
	table_number = pieces[3].len =
	    table_len < TABLE_MAX ? table_len : TABLE_MAX;
	nvtx_record_set_blob(&e, pieces, sizeof(pieces) / sizeof(pieces[0]));
	return registry_write(&e);
}

/* A new entry in that slot, unless another thread has put one there. */
static struct known_code *
add_code(_Atomic(struct known_code *) *slot, struct known_code *old,
    const struct python_layout *l, const char *code)
{
	uint32_t n = atomic_fetch_add(&code_count, 1);
	struct known_code *k;

	if (n >= CODES) {
		atomic_store(&code_count, CODES);
		return NULL;
	}
	k = &codes[n];
	identify(k, l, code);
	k->number = n + 1;
	if (atomic_compare_exchange_strong(slot, &old, k))
		return k;
	return is_same(old, l, code) ? old : NULL;
}

static inline struct known_code *
find_code(const struct python_layout *l, const char *code)
{
	uint64_t at = mix(0, (uint64_t)(uintptr_t)code) >> 32;

	for (unsigned i = 0; i < PROBES; i++) {
		_Atomic(struct known_code *) *slot =
		    &code_slots[(at + i) % (2 * CODES)];
		struct known_code *k =
		    atomic_load_explicit(slot, memory_order_acquire);

		if (k != NULL && is_same(k, l, code))
			return k;
		if (k == NULL || k->code == code)
			return add_code(slot, k, l, code);
	}
	return NULL;
}

/* The number of a function whose definition the arena has; 0: it has none. */
static inline uint32_t
number_of_code(
    const struct python_layout *l, const char *code, uint32_t generation)
{
	struct known_code *k = find_code(l, code);

	if (k == NULL)
		return 0;
	if (atomic_load_explicit(&k->generation, memory_order_acquire) !=
	    generation) {
		if (!define_code(k, l))
			return 0;
		atomic_store(&k->generation, generation);
	}
	return k->number;
}

/* ---- stacks ---- */

static bool
define_stack(const struct known_stack *s)
{
	struct blob_piece piece = {
	    &words[s->first], s->count * sizeof(words[0])};
	struct nvtx_record e;

	nvtx_record_init(&e, RECORD_PYTHON_STACK, LOSS_NAME, 0);
	nvtx_record_set_id(&e, s->number);
	nvtx_record_set_blob(&e, &piece, 1);
	return registry_write(&e);
}

static struct known_stack *
add_stack(_Atomic(struct known_stack *) *slot, uint64_t hash,
    const uint64_t *frames, uint32_t count)
{
	uint32_t n = atomic_fetch_add(&stack_count, 1);
	uint32_t first = atomic_fetch_add(&word_count, count);
	struct known_stack *s, *none = NULL;

	if (n >= STACKS || first > WORDS - count) {
		atomic_store(&stack_count, STACKS);
		atomic_store(&word_count, WORDS);
		return NULL;
	}
	s = &stacks[n];
	s->hash = hash;
	s->first = first;
	s->count = count;
	s->number = n + 1;
	memcpy(&words[first], frames, count * sizeof(words[0]));
	/* or another thread was faster: its stack may be the same */
	return atomic_compare_exchange_strong(slot, &none, s) ? s : none;
}

static bool
is_stack(const struct known_stack *s, uint64_t hash, const uint64_t *frames,
    uint32_t count)
{
	return s->hash == hash && s->count == count &&
	       memcmp(&words[s->first], frames, count * sizeof(words[0])) == 0;
}

static struct known_stack *
find_stack(uint64_t hash, const uint64_t *frames, uint32_t count)
{
	for (unsigned i = 0; i < PROBES; i++) {
		_Atomic(struct known_stack *) *slot =
		    &stack_slots[((hash >> 32) + i) % (2 * STACKS)];
		struct known_stack *s =
		    atomic_load_explicit(slot, memory_order_acquire);

		if (s == NULL)
			s = add_stack(slot, hash, frames, count);
		if (s == NULL)
			return NULL;
		if (is_stack(s, hash, frames, count))
			return s;
	}
	return NULL;
}

/* ---- a stack ---- */

/* signals nest on stacks of a few KiB: numbers take the place of their frames
 */
union taken_frames {
	struct python_frame frames[PYTHON_FRAMES];
	uint64_t numbers[PYTHON_FRAMES];
};

_Static_assert(sizeof(struct python_frame) >= sizeof(uint64_t),
    "number i is not in the place of a frame behind i");

/* The numbers of the frames; returns their hash; 0 if a definition was lost. */
static uint64_t
number_frames(union taken_frames *taken, size_t n, uint32_t generation)
{
	const struct python_layout *l = python_frames_layout();
	uint64_t hash = n;

	for (size_t i = 0; i < n; i++) {
		struct python_frame frame = taken->frames[i];
		uint32_t code = 0;

		if (frame.code != NULL &&
		    (code = number_of_code(l, frame.code, generation)) == 0)
			return 0;
		taken->numbers[i] = code | (uint64_t)frame.last << 32;
		hash = mix(hash, taken->numbers[i]);
	}
	return hash | 1;
}

/* True if the arena has the definition. */
static bool
is_defined(struct known_stack *s, uint32_t generation)
{
	if (atomic_load_explicit(&s->generation, memory_order_acquire) ==
	    generation)
		return true;
	if (!define_stack(s))
		return false;
	atomic_store(&s->generation, generation);
	return true;
}

uint32_t
python_stack_take(void)
{
	union taken_frames taken;
	uint32_t generation = process->generation;
	size_t n = python_frames_take(taken.frames);
	struct known_stack *s = NULL;
	uint64_t hash;

	if (n == 0)
		return 0;
	hash = number_frames(&taken, n, generation);
	if (hash != 0)
		s = find_stack(hash, taken.numbers, (uint32_t)n);
	if (s != NULL && is_defined(s, generation))
		return s->number;
	writer_lost(LOSS_STACK, 1);
	return 0;
}
