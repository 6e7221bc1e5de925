/* packets.c - a sequence of packets */

#include "packets.h"
#include "tq/json.h"
#include "tq/title.h"

enum {
	RENEW = 8 << 20,   /* bytes of output */
	STRINGS = 4 << 20, /* bytes of interned strings */
	SHARE = 8          /* descriptions are less than 1/8 of the output */
};

static const uint32_t reserved[INTERN_LISTS] = {
    [INTERN_CATEGORY] = PACKETS_CATEGORIES,
    [INTERN_KEY] = KEY_COUNT,
};

static void
add_interned(struct text *t, unsigned field, uint32_t number, struct span s)
{
	size_t entry = proto_open(t, field);

	proto_uint(t, 1, number);
	proto_string(t, 2, s);
	proto_close(t, entry);
}

static void
fix(struct text *t)
{
	for (uint32_t i = 0; i < KIND_COUNT; i++)
		add_interned(t, INTERNED_CATEGORIES, i + 1,
		    span_of(title_category((enum kind)i)));
	add_interned(
	    t, INTERNED_CATEGORIES, PACKETS_CUDA_RUNTIME, SPAN("cuda_runtime"));
	add_interned(
	    t, INTERNED_CATEGORIES, PACKETS_CUDA_DRIVER, SPAN("cuda_driver"));
	for (uint32_t i = 0; i < KEY_COUNT; i++)
		add_interned(t, INTERNED_KEYS, i + 1,
		    i == KEY_corr ? SPAN("correlation")
				  : span_of(schema_keys[i].name));
}

void
packets_init(struct packets *p, struct output *out)
{
	*p = (struct packets){.out = out};
	fix(&p->fixed);
}

void
packets_free(struct packets *p)
{
	intern_free(&p->intern);
	text_free(&p->fresh);
	text_free(&p->fixed);
	text_free(&p->described);
}

/* the state is cleared, and what has a fixed number is in it */
static void
renew(struct packets *p)
{
	enum { CLEARED = 1 };
	struct text *b = &p->out->buf;
	size_t packet = proto_open(b, 1);

	proto_uint(b, PACKET_SEQUENCE, PACKETS_SEQUENCE);
	proto_uint(b, PACKET_FLAGS, CLEARED);
	if (p->epoch == 0)
		proto_uint(b, PACKET_FIRST, 1);
	proto_bytes(b, PACKET_INTERNED, text_span(&p->fixed));
	proto_close(b, packet);
	text_add_span(b, text_span(&p->described));
	intern_clear(&p->intern, reserved);
	p->renewed = p->out->bytes + (int64_t)b->len;
	p->epoch++;
}

void
packets_begin(struct packets *p)
{
	renew(p);
}

size_t
packets_open(struct packets *p, int64_t ts)
{
	struct text *b = &p->out->buf;
	char *q = text_reserve(b, 64);
	size_t start;

	q = proto_put_tag(q, 1, PROTO_BYTES);
	*q++ = 0; /* the length, for proto_close */
	start = (size_t)(q - b->p);
	q = proto_put_tag(q, PACKET_TIMESTAMP, PROTO_VARINT);
	q = proto_put(q, (uint64_t)ts);
	q = proto_put_tag(q, PACKET_SEQUENCE, PROTO_VARINT);
	*q++ = PACKETS_SEQUENCE;
	q = proto_put_tag(q, PACKET_FLAGS, PROTO_VARINT);
	*q++ = PACKETS_NEED_STATE;
	b->len = (size_t)(q - b->p);
	return start;
}

void
packets_close(struct packets *p, size_t start)
{
	struct text *b = &p->out->buf;

	if (p->fresh.len > 0) {
		proto_bytes(b, PACKET_INTERNED, text_span(&p->fresh));
		p->fresh.len = 0;
	}
	proto_close(b, start);
}

static bool
is_due(const struct packets *p)
{
	int64_t written = p->out->bytes + (int64_t)p->out->buf.len - p->renewed;

	return (written >= RENEW || p->intern.pool.len >= STRINGS) &&
	       written / SHARE >= (int64_t)p->described.len;
}

void
packets_check(struct packets *p)
{
	if (p->out->buf.len < OUTPUT_BUFFER && p->intern.pool.len < STRINGS)
		return;
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

void
packets_forget(struct packets *p)
{
	p->described.len = 0;
}

/* what is not just a name */
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

uint32_t
packets_intern(struct packets *p, enum intern_list list, struct span s)
{
	static const unsigned fields[INTERN_LISTS] = {
	    [INTERN_CATEGORY] = INTERNED_CATEGORIES,
	    [INTERN_NAME] = INTERNED_NAMES,
	    [INTERN_KEY] = INTERNED_KEYS,
	    [INTERN_STRING] = INTERNED_STRINGS,
	    [INTERN_FUNCTION] = INTERNED_FUNCTIONS,
	    [INTERN_CONTEXT] = INTERNED_CONTEXTS,
	    [INTERN_STAGE] = INTERNED_STAGES,
	    [INTERN_KERNEL] = INTERNED_KERNELS,
	    [INTERN_ARG] = INTERNED_ARGS,
	};
	bool fresh;
	uint32_t number = intern_number(&p->intern, list, s, &fresh);

	if (!fresh)
		return number;
	if (list == INTERN_CONTEXT || list == INTERN_KERNEL ||
	    (list == INTERN_STAGE && span_eq(s, SPAN("kernel")))) {
		add_gpu(&p->fresh, fields[list], number, s);
		return number;
	}
	add_interned(&p->fresh, fields[list], number, s);
	if (list == INTERN_FUNCTION) {
		/* a frame for each function, of the same number */
		size_t frame = proto_open(&p->fresh, INTERNED_FRAMES);

		proto_uint(&p->fresh, 1, number);
		proto_uint(&p->fresh, 2, number);
		proto_close(&p->fresh, frame);
	}
	return number;
}
