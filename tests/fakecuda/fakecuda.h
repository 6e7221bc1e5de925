/*
 * A CUDA without a GPU, for the tests of tq-capture: libcuda.so.1,
 * libcudart.so.13 and libcupti.so.13 that keep to the protocol of the real
 * ones, on a GPU that is only a time line.  A program that is linked to them
 * launches, copies and waits, and a subscriber of CUPTI gets exactly the
 * records of that, which tests can count.
 *
 * There is one libcupti for each generation: 11.8, 12.4, 13.0, and "future",
 * whose records are longer than any that exist.  A generation has the sizes
 * of records, the functions and the version of the real one.
 *
 * The environment sets faults and durations:
 *
 *	FAKECUDA_DEVICES=N	this many GPUs (1)
 *	FAKECUDA_KERNEL_NS=N	a kernel takes this long (1000)
 *	FAKECUDA_COPY_NS=N	so does a copy or a fill (500)
 *	FAKECUDA_SPIN=1		a thread that waits for it runs meanwhile
 *	FAKECUDA_QUEUE=N	a launch waits while N kernels of its stream
 *				have not ended
 *	FAKECUDA_CORRELATION=N	the first correlation id (1); they are 32 bits
 *				wide, wrap, and leave out 0
 *	FAKECUDA_FORK=1		a child whose parent has used CUDA makes records
 *				of its calls, though none succeeds
 *	FAKECUDA_RECYCLE=1	the id of a destroyed graph is given to the next
 *
 *	FAKECUDA_BUSY=NAME	NAME has subscribed before: error 39
 *	FAKECUDA_NODRIVER=1	libcupti finds no driver that it can use: error
 *				999, up to 12.4 error 15
 *	FAKECUDA_REFUSE=1	it enables no kind of record: error 14
 *	FAKECUDA_HIDDEN=1	it records a GPU that CUDA_VISIBLE_DEVICES
 *				hides, with the number of a visible one
 *	FAKECUDA_NOTIME=N	each Nth record of work on the GPU has no times
 *	FAKECUDA_REVERSE=1	the records of a buffer are in reverse order
 *	FAKECUDA_DROP=N		each Nth record is dropped, and counted
 *	FAKECUDA_TORN=1		a buffer that is handed over while it is not
 *				full ends in a record that was never written
 *	FAKECUDA_RESERVE=1	work has its place in a buffer from when it is
 *				launched; until it has ended there is only its
 *				kind, and no flush but a forced one returns it
 *	FAKECUDA_SLOWFLUSH=MS	cuptiActivityFlushAll takes this long
 *	FAKECUDA_CALLER=1	cuptiActivityFlushAll hands buffers over in the
 *				calling thread, not in that of libcupti
 *	FAKECUDA_TAKEN=N	once N kernels were launched, another client of
 *				CUPTI registers its callbacks for buffers: it
 *				gets all records from then on, and drops them
 *	FAKECUDA_LAX=1		dropped records may be queried in the callback
 *of a completed buffer, see below
 *
 * A profiler that breaks the protocol gets a message, and is aborted, where the
 * real library would crash, hang, or write to the wrong place:
 *
 *	- it flushes in a callback, or queries dropped records there: with a
 *	  lock of its own around both, that is the deadlock of two threads;
 *	- libcupti waits for it for ten seconds;
 *	- it gives no buffer, and libcupti is older than 12.9;
 *	- a buffer is not aligned to 8 bytes;
 *	- a buffer is not zeroed, though the profiler said that they are.
 *
 * Up to 13.0, times are wrong as they really are where the profiler's clock is
 * registered after a context was made, or twice.
 *
 * What is simpler than in reality: a record of an API call is made when the
 * call returns, if its kind was enabled when it began; a record of work is
 * put into a buffer once the work has ended, as seen by the next call or
 * flush.  A forced flush hands over all buffers, also empty ones, and work
 * that has not ended, without its times.  At exit nothing is handed over.
 * A call of the runtime makes at most one call of the driver, which has the
 * same correlation id.  The first call initialises before it is counted.
 * Only kernels can be captured into a graph.
 */
#ifndef FAKECUDA_H
#define FAKECUDA_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <cuda.h>
#include <cupti.h>

struct CUfunc_st {
	const void *host; /* what the runtime launches; NULL: the driver's */
	char *name;
	bool instrumented; /* libcupti has recorded its overhead */
	CUfunction next;
};

struct CUstream_st {
	uint32_t id;
	CUcontext context;
	uint64_t tail;   /* when all its work will have ended */
	CUgraph capture; /* where its work goes instead; or NULL */
	bool dead;
	CUstream next;
};

/* Contexts and streams live as long as the process. */
struct CUctx_st {
	uint32_t id;
	int device;
	bool dead;
	struct CUstream_st null; /* its stream 0; then all others */
	CUcontext next;
};

struct fake_node {
	uint64_t id;
	CUfunction function;
	uint32_t grid[3], block[3], shared;
};

struct CUgraph_st {
	uint32_t id;
	struct fake_node **nodes; /* a node stays where it is */
	uint32_t count;
};

struct CUgraphExec_st {
	struct CUgraph_st graph; /* nodes and ids of its own */
};

/* Something that gets a record; times are of the profiler's clock. */
struct fake_op {
	CUpti_ActivityKind kind;
	uint64_t start, end;
	uint32_t correlation, device, context, stream;

	struct fake_node node; /* the kernel; id 0: not of a graph */
	uint32_t graph;        /* 0: none */
	uint64_t bytes, address;
	uint32_t type; /* of memory operation, or of synchronisation */
	uint32_t event, peer, value;
	uint8_t copy, source, target;
	bool async;
	bool unfinished; /* libcupti's: flushed by force */
	uint8_t *place;  /* libcupti's: reserved; NULL: nowhere */
	uint32_t *open;  /* libcupti's: places reserved in that buffer */
};

/* A call of the runtime or the driver that has not returned. */
struct fake_call {
	CUpti_CallbackDomain domain;
	uint32_t cbid, correlation;
	int result;
	CUcontext context;
	struct fake_call *outer; /* the call that makes this one, or NULL */

	/* libcupti's */
	const char *symbol; /* the kernel that is launched, or NULL */
	uint64_t start, data;
	bool recorded;
};

/* What libcupti wants to know. */
struct fake_hooks {
	uint64_t (*now)(void);
	void (*enter)(struct fake_call *);
	void (*leave)(struct fake_call *);
	void (*op)(const struct fake_op *);
	void (*resource)(uint32_t cbid, CUcontext, CUstream, void *);
};

/*
 * Exported by libcuda.so.1.
 *
 * attach: call these hooks from now on; NULL: nobody's.  Returns where the
 * list of contexts begins.
 */
CUcontext *fake_attach(const struct fake_hooks *);
const struct fake_hooks *fake_hooks(void);
CUcontext *fake_contexts(void);

/* Initialise, once, without a call being seen; CUDA_SUCCESS, or an error. */
CUresult fake_init(void);

/* The context of the calling thread; it is created where need be. */
CUcontext fake_context(void);
CUresult fake_set_device(int device);
int fake_device(void);

/*
 * enter, leave: around what the call does.  Calls nest, in one thread.  leave
 * returns the result.  correlation is that of the innermost call.
 */
void fake_enter(struct fake_call *, CUpti_CallbackDomain, uint32_t cbid);
int fake_leave(struct fake_call *, int result);
uint32_t fake_correlation(void);

/* A stream of the calling thread's context; NULL is its stream 0. */
CUstream fake_stream(CUstream);
uint64_t fake_now(void);

/*
 * work: queue it on a stream, for ns; note: something that happened just now.
 * Where start is set, it stays: it began earlier.
 */
void fake_work(CUstream, struct fake_op *, uint64_t ns);
void fake_note(CUstream, struct fake_op *);
void fake_resource(uint32_t cbid, CUcontext, CUstream, void *descriptor);
void fake_wait(uint64_t until);

/* Wait until there is room for a kernel in the queue of the stream. */
void fake_queue(CUstream stream);
uint64_t fake_idle(CUcontext); /* when all its work will have ended */
uint32_t fake_id(void);        /* for streams, events, nodes */
uint64_t fake_kernel_ns(void);
uint64_t fake_copy_ns(void);

/* The kernel behind a host function; one that has no name gets one. */
CUfunction fake_function(const void *host, const char *name);

/* Exported by libcudart for tests: the name of the kernel behind host. */
void fake_kernel(const void *host, const char *name);

static inline uint64_t
fake_number(const char *name, uint64_t fallback)
{
	const char *s = getenv(name);

	return s == NULL ? fallback : strtoull(s, NULL, 0);
}

#endif
