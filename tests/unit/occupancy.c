/* occupancy.c - blocks of a multiprocessor, as NVIDIA's cuda_occupancy.h 13.0
   has them, and what limits them */

#include <inttypes.h>

#include "tq/advice/occupancy.h"

#include "check.h"

static const struct {
	const char *cc;
	struct occupancy_block block; /* threads, registers, bytes */
	int64_t blocks;               /* 0: it does not fit */
	enum occupancy_limit limit;
} rows[] = {
    {"5.2", {32, 16, 0}, 32, OCCUPANCY_BLOCK_SIZE},
    {"5.2", {128, 255, 0}, 2, OCCUPANCY_REGISTERS},
    {"5.2", {256, 24, 46000}, 2, OCCUPANCY_SHARED_MEMORY},
    {"6.1", {1024, 64, 0}, 1, OCCUPANCY_REGISTERS},
    {"6.1", {100, 40, 8300}, 11, OCCUPANCY_SHARED_MEMORY},
    {"7.0", {384, 168, 20000}, 1, OCCUPANCY_REGISTERS},
    {"7.5", {32, 16, 0}, 16, OCCUPANCY_BLOCK_SIZE},
    {"7.5", {128, 255, 0}, 2, OCCUPANCY_REGISTERS},
    {"7.5", {256, 24, 46000}, 1, OCCUPANCY_SHARED_MEMORY},
    {"8.0", {1024, 64, 0}, 1, OCCUPANCY_REGISTERS},
    {"8.0", {100, 40, 8300}, 12, OCCUPANCY_REGISTERS},
    {"8.6", {384, 168, 20000}, 1, OCCUPANCY_REGISTERS},
    {"8.7", {32, 16, 0}, 16, OCCUPANCY_BLOCK_SIZE},
    {"8.7", {128, 255, 0}, 2, OCCUPANCY_REGISTERS},
    {"8.7", {256, 24, 46000}, 3, OCCUPANCY_SHARED_MEMORY},
    {"8.9", {1024, 64, 0}, 1, OCCUPANCY_REGISTERS},
    {"8.9", {100, 40, 8300}, 10, OCCUPANCY_SHARED_MEMORY},
    {"9.0", {256, 32, 0}, 8, OCCUPANCY_REGISTERS},
    {"9.0", {384, 168, 20000}, 1, OCCUPANCY_REGISTERS},
    {"10.0", {32, 16, 0}, 32, OCCUPANCY_BLOCK_SIZE},
    {"10.0", {128, 255, 0}, 2, OCCUPANCY_REGISTERS},
    {"10.0", {256, 24, 46000}, 4, OCCUPANCY_SHARED_MEMORY},
    {"11.0", {1024, 64, 0}, 1, OCCUPANCY_REGISTERS},
    {"11.0", {100, 40, 8300}, 12, OCCUPANCY_REGISTERS},
    {"12.0", {256, 32, 0}, 6, OCCUPANCY_BLOCK_SIZE},
    {"12.0", {384, 168, 20000}, 1, OCCUPANCY_REGISTERS},
    {"6.0", {256, 255, 0}, 1, OCCUPANCY_REGISTERS},
    {"8.0", {1025, 32, 0}, 0, OCCUPANCY_UNKNOWN},
    {"8.0", {0, 32, 0}, 0, OCCUPANCY_UNKNOWN},
    {"8.0", {-1, 32, 0}, 0, OCCUPANCY_UNKNOWN},
    {"8.0", {32, -1, 0}, 0, OCCUPANCY_UNKNOWN},
    {"8.0", {32, 256, 0}, 0, OCCUPANCY_UNKNOWN},
    {"8.0", {32, 32, INT64_MAX}, 0, OCCUPANCY_UNKNOWN},
    {"8.0", {32, 32, 164 * 1024}, 0, OCCUPANCY_UNKNOWN},
    {"8.1", {32, 32, 0}, 0, OCCUPANCY_UNKNOWN},
    {"", {32, 32, 0}, 0, OCCUPANCY_UNKNOWN},
};

int
main(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const struct occupancy_sm *sm =
		    occupancy_find_sm(span_of(rows[i].cc));
		struct occupancy o;
		bool fits = occupancy_of(sm, &rows[i].block, &o);

		CHECK(fits == (rows[i].blocks > 0), "row %zu fits: %d", i,
		    (int)fits);
		if (fits)
			CHECK(o.blocks == rows[i].blocks &&
				  o.limit == rows[i].limit,
			    "row %zu: %" PRId64 " blocks by %s", i, o.blocks,
			    occupancy_limit_name(o.limit));
	}
	return check_status();
}
