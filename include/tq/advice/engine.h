/*
 * engine.h - each rule gets its records, and the time of devices that it may
 * claim.
 *
 * Each piece of a device's time (tq/account/device_pieces.h) is added to a row:
 * the device, the part that it is of, and the rules that may claim it, a bit
 * each. Which rule has a row is decided at the end, see finding.h.  There are
 * few rows, so memory does not grow with the stream.
 *
 * Where no device works at all, the time is that of steps: each is idle time,
 * for which the host is late, of the thread that has it.
 */
#ifndef TQ_ADVICE_ENGINE_H
#define TQ_ADVICE_ENGINE_H

#include "tq/account/device_pieces.h"
#include "tq/account/event_waits.h"
#include "tq/account/gap_record.h"
#include "tq/account/host_time.h"
#include "tq/base/intern.h"

#include "tq/advice/between_launches.h"
#include "tq/advice/claim_spans.h"
#include "tq/advice/derived.h"
#include "tq/advice/dry_waits.h"
#include "tq/advice/held_gaps.h"
#include "tq/advice/host_bound.h"
#include "tq/advice/host_places.h"
#include "tq/advice/host_steps.h"
#include "tq/advice/nested_claims.h"
#include "tq/advice/rule_match.h"
#include "tq/advice/sampled_places.h"

enum { EVIDENCE = 3, START_BINS = 32, WHATS_MOST = 65536 };

/* a piece of time, or the operation or gap that has it */
struct evidence {
	size_t section; /* from 1 */
	int64_t ts, dur, pid, device, corr;
	int64_t tid;   /* of a step, else NO_ID */
	int64_t bytes; /* of a copy or fill, else NO_ID */
	uint32_t what; /* text */
};

/* time that the same rules may claim */
struct claim_row {
	size_t device; /* index in engine.devices */
	enum account_part part;
	uint64_t mask;
	int64_t ns, count;
	struct evidence best[EVIDENCE]; /* longest first; dur 0: none */
};

/* a device of a process in a section; where no device works, a thread that has
   steps */
struct engine_device {
	size_t section;      /* from 1 */
	uint32_t number;     /* see names/model.h; 0 of a thread */
	int64_t pid, device; /* NO_ID of a thread */
	int64_t tid;         /* NO_ID of a device */
	int64_t from, to;    /* the part that rules look at */
	int64_t wall, parts[ACCOUNT_PARTS]; /* ns of its active span; of the
					     * steps of a thread */
	int64_t queued;     /* ns of PART_LAUNCH behind the call, in a queue,
			     * as idle_cuts.h has it */
	int64_t second;     /* the start of the second step; INT64_MIN */
	int64_t first_left; /* ns of step 0 above the median, but for what is
			     * before the first operation, that no idle time
			     * of it has */
	struct dry_device dry;
	struct host_bound bound;
	int64_t once[START_BINS]; /* ns that rules of the group one-time may
				   * claim, by when in [from, to) they end */
};

/* an operation that may still run */
struct operation_info {
	uint64_t number; /* its tag */
	int64_t ts, end, corr;
	size_t device; /* in pieces.devices */
	uint64_t mask; /* rules that matched it */
	int64_t bytes;
	uint32_t what;
	enum occupancy_limit limit;
	struct nested_claims nested;
};

/* operations that a rule matched on a device, of one name, or which wait for
   one rank */
struct rule_what {
	size_t rule, device; /* device: index in engine.devices */
	uint32_t what;       /* text */
	int64_t ns, count;   /* ns that the rule may claim, or shares are of */
};

/* what matched records of a process, or of one of its devices, cost that claim
   nothing */
struct rule_cost {
	size_t rule, section;
	int64_t pid, device; /* NO_ID: of the process */
	int64_t ns, count;
	struct evidence best[EVIDENCE]; /* longest first; dur 0: none */
};

/* set rules and survey, then engine_open; all else is 0 */
struct engine {
	const struct rules *rules;
	struct survey *survey;

	struct rule_match match;
	uint64_t claims[CLAIM_COUNT]; /* rules that have each claim */
	uint64_t with_cost, once;     /* rules, a bit each */
	uint64_t with_what;           /* whose title has {what} */
	uint64_t waited;              /* that count what is waited for */
	uint64_t bounded;   /* rules that claim time of operations, which the
			     * host may bound, */
	uint64_t with_gain; /* and of these those that have a gain */
	struct keyset gap_keys; /* that rules need of gaps */
	struct engine_scope {
		uint32_t process; /* 0: none yet */
		int64_t from, to;
	} scope; /* of the last process */
	struct derived derived;
	struct device_pieces pieces;
	struct host_time host; /* what threads did, but steps; no
				* place: a call that launches */
	int64_t host_since;    /* where no device works: no step is open that
				* began before */
	NUMBERED(uint32_t) range_places; /* by name, in host.texts */
	struct event_waits event_waits;
	const struct event_wait *wait;     /* of the last operation, or NULL */
	struct claim_spans after, over;    /* by claim */
	struct between_launches between;   /* of rules that claim it */
	struct claim_spans asynchronous;   /* calls that rules matched, which
					    * may return before their operation
					    * is over */
	struct claim_spans waits;          /* calls that wait, for any device */
	struct operation_info *operations; /* in order of number */
	size_t operation_count, operation_cap;
	uint64_t operation_next;

	struct engine_device *devices;
	size_t device_count, device_cap;
	size_t section_first; /* the first device of the section */
	KEYED(struct claim_row) rows;
	struct host_steps steps;       /* where no device works */
	int64_t step_count;            /* of records that were looked at */
	int64_t latest;                /* time of a record of the section */
	struct host_places places;     /* of rows of idle time */
	struct sampled_places samples; /* places, where a gap is open */
	struct dry_waits dry;          /* of rows of idle time */
	KEYED(struct rule_cost) costs; /* by rule and process, and device */
	KEYED(struct rule_what) whats; /* WHATS_MOST of them at most */
	struct held_gaps held;
	struct idle_cut *cuts; /* of the current gap, */
	uint32_t thread;       /* and whose it is, */
	const struct host_line *line;
	enum idle_cause cause; /* of it, as far as its operation decides */
	int64_t gap_from;      /* it begins, */
	int64_t gap_launched;  /* from then on it is in a queue, */
	uint32_t last;         /* after this operation, see device_lane.last */
	uint32_t began;        /* see idle_claim */
	size_t cut_count, cut_cap;
	int64_t ops;
	size_t stream;  /* of the current operation, in runs.streams, */
	int64_t launch; /* and its number there; -1: it is no launch */
	struct intern texts;

	struct gap_record gap; /* that rules look at */
	struct text scratch;
};

void engine_open(struct engine *e);

/* True if the stream has operations: findings are of devices. */
static inline bool
engine_has_devices(const struct engine *e)
{
	return e->survey->ops > 0;
}

/* Add the keys that the engine and its rules need. */
void engine_keys(struct engine *e, struct keyset *want);

/* A section begins; it is over. */
void engine_section(struct engine *e);
void engine_section_end(struct engine *e);

/* The record gets more keys. */
void engine_event(struct engine *e, struct event *ev);

void engine_free(struct engine *e);

#endif
