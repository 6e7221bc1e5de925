/*
 * operation.h - communication operations of one rank: which collective, or
 * which message, a kernel of NCCL or RCCL is.
 *
 * The kernel's name does not identify the operation: NCCL before 2.19 runs
 * operations without a kernel of their own as SendRecv, later versions have one
 * kernel for many algorithms, and a group bears the name of one of its
 * operations.  So the operation comes from the first of these that there is:
 * "Collective name" of PyTorch, the range of NCCL or of torch.distributed that
 * encloses the launching call, and the name of the kernel unless that is
 * SendRecv or Generic.
 */
#ifndef TQ_RANKS_OPERATION_H
#define TQ_RANKS_OPERATION_H

#include "tq/base/intern.h"
#include "tq/base/keyed.h"
#include "tq/line/event.h"

#define OPERATION_WORDS \
	"unknown|all-reduce|all-gather|reduce-scatter|barrier|all-to-all|" \
	"broadcast|scatter|reduce|gather|send|receive|send-receive"

/* as OPERATION_WORDS has them */
enum operation_kind {
	OPERATION_UNKNOWN,
	OPERATION_ALL_REDUCE,
	OPERATION_ALL_GATHER,
	OPERATION_REDUCE_SCATTER,
	OPERATION_BARRIER,
	OPERATION_ALL_TO_ALL,
	OPERATION_BROADCAST,
	OPERATION_SCATTER,
	OPERATION_REDUCE,
	OPERATION_GATHER,
	OPERATION_SEND,
	OPERATION_RECEIVE,
	OPERATION_SEND_RECEIVE, /* both directions in one group */
	OPERATION_KINDS
};

/* Unknown members are NO_ID, or an empty span. */
struct rank_operation {
	enum operation_kind kind;
	int64_t ts, dur; /* of its kernel, ns */
	int64_t pid, device, stream;
	struct span comm; /* the communicator's name; good until the next
			     operation_event */
	int64_t members;  /* ranks of the communicator */
	int64_t me;       /* rank in it */
	int64_t bytes;    /* the message of this rank */
	int64_t peer;     /* root, or the other side of a message */
	int64_t number;   /* of the operation in its communicator */
};

/* a range that names the operation launched in it */
struct operation_range {
	int64_t ts, end;
	enum operation_kind kind;
	int64_t bytes, peer, members, me;
	struct span comm;
};

/* of a thread, in order of ts */
struct operation_thread {
	struct operation_range *all;
	size_t count, cap;
};

/* operations that ranges of a thread named since the last ncclGroupStart */
struct operation_group {
	unsigned kinds; /* a bit each */
	int64_t peer, bytes;
	bool peers; /* there are several */
};

/*
 * The state of a section: for each thread the latest 4096 ranges of NCCL and
 * torch.distributed.  {0} begins.
 */
struct operation_reader {
	KEYED(struct operation_thread) threads; /* by pid, tid */
	KEYED(struct operation_group) groups;   /* the same */
	struct intern texts;
	struct text comm, scratch;
};

/* The keys that operation_event needs of each kind. */
void operation_keys(struct keyset want[]);

/* A section begins. */
void operation_section(struct operation_reader *o);

/* True if the record is an operation of communication, which *op is then. */
bool operation_event(struct operation_reader *o, const struct event *ev,
    struct rank_operation *op);

/* The word of OPERATION_WORDS for a kind, and back; OPERATION_KINDS: none. */
struct span operation_word(enum operation_kind kind);
enum operation_kind operation_kind_of(struct span word);

/* A rank of a communicator in 32 bits; -1 if it is unknown, or none. */
static inline int32_t
operation_rank(int64_t v)
{
	return v >= 0 && v <= INT32_MAX ? (int32_t)v : -1;
}

void operation_free(struct operation_reader *o);

#endif
