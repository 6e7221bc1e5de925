/*
 * mpi_wrappers.c - functions of MPI, which record the calls of the real ones
 *
 * One library serves MPICH, whose handles are numbers of 32 bits, and libraries
 * with its ABI, and Open MPI, whose handles are pointers: an argument is a
 * word, and is passed on as it is.  We query MPI about handles once the call
 * has succeeded, and only about handles that it had to read: so no error
 * handler of the program is called for us.
 *
 * The real function is the next one of its name, so that other libraries that
 * wrap it are called, too; or the one that the caller would have found without
 * us, if MPI was loaded by dlopen(3) and is not seen by all.
 *
 * There is a wrapper for PMPI_Send, too, which the Fortran functions of Open
 * MPI call.  It records only calls that are not within a recorded one:
 * libraries that wrap MPI call it as well, and MPI itself.
 *
 * A program may look for a function of MPI to see whether there is MPI, and
 * finds ours.  So these are in a library of their own, for -t mpi, and there is
 * no wrapper for functions that such programs look for: MPI_Initialized,
 * MPI_Finalized, MPI_Get_version, MPI_Comm_rank and other queries.
 */

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "agent/mpi_call.h"
#include "preload/exec_wrappers.h"

#define EXPORT __attribute__((visibility("default")))
#define COLD __attribute__((noinline, cold))

enum {
	MPI_SUCCESS = 0,
	MPI_ERR_OTHER = 16,
	STATUS_BYTES = 256,
	WORDS_MOST = 13
};

/* calls of before main are not recorded until this library begins */
static bool captured;

/* ---- the table ---- */

enum how { NOTHING, ONE, EACH, LIST, LISTS, OWN };
enum who { ALL, ROOT, OTHERS };

/* numbers of arguments, from 1; 0: it has none */
struct mpi_side {
	uint8_t buffer, count, type, how, who;
};

struct mpi_shape {
	struct mpi_side send, recv;
	uint8_t peer, tag, from, from_tag, root, comm, request, status, found;
	bool takes_request; /* it does not return a new one */
};

#define SEND(...) .send = {__VA_ARGS__}
#define RECV(...) .recv = {__VA_ARGS__}
#define PEER(n) .peer = (n)
#define TAG(n) .tag = (n)
#define FROM(n) .from = (n)
#define FROM_TAG(n) .from_tag = (n)
#define ROOT(n) .root = (n)
#define COMM(n) .comm = (n)
#define REQUEST(n) .request = (n)
#define STATUS(n) .status = (n)
#define FOUND(n) .found = (n)
#define P2P .takes_request = false
#define COLLECTIVES .takes_request = false
#define OTHER .takes_request = false
#define START_WAIT .takes_request = true

static const struct mpi_shape shapes[MPI_CALLS] = {
#define CALL(name, words, ...) [MPI_##name] = {__VA_ARGS__},
#include "arena/mpi_calls.def"
};

/* ---- functions of MPI ---- */

/* behind the calls there are those with large counts, then both as PMPI_name,
   then what we call */
enum {
	LARGE_CALLS = MPI_CALLS,
	PMPI_CALLS = 2 * MPI_CALLS,
	TYPE_SIZE = 4 * MPI_CALLS,
	COMM_RANK,
	COMM_SIZE,
	COMM_TEST_INTER,
	GET_COUNT,
	OPEN_MPI_WORLD, /* not a function: MPI_COMM_WORLD of Open MPI */
	SYMBOLS
};

static const char *const names[SYMBOLS] = {
#define CALL(name, ...) \
	[MPI_##name] = "MPI_" #name, [PMPI_CALLS + MPI_##name] = "PMPI_" #name,
#define LARGE(name, ...) \
	CALL(name, ) \
	[LARGE_CALLS + MPI_##name] = "MPI_" #name "_c", \
		       [PMPI_CALLS + LARGE_CALLS + MPI_##name] = \
			   "PMPI_" #name "_c",
#include "arena/mpi_calls.def"
    [TYPE_SIZE] = "PMPI_Type_size",
    [COMM_RANK] = "PMPI_Comm_rank",
    [COMM_SIZE] = "PMPI_Comm_size",
    [COMM_TEST_INTER] = "PMPI_Comm_test_inter",
    [GET_COUNT] = "PMPI_Get_count",
    [OPEN_MPI_WORLD] = "ompi_mpi_comm_world",
};

static void *_Atomic reals[SYMBOLS];

/* this process has no such function */
static int
missing(void)
{
	return MPI_ERR_OTHER;
}

static bool
is_ours(const void *p)
{
	Dl_info of_p, of_us;

	return dladdr(p, &of_p) != 0 && dladdr(&captured, &of_us) != 0 &&
	       of_p.dli_fbase == of_us.dli_fbase;
}

/*
 * the function of that name in the library of the caller, and in the libraries
 * that it needs
 */
static void *
find_beside(const void *caller, const char *name)
{
	void *library, *p = NULL;
	Dl_info of_caller;

	if (dladdr(caller, &of_caller) == 0 || of_caller.dli_fname == NULL)
		return NULL;
	library = dlopen(of_caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	if (library != NULL) {
		p = dlsym(library, name);
		dlclose(library);
	}
	return p != NULL && is_ours(p) ? NULL : p;
}

/* The library of a function that we keep is never unloaded. */
static void
keep_loaded(const void *function)
{
	Dl_info of_function;

	if (dladdr(function, &of_function) != 0 &&
	    of_function.dli_fname != NULL)
		dlopen(of_function.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
}

/*
 * dlsym must not be a tail call: see wrappers.c.  A program has a copy of a
 * symbol that is no function, and that one is used.
 */
static COLD void *
find_real(unsigned symbol, const void *caller)
{
	int error = errno;
	void *real =
	    dlsym(symbol < TYPE_SIZE ? RTLD_NEXT : RTLD_DEFAULT, names[symbol]);

	if (real == NULL)
		real = find_beside(caller, names[symbol]);
	if (real != NULL)
		keep_loaded(real);
	else
		*(int (**)(void))(&real) = missing;
	atomic_store_explicit(&reals[symbol], real, memory_order_relaxed);
	errno = error;
	return real;
}

static inline void *
real_of(unsigned symbol, const void *caller)
{
	void *real = atomic_load_explicit(&reals[symbol], memory_order_relaxed);

	return real == NULL ? find_real(symbol, caller) : real;
}

/* ---- a call ---- */

struct mpi_draft {
	struct record_mpi record;
	const struct mpi_shape *shape;
	uintptr_t *words; /* the arguments, from words[1] on */
	const void *caller;
	/* the communicator, as far as it was looked up */
	bool has_team;
	int rank, size;
	_Alignas(16) char status[STATUS_BYTES]; /* if the program passes none */
};

/* what ticks to read a pointer of void as one of a function with: POSIX does */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"

/* true if the query succeeds */
static bool
ask_int(
    const struct mpi_draft *d, unsigned symbol, uintptr_t handle, int *answer)
{
	int (*real)(uintptr_t, int *) = real_of(symbol, d->caller);

	return real(handle, answer) == MPI_SUCCESS;
}

/* elements of that type in a status; false: not a whole number */
static bool
ask_count(const struct mpi_draft *d, void *status, uintptr_t type, int64_t *n)
{
	int (*real)(void *, uintptr_t, int *) = real_of(GET_COUNT, d->caller);
	int count;

	if (real(status, type, &count) != MPI_SUCCESS || count < 0)
		return false;
	*n = count;
	return true;
}

/* MPI_COMM_WORLD of Open MPI; NULL: this is MPICH, or has its ABI */
static void *
open_mpi_world(const struct mpi_draft *d)
{
	void *world = real_of(OPEN_MPI_WORLD, d->caller), *none;

	*(int (**)(void))(&none) = missing;
	return world != none ? world : NULL;
}
#pragma GCC diagnostic pop

static inline uintptr_t
word(const struct mpi_draft *d, unsigned number)
{
	return d->words[number];
}

static inline void *
pointer(const struct mpi_draft *d, unsigned number)
{
	return (void *)word(d, number); // NOLINT: it came as a word
}

static bool
is_mpich(const struct mpi_draft *d)
{
	return open_mpi_world(d) == NULL;
}

/* a handle of MPICH has 32 bits, and the bits above them are undefined */
static uint64_t
handle(const struct mpi_draft *d, uintptr_t w)
{
	return is_mpich(d) ? (uint32_t)w : w;
}

/* MPI_IN_PLACE: -1 in MPICH, 1 in Open MPI */
static bool
is_in_place(uintptr_t w)
{
	return w == UINTPTR_MAX || w == 1;
}

/* MPI_STATUS_IGNORE: 1 in MPICH, 0 in Open MPI */
static bool
is_ignored(uintptr_t w)
{
	return w <= 1;
}

/* ---- before it ---- */

static void
take_int(struct mpi_draft *d, unsigned number, int32_t *to, uint16_t bit)
{
	if (number == 0)
		return;
	*to = (int32_t)word(d, number);
	/*
	 * MPI_ANY_SOURCE, MPI_PROC_NULL and other negative values are no rank
	 */
	if (*to >= 0)
		d->record.has |= bit;
}

static void
take_request(struct mpi_draft *d)
{
	void *p = pointer(d, d->shape->request);

	if (p == NULL)
		return;
	if (is_mpich(d)) {
		uint32_t number;

		memcpy(&number, p, sizeof(number));
		d->record.request = number;
	} else
		memcpy(&d->record.request, p, sizeof(d->record.request));
	d->record.has |= MPI_HAS_REQUEST;
}

static void
take_arguments(struct mpi_draft *d)
{
	const struct mpi_shape *s = d->shape;
	struct record_mpi *r = &d->record;

	take_int(d, s->peer, &r->peer, MPI_HAS_PEER);
	take_int(d, s->tag, &r->tag, MPI_HAS_TAG);
	take_int(d, s->from, &r->from, MPI_HAS_FROM);
	take_int(d, s->from_tag, &r->from_tag, MPI_HAS_FROM_TAG);
	take_int(d, s->root, &r->root, MPI_HAS_ROOT);
	if (s->comm != 0) {
		r->comm = handle(d, word(d, s->comm));
		r->has |= MPI_HAS_COMM;
	}
	if (s->request != 0 && s->takes_request)
		take_request(d);
}

static void
begin_call(struct mpi_draft *d, unsigned symbol, uintptr_t *words,
    const void *caller, bool is_nested)
{
	struct record_mpi *r = &d->record;
	bool is_large = (symbol / LARGE_CALLS & 1) != 0;

	*r = (struct record_mpi){.call = (uint16_t)(symbol % MPI_CALLS),
	    .has = is_large ? MPI_IS_LARGE : 0};
	d->shape = &shapes[r->call];
	d->words = words;
	d->caller = caller;
	d->has_team = false;
	take_arguments(d);
	/* for the size of the message that has come */
	if (d->shape->status != 0 && is_ignored(word(d, d->shape->status)))
		d->words[d->shape->status] = (uintptr_t)d->status;
	r->head.ticks = tq_capture_mpi_start(is_nested);
	if (r->head.ticks != 0 && d->shape->found == 0)
		tq_capture_mpi_put(r);
}

/* ---- after it ---- */

/* how many processes there are, and which is ours; false between groups */
static bool
ask_team(struct mpi_draft *d)
{
	uintptr_t comm = word(d, d->shape->comm);
	int is_between;

	if (!d->has_team)
		d->has_team = ask_int(d, COMM_TEST_INTER, comm, &is_between) &&
			      !is_between &&
			      ask_int(d, COMM_RANK, comm, &d->rank) &&
			      ask_int(d, COMM_SIZE, comm, &d->size);
	return d->has_team;
}

static bool
has_side(struct mpi_draft *d, const struct mpi_side *s)
{
	/* between groups, arguments of the group of the root are ignored */
	if (s->how == NOTHING ||
	    (s->buffer != 0 && is_in_place(word(d, s->buffer))) ||
	    (d->shape->root != 0 && d->record.root < 0))
		return false;
	if (s->who == ALL)
		return true;
	return ask_team(d) && (d->rank == d->record.root) == (s->who == ROOT);
}

static int64_t
count_at(const struct mpi_draft *d, const struct mpi_side *s, int i)
{
	if (d->record.has & MPI_IS_LARGE)
		return ((const int64_t *)pointer(d, s->count))[i];
	return ((const int32_t *)pointer(d, s->count))[i];
}

static uintptr_t
type_at(const struct mpi_draft *d, const struct mpi_side *s, int i)
{
	if (s->how != LISTS)
		return word(d, s->type);
	if (is_mpich(d))
		return ((const uint32_t *)pointer(d, s->type))[i];
	return ((const uintptr_t *)pointer(d, s->type))[i];
}

/* the type is queried only if there are elements of it */
static bool
add_elements(const struct mpi_draft *d, uintptr_t type, int64_t n, int64_t *sum)
{
	int64_t bytes;
	int size;

	if (n == 0)
		return true;
	return n > 0 && ask_int(d, TYPE_SIZE, type, &size) && size >= 0 &&
	       !__builtin_mul_overflow(n, size, &bytes) &&
	       !__builtin_add_overflow(*sum, bytes, sum);
}

static bool
add_list(struct mpi_draft *d, const struct mpi_side *s, int64_t *sum)
{
	int64_t n = 0;

	for (int i = 0; i < d->size; i++)
		if (s->how == LIST
			? __builtin_add_overflow(n, count_at(d, s, i), &n)
			: !add_elements(
			      d, type_at(d, s, i), count_at(d, s, i), sum))
			return false;
	return add_elements(d, word(d, s->type), n, sum);
}

/* bytes that left or came; false: not known */
static bool
side_bytes(struct mpi_draft *d, const struct mpi_side *s, int64_t *bytes)
{
	int64_t n;

	*bytes = 0;
	if (!has_side(d, s) || (s->how != ONE && !ask_team(d)))
		return false;
	if (s->how == LIST || s->how == LISTS)
		return add_list(d, s, bytes);
	if (s->how == OWN)
		n = count_at(d, s, d->rank);
	else if (d->record.has & MPI_IS_LARGE)
		n = (int64_t)word(d, s->count);
	else
		n = (int32_t)word(d, s->count);
	if (s->how == EACH && __builtin_mul_overflow(n, d->size, &n))
		return false;
	return add_elements(d, word(d, s->type), n, bytes);
}

/* MPI_PROC_NULL: a message has no bytes, and its type may be anything */
static bool
is_nobody(const struct mpi_draft *d, unsigned peer)
{
	return peer != 0 && (int32_t)word(d, peer) == (is_mpich(d) ? -1 : -2);
}

static bool
sent_bytes(struct mpi_draft *d, int64_t *bytes)
{
	const struct mpi_shape *s = d->shape;

	*bytes = 0;
	return s->send.how != NOTHING &&
	       (is_nobody(d, s->peer) || side_bytes(d, &s->send, bytes));
}

/* by its status, the bytes that came; else the bytes that may come */
static bool
received_bytes(struct mpi_draft *d, int64_t *bytes)
{
	const struct mpi_shape *s = d->shape;
	int64_t n;

	*bytes = 0;
	if (s->recv.how == NOTHING)
		return false;
	if (is_nobody(d, s->from != 0 ? s->from : s->peer))
		return true;
	if (s->status == 0)
		return side_bytes(d, &s->recv, bytes);
	return ask_count(d, pointer(d, s->status), word(d, s->recv.type), &n) &&
	       add_elements(d, word(d, s->recv.type), n, bytes);
}

/* whom the message came from, where the program takes it from anybody */
static void
take_source(struct mpi_draft *d)
{
	struct record_mpi *r = &d->record;
	bool two = d->shape->from != 0;
	int32_t status[4], *source, *tag;

	if (d->shape->status == 0 || d->shape->peer == 0)
		return;
	memcpy(status, pointer(d, d->shape->status), sizeof(status));
	source = &status[is_mpich(d) ? 2 : 0];
	tag = source + 1;
	if (*source >= 0) {
		*(two ? &r->from : &r->peer) = *source;
		r->has |= two ? MPI_HAS_FROM : MPI_HAS_PEER;
	}
	if (*tag >= 0) {
		*(two ? &r->from_tag : &r->tag) = *tag;
		r->has |= two ? MPI_HAS_FROM_TAG : MPI_HAS_TAG;
	}
}

static void
take_rank(struct mpi_draft *d)
{
	static const uintptr_t mpich_world = 0x44000000;
	void *world = open_mpi_world(d);

	if (ask_int(d, COMM_RANK,
		world != NULL ? (uintptr_t)world : mpich_world,
		&d->record.rank))
		d->record.has |= MPI_HAS_RANK;
}

static bool
has_found(const struct mpi_draft *d)
{
	int32_t found = 0;

	if (d->shape->found == 0)
		return true;
	if (d->record.ret == MPI_SUCCESS)
		memcpy(&found, pointer(d, d->shape->found), sizeof(found));
	return found > 0;
}

static void
end_call(struct mpi_draft *d)
{
	struct record_mpi *r = &d->record;

	r->end = tq_capture_mpi_clock();
	if (r->ret == MPI_SUCCESS) {
		take_source(d);
		if (sent_bytes(d, &r->sent))
			r->has |= MPI_HAS_SENT;
		if (received_bytes(d, &r->received))
			r->has |= MPI_HAS_RECEIVED;
		if (d->shape->request != 0 && !d->shape->takes_request)
			take_request(d);
		if (r->call == MPI_Init || r->call == MPI_Init_thread)
			take_rank(d);
	}
	tq_capture_mpi_put(r);
}

/* ---- the wrappers ---- */

#define PARAMS_0 void
#define PARAMS_1 uintptr_t a1
#define PARAMS_2 PARAMS_1, uintptr_t a2
#define PARAMS_3 PARAMS_2, uintptr_t a3
#define PARAMS_4 PARAMS_3, uintptr_t a4
#define PARAMS_5 PARAMS_4, uintptr_t a5
#define PARAMS_6 PARAMS_5, uintptr_t a6
#define PARAMS_7 PARAMS_6, uintptr_t a7
#define PARAMS_8 PARAMS_7, uintptr_t a8
#define PARAMS_9 PARAMS_8, uintptr_t a9
#define PARAMS_10 PARAMS_9, uintptr_t a10
#define PARAMS_11 PARAMS_10, uintptr_t a11
#define PARAMS_12 PARAMS_11, uintptr_t a12
#define PARAMS_13 PARAMS_12, uintptr_t a13

#define LIST_0
#define LIST_1 a1
#define LIST_2 LIST_1, a2
#define LIST_3 LIST_2, a3
#define LIST_4 LIST_3, a4
#define LIST_5 LIST_4, a5
#define LIST_6 LIST_5, a6
#define LIST_7 LIST_6, a7
#define LIST_8 LIST_7, a8
#define LIST_9 LIST_8, a9
#define LIST_10 LIST_9, a10
#define LIST_11 LIST_10, a11
#define LIST_12 LIST_11, a12
#define LIST_13 LIST_12, a13

/* ---- a call, from its beginning to its end ---- */

/* the frame of the call that this thread is in; 0: it is in none.  A program
   may jump out of one: then the next may come from higher frames, not from
   lower ones. */
static __thread uintptr_t entered __attribute__((tls_model("initial-exec")));

#define FRAME() ((uintptr_t)__builtin_frame_address(0))

static inline bool
is_within(uintptr_t frame)
{
	return entered != 0 && frame < entered;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
/* More arguments than a function has do no harm. */
static int
call_real(unsigned symbol, const uintptr_t *w, const void *caller)
{
	int (*real)(PARAMS_13) = real_of(symbol, caller);

	return real(w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10],
	    w[11], w[12], w[13]);
}
#pragma GCC diagnostic pop

/* the arguments stand in w from w[1] on, and may change */
static __attribute__((noinline)) int
run_call(unsigned symbol, uintptr_t *w, const void *caller)
{
	uintptr_t outer = entered, frame = FRAME();
	struct mpi_draft d;
	int ret;

	if (!captured || (symbol >= PMPI_CALLS && is_within(frame)))
		return call_real(symbol, w, caller);
	begin_call(&d, symbol, w, caller, is_within(frame));
	entered = frame;
	ret = call_real(symbol, w, caller);
	entered = outer;
	if (d.record.head.ticks == 0)
		return ret;
	d.record.ret = ret;
	if (has_found(&d))
		end_call(&d);
	tq_capture_mpi_over(d.record.head.ticks);
	return ret;
}

/* Names of their own in C: the table has those of MPI. */
#define WRAPPER(function, symbol, count) \
	EXPORT int wrap_##function(PARAMS_##count) __asm__(#function); \
	int wrap_##function(PARAMS_##count) \
	{ \
		uintptr_t w[1 + WORDS_MOST] = {0, LIST_##count}; \
\
		return run_call(symbol, w, __builtin_return_address(0)); \
	}
#define CALL(name, words, ...) \
	WRAPPER(MPI_##name, MPI_##name, words) \
	WRAPPER(PMPI_##name, PMPI_CALLS + MPI_##name, words)
#define LARGE(name, words, ...) \
	CALL(name, words, ) \
	WRAPPER(MPI_##name##_c, LARGE_CALLS + MPI_##name, words) \
	WRAPPER(PMPI_##name##_c, PMPI_CALLS + LARGE_CALLS + MPI_##name, words)
#include "arena/mpi_calls.def"

static __attribute__((constructor)) void
begin(void)
{
	bool (*const agents)(void) = tq_capture_mpi_begin;
	int error = errno;

	exec_begin((const void *)(uintptr_t)agents);
	captured = tq_capture_mpi_begin();
	errno = error;
}
