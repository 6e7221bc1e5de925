/* map.c - the hash table against a plain array */

#include <inttypes.h>

#include "check.h"
#include "tq/base/map.h"

enum { SIDE = 96, STEPS = 400000 };

static uint64_t model[SIDE][SIDE]; /* value + 1; 0: no entry */

/* the keys that tools use: small numbers, aligned ones, ids in high bits */
static uint64_t
spread(int shape, uint64_t i)
{
	switch (shape) {
	case 0:
		return i;
	case 1:
		return i << 32;
	case 2:
		return i * 4096;
	default:
		return UINT64_MAX - i;
	}
}

static void
compare(struct map *m, int shape)
{
	size_t count = 0;

	for (uint64_t a = 0; a < SIDE; a++)
		for (uint64_t b = 0; b < SIDE; b++) {
			uint64_t *v =
			    map_find(m, spread(shape, a), spread(shape, b));

			CHECK((v != NULL) == (model[a][b] != 0),
			    "shape %d: (%" PRIu64 ", %" PRIu64 ") is %s", shape,
			    a, b, v != NULL ? "there" : "lost");
			if (v != NULL)
				CHECK(*v + 1 == model[a][b],
				    "shape %d: value of (%" PRIu64 ", %" PRIu64
				    ")",
				    shape, a, b);
			count += model[a][b] != 0;
		}
	CHECK(m->count == count, "shape %d: %zu entries of %zu", shape,
	    m->count, count);
}

/* grow to many entries, shrink to few, and so on */
static void
test_against_model(int shape)
{
	struct map m = {0};

	memset(model, 0, sizeof(model));
	for (int step = 0; step < STEPS; step++) {
		uint64_t r = check_random();
		uint64_t a = r % SIDE, b = r / SIDE % SIDE;
		bool shrink = step / (STEPS / 8) % 2;

		if ((r >> 40) % 4 == (shrink ? 0 : 1)) {
			uint64_t *v =
			    map_get(&m, spread(shape, a), spread(shape, b));

			CHECK(*v + (model[a][b] != 0) == model[a][b],
			    "shape %d: a new entry is not 0", shape);
			*v = r >> 8;
			model[a][b] = *v + 1;
		} else if (shrink || (r >> 42) % 4 == 0) {
			map_remove(&m, spread(shape, a), spread(shape, b));
			model[a][b] = 0;
		}
		if (step % (STEPS / 16) == 0)
			compare(&m, shape);
	}
	compare(&m, shape);
	map_clear(&m);
	memset(model, 0, sizeof(model));
	compare(&m, shape);
	map_free(&m);
}

static void
test_empty(void)
{
	struct map m = {0};

	CHECK(map_find(&m, 0, 0) == NULL, "an empty map has no entry");
	map_remove(&m, 0, 0);
	map_clear(&m);
	*map_get(&m, 0, 0) = 7;
	CHECK(m.count == 1 && *map_find(&m, 0, 0) == 7, "(0, 0) is a key");
	map_clear(&m);
	CHECK(m.count == 0 && map_find(&m, 0, 0) == NULL, "clear");
	map_free(&m);
	CHECK(map_find(&m, 0, 0) == NULL, "freed is empty");
}

int
main(void)
{
	test_empty();
	for (int shape = 0; shape < 4; shape++)
		test_against_model(shape);
	return check_status();
}
