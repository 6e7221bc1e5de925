/*
 * record.h - what the agent writes into the chunks of an arena
 *
 * A record is a struct record, what its type adds, then the optional parts of
 * its flags in the order of the flags; all a multiple of eight bytes.
 * Times are ticks of the clock of the capture, CUPTI's too.
 */
#ifndef TQ_CAPTURE_RECORD_H
#define TQ_CAPTURE_RECORD_H

#include <stdint.h>

enum record_type {
	/* of NVTX */
	RECORD_PUSH = 1, /* style, payload, string | text, blob */
	RECORD_POP,      /* never lost where its push was written; blob */
	RECORD_START,    /* as PUSH; id is the range */
	RECORD_END,      /* id is the range; blob */
	RECORD_MARK,     /* as PUSH */
	RECORD_COUNTER,  /* id: counter, blob: the sample; see counter_form */
	RECORD_THREAD,   /* id: tid, text: the name that NVTX gives it */
	RECORD_OBJECT, /* id: handle, text: name of a CUDA object; see below */

	/*
	 * More bytes of a text or blob that does not fit into one record: they
	 * come before the record that they belong to, on the same thread; all
	 * but the first of them have FLAG_PARTS, too.  Those that are followed
	 * by a record without FLAG_PARTS, or by a first part, were given up.
	 */
	RECORD_PART, /* text | blob */

	/* the program told the profiler to start and stop */
	RECORD_PROFILER_START, /* id: correlation id of the call */
	RECORD_PROFILER_STOP,  /* id: the same */

	/* of the agent itself */
	RECORD_NOTE, /* domain: enum note_severity, text: a diagnostic */

	/* of CUPTI: a struct record_... each */
	RECORD_KERNEL,
	RECORD_MEMCPY,
	RECORD_MEMSET,
	RECORD_SYNC,
	RECORD_GRAPH,
	RECORD_API,
	RECORD_ALLOC,
	RECORD_OVERHEAD,
	RECORD_DEVICE, /* text: its name */
	RECORD_CONTEXT,
	RECORD_STREAM,
	RECORD_EVENT, /* a CUDA event with a device time stamp */

	/* in chunks of names: id is what is defined, text is its name */
	RECORD_STRING = 64, /* domain: where it was registered.  FLAG_RANGE:
			       its handle, as a payload may have it */
	RECORD_DOMAIN,      /* ids from 1; 0 is the default domain */
	RECORD_CATEGORY,    /* domain and id together */
	RECORD_SYMBOL,      /* mangled name of a kernel; id as a string's.
			       With FLAG_RANGE: address of the name */
	RECORD_FUNCTION,    /* id: enum api_source << 32 | callback id */
	RECORD_SCHEMA,      /* of extended payloads: domain, id; blob */
	RECORD_ENUM,        /* of extended payloads: domain, id; blob */
	RECORD_COUNTERDEF   /* domain, id; blob */
};

/* optional parts, in this order; FLAG_PARTS has no bytes */
enum {
	FLAG_ID = 1 << 0,      /* u64 */
	FLAG_STYLE = 1 << 1,   /* u32 argb (0: none), u32 category (0: none) */
	FLAG_PAYLOAD = 1 << 2, /* u64 type (NVTX_PAYLOAD_TYPE_*), u64 value */
	FLAG_STRING = 1 << 3,  /* u64 id of a registered string */
	FLAG_TEXT = 1 << 4,    /* u64 bytes, the bytes, padding; no NUL */
	FLAG_BLOB = 1 << 5,    /* u64 bytes, the bytes, padding */
	FLAG_PARTS = 1 << 6,   /* RECORD_PARTs came before */
	FLAG_RANGE = 1 << 7    /* u64, what the type says */
};

struct record {
	uint16_t words; /* length, in eight bytes, with this header */
	uint8_t type;
	uint8_t flags;
	uint32_t domain;
	uint64_t ticks;
};

/*
 * RECORD_OBJECT: domain says what the handle in id is; FLAG_RANGE has the
 * number of a stream, where CUPTI tells it
 */
enum object_type {
	OBJECT_CU_DEVICE,
	OBJECT_CU_CONTEXT,
	OBJECT_CU_STREAM,
	OBJECT_CU_EVENT,
	OBJECT_CUDA_DEVICE,
	OBJECT_CUDA_STREAM,
	OBJECT_CUDA_EVENT
};

enum note_severity { NOTE_INFO, NOTE_WARNING, NOTE_ERROR };

/*
 * The blob of an event with an extended payload: for each of its blobs
 * u64 schema, u64 bytes, the bytes, padding to eight.
 *
 * The blobs of definitions.  All numbers are u64; a text is its bytes, the
 * bytes, padding to eight.  What the program did not tell is 0.
 *
 *	schema  = type flags bytes alignment entries { entry }
 *	entry   = flags type detail offset name description meaning
 *	enum    = bytes entries { value is_flag name }
 *	counter = schema scope meaning description
 *	meaning = flags numerator denominator unit      (of a counter)
 *
 * name, description and unit are texts; the rest is as NVTX has it.  detail is
 * its arrayOrUnionDetail, meaning its nvtxSemanticsCounter_t.
 */

/* The blob of a RECORD_COUNTER: u64 form, then */
enum counter_form {
	COUNTER_I64,  /* the value */
	COUNTER_F64,  /* the value */
	COUNTER_RAW,  /* u64 bytes, the bytes: as the counter's schema says */
	COUNTER_NONE, /* u64 why there is none: NVTX_COUNTER_SAMPLE_* */
	COUNTER_BATCH /* u64 flags, u64 bytes of samples, u64 bytes of times,
			 the samples, padding, the times */
};

/* ---- of CUPTI; the head's ticks are the start, ids are CUPTI's ---- */

struct record_kernel {
	struct record head;
	uint64_t end;     /* ticks */
	uint64_t symbol;  /* RECORD_SYMBOL; 0: address has it */
	uint64_t address; /* where its name was, for salvaged records */
	uint64_t graph_node, graph; /* 0: none */
	uint64_t local;             /* bytes per thread */
	uint32_t corr, device, context, stream;
	int32_t grid[3], block[3], cluster[3]; /* cluster 0: none */
	uint32_t regs;
	int32_t smem_static, smem_dynamic;
	uint32_t launch; /* CUPTI's launchType: 0 regular, 1, 2 cooperative */
	uint32_t unused;
};

/* memory kinds and copy kinds are CUPTI's numbers */
struct record_memcpy {
	struct record head;
	uint64_t end;
	uint64_t bytes;
	uint64_t graph_node, graph;
	uint32_t corr, device, context, stream;
	uint32_t copy, src, dst;
	uint32_t src_device, dst_device; /* of peer copies, else UINT32_MAX */
	uint32_t async;
};

struct record_memset {
	struct record head;
	uint64_t end;
	uint64_t bytes;
	uint64_t graph_node, graph;
	uint32_t corr, device, context, stream;
	uint32_t value, mem, async, unused;
};

struct record_sync {
	struct record head;
	uint64_t end;
	uint32_t corr, context, stream, event; /* UINT32_MAX: none */
	uint32_t sync; /* CUpti_ActivitySynchronizationType */
	uint32_t ret;
};

struct record_graph {
	struct record head;
	uint64_t end;
	uint64_t graph;
	uint32_t corr, device, context, stream;
};

enum api_source { API_DRIVER = 1, API_RUNTIME };

struct record_api {
	struct record head;
	uint64_t end;
	uint32_t corr, tid, callback;
	uint32_t source; /* enum api_source */
	uint32_t ret, unused;
};

/* added to op: a CUpti_ActivityMemoryPoolOperationType */
enum { ALLOC_POOL = 16 };

struct record_alloc {
	struct record head;
	uint64_t address, bytes;
	uint64_t pool; /* address of the memory pool, or 0 */
	uint32_t corr, tid, device, context, stream;
	uint32_t op;  /* CUpti_ActivityMemoryOperationType; or of a pool */
	uint32_t mem; /* CUpti_ActivityMemoryKind */
	uint32_t pool_type;
};

struct record_overhead {
	struct record head;
	uint64_t end;
	uint32_t what; /* CUpti_ActivityOverheadKind */
	uint32_t tid;  /* 0: not known */
};

struct record_device {
	struct record head;
	uint64_t memory; /* bytes */
	uint32_t device, sms, cc_major, cc_minor;
	uint8_t uuid[16];
};

struct record_context {
	struct record head;
	uint32_t context, device;
};

struct record_stream {
	struct record head;
	uint32_t context, stream;
	int32_t priority;
	uint32_t flags; /* CUpti_ActivityStreamFlag */
};

struct record_event {
	struct record head;
	uint32_t corr, context, stream, event;
};

/* any of CUPTI */
union record_any {
	struct record head;
	struct record_kernel kernel;
	struct record_memcpy memcpy;
	struct record_memset memset;
	struct record_sync sync;
	struct record_graph graph;
	struct record_api api;
	struct record_alloc alloc;
	struct record_overhead overhead;
	struct record_device device;
	struct record_context context;
	struct record_stream stream;
	struct record_event event;
};

#endif
