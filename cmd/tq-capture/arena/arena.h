/*
 * arena.h - the memory that a program under capture shares with tq-capture
 *
 * Each process image (a program between exec and exec, or a child after fork)
 * has an arena of its own, a memfd that the agent makes and sends to the
 * launcher.  The agent writes records into chunks, the launcher reads them as
 * they come.  The arena outlives the process, so no end of it loses a record
 * that was complete.
 *
 *	struct arena          padded to ARENA_HEADER bytes
 *	chunks                ARENA_CHUNK bytes each: struct chunk, records
 *	buffers               ARENA_BUFFER bytes each, lent to CUPTI
 *
 * A chunk belongs to one thread while it is CHUNK_ACTIVE.  The thread appends
 * a record with plain stores, then stores chunk.committed with release
 * order; the launcher loads it with acquire order and reads no further.
 * A thread that needs another chunk sets the old one to CHUNK_FULL, clears the
 * lowest bit of arena.free and numbers that chunk by arena.next.  The
 * launcher sets a full chunk that it has read to CHUNK_FREE, then sets its bit.
 * If chunks are scarce, a thread takes over the chunk of an idle one: it gives
 * it a new seq and goes on behind a RECORD_TAKEN.  The chunk has the tid and
 * name of its first thread.  The records of one thread are in order of
 * seq and offset.
 *
 * Definitions (strings, domains ...) go to chunks of their own, of the type
 * CHUNK_NAMES, written under a lock of the agent.  The launcher loads the
 * committed of all chunks of records, then reads the names, then the records,
 * so that a name is known before it is used.
 *
 * Before a thread reads the clock for a record it announces, in a place of its
 * own, that a record will come.  The launcher lets no later line go out until
 * the record is there, however long the thread stands still in between.
 *
 * A thread also publishes the call of the C library that it is in, in a slot of
 * its own, and in another one the call of CUDA in which it waits: when the
 * process ends, in whatever way, the launcher sees where its threads were.
 *
 * Neither side trusts the other more than it must.  Of the members that the
 * launcher may write, the agent reads only `on`, `free`, `high`, `space` and
 * the states, and none of them leads it out of the arena: it has its own copy
 * of the counts.  The launcher checks all sizes, since the program may have
 * overwritten anything.
 */
#ifndef TQ_CAPTURE_ARENA_H
#define TQ_CAPTURE_ARENA_H

#include <stdatomic.h>
#include <stdint.h>

#define ARENA_MAGIC UINT64_C(0x3830616e65726174) /* "tarena08" */

enum {
	ARENA_HEADER = 1 << 17,
	ARENA_CHUNK = 1 << 16,
	ARENA_CHUNKS_MAX = 4096, /* 64 words of arena.free */
	ARENA_BUFFER = 1 << 20,
	ARENA_BUFFERS_MAX = 64,
	ARENA_THREADS = 768,  /* threads that publish their calls */
	ARENA_WRITERS = 1024, /* threads that announce their records */
	ARENA_STRIDES = 64,   /* kinds of CUPTI whose size is known */
	ARENA_SECRET = 32     /* bytes */
};

/* kinds of records: bits of arena.on */
enum {
	ARENA_NVTX = 1 << 0,    /* ranges, marks, counters */
	ARENA_GPU = 1 << 1,     /* kernels, copies, fills, graphs */
	ARENA_RUNTIME = 1 << 2, /* calls of the CUDA runtime */
	ARENA_DRIVER = 1 << 3,  /* calls of the CUDA driver */
	ARENA_SYNC = 1 << 4,    /* synchronisations, with device times */
	ARENA_MEMORY = 1 << 5,  /* device memory allocated and freed */
	ARENA_NODES = 1 << 6,   /* nodes of graphs, not graphs as a whole */
	ARENA_EVENTS = 1 << 7,  /* CUDA events, with device times */
	ARENA_OSRT = 1 << 8,    /* calls of the C library */
	ARENA_STACKS = 1 << 9,  /* stacks of calls that take long */
	ARENA_PYTHON_NVTX = 1 << 10, /* Python stacks of ranges and marks */
	ARENA_PYTHON_OSRT = 1 << 11, /* and of calls of the C library */
	ARENA_PYTHON_CUDA = 1 << 12, /* and of calls of CUDA */
	ARENA_PYTHON =
	    ARENA_PYTHON_NVTX | ARENA_PYTHON_OSRT | ARENA_PYTHON_CUDA,
	ARENA_SAMPLES = 1 << 13, /* of processors, by timers in the program */
	ARENA_GIL = 1 << 14,     /* waits for the lock of Python, and holds */
	ARENA_MPI = 1 << 15,     /* calls of MPI */
	ARENA_CUDA_STACKS = 1 << 16, /* native stacks of calls of CUDA */
	ARENA_NCCL = 1 << 17,  /* events of NCCL, which its profiler API has */
	ARENA_LOCKS = 1 << 18, /* calls of the C library that take locks */
	/* by libraries that are preloaded */
	ARENA_PRELOADED = ARENA_OSRT | ARENA_SAMPLES | ARENA_GIL | ARENA_MPI,
	ARENA_CUDA = ARENA_GPU | ARENA_RUNTIME | ARENA_DRIVER | ARENA_SYNC
};

/* the number of lost events, by kind of event and reason */
enum arena_loss_kind {
	LOSS_RANGE,     /* push or start: no room for it */
	LOSS_RANGE_END, /* end of a range whose start was written */
	LOSS_MARK,
	LOSS_COUNTER,
	LOSS_API,
	LOSS_GPU,       /* kernel, memcpy, memset, graph */
	LOSS_CUDA,      /* any other record of CUPTI */
	LOSS_NAME,      /* a definition; the next use tries again */
	LOSS_REENTERED, /* NVTX called in a signal handler within NVTX */
	LOSS_CUPTI,     /* records that CUPTI dropped */
	LOSS_LAUNCH,    /* launches without records; the launcher counts them */
	LOSS_OSRT,      /* a call of the C library */
	LOSS_MPI,       /* a call of MPI */
	LOSS_NCCL,      /* an event of NCCL, or its end */
	LOSS_STACK,     /* a stack of something that is there without it */
	LOSS_SAMPLE,    /* of a processor; counted in periods */
	LOSS_GIL,       /* a wait for the lock of Python, or a hold */
	LOSS_TIME,      /* an event of no time; the launcher counts them */
	LOSSES
};

struct arena_loss {
	_Atomic uint64_t count;
	_Atomic uint64_t first, last; /* ticks, roughly */
};

/* a buffer of CUPTI; one that a dead process leaves LENT is salvaged */
enum buffer_state { BUFFER_FREE, BUFFER_LENT };

/* the subject of a call that a thread is in */
enum arena_subject {
	SUBJECT_IS_NONE,
	SUBJECT_IS_FD,
	SUBJECT_IS_LOCK, /* its address */
	SUBJECT_IS_PATH  /* the address of its text */
};

/*
 * The call of the C library, or of CUDA, that a thread is in.  The thread
 * stores `call` last as the call begins, and 0 when it has returned.
 */
struct arena_thread {
	_Atomic int32_t tid;   /* 0: nobody has this slot */
	_Atomic uint64_t call; /* see arena_call; 0: it is in none */
	_Atomic uint64_t from; /* ticks */
	_Atomic uint64_t subject;
	_Atomic uint64_t calls; /* so far, of all threads that had the slot */
	uint64_t unused[3];     /* two threads share no line of a cache */
};

enum {
	ARENA_CALL_BITS = 14,
	ARENA_FRAME_SHIFT = 16,
	ARENA_CALL_CUDA = 1 << 13,   /* bit of the number of a call of CUDA */
	ARENA_CALL_RUNTIME = 1 << 12 /* bit of one of the runtime */
};

/* frame: of the caller, the lower the deeper; call: enum osrt_number, or an
   arena_cuda_call */
static inline uint64_t
arena_call(uint64_t frame, enum arena_subject subject, unsigned call)
{
	return frame << ARENA_FRAME_SHIFT |
	       (uint64_t)subject << ARENA_CALL_BITS | call;
}

/* of the runtime, or of the driver; callback: its number in CUPTI */
static inline unsigned
arena_cuda_call(_Bool runtime, unsigned callback)
{
	return ARENA_CALL_CUDA | (runtime ? ARENA_CALL_RUNTIME : 0u) | callback;
}

/*
 * What a thread announces.  It stores `turn` before it reads the clock for
 * records, another one than for the records before, and 0 when they are
 * published.
 */
struct arena_writer {
	_Atomic uint64_t turn;  /* 0: it announces nothing */
	_Atomic uint64_t since; /* ticks of a record that comes when a call of
				   MPI is over; 0: none does */
	_Atomic int32_t tid;
	int32_t unused[11]; /* two threads share no line of a cache */
};

struct arena {
	uint64_t magic;
	uint32_t chunks, buffers; /* how many; they never change */
	int32_t pid, parent;      /* as the process itself sees them */
	uint64_t start;           /* ticks when the arena was made */

	/* written by the launcher alone */
	_Atomic uint32_t on;    /* ARENA_* bits */
	_Atomic uint32_t space; /* grows when a chunk was freed: a futex */
	_Atomic uint32_t sample_every; /* periods between samples by timers */

	/* written by the agent alone, but for bits of free */
	_Atomic uint32_t waiting; /* threads waiting for space */
	_Atomic uint32_t next;    /* seq of the next chunk */
	_Atomic uint32_t high;    /* chunks from here on were never used */
	uint32_t cupti;           /* cuptiGetVersion, or 0 */
	_Atomic uint64_t blocked; /* ticks that threads waited for space */
	_Atomic uint64_t busy;    /* ticks spent on completed CUPTI buffers */
	struct arena_loss lost[LOSSES];

	/* the thread that has the lock of Python, and since when, in ticks;
	   since 0: none that is known */
	_Atomic uint64_t gil_since;
	_Atomic int32_t gil_tid;

	/*
	 * Calls of the driver that launch kernels or graphs, by CUPTI's
	 * callbacks, and by their records; the correlation id of the newest
	 * such call, and of the newest record of any call.
	 */
	_Atomic uint64_t launched, launch_records;
	_Atomic uint32_t launch_corr, record_corr;

	uint16_t stride[ARENA_STRIDES]; /* bytes of a record of each kind */
	_Atomic uint32_t buffer[ARENA_BUFFERS_MAX];
	/* the record of each buffer that is written into a chunk now, and
	   where its end will be: see arena_written */
	_Atomic uint64_t writing[ARENA_BUFFERS_MAX];
	_Atomic uint64_t free[ARENA_CHUNKS_MAX / 64];

	/*
	 * The process: "KEY=VALUE" strings, each with its NUL, an empty one
	 * behind the last: name (of the program), env.NAME for the variables of
	 * the setting env, command (the arguments with spaces between).
	 */
	char about[8192];

	_Atomic uint32_t threads_high; /* slots from here on were never used */
	_Atomic uint32_t writers_high; /* and of writers */
	_Atomic uint32_t crowded; /* there are threads that announce nothing */
	_Alignas(64) struct arena_thread threads[ARENA_THREADS];
	struct arena_writer writers[ARENA_WRITERS];
};

enum chunk_state { CHUNK_FREE, CHUNK_ACTIVE, CHUNK_FULL };
enum chunk_type { CHUNK_RECORDS, CHUNK_NAMES };

struct chunk {
	_Atomic uint32_t state;
	uint32_t type;
	uint32_t seq;
	int32_t tid;                /* as the process sees it */
	_Atomic uint32_t committed; /* bytes of the records, header excluded */
	_Atomic uint32_t passed; /* 1: seq is of a thread that took it over */
	uint32_t unused[2];
	char name[16]; /* of the thread, when the chunk was taken */
	uint64_t reserved[2];
};

_Static_assert(sizeof(struct arena) <= ARENA_HEADER, "header too small");
_Static_assert(sizeof(struct chunk) == 64, "a cache line");
_Static_assert(sizeof(struct arena_thread) == 64, "a cache line");
_Static_assert(sizeof(struct arena_writer) == 64, "a cache line");

static inline struct chunk *
arena_chunk(struct arena *a, uint32_t i)
{
	return (struct chunk *)((char *)a + ARENA_HEADER +
				(uint64_t)i * ARENA_CHUNK);
}

static inline char *
arena_buffer(struct arena *a, uint32_t i)
{
	return (char *)a + ARENA_HEADER + (uint64_t)a->chunks * ARENA_CHUNK +
	       (uint64_t)i * ARENA_BUFFER;
}

static inline uint64_t
arena_size(uint32_t chunks, uint32_t buffers)
{
	return ARENA_HEADER + (uint64_t)chunks * ARENA_CHUNK +
	       (uint64_t)buffers * ARENA_BUFFER;
}

/*
 * A record of a buffer is copied into a chunk, and then marked in the buffer as
 * done.  If the process dies in between, arena.writing has the copy's place:
 * the offset of the record in the buffer + 1, the number of the chunk, and
 * chunk.committed as soon as the copy is published.
 */
enum { ARENA_AT_BITS = 21, ARENA_END_BITS = 17 };

static inline uint64_t
arena_writing(uint64_t at, uint64_t chunk, uint64_t end)
{
	return (chunk << ARENA_END_BITS | end) << ARENA_AT_BITS | (at + 1);
}

/*
 * The offset + 1 of the record of buffer i that was copied, but perhaps not
 * marked; 0: none.  chunks: of the arena.
 */
static inline uint64_t
arena_written(struct arena *a, uint32_t i, uint32_t chunks)
{
	uint64_t w = a->writing[i];
	uint64_t end = w >> ARENA_AT_BITS & ((1 << ARENA_END_BITS) - 1);
	uint64_t chunk = w >> (ARENA_AT_BITS + ARENA_END_BITS);

	return chunk < chunks &&
		       arena_chunk(a, (uint32_t)chunk)->committed >= end
		   ? w & ((1 << ARENA_AT_BITS) - 1)
		   : 0;
}

/* ---- settings of the agent ---- */

/*
 * The environment variable TQ_CAPTURE is words "key=value" with spaces
 * between, shorter than CAPTURE_VARIABLE_MAX in all:
 *
 *	socket=NAME    abstract AF_UNIX name, SOCK_SEQPACKET
 *	secret=TEXT    ARENA_SECRET bytes that prove that the process is one of
 *	               the capture: names of sockets are public, the
 *	               environment is not
 *	clock=tsc|monotonic
 *	on=NUMBER      the first value of arena.on
 *	arm=NUMBER     bits that may be on later: kinds that are costly to
 *	               enable late are enabled at once, and their records
 *	               are dropped
 *	chunks=N buffers=N
 *	full=drop|block
 *	flush=MS       period in which the agent flushes CUPTI
 *	ranks=A,B,...  only processes of these ranks (see RANK_VARIABLES)
 *	env=A,B,...    environment variables to be copied to arena.about
 *	osrt=A,B,...   what libtq-preload.so records: see osrt_call.h
 *	gil=TICKS      waits and holds that take so long are recorded
 *	sample=A,B,C   how its timers take samples: see settings.h
 *	cuda=A,B,...   which calls of CUDA have native stacks: see settings.h
 *	chain=PATH     CUDA_INJECTION64_PATH as it was before
 *
 * The agent connects to a launcher of root or of its own user, and sends one
 * message: a struct arena_greeting, with the memfd; without it if it could not
 * make one.  It never waits for a reply.  With full=block the connection stays
 * open, so that it notices the end of the launcher.
 */
#define CAPTURE_VARIABLE "TQ_CAPTURE"
/* what sitecustomize.py annotates, in lines; see there */
#define CAPTURE_PYTHON_VARIABLE "TQ_CAPTURE_PYTHON"
/* of a function that is annotated; sitecustomize.py has the same numbers */
enum function_flags {
	FUNCTION_BINDS = 1,   /* it is bound to an instance */
	FUNCTION_CLASS = 2,   /* its range has the class of its object */
	FUNCTION_SHAPES = 4,  /* and the shapes of the arguments */
	FUNCTION_OPTIONAL = 8 /* it may be missing */
};
enum { CAPTURE_VARIABLE_MAX = 8192 };

struct arena_greeting {
	uint64_t magic;
	char secret[ARENA_SECRET]; /* zeros without that setting */
	int64_t error;             /* errno, if it could not make one */
};

/* the first of them that is set is the rank of a process */
#define RANK_VARIABLES \
	"RANK", "SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK"

#endif
