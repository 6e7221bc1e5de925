/* report_varint.c - varints of all lengths, and ones that are too long */

#include <inttypes.h>

#include "check.h"
#include "nsysrep/report_varint.h"

/* bytes that follow are not taken */
static size_t
encode(unsigned char *p, uint64_t v)
{
	size_t n = 0;

	for (; v >= 0x80; v >>= 7)
		p[n++] = (unsigned char)(v | 0x80);
	p[n++] = (unsigned char)v;
	memset(p + n, 0xff, 8);
	return n;
}

static void
check_value(uint64_t v)
{
	unsigned char bytes[32];
	size_t n = encode(bytes, v);
	uint64_t got = 0;
	uint32_t few = 0;

	CHECK(report_varint(bytes, &got) == bytes + n && got == v,
	    "%" PRIu64 " is %" PRIu64, v, got);
	if (n <= 2)
		CHECK(report_varint_short(bytes, &few) == bytes + n && few == v,
		    "%" PRIu64 " is %u", v, few);
	else
		CHECK(report_varint_short(bytes, &few) == NULL,
		    "%" PRIu64 " is not of two bytes", v);
}

int
main(void)
{
	unsigned char long_one[16];
	uint64_t v;

	for (int bit = 0; bit < 64; bit++) {
		check_value((uint64_t)1 << bit);
		check_value(((uint64_t)1 << bit) - 1);
		check_value(UINT64_MAX << bit);
	}
	memset(long_one, 0x80, sizeof(long_one));
	CHECK(report_varint(long_one, &v) == NULL, "more than ten bytes");
	long_one[9] = 1; /* zeros in front are legal */
	CHECK(report_varint(long_one, &v) == long_one + 10, "ten bytes");
	return check_status();
}
