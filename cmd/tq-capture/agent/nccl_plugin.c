/*
 * nccl_plugin.c - a profiler for NCCL: its events become records
 *
 * The handle of an event is its number, and nothing is kept of it here: its
 * start and its end are a record each, which the launcher joins.  So an end may
 * come from any thread, twice, late, or never.
 */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "agent.h"
#include "nccl_abi.h"
#include "process.h"
#include "settings.h"
#include "writer.h"

/* the description of a communicator, when it begins */
struct nccl_comm {
	uint64_t hash;
	int32_t rank, ranks;
	char name[NCCL_COMM_NAME];
};

/* Before version 4 NCCL passes such a description with each event. */
static struct nccl_comm not_told = {.rank = -1};

static _Atomic uint64_t events; /* so far */

/*
 * The handle of a group that is lost: without a handle NCCL would not pass its
 * operations, which are to be recorded, or counted as lost.
 */
static char lost_group;

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* ---- words ---- */

static const char *const functions[] = {
#define FUNCTION(name, rooted) #name,
#include "arena/nccl_words.def"
};

static const char *const datatypes[] = {
#define DATATYPE(name, size) #name,
#include "arena/nccl_words.def"
};

static const char *const algorithms[] = {
#define ALGORITHM(name) #name,
#include "arena/nccl_words.def"
};

static const char *const protocols[] = {
#define PROTOCOL(name) #name,
#include "arena/nccl_words.def"
};

#define WORD(words, number) ((number) < LENGTH(words) ? (words)[number] : NULL)

/* the part that does not fit is cut off; NULL: nothing */
static void
put_word(char *to, size_t size, const char *from)
{
	size_t n = from != NULL ? strnlen(from, size - 1) : 0;

	if (n > 0)
		memcpy(to, from, n);
}

#define PUT(to, from) put_word(to, sizeof(to), from)

/* ---- an event, as each version describes it ---- */

/*
 * members that all descriptions of a collective have, of a message, of either,
 * and of descriptions with more members
 */
#define TAKE_COLL(r, c) \
	((r)->has |= NCCL_HAS_SEQUENCE, (r)->sequence = (c)->sequence, \
	    (r)->peer = (c)->root, (r)->channels = (c)->channels, \
	    (r)->count = (c)->count)
#define TAKE_P2P(r, p) ((r)->peer = (p)->peer, (r)->count = (p)->count)
#define TAKE_WORDS(r, d) \
	(PUT((r)->function, (d)->function), PUT((r)->datatype, (d)->datatype))
#define TAKE_HOW(r, c) \
	(PUT((r)->algorithm, (c)->algorithm), PUT((r)->protocol, (c)->protocol))
#define TAKE_COMM(r, d) \
	((r)->comm = (d)->comm, PUT((r)->comm_name, (d)->comm_name))

typedef void take_function(struct record_nccl *, const struct nccl_event *);

static void
take_coll_v1(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_coll_v1 *c = &e->is.coll_v1;

	TAKE_COLL(r, c);
	TAKE_COMM(r, c);
	PUT(r->function, WORD(functions, c->function));
	PUT(r->datatype, WORD(datatypes, c->datatype));
	PUT(r->algorithm, WORD(algorithms, c->algorithm));
	PUT(r->protocol, WORD(protocols, c->protocol));
}

static void
take_p2p_v1(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_p2p_v1 *p = &e->is.p2p_v1;

	TAKE_P2P(r, p);
	TAKE_COMM(r, p);
	PUT(r->function, WORD(functions, p->function));
	PUT(r->datatype, WORD(datatypes, p->datatype));
}

static void
take_coll_v2(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_coll_v2 *c = &e->is.coll_v2;

	TAKE_COLL(r, c);
	TAKE_COMM(r, c);
	TAKE_WORDS(r, c);
	TAKE_HOW(r, c);
}

static void
take_p2p_v2(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_p2p_v2 *p = &e->is.p2p_v2;

	TAKE_P2P(r, p);
	TAKE_COMM(r, p);
	TAKE_WORDS(r, p);
}

static void
take_coll_v3(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_coll_v3 *c = &e->is.coll_v3;

	TAKE_COLL(r, c);
	TAKE_COMM(r, c);
	TAKE_WORDS(r, c);
	TAKE_HOW(r, c);
}

static void
take_coll_v4(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_coll_v4 *c = &e->is.coll_v4;

	TAKE_COLL(r, c);
	TAKE_WORDS(r, c);
	TAKE_HOW(r, c);
}

static void
take_p2p_v4(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_p2p_v4 *p = &e->is.p2p_v4;

	TAKE_P2P(r, p);
	TAKE_WORDS(r, p);
	r->channels = p->channels;
}

static void
take_group_api(struct record_nccl *r, const struct nccl_event *e)
{
	r->has |= e->is.group_api.captured ? NCCL_IS_CAPTURED : 0;
}

static void
take_coll_api(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_coll_api *c = &e->is.coll_api;

	TAKE_WORDS(r, c);
	r->count = c->count;
	r->peer = c->root;
	r->has |= c->captured ? NCCL_IS_CAPTURED : 0;
}

static void
take_p2p_api(struct record_nccl *r, const struct nccl_event *e)
{
	const struct nccl_p2p_api *p = &e->is.p2p_api;

	TAKE_WORDS(r, p);
	r->count = p->count;
	r->has |= p->captured ? NCCL_IS_CAPTURED : 0;
}

static void
take_nothing(struct record_nccl *r, const struct nccl_event *e)
{
	(void)r;
	(void)e;
}

/* the types of events of a version that are recorded, and how */
struct nccl_kind {
	int type;
	enum nccl_class class;
	take_function *take;
};

enum { KINDS = 6 };

#define UP_TO_V4(coll, p2p) \
	{ \
		{NCCL_TYPE_GROUP, NCCL_GROUP, take_nothing}, \
		    {NCCL_TYPE_COLL, NCCL_COLLECTIVE, coll}, \
		    {NCCL_TYPE_P2P, NCCL_P2P, p2p}, \
	}

static const struct nccl_kind
    kinds_v1[KINDS] = UP_TO_V4(take_coll_v1, take_p2p_v1),
    kinds_v2[KINDS] = UP_TO_V4(take_coll_v2, take_p2p_v2),
    kinds_v3[KINDS] = UP_TO_V4(take_coll_v3, take_p2p_v2),
    kinds_v4[KINDS] = UP_TO_V4(take_coll_v4, take_p2p_v4),
    /* it has the groups of version 4 too, with fewer members than its own */
    kinds_v5[KINDS] = {
	{NCCL_TYPE_COLL, NCCL_COLLECTIVE, take_coll_v4},
	{NCCL_TYPE_P2P, NCCL_P2P, take_p2p_v4},
	{NCCL_TYPE_GROUP_API, NCCL_GROUP_API, take_group_api},
	{NCCL_TYPE_COLL_API, NCCL_COLLECTIVE_API, take_coll_api},
	{NCCL_TYPE_P2P_API, NCCL_P2P_API, take_p2p_api},
	{NCCL_TYPE_LAUNCH, NCCL_LAUNCH, take_nothing},
};

/* false: an event of that type is not recorded */
static bool
describe(struct record_nccl *r, const struct nccl_event *e,
    const struct nccl_kind kinds[KINDS])
{
	uint64_t type = kinds == kinds_v5 ? e->type.word : e->type.byte;
	int i = 0;

	while (i < KINDS && (uint64_t)kinds[i].type != type)
		i++;
	if (i == KINDS || type == 0)
		return false;
	r->class = (uint8_t)kinds[i].class;
	if (r->class == NCCL_COLLECTIVE || r->class == NCCL_P2P)
		r->rank = e->rank;
	kinds[i].take(r, e);
	return true;
}

static int
mask_of(const struct nccl_kind kinds[KINDS])
{
	int mask = 0;

	for (int i = 0; i < KINDS; i++)
		mask |= kinds[i].type;
	return mask;
}

/* ---- records ---- */

/* inline: of so many bytes the compiler makes moves, and not a loop */
static inline __attribute__((always_inline)) bool
put_record(struct writer *w, const void *record, size_t bytes)
{
	char *p = writer_room(w, LOSS_NCCL, bytes);

	if (p == NULL)
		return false;
	memcpy(p, record, bytes);
	writer_commit(w, bytes, 0);
	return true;
}

/* the handle of an event that starts now; one that is not recorded has none,
   and no end */
static void *
put_start(struct writer *w, const struct nccl_comm *comm,
    const struct nccl_event *e, const struct nccl_kind kinds[KINDS])
{
	struct record_nccl r = {
	    .head = {.words = sizeof(r) / 8, .type = RECORD_NCCL},
	    .comm = comm->hash,
	    .rank = comm->rank,
	    .ranks = comm->ranks};

	memcpy(r.comm_name, comm->name, sizeof(r.comm_name));
	if (!describe(&r, e, kinds))
		return NULL;
	r.event = ++events;
	r.head.ticks = process_clock();
	r.parent = e->parent != &lost_group ? (uintptr_t)e->parent : 0;
	if (put_record(w, &r, sizeof(r)))
		return (void *)(uintptr_t)r.event;
	return r.class == NCCL_GROUP ? &lost_group : NULL;
}

static int
start_event(void *context, void **handle, const struct nccl_event *e,
    const struct nccl_kind kinds[KINDS])
{
	const struct nccl_comm *comm = context != NULL ? context : &not_told;
	struct writer *w;

	if (handle == NULL)
		return 0;
	*handle = NULL;
	if (e == NULL || (w = writer_enter()) == NULL)
		return 0;
	if (writer_on() & ARENA_NCCL)
		*handle = put_start(w, comm, e, kinds);
	writer_leave(w);
	return 0;
}

static int
stop_event(void *handle)
{
	struct record_nccl_end r = {
	    .head = {.words = sizeof(r) / 8, .type = RECORD_NCCL_END},
	    .event = (uintptr_t)handle};
	struct writer *w;

	if (handle == NULL || handle == &lost_group ||
	    (w = writer_enter()) == NULL)
		return 0;
	r.head.ticks = process_clock();
	put_record(w, &r, sizeof(r));
	writer_leave(w);
	return 0;
}

static int
change_state(void *handle, int state, void *about)
{
	(void)handle;
	(void)state;
	(void)about;
	return 0;
}

/* ---- communicators ---- */

/* NCCL makes calls only for events in *mask. */
static void
set_mask(int *mask, const struct nccl_kind kinds[KINDS])
{
	if (mask != NULL)
		*mask = process_is_wanted() && (settings_get()->on & ARENA_NCCL)
			    ? mask_of(kinds)
			    : 0;
}

static int
init_v1(void **context, int *mask)
{
	set_mask(mask, kinds_v1);
	*context = &not_told;
	return 0;
}

static struct nccl_comm *
make_comm(uint64_t hash, const char *name, int rank, int ranks)
{
	struct nccl_comm *c = calloc(1, sizeof(*c));

	if (c == NULL)
		return &not_told;
	c->hash = hash;
	c->rank = rank;
	c->ranks = ranks;
	PUT(c->name, name);
	return c;
}

static int
init_v4(void **context, int *mask, const char *comm_name, uint64_t comm,
    int nodes, int ranks, int rank, void (*log)(void))
{
	(void)nodes;
	(void)log;
	set_mask(mask, kinds_v4);
	*context = make_comm(comm, comm_name, rank, ranks);
	return 0;
}

static int
init_v5(void **context, uint64_t comm, int *mask, const char *comm_name,
    int nodes, int ranks, int rank, void (*log)(void))
{
	(void)nodes;
	(void)log;
	set_mask(mask, kinds_v5);
	*context = make_comm(comm, comm_name, rank, ranks);
	return 0;
}

static int
finalize_comm(void *context)
{
	if (context != &not_told)
		free(context);
	return 0;
}

/* ---- what NCCL looks up ---- */

#define PROFILER(version, init_version, init_name) \
	static int start_##version( \
	    void *context, void **handle, struct nccl_event *e) \
	{ \
		return start_event(context, handle, e, kinds_##version); \
	} \
\
	const struct nccl_profiler ncclProfiler_##version = {.name = "tq", \
	    .init.init_version = init_name, \
	    .start = start_##version, \
	    .stop = stop_event, \
	    .state = change_state, \
	    .finalize = finalize_comm};

PROFILER(v1, v1, init_v1)
PROFILER(v2, v1, init_v1)
PROFILER(v3, v1, init_v1)
PROFILER(v4, v4, init_v4)
PROFILER(v5, v5, init_v5)
