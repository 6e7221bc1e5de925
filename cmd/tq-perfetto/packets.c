/* packets.c - a sequence of packets */

#include <stdlib.h>

#include "fields.h"
#include "packets.h"
#include "tq/base/array.h"
#include "tq/draw/args.h"
#include "tq/draw/category.h"
#include "tq/line/json.h"

enum {
	RENEW = 8 << 20, /* bytes of output */
	SHARE = 8,       /* descriptions are less than 1/8 of the output */
	VALUES = 512,    /* in the enumeration: each costs a reader time */
	VALUE_MAX = 1024 /* bytes of one */
};

/* the numbers of a list begin behind the fixed ones */
static const uint32_t fixed_numbers[LISTS] = {
    [LIST_CATEGORY] = CATEGORIES,
    [LIST_KEY] = KEY_COUNT,
};

static void
add_interned(struct text *t, unsigned field, uint32_t number, struct span s)
{
	size_t entry = proto_open(t, field);

	proto_uint(t, 1, number);
	proto_string(t, 2, s);
	proto_close(t, entry);
}

/* strings with fixed numbers */
static void
fix_interned(struct text *t)
{
	size_t interned = proto_open(t, PACKET_INTERNED);

	for (uint32_t i = 0; i < CATEGORIES; i++)
		add_interned(
		    t, INTERNED_CATEGORIES, i + 1, span_of(category_name(i)));
	for (uint32_t i = 0; i < KEY_COUNT; i++)
		add_interned(t, INTERNED_KEYS, i + 1, args_name((enum key)i));
	proto_close(t, interned);
}

static void
fix_clock(struct text *t, unsigned id, int64_t ts, bool is_incremental)
{
	enum { IS_INCREMENTAL = 3 };
	size_t clock = proto_open(t, 1);

	proto_uint(t, 1, id);
	proto_uint(t, 2, (uint64_t)ts);
	if (is_incremental)
		proto_uint(t, IS_INCREMENTAL, 1);
	proto_close(t, clock);
}

/* the default clock of the sequence */
static void
fix_default(struct text *t, unsigned clock)
{
	size_t message = proto_open(t, PACKET_DEFAULTS);

	proto_uint(t, PACKET_CLOCK, clock);
	proto_close(t, message);
}

/* the beginnings of all clocks */
static void
fix_clocks(struct text *t, int64_t utc)
{
	size_t message = proto_open(t, PACKET_CLOCK_SNAPSHOT);

	fix_clock(t, PACKETS_ABSOLUTE, 0, false);
	fix_clock(t, PACKETS_RELATIVE, 0, true);
	if (utc != SINK_NO_UTC)
		fix_clock(t, PACKETS_UTC, utc, false);
	proto_close(t, message);
	fix_default(t, PACKETS_RELATIVE);
}

void
packets_init(struct packets *p, struct output *out)
{
	memset(p, 0, sizeof(*p)); /* it is large */
	p->out = out;
}

void
packets_free(struct packets *p)
{
	for (size_t i = 0; i < LISTS; i++)
		intern_free(&p->lists[i]);
	intern_free(&p->long_names);
	free(p->long_numbers);
	text_free(&p->fresh);
	text_free(&p->fixed);
	text_free(&p->described);
	intern_free(&p->values);
	text_free(&p->value_list);
}

/* the extension of track events, or only its new values */
static void
write_fields(struct packets *p, bool only_values)
{
	struct text *b = &p->out->buf;
	struct span values = text_span(&p->value_list);
	size_t packet = proto_open(b, 1);

	if (only_values) {
		values.p += p->values_described;
		values.len -= p->values_described;
	}
	proto_uint(b, PACKET_SEQUENCE, PACKETS_SEQUENCE);
	fields_describe(b, values, only_values);
	proto_close(b, packet);
	p->values_described = p->value_list.len;
}

static void
forget_strings(struct packets *p)
{
	for (size_t i = 0; i < LISTS; i++)
		intern_clear(&p->lists[i]);
	intern_clear(&p->long_names);
	p->long_count = 0;
	p->last_name = 0;
	p->string_bytes = 0;
	memset(p->names, 0, sizeof(p->names));
}

enum { CLEARED = 1 }; /* flag of a packet that clears the state */

/* clear the state, and write the part of it that is fixed */
static void
renew(struct packets *p)
{
	struct text *b = &p->out->buf;
	size_t packet = proto_open(b, 1);

	proto_uint(b, PACKET_SEQUENCE, PACKETS_SEQUENCE);
	proto_uint(b, PACKET_FLAGS, CLEARED);
	text_add_span(b, text_span(&p->fixed));
	if (p->epoch == 0)
		proto_uint(b, PACKET_FIRST, 1);
	proto_close(b, packet);
	write_fields(p, false);
	text_add_span(b, text_span(&p->described));
	forget_strings(p);
	p->renewed = p->out->bytes + (int64_t)b->len;
	p->epoch++;
	p->clock = 0;
	p->end_head_len = 0;
}

void
packets_begin(struct packets *p, int64_t utc)
{
	fix_interned(&p->fixed);
	fix_clocks(&p->fixed, utc);
	renew(p);
}

void
packets_section(struct packets *p)
{
	p->described.len = 0;
	renew(p);
}

char *
packets_put_far(char *q, int64_t ts, int64_t clock)
{
	if (ts >= clock)
		return proto_put(q, (uint64_t)(ts - clock));
	q = proto_put(q, (uint64_t)ts);
	q = proto_put_tag(q, PACKET_CLOCK, PROTO_VARINT);
	*q++ = PACKETS_ABSOLUTE;
	return q;
}

/* their clock is 0 at the time of the latest packet, so below 0 at 0 */
void
packets_begin_ends(struct packets *p)
{
	struct text *b = &p->out->buf;
	unsigned sequence = PACKETS_ENDS + p->epoch / PACKETS_CLOCKS;
	unsigned clock = PACKETS_RELATIVE + p->epoch % PACKETS_CLOCKS;
	size_t packet = proto_open(b, 1), snapshot;
	char *q;

	proto_uint(b, PACKET_SEQUENCE, sequence);
	proto_uint(b, PACKET_FLAGS, CLEARED);
	snapshot = proto_open(b, PACKET_CLOCK_SNAPSHOT);
	fix_clock(b, PACKETS_ABSOLUTE, 0, false);
	fix_clock(b, clock, -p->clock, false);
	proto_close(b, snapshot);
	fix_default(b, clock);
	proto_close(b, packet);

	p->end_clock = p->clock;
	q = proto_put_open(p->end_head, 1);
	q = proto_put_tag(q, PACKET_SEQUENCE, PROTO_VARINT);
	p->end_head_len = (size_t)(proto_put(q, sequence) - p->end_head);
}

void
packets_long_end(struct packets *p, struct span event, int64_t ts)
{
	struct text *b = &p->out->buf;
	size_t start;

	if (p->end_head_len == 0)
		packets_begin_ends(p);
	start = b->len + PACKETS_LENGTH + 1;
	text_add(b, p->end_head, p->end_head_len);
	text_add_span(b, event);
	text_end(b,
	    packets_put_time(text_reserve(b, PACKETS_HEAD), ts, p->end_clock));
	proto_close(b, start);
}

/* the last packet, from start on, goes behind the new values */
static void
put_values_before(struct packets *p, size_t start)
{
	struct text *b = &p->out->buf, packet = {0};

	text_add(&packet, b->p + start, b->len - start);
	b->len = start;
	write_fields(p, true);
	text_add_span(b, text_span(&packet));
	text_free(&packet);
}

void
packets_close_fresh(struct packets *p, size_t start)
{
	struct text *b = &p->out->buf;

	if (p->fresh.len > 0) {
		proto_bytes(b, PACKET_INTERNED, text_span(&p->fresh));
		p->fresh.len = 0;
	}
	proto_close(b, start);
	if (p->value_list.len > p->values_described)
		put_values_before(p, start - PACKETS_LENGTH - 1);
}

static bool
is_due(const struct packets *p)
{
	int64_t written = p->out->bytes + (int64_t)p->out->buf.len - p->renewed;

	return (written >= RENEW || p->string_bytes >= PACKETS_STRINGS) &&
	       written / SHARE >= (int64_t)p->described.len;
}

void
packets_write(struct packets *p)
{
	if (is_due(p))
		renew(p);
	output_check(p->out);
}

struct text *
packets_describe(struct packets *p, size_t *start)
{
	*start = p->described.len;
	return &p->described;
}

void
packets_described(struct packets *p, size_t start)
{
	text_add(
	    &p->out->buf, p->described.p + start, p->described.len - start);
	packets_check(p);
}

/* interned data that is more than a name */
static void
add_gpu(struct text *t, unsigned field, uint32_t number, struct span s)
{
	enum { CUDA = 4, COMPUTE = 2 };
	const char *nul = memchr(s.p, '\0', s.len);
	size_t entry = proto_open(t, field), len;
	int64_t pid;

	proto_uint(t, 1, number);
	if (field == INTERNED_CONTEXTS && json_int(s, &pid)) {
		proto_uint(t, 2, (uint64_t)pid);
		proto_uint(t, 3, CUDA);
	} else if (field == INTERNED_STAGES) {
		proto_string(t, 2, s);
		proto_uint(t, 4, COMPUTE);
	} else if (nul != NULL) {
		len = (size_t)(nul - s.p);
		proto_string(t, 2, (struct span){s.p, len});
		if (len + 1 < s.len)
			proto_string(
			    t, 3, (struct span){nul + 1, s.len - len - 1});
	}
	proto_close(t, entry);
}

/* write the text that a number stands for */
static void
add_fresh(
    struct packets *p, enum packets_list list, struct span s, uint32_t number)
{
	static const unsigned field[LISTS] = {
	    [LIST_CATEGORY] = INTERNED_CATEGORIES,
	    [LIST_KEY] = INTERNED_KEYS,
	    [LIST_STRING] = INTERNED_STRINGS,
	    [LIST_FUNCTION] = INTERNED_FUNCTIONS,
	    [LIST_COLOR] = INTERNED_CORRELATIONS,
	    [LIST_CONTEXT] = INTERNED_CONTEXTS,
	    [LIST_STAGE] = INTERNED_STAGES,
	    [LIST_KERNEL] = INTERNED_KERNELS,
	    [LIST_ARG] = INTERNED_ARGS,
	};
	size_t frame;

	if (list == LIST_CONTEXT || list == LIST_KERNEL ||
	    (list == LIST_STAGE && span_eq(s, SPAN("kernel")))) {
		add_gpu(&p->fresh, field[list], number, s);
		return;
	}
	add_interned(&p->fresh, field[list], number, s);
	if (list != LIST_FUNCTION)
		return;
	/* a frame for each function, of the same number */
	frame = proto_open(&p->fresh, INTERNED_FRAMES);
	proto_uint(&p->fresh, 1, number);
	proto_uint(&p->fresh, 2, number);
	proto_close(&p->fresh, frame);
}

uint32_t
packets_intern(struct packets *p, enum packets_list list, struct span s)
{
	struct intern *in = &p->lists[list];
	size_t before = in->count;
	uint32_t number = fixed_numbers[list] + intern_get(in, s) + 1;

	if (in->count > before) {
		p->string_bytes += s.len + 1;
		add_fresh(p, list, s, number);
	}
	return number;
}

static uint32_t
add_name(struct packets *p, struct span name)
{
	add_interned(&p->fresh, INTERNED_NAMES, ++p->last_name, name);
	return p->last_name;
}

static uint32_t
intern_long_name(struct packets *p, struct span name)
{
	uint32_t i = intern_get(&p->long_names, name);

	if (i == p->long_count) {
		p->string_bytes += name.len + 1;
		*array_add(&p->long_numbers, &p->long_count, &p->long_cap) =
		    add_name(p, name);
	}
	return p->long_numbers[i];
}

uint32_t
packets_new_name(struct packets *p, struct recent_slot *home, struct span name)
{
	uint32_t number;

	if (name.len > RECENT_LONGEST)
		return intern_long_name(p, name);
	number = add_name(p, name);
	recent_add(home, name, number);
	return number;
}

uint32_t
packets_value(struct packets *p, struct span s)
{
	uint32_t i;

	if (s.len > VALUE_MAX)
		return 0;
	i = p->values.count < VALUES ? intern_get(&p->values, s)
				     : intern_find(&p->values, s);
	if (i == INTERN_NONE)
		return 0;
	if (i == p->value_count)
		fields_add_value(&p->value_list, s, ++p->value_count);
	return i + 1;
}

uint32_t
packets_new_json_value(
    struct packets *p, struct recent_slot *home, struct span s)
{
	uint32_t number;

	if (memchr(s.p, '\\', s.len) != NULL)
		return 0;
	number = packets_value(p, s);
	if (number != 0)
		recent_add(home, s, number);
	return number;
}
