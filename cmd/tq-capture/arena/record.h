/*
 * record.h - the records that the agent writes into the chunks of an arena
 *
 * A record is a struct record, the members of its type, then the optional parts
 * of its flags in the order of the flags; all a multiple of eight bytes.  Times
 * are ticks of the clock of the capture, CUPTI's too.
 */
#ifndef TQ_CAPTURE_RECORD_H
#define TQ_CAPTURE_RECORD_H

#include <stdint.h>

enum record_type {
	RECORD_NONE,
#define RECORD(TYPE, ...) RECORD_##TYPE,
#include "records.def"

	/* the records behind it, in this chunk, are of the thread with the
	   tid id and the name text: it has taken the chunk over */
	RECORD_TAKEN,

	RECORD_CUPTI, /* not a type: those of CUPTI are greater */
#define EVENT(TYPE, ...) RECORD_##TYPE,
#define DEFINITION(TYPE, ...) RECORD_##TYPE,
#include "records.def"
	RECORD_CUPTI_END, /* and less than this one */

	RECORD_INSTRUMENT = 47, /* not a type: those are greater */
#define INSTRUMENT(TYPE, ...) RECORD_##TYPE,
#include "records.def"

	RECORD_NAME = 63, /* the same */
#define NAME(TYPE, ...) RECORD_##TYPE,
#include "records.def"
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
	FLAG_RANGE = 1 << 7    /* u64: see the type; of PUSH, START and MARK the
				  number of a Python stack */
};

struct record {
	uint16_t words; /* length, in eight bytes, with this header */
	uint8_t type;
	uint8_t flags;
	uint32_t domain;
	uint64_t ticks;
};

/*
 * RECORD_OBJECT: domain is the type of the handle in id; FLAG_RANGE has the
 * number of a stream, if CUPTI has one
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

/* how CPython encodes the line of an instruction: before 3.10, in it, later */
enum python_lines { PYTHON_LNOTAB, PYTHON_RANGES, PYTHON_LOCATIONS };

enum note_severity { NOTE_INFO, NOTE_WARNING, NOTE_ERROR };

/*
 * The blob of an event with an extended payload: for each of its blobs
 * u64 schema, u64 bytes, the bytes, padding to eight.
 *
 * The blobs of definitions.  All numbers are u64; a text is its bytes, the
 * bytes, padding to eight.  Members that the program did not set are 0.
 *
 *	schema  = type flags bytes alignment entries { entry }
 *	entry   = flags type detail offset name description meaning
 *	enum    = bytes entries { value is_flag name }
 *	counter = schema scope meaning description
 *	meaning = flags numerator denominator unit      (of a counter)
 *
 * name, description and unit are texts; the others are as in NVTX: detail is
 * arrayOrUnionDetail, meaning nvtxSemanticsCounter_t.
 */

/* The blob of a RECORD_COUNTER: u64 form, then */
enum counter_form {
	COUNTER_I64,  /* the value */
	COUNTER_F64,  /* the value */
	COUNTER_RAW,  /* u64 bytes, the bytes: by the counter's schema */
	COUNTER_NONE, /* no sample; u64 reason: NVTX_COUNTER_SAMPLE_* */
	COUNTER_BATCH /* u64 flags, u64 bytes of samples, u64 bytes of times,
			 the samples, padding, the times */
};

/* ---- of the C library ---- */

/* the number of a function is its row */
enum osrt_number {
#define CALL(result, type, name, ...) OSRT_##name,
#define OWN(name) OSRT_##name,
#include "osrt_calls.def"
	OSRT_CALLS
};

/* -t osrt=GROUP+... selects functions by group.  A class of osrt_calls.def is a
   group; IO, FILE and STDIO are one. */
enum osrt_group {
	OSRT_GROUP_IO,
	OSRT_GROUP_FILE = OSRT_GROUP_IO,
	OSRT_GROUP_STDIO = OSRT_GROUP_IO,
	OSRT_GROUP_NET,
	OSRT_GROUP_WAIT,
	OSRT_GROUP_LOCK,
	OSRT_GROUP_PROCESS,
	OSRT_GROUP_META,
	OSRT_GROUPS
};

enum { OSRT_HAS_RET = 1 << 0, OSRT_HAS_TO = 1 << 1 };

/* the head of the blob; behind it are the bytes of the stack from sp on */
struct osrt_stack {
	uint64_t pc, sp, bp;
};

/* phases of a thread and the lock of Python */
enum gil_state { GIL_WAIT, GIL_HOLD };

/* executable memory of a file, from its offset on */
struct module_place {
	uint64_t end, offset, device, inode;
};

/* ---- of MPI ---- */

/* the number of a function is its row */
enum mpi_number {
#define CALL(name, ...) MPI_##name,
#include "mpi_calls.def"
	MPI_CALLS
};

/* members of a record that are set */
enum {
	MPI_HAS_COMM = 1 << 0,
	MPI_HAS_PEER = 1 << 1,
	MPI_HAS_TAG = 1 << 2,
	MPI_HAS_FROM = 1 << 3,
	MPI_HAS_FROM_TAG = 1 << 4,
	MPI_HAS_ROOT = 1 << 5,
	MPI_HAS_REQUEST = 1 << 6,
	MPI_HAS_SENT = 1 << 7,
	MPI_HAS_RECEIVED = 1 << 8,
	MPI_HAS_RANK = 1 << 9,
	MPI_IS_LARGE = 1 << 10 /* the function is MPI_name_c */
};

/* ---- of NCCL ---- */

enum nccl_class {
#define CLASS(ID, ...) NCCL_##ID,
#include "nccl_words.def"
	NCCL_CLASSES
};

enum { NCCL_HAS_SEQUENCE = 1 << 0, NCCL_IS_CAPTURED = 1 << 1 };

/* bytes of texts, with a NUL at the end */
enum {
	NCCL_COMM_NAME = 40,
	NCCL_FUNCTION = 24,
	NCCL_DATATYPE = 16,
	NCCL_ALGORITHM = 16,
	NCCL_PROTOCOL = 8
};

/* ---- of CUPTI; the head's ticks are the start, ids are CUPTI's ---- */

enum api_source { API_DRIVER = 4, API_RUNTIME = 5 }; /* CUpti_ActivityKind */

/* ---- layouts ---- */

/* clang-format off */
#define EVENT(TYPE, name, ...) \
	struct record_##name { \
		struct record head; \
		uint64_t end; /* ticks; 0: it is an instant */ \
		uint32_t corr;
#define INSTRUMENT(TYPE, name, ...) \
	struct record_##name { \
		struct record head;
#define DEFINITION(TYPE, name, ...) INSTRUMENT(TYPE, name, )
#define FIELD(type, member, from, how, key) type member;
#define DIMS(member, from, how, key) int32_t member[3];
#define DATA(type, member, from) type member;
#define OWN(type, member) type member;
#define END_INSTRUMENT(name) \
	}; \
	_Static_assert(sizeof(struct record_##name) % 8 == 0, "whole words");
#define END_EVENT(name) END_INSTRUMENT(name)
#define END_DEFINITION(name) END_INSTRUMENT(name)
/* clang-format on */
#include "records.def"

/* the head of all events of CUPTI */
struct record_event {
	struct record head;
	uint64_t end;
	uint32_t corr;
};

union record_any {
	struct record head;
	struct record_event event;
#define EVENT(TYPE, name, ...) struct record_##name name;
#define DEFINITION(TYPE, name, ...) struct record_##name name;
#include "records.def"
};

#endif
