/*
 * nccl_source.c - output of NCCL Inspector becomes a section
 *
 * It is objects one after the other: a header, metadata, and one of coll_perf,
 * p2p_perf, dump_stats.
 */

#include <inttypes.h>
#include <stdlib.h>

#include "operand.h"
#include "read/decimal_time.h"
#include "read/json_members.h"
#include "source.h"
#include "write/sorted_section.h"

struct nccl {
	struct sorted_section section; /* first: see sorted_section.h */
	struct value_reader reader;
	struct json_members object, header, metadata, perf;
	struct text version, args, scratch;
	int64_t ranges; /* that have an id */
};

/* an object that is an operation: its member, and the prefix of its keys */
static const struct nccl_type {
	const char *member, *name, *prefix, *start;
} types[] = {
    {"coll_perf", "coll", "coll_", "coll_start_ts"},
    {"p2p_perf", "p2p", "p2p_", "p2p_start_ts"},
};

enum { TYPES = sizeof(types) / sizeof(types[0]) };

/* more dropped operations than this are no count */
#define DROPPED_MAX ((int64_t)1 << 48)

/* members of args that are called otherwise than in the file */
static const char *const renamed[][2] = {{"msg_size_bytes", "bytes"},
    {"timing_source", "timing"}, {"algobw_gbs", "algobw"},
    {"busbw_gbs", "busbw"}, {"id", "comm"}, {"n_ranks", "ranks"},
    {"nnodes", "nodes"}};

static bool
detect(const struct source_input *in)
{
	struct span head = operand_head(in->from);

	return lenient_has_key(head, "header") &&
	       (lenient_has_key(head, "coll_perf") ||
		   lenient_has_key(head, "p2p_perf") ||
		   lenient_has_key(head, "dump_stats"));
}

/* ---- times ---- */

static bool
time_of(struct nccl *n, struct span text, int64_t *ns)
{
	return text.p != NULL && decimal_time(lenient_inner(text), DECIMAL_US,
				     ns, &n->section.rounded);
}

/* the earliest start of a kernel of the trace, or the operation's start */
static bool
traced_start(struct nccl *n, struct span trace, const char *start, int64_t *ts)
{
	struct span kernels, kernel;
	const char *at = NULL;
	int64_t first;
	bool any = false;

	if (trace.p == NULL)
		return false;
	kernels = lenient_find(trace, "kernel_events");
	while (kernels.p != NULL && lenient_element(kernels, &at, &kernel)) {
		if (!time_of(
			n, lenient_find(kernel, "kernel_start_ts"), &first) ||
		    first <= 0 || (any && first >= *ts))
			continue;
		*ts = first;
		any = true;
	}
	return any || (time_of(n, lenient_find(trace, start), ts) && *ts > 0);
}

/* ---- records ---- */

/* append the rest of m; keys lose the prefix */
static void
add_args(struct nccl *n, const struct json_members *m, const char *prefix)
{
	for (size_t i = 0; i < m->count; i++) {
		struct span key = m->all[i].key, cut = span_of(prefix);

		if (m->all[i].taken)
			continue;
		if (span_begins(key, cut))
			key = (struct span){key.p + cut.len, key.len - cut.len};
		for (size_t j = 0; j < sizeof(renamed) / sizeof(renamed[0]);
		     j++)
			if (span_eq(key, span_of(renamed[j][0])))
				key = span_of(renamed[j][1]);
		if (n->args.len > 0)
			text_add_char(&n->args, ',');
		lenient_write_string(&n->args, key);
		text_add_char(&n->args, ':');
		lenient_write(&n->args, m->all[i].value);
	}
}

static int64_t
int_in(struct span object, const char *name)
{
	int64_t v;

	return lenient_find_int(object, name, &v) ? v : NO_ID;
}

/* the process, whose rank is the one in its largest communicator */
static int64_t
take_process(struct nccl *n, struct span header)
{
	int64_t pid = json_members_take_int(&n->metadata, SPAN("pid"));
	struct span host = json_members_take(&n->metadata, SPAN("hostname"));

	n->scratch.len = 0;
	if (host.p != NULL)
		lenient_decode(&n->scratch, lenient_inner(host));
	if (pid != NO_ID)
		task_names_rank(&n->section.tasks, pid, text_span(&n->scratch),
		    int_in(header, "rank"), int_in(header, "n_ranks"));
	return pid;
}

/* when it was printed becomes its end, where its start is not known */
static bool
take_times(struct nccl *n, const struct nccl_type *type, struct span perf,
    int64_t *ts, int64_t *dur)
{
	struct span printed =
	    json_members_take(&n->metadata, SPAN("dump_timestamp_us"));

	n->scratch.len = 0;
	text_printf(&n->scratch, "%sexec_time_us%c", type->prefix, '\0');
	if (!time_of(
		n, json_members_take(&n->perf, span_of(n->scratch.p)), dur))
		return false;
	if (traced_start(
		n, lenient_find(perf, "event_trace_ts"), type->start, ts))
		return true;
	text_add_str(&n->args, "\"ts\":\"dump\"");
	return time_of(n, printed, ts) &&
	       !__builtin_sub_overflow(*ts, *dur, ts);
}

static void
take_operation(struct nccl *n, const struct nccl_type *type, struct span perf,
    struct span header)
{
	struct sorted_records *h = &n->section.records;
	int64_t ts, dur, pid = take_process(n, header);
	struct span name;

	json_members_read(&n->perf, perf);
	n->args.len = 0;
	if (!take_times(n, type, perf, &ts, &dur)) {
		event_counts_lose(&n->section.counts, EVENT_LOST_NO_TIME);
		return;
	}
	name = json_members_take(&n->perf, span_of(type->name));
	sorted_section_begin(&n->section, KIND_range, ts, dur);
	sorted_records_int(h, KEY_pid, pid);
	sorted_records_value(h, KEY_name, name);
	sorted_records_int(h, KEY_id, ++n->ranges);
	sorted_records_str(h, KEY_mode, SPAN("start"));
	sorted_records_str(h, KEY_domain, SPAN("nccl"));
	add_args(n, &n->header, "");
	add_args(n, &n->perf, type->prefix);
	sorted_records_args(h, text_span(&n->args));
	sorted_section_end(&n->section);
}

/* how many operations the plugin has dropped */
static void
take_stats(struct nccl *n, struct span stats)
{
	static const char *const names[] = {
	    "coll_dropped_since_last_dump", "p2p_dropped_since_last_dump"};
	struct event_counts *counts = &n->section.counts;

	counts->now->folded++;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int64_t dropped = int_in(stats, names[i]);

		if (dropped > 0 && dropped <= DROPPED_MAX)
			event_counts_lose_more(
			    counts, EVENT_LOST_DROPPED, dropped);
	}
}

static void
take_version(struct nccl *n)
{
	struct span version = json_members_take(
	    &n->metadata, SPAN("inspector_output_format_version"));

	if (version.p == NULL || n->version.len > 0)
		return;
	lenient_decode(&n->version, lenient_inner(version));
}

static void
take_object(struct nccl *n, struct span object)
{
	struct event_counts *counts = &n->section.counts;
	struct span header, stats;

	json_members_read(&n->object, object);
	header = json_members_take(&n->object, SPAN("header"));
	json_members_read(&n->header, header);
	json_members_read(
	    &n->metadata, json_members_take(&n->object, SPAN("metadata")));
	take_version(n);
	for (int i = 0; i < TYPES; i++) {
		struct span perf =
		    json_members_take(&n->object, span_of(types[i].member));

		if (perf.p != NULL) {
			event_counts_begin(counts, span_of(types[i].member));
			take_operation(n, &types[i], perf, header);
			return;
		}
	}
	stats = json_members_take(&n->object, SPAN("dump_stats"));
	event_counts_begin(
	    counts, stats.p != NULL ? SPAN("dump_stats") : SPAN("?"));
	if (stats.p != NULL)
		take_stats(n, stats);
	else
		event_counts_lose(counts, *object.p == '{'
					      ? EVENT_LOST_NO_TYPE
					      : EVENT_LOST_NO_OBJECT);
}

/* ---- the source ---- */

static void *
open_nccl(const struct source_input *in)
{
	struct nccl *n = mem_alloc(sizeof(*n));
	struct span object;

	sorted_section_open(&n->section, &nccl_source, in);
	value_reader_open(&n->reader, in->from);
	while (sorted_section_next(&n->section, &n->reader, &object))
		take_object(n, object);
	return n;
}

static void
definitions(void *nccl)
{
	const struct nccl *n = nccl;
	const struct sorted_section *s = &n->section;

	struct trace_record t = {
	    .schema = text_span(&n->version), .origin_utc = &s->records.first};

	if (s->tasks.processes.count == 1 &&
	    s->tasks.processes.all[0].rank != NO_ID)
		t.rank = &s->tasks.processes.all[0].rank;
	sorted_section_trace(s, &t);
	task_names_write(&s->tasks, s->frames);
}

static void
close_nccl(void *nccl)
{
	struct nccl *n = nccl;

	value_reader_close(&n->reader);
	sorted_section_free(&n->section);
	json_members_free(&n->object);
	json_members_free(&n->header);
	json_members_free(&n->metadata);
	json_members_free(&n->perf);
	text_free(&n->version);
	text_free(&n->args);
	text_free(&n->scratch);
	free(n);
}

const struct source nccl_source = {
    .name = "nccl",
    .about = "NCCL Inspector: collectives and messages of a rank",
    .detect = detect,
    .open = open_nccl,
    .definitions = definitions,
    .count = sorted_section_count,
    .records = sorted_section_records,
    .check = sorted_section_check,
    .close = close_nccl,
};
