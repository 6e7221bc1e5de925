/*
 * pstats.c - any bytes as totals of cProfile: what was read makes a table,
 * whose names and numbers are part of the bytes.
 */

#include "fuzz.h"
#include "pstats/pstats.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct span file = {(const char *)data, size};
	struct pstats p = {0};
	struct table t = {0};
	size_t at = 0;

	if (pstats_read(&p, file, &at) == NULL) {
		pstats_table(&p, &t);
		REQUIRE(table_rows(&t) == p.count);
		for (size_t i = 0; i < p.count; i++) {
			REQUIRE(p.functions[i].calls >= 0);
			REQUIRE(i == 0 ||
				p.functions[i].all <= p.functions[i - 1].all);
			table_row(&t, i);
		}
	}
	REQUIRE(at <= size);
	pstats_free(&p);
	table_free(&t);
	return 0;
}
