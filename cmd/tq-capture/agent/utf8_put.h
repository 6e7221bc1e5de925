/*
 * utf8_put.h - characters become UTF-8.
 */
#ifndef TQ_AGENT_UTF8_PUT_H
#define TQ_AGENT_UTF8_PUT_H

#include <stddef.h>
#include <stdint.h>

/* The character; U+FFFD in place of a number that no character has. */
static inline uint32_t
utf8_put_valid(uint32_t u)
{
	return u > 0x10ffff || (u >= 0xd800 && u < 0xe000) ? 0xfffd : u;
}

/* How many bytes it becomes, 1 to 4. */
static inline size_t
utf8_put_length(uint32_t u)
{
	u = utf8_put_valid(u);
	return u < 0x80 ? 1 : u < 0x800 ? 2 : u < 0x10000 ? 3 : 4;
}

/* Write the bytes, and return how many. */
static inline size_t
utf8_put(char *to, uint32_t u)
{
	static const uint8_t lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
	size_t len = utf8_put_length(u);

	u = utf8_put_valid(u);
	for (size_t i = len - 1; i > 0; i--, u >>= 6)
		to[i] = (char)(0x80 | (u & 0x3f));
	to[0] = (char)(lead[len] | u);
	return len;
}

#endif
