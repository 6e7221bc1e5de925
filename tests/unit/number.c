/* number.c - short numbers from tables, and texts that need no escaping */

#include <inttypes.h>

#include "write/number.h"
#include "check.h"
#include "tq/base/plain.h"

/* ---- numbers ---- */

static void
check_number(int64_t v)
{
	char expect[32], got[TEXT_INT_MAX];
	int n = snprintf(expect, sizeof(expect), "%" PRId64, v);

	CHECK(number_put(got, v) == got + n && memcmp(got, expect, n) == 0,
	    "digits of %s: %.*s", expect, n, got);
	if (v < INT8_MIN || v > INT8_MAX)
		return;
	CHECK(number_put_small(got, (unsigned char)v) == got + n &&
		  memcmp(got, expect, n) == 0,
	    "digits of the byte %s: %.*s", expect, n, got);
}

static void
test_numbers(void)
{
	int64_t power = 1;

	for (int i = 0; i < 18; i++, power *= 10)
		for (int64_t d = -2; d < 3; d++) {
			check_number(power + d);
			check_number(-power + d);
		}
	for (int64_t v = -20000; v < 20000; v++)
		check_number(v);
	check_number(INT64_MIN);
	check_number(INT64_MAX);
}

static void
test_eight(void)
{
	char expect[16], got[8];

	for (uint32_t v = 0; v < DIGITS_EIGHT; v += 9973) {
		snprintf(expect, sizeof(expect), "%08" PRIu32, v);
		CHECK(number_put_eight(got, v) == got + 8 &&
			  memcmp(got, expect, 8) == 0,
		    "eight digits of %s: %.8s", expect, got);
	}
}

/* ---- texts ---- */

/* each byte at each place, and behind the end, where it does not count */
static void
test_plain(void)
{
	char buf[64];

	for (size_t len = 0; len < 40; len++)
		for (size_t at = 0; at < len + PLAIN_BLOCK - 1; at++)
			for (int c = 0; c < 256; c++) {
				struct span s = {buf, len};
				struct text t = {0};

				memset(buf, 'a', sizeof(buf));
				buf[at] = (char)c;
				text_add_json(&t, s.p, s.len);
				CHECK(plain_string(s) ==
					  (t.len == len + 2 &&
					      memcmp(t.p + 1, buf, len) == 0 &&
					      (c < 0x80 || at >= len)),
				    "byte %d at %zu of %zu", c, at, len);
				text_free(&t);
			}
}

int
main(void)
{
	test_numbers();
	test_eight();
	test_plain();
	return check_status();
}
