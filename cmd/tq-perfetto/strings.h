/*
 * strings.h - strings compared and hashed eight bytes at a time, which may
 * overlap: most have up to 48 bytes, and take a few steps.
 */
#ifndef STRINGS_H
#define STRINGS_H

#include "tq/base/text.h"

#define STRINGS_MULTIPLIER 0x9e3779b97f4a7c15u /* bits well mixed: 2^64/phi */

enum { STRINGS_SHORT = 48 };

static inline uint64_t
strings_load(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* all of less than eight bytes */
static inline uint64_t
strings_load_short(const char *p, size_t len)
{
	uint32_t low, high;

	if (len >= 4) {
		memcpy(&low, p, 4);
		memcpy(&high, p + len - 4, 4);
		return low | (uint64_t)high << 32;
	}
	return len == 0 ? 0
			: (uint64_t)(unsigned char)p[0] |
			      (uint64_t)(unsigned char)p[len / 2] << 8 |
			      (uint64_t)(unsigned char)p[len - 1] << 16;
}

__extension__ typedef unsigned __int128 strings_wide;

static inline uint64_t
strings_mix(uint64_t a, uint64_t b)
{
	strings_wide product = (strings_wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* All of the text is in it, for it may differ anywhere. */
static inline uint64_t
strings_hash(struct span s)
{
	const uint64_t odd = 0xd6e8feb86659fd93u;
	const char *p = s.p, *end = p + s.len, *middle;
	uint64_t h = s.len;

	if (s.len < 8)
		return strings_mix(
		    strings_load_short(p, s.len) ^ STRINGS_MULTIPLIER, h ^ odd);
	if (s.len <= 16)
		return strings_mix(strings_load(p) ^ STRINGS_MULTIPLIER,
		    strings_load(end - 8) ^ h);
	for (; end - p > STRINGS_SHORT; p += 32)
		h ^= strings_mix(
			 strings_load(p) ^ odd, strings_load(p + 8) ^ h) +
		     strings_mix(
			 strings_load(p + 16) ^ h, strings_load(p + 24) ^ odd);
	middle = p + (end - p) / 2;
	h ^= strings_mix(strings_load(p) ^ odd, strings_load(p + 8) ^ h) +
	     strings_mix(
		 strings_load(middle - 8) ^ h, strings_load(middle) ^ odd);
	return strings_mix(strings_load(end - 16) ^ STRINGS_MULTIPLIER,
	    strings_load(end - 8) ^ h);
}

typedef uint64_t strings_block __attribute__((vector_size(16)));

static inline strings_block
strings_differ(const char *p, const char *q)
{
	strings_block a, b;

	memcpy(&a, p, sizeof(a));
	memcpy(&b, q, sizeof(b));
	return a ^ b;
}

/* Are the bytes at p those of s? */
static inline bool
strings_equal(const char *p, struct span s)
{
	strings_block differ;
	size_t last = s.len - 16, middle = last / 2;

	if (s.len < 8)
		return strings_load_short(p, s.len) ==
		       strings_load_short(s.p, s.len);
	if (s.len <= 16)
		return strings_load(p) == strings_load(s.p) &&
		       strings_load(p + s.len - 8) ==
			   strings_load(s.p + s.len - 8);
	if (s.len > STRINGS_SHORT)
		return memcmp(p, s.p, s.len) == 0;
	differ = strings_differ(p, s.p) |
		 strings_differ(p + middle, s.p + middle) |
		 strings_differ(p + last, s.p + last);
	return (differ[0] | differ[1]) == 0;
}

#endif
