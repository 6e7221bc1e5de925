/*
 * name_memo.h - what was found out about names that come again and again.
 *
 * A name has one slot; the name that comes last into it stays there.  Names are
 * compared in full, so the answer is always that of find().
 */
#ifndef NAME_MEMO_H
#define NAME_MEMO_H

#include <string.h>

#include "tq/base/span.h"

enum { NAME_MEMO_SLOTS = 64, NAME_MEMO_SHORTEST = 8, NAME_MEMO_LONGEST = 251 };

/* {0} is empty */
struct name_memo {
	struct name_memo_slot {
		uint32_t value;
		unsigned char len;
		char name[NAME_MEMO_LONGEST];
	} slots[NAME_MEMO_SLOTS];
};

/* find(name), which depends on nothing but the bytes of the name */
static inline uint32_t
name_memo_get(
    struct name_memo *m, struct span name, uint32_t (*find)(struct span))
{
	const uint64_t odd = 0x9e3779b97f4a7c15;
	struct name_memo_slot *s;
	uint64_t middle, last;

	if (name.len < NAME_MEMO_SHORTEST || name.len > NAME_MEMO_LONGEST)
		return find(name);
	memcpy(&middle, name.p + name.len / 2 - 4, 8);
	memcpy(&last, name.p + name.len - 8, 8);
	s = &m->slots[((middle * odd ^ last ^ name.len) * odd) >> 58];
	if (s->len != name.len || memcmp(s->name, name.p, name.len) != 0) {
		s->value = find(name);
		s->len = (unsigned char)name.len;
		memcpy(s->name, name.p, name.len);
	}
	return s->value;
}

#endif
