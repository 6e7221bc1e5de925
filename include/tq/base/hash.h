/*
 * hash.h - texts hashed and compared eight and sixteen bytes at a time, which
 * may overlap: most have up to 48 bytes, and take a few steps.
 */
#ifndef TQ_BASE_HASH_H
#define TQ_BASE_HASH_H

#include "tq/base/text.h"

enum { HASH_SHORT = 48 };

__extension__ typedef unsigned __int128 hash_wide;
typedef uint64_t hash_block __attribute__((vector_size(16)));

static inline uint64_t
hash_load(const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/* all of less than eight bytes */
static inline uint64_t
hash_load_short(const char *p, size_t len)
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

static inline uint64_t
hash_mix(uint64_t a, uint64_t b)
{
	hash_wide product = (hash_wide)a * b;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * A number that is the same for equal texts and nearly always another one for
 * others; every byte counts.  It has no secret: texts of one hash can be made
 * on purpose, so compare texts, and see intern.h for the cost.
 */
static inline uint64_t
hash_text(struct span s)
{
	const uint64_t phi = 0x9e3779b97f4a7c15u; /* 2^64 / phi: mixed bits */
	const uint64_t odd = 0xd6e8feb86659fd93u;
	const char *p = s.p, *end, *middle;
	uint64_t h = s.len;

	if (s.len < 8)
		return hash_mix(hash_load_short(p, s.len) ^ phi, h ^ odd);
	end = p + s.len; /* p is not NULL */
	if (s.len <= 16)
		return hash_mix(hash_load(p) ^ phi, hash_load(end - 8) ^ h);
	for (; end - p > HASH_SHORT; p += 32)
		h ^= hash_mix(hash_load(p) ^ odd, hash_load(p + 8) ^ h) +
		     hash_mix(hash_load(p + 16) ^ h, hash_load(p + 24) ^ odd);
	middle = p + (end - p) / 2;
	h ^= hash_mix(hash_load(p) ^ odd, hash_load(p + 8) ^ h) +
	     hash_mix(hash_load(middle - 8) ^ h, hash_load(middle) ^ odd);
	return hash_mix(hash_load(end - 16) ^ phi, hash_load(end - 8) ^ h);
}

static inline hash_block
hash_differ(const char *p, const char *q)
{
	hash_block a, b;

	memcpy(&a, p, sizeof(a));
	memcpy(&b, q, sizeof(b));
	return a ^ b;
}

/* True if the s.len bytes at p are those of s; faster than memcmp inline. */
static inline bool
hash_equal(const char *p, struct span s)
{
	hash_block differ;
	size_t last = s.len - 16, middle = last / 2;

	if (s.len < 8)
		return hash_load_short(p, s.len) == hash_load_short(s.p, s.len);
	if (s.len <= 16)
		return hash_load(p) == hash_load(s.p) &&
		       hash_load(p + s.len - 8) == hash_load(s.p + s.len - 8);
	if (s.len > HASH_SHORT)
		return memcmp(p, s.p, s.len) == 0;
	differ = hash_differ(p, s.p) | hash_differ(p + middle, s.p + middle) |
		 hash_differ(p + last, s.p + last);
	return (differ[0] | differ[1]) == 0;
}

#endif
