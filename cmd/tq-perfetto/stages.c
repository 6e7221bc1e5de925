/* stages.c - operations of devices in Perfetto's model of a GPU */

#include "stages.h"
#include "tq/draw/args.h"
#include "tq/line/json.h"

/* fields of GpuRenderStageEvent */
enum {
	STAGE_ID = 1,
	STAGE_DURATION = 2,
	STAGE_CONTEXT = 5,
	STAGE_EXTRA = 6,
	STAGE_GPU = 11,
	STAGE_QUEUE = 13,
	STAGE_STAGE = 14,
	STAGE_KERNEL = 19,
	STAGE_NAME = 20,
	STAGE_LAUNCH = 21
};

/* fields of a launch, and of its arguments */
enum {
	LAUNCH_GRID = 1,
	LAUNCH_BLOCK = 2,
	LAUNCH_ARG = 3,
	ARG_NAME = 1,
	ARG_INT = 3,
	ARG_STRING = 6
};

enum { DESCRIBED = 256 }; /* devices, at most */

#define NO_FLOW ((uint64_t)1 << 62) /* ids of flows are below */

/*
 * All devices so far, in the order of their numbers, are written again when a
 * device comes, and when the sequence is renewed.
 */
void
stages_group(struct stages *s, const struct track_group *g)
{
	struct defined_name device;
	struct text *t;
	size_t start, packet, gpu;

	*map_get(&s->gpus, (uint64_t)g->pid, 0) = (uint64_t)++s->count;
	if (s->count > DESCRIBED)
		return;
	names_device(s->names, g->process, g->device, &device);
	gpu = proto_open(&s->infos, 1);
	proto_string(&s->infos, 1, g->title);
	if (device.name.len > 0)
		proto_string(&s->infos, 3, device.name);
	if (device.more.len > 0)
		proto_string(&s->infos, 7, device.more);
	proto_close(&s->infos, gpu);

	t = packets_describe(s->packets, &start);
	packet = proto_open(t, 1);
	proto_uint(t, PACKET_SEQUENCE, PACKETS_SEQUENCE);
	proto_bytes(t, PACKET_GPU_INFO, text_span(&s->infos));
	proto_close(t, packet);
	packets_described(s->packets, start);
}

/* ---- the launch ---- */

static void
add_sizes(struct text *b, unsigned field, struct span json)
{
	size_t size = proto_open(b, field);
	struct json j;
	struct span v;
	int64_t n;

	json_open_array(&j, json);
	for (unsigned i = 1; i <= 3 && json_next_element(&j, &v); i++)
		if (json_int(v, &n) && n >= 0 && n <= UINT32_MAX)
			proto_uint(b, i, (uint64_t)n);
	proto_close(b, size);
}

/* what Perfetto's pages about GPUs call a key */
static struct span
arg_name(enum key key)
{
	switch (key) {
	case KEY_regs:
		return SPAN("registers_per_thread");
	case KEY_smem_static:
		return SPAN("shared_mem_static");
	case KEY_smem_dynamic:
		return SPAN("shared_mem_dynamic");
	default:
		return args_name(key);
	}
}

static uint32_t
arg_number(struct stages *s, enum key key)
{
	if (s->epoch != s->packets->epoch) {
		s->epoch = s->packets->epoch;
		memset(s->args, 0, sizeof(s->args));
	}
	if (s->args[key] == 0)
		s->args[key] =
		    packets_intern(s->packets, LIST_ARG, arg_name(key));
	return s->args[key];
}

static void
add_arg(struct stages *s, const struct event *ev, enum key key)
{
	struct text *b = &s->packets->out->buf, decoded = {0};
	size_t arg = proto_open(b, LAUNCH_ARG);

	proto_uint(b, ARG_NAME, arg_number(s, key));
	if (schema_keys[key].type == TYPE_INT)
		proto_uint(b, ARG_INT, (uint64_t)event_int(ev, key, 0));
	else
		proto_string(b, ARG_STRING, event_str(ev, key, &decoded));
	proto_close(b, arg);
	text_free(&decoded);
}

/* a value that cannot be an argument of a launch, as JSON; the order of its
   members in the record does not matter */
static void
add_extra(struct text *b, struct span name, struct span json)
{
	size_t extra = proto_open(b, STAGE_EXTRA);
	struct text sorted = {0};

	args_add_sorted(&sorted, json);
	proto_string(b, 1, name);
	proto_string(b, 2, text_span(&sorted));
	proto_close(b, extra);
	text_free(&sorted);
}

static void
add_keys(struct stages *s, const struct event *ev, bool args)
{
	static const enum key without[] = {
	    KEY_kind, KEY_ts, KEY_dur, KEY_name, KEY_sym, KEY_grid, KEY_block};
	struct keyset keys = ev->has;

	for (size_t i = 0; i < sizeof(without) / sizeof(without[0]); i++)
		keyset_remove(&keys, without[i]);
	for (enum key key = keyset_next(&keys, 0); key != KEY_NONE;
	     key = keyset_next(&keys, key + 1)) {
		enum type type = schema_keys[key].type;
		bool is_arg = type == TYPE_INT || type == TYPE_STR;

		if (args && is_arg)
			add_arg(s, ev, key);
		else if (!args && !is_arg)
			add_extra(&s->packets->out->buf, arg_name(key),
			    ev->value[key]);
	}
}

static void
add_launch(struct stages *s, const struct event *ev)
{
	struct text *b = &s->packets->out->buf;
	size_t launch = proto_open(b, STAGE_LAUNCH);

	if (event_has(ev, KEY_grid))
		add_sizes(b, LAUNCH_GRID, ev->value[KEY_grid]);
	if (event_has(ev, KEY_block))
		add_sizes(b, LAUNCH_BLOCK, ev->value[KEY_block]);
	add_keys(s, ev, true);
	proto_close(b, launch);
	add_keys(s, ev, false);
	if (ev->unknown_count == 0)
		return;
	args_unknown(&s->unknown, ev);
	for (size_t i = 0; i < s->unknown.count; i++)
		add_extra(b, s->unknown.all[i].key, s->unknown.all[i].value);
}

/* ---- the event ---- */

/* a kernel is interned with its name and its full name */
static uint32_t
intern_kernel(struct stages *s, const struct sink_slice *slice)
{
	struct text key = {0};
	struct defined_name symbol;
	uint32_t number;

	names_symbol(
	    s->names, event_int(slice->event, KEY_sym, NO_ID), &symbol);
	text_add_span(&key, slice->name);
	text_add_char(&key, '\0');
	text_add_span(&key, symbol.more);
	number = packets_intern(s->packets, LIST_KERNEL, text_span(&key));
	text_free(&key);
	return number;
}

void
stages_open(struct stages *s, const struct sink_slice *slice)
{
	struct packets *p = s->packets;
	struct text *b = &p->out->buf;
	const struct track *track = slice->track;
	const uint64_t *gpu =
	    map_find(&s->gpus, (uint64_t)track->group->pid, 0);
	char digits[TEXT_INT_MAX];
	int64_t pid = track->group->process;

	s->event = proto_open(b, PACKET_RENDER_STAGE);
	proto_uint(b, STAGE_DURATION, (uint64_t)slice->dur);
	if (pid >= 0 && pid <= INT32_MAX)
		proto_uint(b, STAGE_CONTEXT,
		    packets_intern(p, LIST_CONTEXT,
			(struct span){digits,
			    (size_t)(text_digits_int(digits, pid) - digits)}));
	proto_uint(b, STAGE_GPU, gpu != NULL ? *gpu - 1 : 0);
	proto_uint(
	    b, STAGE_QUEUE, packets_intern(p, LIST_STAGE, track->row_name));
	proto_uint(b, STAGE_STAGE,
	    packets_intern(p, LIST_STAGE,
		span_of(schema_kinds[slice->event->kind].category)));
	proto_uint(b, STAGE_NAME,
	    packets_name(p, packets_name_home(p, slice->name), slice->name));
	if (slice->event->kind == KIND_kernel)
		proto_uint(b, STAGE_KERNEL, intern_kernel(s, slice));
	add_launch(s, slice->event);
}

void
stages_close(struct stages *s, uint64_t id)
{
	struct text *b = &s->packets->out->buf;

	proto_uint(b, STAGE_ID, id != 0 ? id : NO_FLOW + ++s->last);
	proto_close(b, s->event);
}

void
stages_free(struct stages *s)
{
	map_free(&s->gpus);
	text_free(&s->infos);
	args_free(&s->unknown);
}
