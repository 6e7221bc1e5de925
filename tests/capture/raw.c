/* raw.c - a buffer of CUPTI that was kept as it was */
#include <string.h>

#include "agent/cupti/cupti_record.h"
#include "raw.h"

struct raw_string {
	uint64_t address, bytes;
};

/* The bytes until the next part, of n; 0 where more were to come. */
static size_t
padded(uint64_t n, size_t left)
{
	uint64_t all = (n + 7) / 8 * 8;

	return all < n || all > left ? 0 : (size_t)all;
}

/* Read the head of the text at p; returns the byte behind it, NULL if it does
   not fit. */
static const char *
read_text(const char *p, const char *end, struct raw_string *t)
{
	size_t left = (size_t)(end - p);

	if (left < sizeof(*t))
		return NULL;
	memcpy(t, p, sizeof(*t));
	if (t->bytes == 0)
		return p + sizeof(*t);
	left = padded(t->bytes, left - sizeof(*t));
	return left == 0 ? NULL : p + sizeof(*t) + left;
}

const char *
raw_open(struct raw *r, const void *file, size_t n)
{
	const char *p = file;
	struct raw_string t;
	uint32_t i;
	size_t bytes;

	memset(r, 0, sizeof(*r));
	if (n < sizeof(r->head))
		return "cut off";
	memcpy(&r->head, p, sizeof(r->head));
	if (r->head.magic != RAW_MAGIC)
		return "not a buffer of CUPTI";
	bytes = padded(r->head.bytes, n - sizeof(r->head));
	if (bytes == 0)
		return r->head.bytes == 0 ? "without records" : "cut off";
	r->buffer = p + sizeof(r->head);
	r->texts = r->buffer + bytes;
	r->end = p + n;
	for (p = r->texts, i = 0; i < r->head.texts; i++)
		if ((p = read_text(p, r->end, &t)) == NULL)
			return "cut off";
	if (p != r->end)
		return "longer than it says";
	memcpy(r->arena.stride, r->head.stride, sizeof(r->arena.stride));
	return NULL;
}

const char *
raw_text(const struct raw *r, uint64_t address, size_t *len)
{
	const char *p = r->texts, *next;
	struct raw_string t;

	for (; p < r->end; p = next) {
		next = read_text(p, r->end, &t);
		if (next == NULL) /* raw_open saw to it */
			return NULL;
		if (t.address == address) {
			*len = (size_t)t.bytes;
			return p + sizeof(t);
		}
	}
	return NULL;
}

/* A device gets its name, as the agent adds it. */
static size_t
add_name(const struct raw *r, const char *raw, char *out, size_t bytes)
{
	struct record head;
	size_t len = 0, all;
	uint64_t n;
	const char *name = raw_text(r, (uintptr_t)cupti_record_text(raw), &len);

	n = len < RAW_NAME_MOST ? len : RAW_NAME_MOST;
	all = bytes + 8 + (size_t)(n + 7) / 8 * 8;
	memcpy(&head, out, sizeof(head));
	head.flags = FLAG_TEXT;
	head.words = (uint16_t)(all / 8);
	memset(out + bytes, 0, all - bytes);
	memcpy(out, &head, sizeof(head));
	memcpy(out + bytes, &n, sizeof(n));
	if (name != NULL)
		memcpy(out + bytes + 8, name, (size_t)n);
	return all;
}

size_t
raw_next(struct raw *r, char *out)
{
	struct salvage s = {.arena = &r->arena};
	uint32_t kind, bits;
	size_t n, left;
	struct record head;

	while ((left = r->head.bytes - r->at) >= sizeof(kind)) {
		s.buffer = r->buffer + r->at;
		memcpy(&kind, s.buffer, sizeof(kind));
		s.bytes = kind < ARENA_STRIDES ? r->head.stride[kind] : 0;
		if (s.bytes == 0 || s.bytes % 8 != 0 || s.bytes > left)
			return 0;
		r->at += s.bytes;
		bits = cupti_record_bits(kind);
		if ((bits & r->head.on) == 0 && bits != UINT32_MAX)
			continue;
		s.at = 0;
		s.incomplete = 0;
		n = tq_capture_salvage(&s, out, SALVAGE_ROOM);
		r->incomplete += s.incomplete;
		if (n == 0)
			continue;
		memcpy(&head, out, sizeof(head));
		return head.type == RECORD_DEVICE
			   ? add_name(r, s.buffer, out, n)
			   : n;
	}
	return 0;
}
