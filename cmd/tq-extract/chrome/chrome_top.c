/* chrome_top.c - a trace without its events */

#include <inttypes.h>
#include <stdlib.h>

#include "chrome_top.h"
#include "tq/io/emit.h"
#include "tq/ranks/mesh.h"
#include "tq/ranks/rank_name.h"
#include "write/definition_writer.h"

/*
 * ---- the coordinates of a rank ----
 *
 * They come from the process groups that torch.distributed had when the
 * profiler began:
 *
 *	distributedInfo = {"rank":N,"world_size":N,"pg_config":[GROUP,...],...}
 *	GROUP = {"pg_desc":TEXT,"pg_size":N,"ranks":[N,...],...}
 */

/* Descriptions of groups: of Megatron-LM, of torch's device meshes and of who
   names a group by the axis. */
static const struct {
	const char *text;
	enum mesh_axis axis;
} descriptions[] = {
    {"DATA_PARALLEL_GROUP", MESH_DP},
    {"PIPELINE_MODEL_PARALLEL_GROUP", MESH_PP},
    {"CONTEXT_PARALLEL_GROUP", MESH_CP},
    {"TENSOR_MODEL_PARALLEL_GROUP", MESH_TP},
    {"EXPERT_MODEL_PARALLEL_GROUP", MESH_EP},
};

static enum mesh_axis
axis_of(struct span description)
{
	static const struct span mesh = {"mesh_", 5};

	for (size_t i = 0; i < sizeof(descriptions) / sizeof(*descriptions);
	     i++)
		if (span_eq(description, span_of(descriptions[i].text)))
			return descriptions[i].axis;
	if (span_begins(description, mesh)) {
		description.p += mesh.len;
		description.len -= mesh.len;
	}
	return mesh_axis_of(description);
}

/* what groups say of an axis */
struct group_place {
	struct span ranks; /* of the first group; p is NULL without one */
	int64_t at;        /* the place of the rank among them */
	bool ambiguous;
};

/* an integer member, or NO_ID */
static int64_t
int_member(struct span object, const char *key)
{
	int64_t v;

	return lenient_find_int(object, key, &v) ? v : NO_ID;
}

/* The place of the rank in a group, NO_ID where it has none; and the size. */
static int64_t
place_in(struct span ranks, int64_t rank, int64_t *size)
{
	struct span value;
	const char *at = NULL;
	int64_t place = NO_ID, v;

	*size = 0;
	while (lenient_element(ranks, &at, &value)) {
		if (lenient_int(value, &v) && v == rank)
			place = *size;
		++*size;
	}
	return place;
}

static void
take_group(
    struct group_place *known, struct span group, int64_t rank, int64_t world)
{
	struct span description = lenient_find(group, "pg_desc");
	struct span ranks = lenient_find(group, "ranks");
	int64_t at, size;
	enum mesh_axis axis;

	if (description.p == NULL || ranks.p == NULL)
		return;
	axis = axis_of(lenient_inner(description));
	at = place_in(ranks, rank, &size);
	if (axis == MESH_AXES || at == NO_ID)
		return;
	known += axis;
	if (size < 2 || size == world || size != int_member(group, "pg_size") ||
	    (known->ranks.p != NULL && !span_eq(known->ranks, ranks)))
		known->ambiguous = true;
	known->ranks = ranks;
	known->at = at;
}

/*
 * Of a group that a description gives an axis, the place of the rank in it.  A
 * group says nothing that has one rank or all of the world, or not as many as
 * its size, or where two groups of the rank with that axis differ.
 */
static struct mesh
rank_mesh(struct span info, int64_t rank)
{
	struct span groups = lenient_find(info, "pg_config"), group;
	int64_t world = int_member(info, "world_size");
	struct group_place known[MESH_AXES] = {0};
	const char *at = NULL;
	struct mesh m = {0};

	while (groups.p != NULL && lenient_element(groups, &at, &group))
		take_group(known, group, rank, world);
	for (int i = 0; i < MESH_AXES; i++)
		if (known[i].ranks.p != NULL && !known[i].ambiguous)
			mesh_set(&m, i, known[i].at);
	return m;
}

/* ---- reading ---- */

static bool
is_scalar(struct span value)
{
	return *value.p != '{' && *value.p != '[';
}

/* a member goes to the args of the trace record */
static void
keep_arg(struct chrome_top *t, struct span key, struct span value)
{
	if (t->args.len > 0)
		text_add_char(&t->args, ',');
	lenient_write_string(&t->args, key);
	text_add_char(&t->args, ':');
	lenient_write(&t->args, value);
}

/* lines of a log: severity and text, each with a NUL behind it */
static void
keep_messages(struct chrome_top *t, const char *severity, struct span value)
{
	const char *at = NULL;
	struct span line;

	while (lenient_element(value, &at, &line)) {
		text_add(&t->messages, severity, strlen(severity) + 1);
		lenient_write_string(&t->messages, lenient_inner(line));
		text_add_char(&t->messages, '\0');
	}
}

static void
take_rank(struct chrome_top *t, struct span info)
{
	if (lenient_find_int(info, "rank", &t->rank))
		t->has_rank = true;
}

/* a value to be scanned again, which needs padding behind it */
static void
keep_text(struct text *t, struct span value)
{
	t->len = 0;
	text_add_span(t, value);
	memset(text_reserve(t, LENIENT_PADDING), 0, LENIENT_PADDING);
}

static void
take_integer(
    struct chrome_top *t, struct span key, struct span value, int64_t *to)
{
	if (!lenient_int(value, to))
		keep_arg(t, key, value);
}

void
chrome_top_take(struct chrome *c)
{
	static const char *const severities[][2] = {
	    {"INFO", "info"}, {"WARNING", "warning"}, {"ERROR", "error"}};
	struct chrome_top *t = &c->top;
	struct span key = c->reader.key, value = c->reader.value;

	for (size_t i = 0; i < 3; i++)
		if (span_eq(key, span_of(severities[i][0])))
			keep_messages(t, severities[i][1], value);
	if (span_eq(key, SPAN("schemaVersion"))) {
		t->kineto = true;
		keep_text(&t->schema, lenient_inner(value));
	} else if (span_eq(key, SPAN("deviceProperties"))) {
		t->kineto = true;
		keep_text(&t->devices, value);
	} else if (span_eq(key, SPAN("stackFrames"))) {
		keep_text(&t->frames, value);
	} else if (span_eq(key, SPAN("baseTimeNanoseconds"))) {
		t->has_base = lenient_int(value, &t->base);
	} else if (span_eq(key, SPAN("cuda_runtime_version"))) {
		take_integer(t, key, value, &t->cuda);
	} else if (span_eq(key, SPAN("cupti_version"))) {
		take_integer(t, key, value, &t->cupti);
	} else if (span_eq(key, SPAN("hip_runtime_version"))) {
		take_integer(t, key, value, &t->hip);
	} else if (span_eq(key, SPAN("distributedInfo"))) {
		take_rank(t, value);
		if (t->has_rank)
			t->mesh = rank_mesh(value, t->rank);
		keep_arg(t, key, value);
	} else if (is_scalar(value)) {
		keep_arg(t, key, value);
	}
}

void
chrome_top_messages(struct chrome *c)
{
	struct sorted_records *h = &c->section.records;
	struct span all = text_span(&c->top.messages), severity, line;
	static struct chrome_count none;

	c->count = &none; /* they are no events of the file */
	for (size_t at = 0; at < all.len;) {
		severity = span_of(all.p + at);
		line = span_of(severity.p + severity.len + 1);
		at = (size_t)(line.p + line.len + 1 - all.p);
		chrome_records_begin(
		    c, &(struct chrome_record){.kind = KIND_diagnostic,
			   .ts = sorted_records_origin(h),
			   .dur = NO_ID,
			   .pid = NO_ID,
			   .corr = NO_ID,
			   .owner = OWNER_CALLER});
		sorted_records_value(h, KEY_severity, severity);
		sorted_records_json(h, KEY_text, line);
		sorted_records_end(h);
	}
}

/* ---- writing ---- */

enum {
	CUDA_MAJOR = 1000,
	CUDA_MINOR = 10,
	HIP_MAJOR = 10000000,
	HIP_MINOR = 100000
};

/* ns; times of Kineto's beyond it are since 1970 */
#define UTC_LEAST ((int64_t)1000000000000000000)

/* versions of interfaces, in *s */
static struct span
producer_of(const struct chrome_top *t, struct text *s)
{
	if (t->hip > 0)
		text_printf(s, "hip %" PRId64 ".%" PRId64 ".%" PRId64 " ",
		    t->hip / HIP_MAJOR, t->hip % HIP_MAJOR / HIP_MINOR,
		    t->hip % HIP_MINOR);
	if (t->cuda > 0)
		text_printf(s, "cuda %" PRId64 ".%" PRId64 " ",
		    t->cuda / CUDA_MAJOR, t->cuda % CUDA_MAJOR / CUDA_MINOR);
	if (t->cupti > 0)
		text_printf(s, "cupti %" PRId64 " ", t->cupti);
	return (struct span){s->p, s->len > 0 ? s->len - 1 : 0};
}

/* the UTC of time 0; false where it is not known */
static bool
find_utc(const struct chrome *c, int64_t *utc)
{
	const struct chrome_top *t = &c->top;
	int64_t origin = sorted_records_origin(&c->section.records);

	if (!t->has_base && (!t->kineto || origin < UTC_LEAST))
		return false;
	return !__builtin_add_overflow(t->has_base ? t->base : 0, origin, utc);
}

const char *
chrome_top_source(const struct chrome *c)
{
	return c->top.kineto ? "kineto" : c->ids.xprof ? "xprof" : "chrome";
}

static void
write_trace(struct chrome *c)
{
	const struct chrome_top *t = &c->top;
	struct text producer = {0};
	int64_t utc;
	struct trace_record r = {.source = span_of(chrome_top_source(c)),
	    .producer = producer_of(t, &producer),
	    .schema = text_span(&t->schema),
	    .origin_utc = find_utc(c, &utc) ? &utc : NULL,
	    .rank = t->has_rank ? &t->rank : NULL,
	    .mesh = &t->mesh,
	    .args = text_span(&t->args)};

	definition_writer_trace(c->section.frames, &r);
	text_free(&producer);
}

/* the members of a device that are keys of ours */
static bool
is_device_key(struct span name)
{
	static const char *const names[] = {"id", "name", "totalGlobalMem",
	    "numSms", "computeMajor", "computeMinor"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (span_eq(name, span_of(names[i])))
			return true;
	return false;
}

static void
write_device_args(struct output *o, struct span device)
{
	struct lenient l = {device.p + device.len, false};
	struct span key, value;
	const char *p = device.p + 1;
	bool any = false;

	while ((p = lenient_member(&l, p, &key, &value)) != NULL &&
	       key.p != NULL) {
		if (is_device_key(key))
			continue;
		if (!any)
			emit_key(o, KEY_args);
		text_add_char(&o->buf, any ? ',' : '{');
		any = true;
		lenient_write_string(&o->buf, key);
		text_add_char(&o->buf, ':');
		lenient_write(&o->buf, value);
	}
	if (any)
		text_add_char(&o->buf, '}');
}

static void
write_member_int(
    struct output *o, struct span device, const char *name, enum key key)
{
	int64_t v;

	if (lenient_find_int(device, name, &v))
		emit_int(o, key, v);
}

static void
write_device(struct chrome *c, struct span device, int64_t pid)
{
	struct output *o = c->section.frames;
	struct span name = lenient_find(device, "name");
	struct span major = lenient_find(device, "computeMajor");
	struct span minor = lenient_find(device, "computeMinor");
	int64_t x, y;

	emit_open(o, KIND_device);
	if (pid != NO_ID)
		emit_int(o, KEY_pid, pid);
	if (name.p != NULL) {
		emit_key(o, KEY_name);
		lenient_write_string(&o->buf, lenient_inner(name));
	}
	write_member_int(o, device, "id", KEY_device);
	write_member_int(o, device, "numSms", KEY_sms);
	write_member_int(o, device, "totalGlobalMem", KEY_memory);
	if (major.p != NULL && minor.p != NULL && lenient_int(major, &x) &&
	    lenient_int(minor, &y)) {
		emit_key(o, KEY_cc);
		text_printf(&o->buf, "\"%" PRId64 ".%" PRId64 "\"", x, y);
	}
	if (c->top.hip > 0 || c->top.cuda > 0)
		emit_str(o, KEY_vendor,
		    c->top.hip > 0 ? SPAN("AMD") : SPAN("NVIDIA"));
	write_device_args(o, device);
	emit_close(o);
}

static void
write_devices(struct chrome *c)
{
	struct span devices = text_span(&c->top.devices), device;
	const char *at = NULL;

	while (devices.len > 0 && lenient_element(devices, &at, &device))
		if (*device.p == '{')
			write_device(
			    c, device, c->ids.merged ? NO_ID : c->ids.host);
}

static void
write_symbols(struct chrome *c)
{
	struct output *o = c->section.frames;

	for (size_t i = 0; i < c->symbol_count; i++) {
		emit_open(o, KIND_symbol);
		emit_json(o, KEY_name, c->symbol_of[i].base);
		emit_int(o, KEY_id, (int64_t)i + 1);
		emit_key(o, KEY_demangled);
		lenient_write_string(
		    &o->buf, intern_text(&c->symbols, (uint32_t)i));
		emit_close(o);
	}
}

static void
write_counters(struct chrome *c)
{
	struct output *o = c->section.frames;

	for (size_t i = 0; i < c->counters.count; i++) {
		emit_open(o, KIND_counterdef);
		emit_str(o, KEY_name, intern_text(&c->counters, (uint32_t)i));
		emit_int(o, KEY_id, (int64_t)i + 1);
		emit_close(o);
	}
}

/* ---- stacks ---- */

/* a frame of the member stackFrames */
struct chrome_frame {
	struct span name, parent; /* inner texts */
};

struct chrome_frames {
	struct intern ids;
	struct chrome_frame *all; /* by number of their id */
	size_t count, cap;
};

static void
read_frames(struct chrome_frames *f, struct span object)
{
	struct lenient l;
	struct span id, value;
	const char *p;

	if (object.len == 0 || *object.p != '{')
		return;
	l = (struct lenient){object.p + object.len, false};
	p = object.p + 1;
	while (
	    (p = lenient_member(&l, p, &id, &value)) != NULL && id.p != NULL) {
		struct span name = lenient_find(value, "name");
		struct span parent = lenient_find(value, "parent");
		uint32_t n = intern_get(&f->ids, id);

		if (n == f->count)
			(void)array_add(&f->all, &f->count, &f->cap);
		f->all[n] = (struct chrome_frame){
		    name.p != NULL ? lenient_inner(name) : SPAN(""),
		    parent.p != NULL ? lenient_inner(parent) : parent};
	}
}

/* the names of a frame and its parents, the leaf first; they may not end */
static void
add_chain(struct text *to, const struct chrome_frames *f, struct span id)
{
	uint32_t n = intern_find(&f->ids, id);

	for (size_t steps = 0; n != INTERN_NONE && steps < f->count; steps++) {
		if (steps > 0)
			text_add_char(to, ',');
		lenient_write_string(to, f->all[n].name);
		if (f->all[n].parent.p == NULL)
			return;
		n = intern_find(&f->ids, f->all[n].parent);
	}
}

/* frames that stand in an event: an array of strings, as JSON */
static void
add_array(struct text *to, struct span array)
{
	const char *at = NULL;
	struct text padded = {0};
	struct span frame;
	bool any = false;

	keep_text(&padded, array);
	while (lenient_element(text_span(&padded), &at, &frame)) {
		if (any)
			text_add_char(to, ',');
		any = true;
		lenient_write_string(to, lenient_inner(frame));
	}
	text_free(&padded);
}

static void
write_stacks(struct chrome *c)
{
	struct chrome_frames f = {0};
	struct text names = {0};

	if (c->stacks.count > 0)
		read_frames(&f, text_span(&c->top.frames));
	for (size_t i = 0; i < c->stacks.count; i++) {
		struct span key = intern_text(&c->stacks, (uint32_t)i);

		names.len = 0;
		if (key.len > 0 && *key.p == '[')
			add_array(&names, key);
		else
			add_chain(&names, &f, key);
		definition_writer_stack(
		    c->section.frames, (int64_t)i + 1, text_span(&names));
	}
	text_free(&names);
	intern_free(&f.ids);
	free(f.all);
}

/* What the name of the file says stands behind what the profiler does. */
static void
take_name(struct chrome_top *t, const char *name)
{
	struct rank_name n = rank_name_read(name);

	mesh_join(&t->mesh, &n.mesh);
	if (t->has_rank || n.rank == NO_ID)
		return;
	t->rank = n.rank;
	t->has_rank = true;
}

void
chrome_top_write(struct chrome *c)
{
	take_name(&c->top, c->section.name);
	write_trace(c);
	chrome_ids_write(&c->ids, c->section.frames,
	    c->top.has_rank ? c->top.rank : NO_ID, &c->top.mesh);
	write_devices(c);
	write_symbols(c);
	write_counters(c);
	write_stacks(c);
}

void
chrome_top_free(struct chrome_top *t)
{
	text_free(&t->schema);
	text_free(&t->devices);
	text_free(&t->frames);
	text_free(&t->args);
	text_free(&t->messages);
}
