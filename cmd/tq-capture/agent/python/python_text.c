/* python_text.c - a str of Python as UTF-8: PEP 393 */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "agent/utf8_put.h"

#include "python_text.h"

enum { LENGTH = 16, STATE = 32 }; /* where a str has them */

/* bits of the state */
enum { KIND_SHIFT = 2, KIND_MASK = 7, COMPACT = 1 << 5, ASCII = 1 << 6 };

/* The character of that number; kind: bytes of each. */
static uint32_t
character(const char *data, size_t i, unsigned kind)
{
	uint32_t c = 0;

	memcpy(&c, data + i * kind, kind); /* little-endian */
	return c;
}

size_t
python_text_copy(
    char *to, size_t room, const struct python_layout *l, const char *s)
{
	uint32_t state;
	uint64_t len;
	unsigned kind;
	size_t n = 0;

	memcpy(&state, s + STATE, sizeof(state));
	memcpy(&len, s + LENGTH, sizeof(len));
	kind = state >> KIND_SHIFT & KIND_MASK;
	if (!(state & COMPACT) || (kind != 1 && kind != 2 && kind != 4))
		return 0; /* a subclass, or of an old interface */
	s += state & ASCII ? l->ascii : l->compact;
	for (uint64_t i = 0; i < len; i++) {
		uint32_t c = character(s, i, kind);

		if (n + utf8_put_length(c) > room)
			break;
		n += utf8_put(to + n, c);
	}
	return n;
}
