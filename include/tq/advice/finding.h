/*
 * finding.h - which rules fire, and the time that each may claim.
 *
 * What the evidence takes away (evidence/evidence.h) is not found: a rule
 * claims nothing of such a device, and abstains where it had fired.
 *
 * Rules come in order of precision.  One that fires claims its rows, each of
 * which is claimed once; so the findings of a device never add up to more than
 * its active span.  The time that a rule would claim, but for its least share,
 * is left to the rules behind it, and is a part of theirs.
 */
#ifndef TQ_ADVICE_FINDING_H
#define TQ_ADVICE_FINDING_H

#include "tq/advice/engine.h"
#include "tq/advice/long_way.h"
#include "tq/evidence/evidence.h"

enum { FEW_OPERATIONS = 50, PARTS_MOST = 6, NAMES_MOST = 3, WAITS_MOST = 2 };

struct finding_part {
	const struct rule *rule;
	int64_t ppm;
};

/* where the host was in time that it claimed */
struct finding_place {
	struct span text; /* empty: nowhere */
	int64_t ns;
	bool queued; /* it is what operations in a queue waited for */
};

/* calls in which the host waited when the device ran dry */
struct finding_wait {
	struct span call, range; /* range: that they are in; may be empty */
	int64_t ns;              /* that they expose; 0: there are none */
};

struct finding {
	const struct rule *rule;
	const struct evidence_fact *fact; /* of a rule that claims evidence; of
					   * the long way, too */
	const struct start_up *start_up;  /* of the first one, where it is to be
					   * recorded without it */
	enum severity severity, rank;     /* rank: among which it comes */
	enum rule_confidence confidence;
	bool demoted;       /* a note for another reason than its share */
	int64_t ppm;        /* of the wall, of the worst device */
	int64_t least_ppm;  /* of the device with the least that is not 0 */
	int64_t gain, of;   /* ns of the worst device; gain 0: none claimed */
	int64_t matched_ns; /* of a rule with a gain: the time of the worst
			     * device of which that is a part; else 0 */
	int64_t behind;     /* of the worst device: what the rule claims beside
			     * the gain, as far as the device would only be
			     * idle then behind the host, see host_bound.h */
	int64_t overlap;    /* of the gain, exposed copies and communication: as
			     * much as the device computes, which is all that
			     * could hide them */
	int64_t *time;      /* ns of each of engine.devices, claimed or, without
			     * a claim, of what matched */
	int64_t of_parts[ACCOUNT_PARTS]; /* the same of all pieces, by part */
	size_t worst;                    /* index in engine.devices */
	size_t devices;                  /* that have some */
	bool of_processes; /* it is a cost of processes with several devices,
			    * and of none of these */
	int64_t matched;   /* records */
	int64_t pieces;    /* that were claimed */
	struct finding_part parts[PARTS_MOST]; /* largest first */
	size_t part_count;
	struct evidence best[EVIDENCE];
	uint32_t what; /* of the worst device the text with most time, of a rule
			* that names it; else INTERN_NONE */
	bool one_what; /* devices have one each, and other devices than those
			* of that text are left out */
	/* of idle time of the worst device: */
	struct finding_place names[NAMES_MOST]; /* largest first */
	struct finding_place file, line;        /* with most of it, a fifth or
						 * more; else ns is 0 */
	int64_t unnamed; /* of the cause host, nothing is known of it */
	struct finding_wait waits[WAITS_MOST]; /* largest first */
	int64_t exposed;      /* by waits: the device's work could hide it */
	int64_t step_exposed; /* of that, by waits that end a step */
};

/* a rule that the stream has not enough for */
struct abstention {
	const struct rule *rule;
	const char *reason; /* static text */
	const char *needs;  /* a kind, "steps", "cc" or "evidence" */
};

struct findings {
	struct finding *all; /* evidence first, then what has a gain and is
			      * not demoted; the group that leads first; by
			      * rank, those with a gain first, and share */
	size_t count, cap;
	struct start_up start_up;
	struct long_way long_way;
	struct abstention *abstained;
	size_t abstained_count, abstained_cap;
};

/*
 * True if other processes work on the GPU of a device for a twentieth of its
 * time or more: what is idle time of its process may be work of theirs.
 */
bool finding_is_shared(const struct engine *e, size_t device);

/* ns in ppm of others; 0 of none */
int64_t finding_ppm(int64_t ns, int64_t of);

/* What is behind the host, as far as it is worth a word: 0 below a hundredth of
   what the rule claims. */
int64_t finding_behind(const struct finding *f);

/* True if it is about the recording itself, and stands before all others. */
bool finding_is_first(const struct finding *f);

/*
 * True if its group leads: what is steady, or where most of the recording is
 * start-up what happens once.
 */
bool finding_leads(const struct findings *f, const struct finding *x);

/* After the last section; facts live as long as the evidence. */
void finding_make(struct findings *f, const struct engine *e,
    const struct recording_evidence *evidence,
    const struct host_before *before);

void finding_free(struct findings *f);

#endif
