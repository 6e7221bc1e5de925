/* occupancy.c - how many blocks of a kernel a multiprocessor holds at once */

#include "tq/advice/occupancy.h"

enum {
	WARP = 32,
	REGISTERS = 65536,   /* of a multiprocessor, since 5.0 */
	REGISTER_UNIT = 256, /* of a warp */
	KIB = 1024
};

struct occupancy_sm {
	const char *cc;
	int64_t warps, blocks;
	int64_t shared;      /* KiB */
	int64_t shared_unit; /* bytes: of a block */
	int64_t reserved;    /* bytes of shared memory that a block takes */
	int64_t partitions;  /* that have registers of their own */
};

/* clang-format off */
static const struct occupancy_sm known[] = {
	/* cc   warps blocks shared unit reserved partitions */
	{"5.0",  64, 32,  64, 256,    0, 4},
	{"5.2",  64, 32,  96, 256,    0, 4},
	{"5.3",  64, 32,  64, 256,    0, 4},
	{"6.0",  64, 32,  64, 256,    0, 2},
	{"6.1",  64, 32,  96, 256,    0, 4},
	{"6.2",  64, 32,  64, 256,    0, 4},
	{"7.0",  64, 32,  96, 256,    0, 4},
	{"7.2",  64, 32,  96, 256,    0, 4},
	{"7.5",  32, 16,  64, 256,    0, 4},
	{"8.0",  64, 32, 164, 128, 1024, 4},
	{"8.6",  48, 16, 100, 128, 1024, 4},
	{"8.7",  48, 16, 164, 128, 1024, 4},
	{"8.9",  48, 24, 100, 128, 1024, 4},
	{"9.0",  64, 32, 228, 128, 1024, 4},
	{"10.0", 64, 32, 228, 128, 1024, 4},
	{"10.3", 64, 32, 228, 128, 1024, 4},
	{"11.0", 48, 24, 228, 128, 1024, 4},
	{"12.0", 48, 24, 100, 128, 1024, 4},
	{"12.1", 48, 24, 100, 128, 1024, 4},
};
/* clang-format on */

const struct occupancy_sm *
occupancy_find_sm(struct span cc)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (span_eq(cc, span_of(known[i].cc)))
			return &known[i];
	return NULL;
}

static int64_t
round_up(int64_t n, int64_t unit)
{
	return (n + unit - 1) / unit * unit;
}

/* Fewer blocks fit by this limit than by those before it. */
static void
limit_to(struct occupancy *o, int64_t blocks, enum occupancy_limit limit)
{
	if (o->limit != OCCUPANCY_UNKNOWN && o->blocks <= blocks)
		return;
	o->blocks = blocks;
	o->limit = limit;
}

bool
occupancy_of(const struct occupancy_sm *sm, const struct occupancy_block *b,
    struct occupancy *o)
{
	int64_t warps, registers, shared;

	*o = (struct occupancy){0};
	if (sm == NULL || b->threads <= 0 || b->threads > KIB || b->regs < 0 ||
	    b->regs > 255 || b->shared < 0 || b->shared > sm->shared * KIB)
		return false;
	warps = (b->threads + WARP - 1) / WARP;
	registers = round_up(b->regs * WARP, REGISTER_UNIT);
	shared = round_up(b->shared + sm->reserved, sm->shared_unit);
	if (registers > 0)
		limit_to(o,
		    REGISTERS / sm->partitions / registers * sm->partitions /
			warps,
		    OCCUPANCY_REGISTERS);
	if (shared > 0)
		limit_to(o, sm->shared * KIB / shared, OCCUPANCY_SHARED_MEMORY);
	limit_to(o, sm->warps / warps, OCCUPANCY_BLOCK_SIZE);
	limit_to(o, sm->blocks, OCCUPANCY_BLOCK_SIZE);
	o->percent = o->blocks * warps * 100 / sm->warps;
	return o->blocks > 0;
}

const char *
occupancy_limit_name(enum occupancy_limit limit)
{
	static const char *const names[OCCUPANCY_LIMITS] = {
	    "nothing that is known", "registers", "shared memory",
	    "the size of a block"};

	return names[limit];
}
