/* operation.c - communication operations of one rank */

#include <string.h>

#include "tq/base/ascii.h"
#include "tq/base/lower_bound.h"
#include "tq/io/opts.h"
#include "tq/line/json.h"
#include "tq/line/record_args.h"
#include "tq/names/api_call.h"
#include "tq/names/symbol_class.h"
#include "tq/ranks/operation.h"

enum { RANGES_MOST = 4096 };

struct span
operation_word(enum operation_kind kind)
{
	return opts_word_at(OPERATION_WORDS, (int)kind);
}

enum operation_kind
operation_kind_of(struct span word)
{
	int i = 0;

	while (i < OPERATION_KINDS &&
	       !span_eq(word, operation_word((enum operation_kind)i)))
		i++;
	return (enum operation_kind)i;
}

/* ---- names ---- */

/* Letters alone, small: "all_reduce", "AllReduce" and "allreduce" are one. */
static const struct {
	const char *letters;
	enum operation_kind kind;
} spellings[] = {
    {"allreduce", OPERATION_ALL_REDUCE},
    {"allgather", OPERATION_ALL_GATHER},
    {"reducescatter", OPERATION_REDUCE_SCATTER},
    {"barrier", OPERATION_BARRIER},
    {"alltoall", OPERATION_ALL_TO_ALL},
    {"broadcast", OPERATION_BROADCAST},
    {"scatter", OPERATION_SCATTER},
    {"reduce", OPERATION_REDUCE},
    {"gather", OPERATION_GATHER},
    {"sendrecv", OPERATION_UNKNOWN},
    {"generic", OPERATION_UNKNOWN},
    {"send", OPERATION_SEND},
    {"recv", OPERATION_RECEIVE},
};

/* the operation that a name begins with; OPERATION_KINDS: none */
static enum operation_kind
spelled(struct span name)
{
	char letters[32];
	size_t n = 0;

	while (name.len > 0 && *name.p == '_') /* _allgather_base */
		name = (struct span){name.p + 1, name.len - 1};
	for (size_t i = 0; i < name.len && n < sizeof(letters); i++) {
		char c = name.p[i];

		if (c >= 'A' && c <= 'Z')
			c = (char)(c | 32);
		if (c >= 'a' && c <= 'z')
			letters[n++] = c;
		else if (c != '_')
			break;
	}
	for (size_t i = 0; i < sizeof(spellings) / sizeof(*spellings); i++) {
		struct span s = span_of(spellings[i].letters);

		if (span_begins((struct span){letters, n}, s))
			return spellings[i].kind;
	}
	return OPERATION_KINDS;
}

/* ---- values of a source beside the name ---- */

/* a communicator is called by its name and then its ranks */
static void
take_name_of_group(struct operation_reader *o, struct span value)
{
	if (o->comm.len > 0)
		text_add_char(&o->comm, ' ');
	text_add_span(&o->comm, value);
}

static int64_t
bytes_of(struct span dtype)
{
	static const struct {
		const char *name;
		int64_t bytes;
	} types[] = {{"Double", 8}, {"Long", 8}, {"Float", 4}, {"Int", 4},
	    {"Half", 2}, {"BFloat16", 2}, {"Short", 2}, {"Byte", 1},
	    {"Char", 1}, {"Bool", 1}, {"ComplexFloat", 8},
	    {"ComplexDouble", 16}};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (span_eq(dtype, span_of(types[i].name)))
			return types[i].bytes;
	return NO_ID;
}

/* one member of the args of a kernel, decoded where it is a string */
static void
take_kernel_arg(struct operation_reader *o, struct rank_operation *op,
    struct span key, struct span value, int64_t *elements, int64_t *size)
{
	enum operation_kind kind;
	int64_t v = NO_ID;

	json_int(value, &v);
	if (span_eq(key, SPAN("Collective name"))) {
		kind = spelled(value);
		if (kind != OPERATION_KINDS)
			op->kind = kind;
	} else if (span_eq(key, SPAN("Process Group Name")) ||
		   span_eq(key, SPAN("Process Group Ranks"))) {
		take_name_of_group(o, value);
	} else if (span_eq(key, SPAN("Group size"))) {
		op->members = v;
	} else if (span_eq(key, SPAN("In msg nelems"))) {
		*elements = v;
	} else if (span_eq(key, SPAN("dtype"))) {
		*size = bytes_of(value);
	} else if (span_eq(key, SPAN("Root rank")) ||
		   span_eq(key, SPAN("Dst Rank")) ||
		   span_eq(key, SPAN("Src Rank"))) {
		op->peer = v;
	} else if (span_eq(key, SPAN("Rank"))) {
		op->me = v;
	} else if (span_eq(key, SPAN("Seq"))) {
		op->number = v;
	}
}

/* the value of a member: the bytes of a string, else its text */
static struct span
plain_value(struct operation_reader *o, struct span value)
{
	if (*value.p != '"')
		return value;
	o->scratch.len = 0;
	json_decode(&o->scratch, value);
	return text_span(&o->scratch);
}

static void
take_kernel_args(struct operation_reader *o, const struct event *ev,
    struct rank_operation *op)
{
	static const char *const names[] = {"Collective name",
	    "Process Group Name", "Process Group Ranks", "Group size",
	    "In msg nelems", "dtype", "Root rank", "Dst Rank", "Src Rank",
	    "Rank", "Seq"};
	enum { NAMES = sizeof(names) / sizeof(*names) };
	int64_t elements = NO_ID, size = NO_ID;
	struct span values[NAMES];

	o->comm.len = 0;
	if (!event_has(ev, KEY_args))
		return;
	record_args_find(ev, names, NAMES, values, &o->scratch);
	for (size_t i = 0; i < NAMES; i++)
		if (values[i].len > 0)
			take_kernel_arg(o, op, span_of(names[i]),
			    plain_value(o, values[i]), &elements, &size);
	op->comm = text_span(&o->comm);
	if (elements < 0 || size < 0 ||
	    __builtin_mul_overflow(elements, size, &op->bytes))
		op->bytes = NO_ID;
}

/* ---- ranges ---- */

/* one member of the payload of a range of NCCL */
static void
take_range_arg(struct operation_reader *o, struct operation_range *r,
    struct span key, struct span value)
{
	int64_t v = NO_ID;

	json_int(value, &v);
	if (span_eq(key, SPAN("NCCL communicator ID")) ||
	    span_eq(key, SPAN("Communicator hash")) ||
	    span_eq(key, SPAN("comm")))
		r->comm = intern_text(&o->texts, intern_get(&o->texts, value));
	else if (span_eq(key, SPAN("Message size [bytes]")) ||
		 span_eq(key, SPAN("bytes")))
		r->bytes = v >= 0 ? v : NO_ID;
	else if (span_eq(key, SPAN("Root")) || span_eq(key, SPAN("Peer rank")))
		r->peer = v;
	else if (span_eq(key, SPAN("No. of ranks")) ||
		 span_eq(key, SPAN("ranks")))
		r->members = v;
	else if (span_eq(key, SPAN("Rank")) || span_eq(key, SPAN("rank")))
		r->me = v;
}

static void
take_range_args(struct operation_reader *o, const struct event *ev,
    struct operation_range *r)
{
	struct text key = {0};
	struct span value;
	struct json j;

	if (!event_has(ev, KEY_args))
		return;
	json_open(&j, ev->value[KEY_args]);
	while (json_next(&j, &key, &value)) {
		struct json inner;
		struct text name = {0};
		struct span member;

		if (*value.p != '{') {
			take_range_arg(
			    o, r, text_span(&key), plain_value(o, value));
			continue;
		}
		json_open(&inner, value); /* the payload */
		while (json_next(&inner, &name, &member))
			take_range_arg(
			    o, r, text_span(&name), plain_value(o, member));
		text_free(&name);
	}
	text_free(&key);
}

static struct operation_group *
group_of(struct operation_reader *o, const struct event *ev)
{
	bool fresh;
	struct operation_group *g =
	    keyed_get(&o->groups, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		(uint64_t)event_int(ev, KEY_tid, NO_ID), &fresh);

	if (fresh)
		*g = (struct operation_group){.peer = NO_ID, .bytes = NO_ID};
	return g;
}

/*
 * ncclGroupEnd launches the operations named since ncclGroupStart: a message,
 * or one in each direction, if all have one peer; else an enclosing range may
 * name them.
 */
static void
take_group(struct operation_reader *o, const struct event *ev, struct span name,
    struct operation_range *r)
{
	const unsigned send = 1U << OPERATION_SEND,
		       receive = 1U << OPERATION_RECEIVE;
	struct operation_group *g = group_of(o, ev);
	enum api_role role = api_call_of(name).role;

	if (role == API_GROUP_START) {
		*g = (struct operation_group){.peer = NO_ID, .bytes = NO_ID};
	} else if (role == API_GROUP_END) {
		if (g->peers || g->peer == NO_ID)
			return;
		if (g->kinds == (send | receive))
			r->kind = OPERATION_SEND_RECEIVE;
		else if (g->kinds == send || g->kinds == receive)
			r->kind = g->kinds == send ? OPERATION_SEND
						   : OPERATION_RECEIVE;
		r->peer = g->peer;
		r->bytes = g->bytes;
	} else if (r->kind < OPERATION_KINDS) {
		g->peers |= g->kinds != 0 && g->peer != r->peer;
		g->kinds |= 1U << r->kind;
		g->peer = r->peer;
		g->bytes = r->bytes;
	}
}

static void
keep_range(struct operation_reader *o, const struct event *ev,
    const struct operation_range *r)
{
	bool fresh;
	struct operation_thread *t =
	    keyed_get(&o->threads, (uint64_t)event_int(ev, KEY_pid, NO_ID),
		(uint64_t)event_int(ev, KEY_tid, NO_ID), &fresh);

	if (fresh)
		*t = (struct operation_thread){0};
	if (t->count == RANGES_MOST) { /* the older half goes */
		t->count /= 2;
		memmove(t->all, t->all + t->count, t->count * sizeof(*t->all));
	}
	*array_add(&t->all, &t->count, &t->cap) = *r;
}

static void
take_range(struct operation_reader *o, const struct event *ev)
{
	struct operation_range r = {.ts = event_int(ev, KEY_ts, 0),
	    .bytes = NO_ID,
	    .peer = NO_ID,
	    .members = NO_ID,
	    .me = NO_ID};
	struct text scratch = {0};
	struct span name = event_str(ev, KEY_name, &scratch), word = name;

	/* "nccl:all_reduce, op_id = 7", "ncclAllReduce" */
	if (!symbol_class_cut_nccl(&word)) {
		text_free(&scratch);
		return;
	}
	r.kind = spelled(word);
	r.end = event_end(ev, r.ts);
	take_range_args(o, ev, &r);
	take_group(o, ev, name, &r);
	text_free(&scratch);
	keep_range(o, ev, &r);
}

static void
take_if(int64_t *to, int64_t v)
{
	if (*to == NO_ID)
		*to = v;
}

static void
ask_range(const struct operation_range *r, struct rank_operation *op)
{
	if (op->kind == OPERATION_KINDS)
		op->kind = r->kind;
	take_if(&op->bytes, r->bytes);
	take_if(&op->peer, r->peer);
	take_if(&op->members, r->members);
	take_if(&op->me, r->me);
	if (op->comm.len == 0)
		op->comm = r->comm;
}

/*
 * The operation by the ranges around the launching call, whatever their domain,
 * the innermost first.  A group launches operations named before in it, so that
 * ncclGroupEnd names none of its own, and an enclosing range may.
 */
static void
ask_ranges(struct operation_reader *o, const struct event *ev,
    struct rank_operation *op)
{
	enum { LOOKED_AT = 64 };
	int64_t at = event_int(ev, KEY_api_ts, NO_ID);
	const struct operation_thread *t = keyed_find(&o->threads,
	    (uint64_t)op->pid, (uint64_t)event_int(ev, KEY_tid, NO_ID));
	size_t i;

	if (at == NO_ID || t == NULL)
		return;
	LOWER_BOUND(i, 0, t->count, t->all[i].ts <= at);
	for (int n = 0; n < LOOKED_AT && i-- > 0; n++)
		if (t->all[i].end >= at)
			ask_range(&t->all[i], op);
}

/* ---- records ---- */

static bool
take_kernel(struct operation_reader *o, const struct event *ev,
    struct rank_operation *op)
{
	struct span name;
	enum operation_kind by_name;

	o->scratch.len = 0;
	name = event_str(ev, KEY_name, &o->scratch);
	if (!symbol_class_cut_nccl(&name))
		return false;
	by_name = spelled(name);
	take_kernel_args(o, ev, op);
	ask_ranges(o, ev, op);
	/* its own name has send, receive for one operation of a group */
	if (op->kind == OPERATION_KINDS)
		op->kind = by_name == OPERATION_KINDS ||
				   by_name == OPERATION_SEND ||
				   by_name == OPERATION_RECEIVE
			       ? OPERATION_UNKNOWN
			       : by_name;
	return true;
}

/* an operation of NCCL Inspector: a range with a communicator and a number */
static bool
take_inspected(struct operation_reader *o, const struct event *ev,
    struct rank_operation *op)
{
	struct operation_range r = {
	    .bytes = NO_ID, .peer = NO_ID, .members = NO_ID, .me = NO_ID};
	static const char *const name[] = {"sn"};
	struct span sn;

	if (!event_has(ev, KEY_args) || !event_has(ev, KEY_domain) ||
	    !event_is(ev, KEY_domain, SPAN("nccl")))
		return false;
	record_args_find(ev, name, 1, &sn, &o->scratch);
	if (sn.len == 0 || !json_int(sn, &op->number))
		return false;
	take_range_args(o, ev, &r);
	o->scratch.len = 0;
	op->kind = spelled(event_str(ev, KEY_name, &o->scratch));
	if (op->kind == OPERATION_KINDS)
		op->kind = OPERATION_UNKNOWN;
	o->comm.len = 0;
	text_add_span(&o->comm, r.comm);
	op->comm = text_span(&o->comm);
	op->bytes = r.bytes;
	op->members = r.members;
	op->me = r.me;
	op->peer = r.peer;
	return true;
}

void
operation_keys(struct keyset want[])
{
	static const enum key kernel[] = {KEY_ts, KEY_dur, KEY_pid, KEY_name,
	    KEY_tid, KEY_device, KEY_stream, KEY_api_ts, KEY_args};
	static const enum key range[] = {KEY_ts, KEY_dur, KEY_pid, KEY_tid,
	    KEY_name, KEY_open, KEY_domain, KEY_args};

	for (size_t i = 0; i < sizeof(kernel) / sizeof(*kernel); i++)
		keyset_add(&want[KIND_kernel], kernel[i]);
	for (size_t i = 0; i < sizeof(range) / sizeof(*range); i++)
		keyset_add(&want[KIND_range], range[i]);
}

void
operation_section(struct operation_reader *o)
{
	for (size_t i = 0; i < o->threads.count; i++)
		free(o->threads.all[i].all);
	keyed_clear(&o->threads);
	keyed_clear(&o->groups);
	intern_clear(&o->texts);
}

/* True if the name is one of NCCL, or the range may be of its Inspector. */
static bool
may_communicate(struct operation_reader *o, const struct event *ev)
{
	struct span name;

	if (ev->kind == KIND_range && event_has(ev, KEY_args))
		return true;
	o->scratch.len = 0;
	name = event_str(ev, KEY_name, &o->scratch);
	return symbol_class_cut_nccl(&name);
}

bool
operation_event(struct operation_reader *o, const struct event *ev,
    struct rank_operation *op)
{
	if ((ev->kind != KIND_kernel && ev->kind != KIND_range) ||
	    !may_communicate(o, ev))
		return false;
	*op = (struct rank_operation){.kind = OPERATION_KINDS,
	    .ts = event_int(ev, KEY_ts, NO_ID),
	    .dur = event_int(ev, KEY_dur, NO_ID),
	    .pid = event_int(ev, KEY_pid, NO_ID),
	    .device = event_int(ev, KEY_device, NO_ID),
	    .stream = event_int(ev, KEY_stream, NO_ID),
	    .members = NO_ID,
	    .me = NO_ID,
	    .bytes = NO_ID,
	    .peer = NO_ID,
	    .number = NO_ID};
	if (ev->kind == KIND_kernel)
		return op->ts != NO_ID && op->dur >= 0 &&
		       take_kernel(o, ev, op);
	if (op->ts != NO_ID && op->dur >= 0 && take_inspected(o, ev, op))
		return true;
	take_range(o, ev);
	return false;
}

void
operation_free(struct operation_reader *o)
{
	operation_section(o);
	keyed_free(&o->threads);
	keyed_free(&o->groups);
	intern_free(&o->texts);
	text_free(&o->comm);
	text_free(&o->scratch);
}
