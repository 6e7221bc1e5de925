/* recording_facts.h - facts about the recording in a stream: account_fact(). */
#ifndef TQ_ACCOUNT_RECORDING_FACTS_H
#define TQ_ACCOUNT_RECORDING_FACTS_H

#include "tq/evidence/evidence.h"

#include "account_draft.h"

struct noted_record {
	enum kind kind;
	int64_t ts, dur, pid;
};

/* of a recording; {0} at first */
struct recording_facts {
	int64_t counts[KIND_COUNT + 1];
	struct recording_evidence evidence;
	int64_t errors, calls_known;
	int64_t first, last;
	struct noted_record first_record, last_record; /* that made these */
	bool any, truncated, correlated;
	NUMBERED(int64_t) sms; /* of the section, by device */
	struct map bytes;      /* of the section: pid, address */
	int64_t memory, peak;  /* of the section, of all */
	bool allocates;
	struct map clocks; /* of the section: counters of a clock of SMs */
	struct map clock;  /* how often they had each value, in MHz */
};

/* A record of the recording. */
void recording_facts_event(
    struct recording_facts *f, struct account_draft *r, const struct event *ev);

/* The multiprocessors of the record's device; NO_ID if they are unknown. */
int64_t recording_facts_sms(
    const struct recording_facts *f, const struct event *ev);

void recording_facts_section_end(struct recording_facts *f);

/* Set the facts of the recording, which is over; *f is empty then. */
void recording_facts_finish(struct recording_facts *f, struct account_draft *r);

void recording_facts_free(struct recording_facts *f);

#endif
