/*
 * pftrace.h - a trace of Perfetto, while it becomes records
 *
 * Packets have no order, ends of slices are events of their own, and a track
 * may be described behind its events.  So an event is taken apart when it is
 * read, since interned data may change behind it, and waits in a sorter; then
 * slices are made of begins and ends, and records of slices.
 */
#ifndef PFTRACE_H
#define PFTRACE_H

#include "annotations.h"
#include "described_tracks.h"
#include "packet_reader.h"
#include "sequence.h"
#include "write/open_ranges.h"
#include "write/sorted_section.h"
#include "write/stack_list.h"

/* types of track events, and of packets that become one */
enum pftrace_type {
	PFTRACE_NO_TYPE,
	PFTRACE_BEGIN,
	PFTRACE_END,
	PFTRACE_INSTANT,
	PFTRACE_COUNTER,
	PFTRACE_STATE,
	PFTRACE_STAGE /* a render stage, which has a duration */
};

/* how many packets of a field and type became what */
struct pftrace_count {
	uint32_t field;
	enum pftrace_type type;
	struct event_count n;
};

struct pftrace_symbol {
	struct span name; /* of the first kernel that has it */
};

/* a stream, by its operations and the name of their track */
struct pftrace_stream {
	int64_t pid, device, context, stream;
	struct span name, flags;
};

struct pftrace {
	struct sorted_section section; /* first: see sorted_section.h */
	struct packet_reader packets;
	struct sequences sequences;
	struct described_tracks tracks;
	struct extensions extensions;
	KEYED(struct pftrace_count) counts;

	struct sorter *events; /* lines of event_line.h */
	struct text line;
	struct open_ranges open; /* by track: lines of begins */
	KEYED(uint64_t) rows;    /* ids of these tracks */

	struct stack_list stacks;
	struct intern symbols, counters;
	struct pftrace_symbol *symbol_of;
	size_t symbol_count, symbol_cap;
	struct span *units; /* of counters */
	size_t unit_count, unit_cap;
	struct map stream_paths;
	KEYED(struct pftrace_stream) streams;
	struct map flows;             /* ids that were seen */
	struct region texts, scratch; /* scratch: of a record */
	struct text args, parts[4];   /* of a record; of an event */
	int64_t ranges;               /* that got an id */
};

/* The row of --check for packets with a field. */
struct pftrace_count *pftrace_count(
    struct pftrace *p, uint32_t field, enum pftrace_type type);

/* An event of such packets is lost. */
void pftrace_lose(struct pftrace *p, uint32_t field, enum pftrace_type type,
    enum event_loss why);

#endif
