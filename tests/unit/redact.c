/* redact.c - SipHash, and what of which records becomes a pseudonym */

#include <inttypes.h>
#include <stdlib.h>

#include "change/redact.h"
#include "check.h"
#include "tq/line/json.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* the vectors of the paper's authors: the first n of the bytes 0 1 2 ... */
static const struct sip_row {
	size_t n;
	uint64_t hash;
} sips[] = {
    {0, 0x726fdb47dd0e0e31},
    {1, 0x74f839c593dc67fd},
    {7, 0xab0200f58b01d137},
    {8, 0x93f5f5799a932462},
    {15, 0xa129ca6149be45e5},
    {16, 0x3f2acc7f57c29bdb},
    {63, 0x958a324ceb064572},
};

static void
test_siphash(void)
{
	static const uint64_t key[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
	char bytes[64];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)i;
	for (size_t i = 0; i < COUNT(sips); i++) {
		uint64_t hash =
		    redact_siphash(key, (struct span){bytes, sips[i].n});

		CHECK(hash == sips[i].hash, "%zu: %" PRIx64, sips[i].n, hash);
	}
}

/* In what is expected, # stands for twelve hexadecimal digits. */
static const char *const records[][2] = {
    /* definitions */
    {"{\"kind\":\"trace\",\"version\":1,\"source\":\"nsys\",\"producer\":\"1\","
     "\"schema\":\"3\",\"origin_utc_ns\":\"17\",\"host\":\"h\",\"os\":"
     "\"Linux\","
     "\"command\":\"/home/me/run\"}",
	"{\"kind\":\"trace\",\"version\":1,\"source\":\"nsys\",\"producer\":"
	"\"1\","
	"\"schema\":\"3\",\"origin_utc_ns\":\"17\",\"host\":\"host_#\","
	"\"os\":\"Linux\",\"command\":\"command_#\"}"},
    {"{\"kind\":\"process\",\"pid\":7,\"name\":\"/bin/x\",\"host\":\"h\"}",
	"{\"kind\":\"process\",\"pid\":7,\"name\":\"process_#\","
	"\"host\":\"host_#\"}"},
    {"{\"kind\":\"thread\",\"pid\":7,\"tid\":8,\"name\":\"main\"}",
	"{\"kind\":\"thread\",\"pid\":7,\"tid\":8,\"name\":\"thread_#\"}"},
    {"{\"kind\":\"device\",\"name\":\"GPU\",\"device\":0,\"uuid\":\"u\","
     "\"bus\":\"0:1\",\"cc\":\"9.0\",\"vendor\":\"v\",\"args\":{\"a\":1}}",
	"{\"kind\":\"device\",\"name\":\"GPU\",\"device\":0,"
	"\"uuid\":\"uuid_#\",\"bus\":\"bus_#\",\"cc\":\"9.0\","
	"\"vendor\":\"v\",\"args\":{\"a\":1}}"},
    {"{\"kind\":\"stream\",\"name\":\"s\",\"flags\":\"default\"}",
	"{\"kind\":\"stream\",\"name\":\"stream_#\",\"flags\":\"default\"}"},
    {"{\"kind\":\"symbol\",\"name\":\"k\",\"id\":1,\"demangled\":\"k()\","
     "\"mangled\":\"_Z\"}",
	"{\"kind\":\"symbol\",\"name\":\"kernel_#\",\"id\":1,"
	"\"demangled\":\"demangled_#\",\"mangled\":\"mangled_#\"}"},
    {"{\"kind\":\"counterdef\",\"name\":\"SM\",\"unit\":\"%\"}", NULL},
    {"{\"kind\":\"stack\",\"id\":1,\"frames\":[\"f\",\"\",\"g\"]}",
	"{\"kind\":\"stack\",\"id\":1,\"frames\":[\"frame_#\",\"\","
	"\"frame_#\"]}"},
    /* events */
    {"{\"kind\":\"kernel\",\"ts\":1,\"name\":\"k\",\"grid\":[1,2,3],"
     "\"launch\":\"c\",\"category\":\"gemm\",\"api_name\":\"cu\","
     "\"path\":[\"a\",\"d:a\",\"d:e:a\",\"\"]}",
	"{\"kind\":\"kernel\",\"ts\":1,\"name\":\"kernel_#\",\"grid\":[1,2,3],"
	"\"launch\":\"c\",\"category\":\"gemm\",\"api_name\":\"cu\","
	"\"path\":[\"range_#\",\"domain_#:range_#\","
	"\"domain_#:domain_#:range_#\",\"\"]}"},
    {"{\"kind\":\"memcpy\",\"name\":\"m\",\"copy\":\"HtoD\",\"src\":\"a\","
     "\"dst\":\"b\"}",
	NULL},
    {"{\"kind\":\"memset\",\"name\":\"m\",\"mem\":\"a\"}", NULL},
    {"{\"kind\":\"sync\",\"name\":\"m\",\"sync\":\"a\"}", NULL},
    {"{\"kind\":\"graph\",\"name\":\"m\"}", NULL},
    {"{\"kind\":\"api\",\"name\":\"f\",\"api\":\"hip\",\"raw\":\"f_v1\"}",
	NULL},
    {"{\"kind\":\"api\",\"name\":\"acc_wait@me.c:7\",\"raw\":\"a b\"}",
	"{\"kind\":\"api\",\"name\":\"acc_wait(text_#)\",\"raw\":\"a(text_#)"
	"\"}"},
    {"{\"kind\":\"osrt\",\"name\":\"dlopen(libx.so)\"}",
	"{\"kind\":\"osrt\",\"name\":\"dlopen(text_#)\"}"},
    {"{\"kind\":\"osrt\",\"name\":\"\\n\"}",
	"{\"kind\":\"osrt\",\"name\":\"(text_#)\"}"},
    {"{\"kind\":\"osrt\",\"name\":\"open\",\"args\":{\"file\":\"/x\"}}",
	"{\"kind\":\"osrt\",\"name\":\"open\",\"args\":{\"file\":\"text_#\"}}"},
    {"{\"kind\":\"range\",\"name\":\"a\",\"mode\":\"push\",\"domain\":\"d\","
     "\"category\":\"c\",\"color\":\"#f\",\"open\":true}",
	"{\"kind\":\"range\",\"name\":\"range_#\",\"mode\":\"push\","
	"\"domain\":\"domain_#\",\"category\":\"category_#\","
	"\"color\":\"#f\",\"open\":true}"},
    {"{\"kind\":\"gpu-range\",\"name\":\"x::y\",\"domain\":\"d:e\"}",
	"{\"kind\":\"gpu-range\",\"name\":\"domain_#::range_#\","
	"\"domain\":\"domain_#:domain_#\"}"},
    {"{\"kind\":\"mark\",\"name\":\"a:b\"}",
	"{\"kind\":\"mark\",\"name\":\"mark_#\"}"},
    {"{\"kind\":\"sched\",\"state\":\"run\",\"reason\":\"r\"}", NULL},
    {"{\"kind\":\"alloc\",\"name\":\"n\",\"mem\":\"a\",\"address\":\"0x1\","
     "\"op\":\"o\",\"pool\":\"p\"}",
	"{\"kind\":\"alloc\",\"name\":\"alloc_#\",\"mem\":\"a\","
	"\"address\":\"0x1\",\"op\":\"o\",\"pool\":\"p\"}"},
    {"{\"kind\":\"overhead\",\"name\":\"n\",\"what\":\"w\"}", NULL},
    {"{\"kind\":\"lost\",\"reason\":\"r\",\"what\":\"w\",\"count\":3}", NULL},
    {"{\"kind\":\"diagnostic\",\"source\":\"s\",\"severity\":\"info\","
     "\"text\":\"at /home\"}",
	"{\"kind\":\"diagnostic\",\"source\":\"s\",\"severity\":\"info\","
	"\"text\":\"text_#\"}"},
    /* what the schema does not know */
    {"{\"kind\":\"new\",\"name\":\"n\",\"api\":\"x\",\"n\":1.5,\"b\":true}",
	"{\"kind\":\"new\",\"name\":\"text_#\",\"api\":\"text_#\",\"n\":1.5,"
	"\"b\":true}"},
    {"{\"kind\":\"api\",\"op\":\"x\",\"text\":\"y\",\"user\":\"me\"}",
	"{\"kind\":\"api\",\"op\":\"text_#\",\"text\":\"text_#\","
	"\"user\":\"text_#\"}"},
    {"{\"kind\":\"end\",\"events\":1,\"name\":\"n\"}",
	"{\"kind\":\"end\",\"events\":1,\"name\":\"text_#\"}"},
    {"{\"kind\":\"mark\",\"args\":{\"name\":\"x\",\"a\":[\"x\",{\"kind\":\"y\","
     "\"b\":[1,\"\",null,false]}],\"c\":-1e5},\"x\":[[\"y\"],{\"z\":\"z\"}]}",
	"{\"kind\":\"mark\",\"args\":{\"name\":\"text_#\",\"a\":[\"text_#\","
	"{\"kind\":\"text_#\",\"b\":[1,\"\",null,false]}],\"c\":-1e5},"
	"\"x\":[[\"text_#\"],{\"z\":\"text_#\"}]}"},
    /* any spelling */
    {" { \"n\\u0061me\" : \"k\" , \"ts\": 1e3,\"kind\":\"kern\\u0065l\" } ",
	" { \"n\\u0061me\" : \"kernel_#\" , \"ts\": 1e3,"
	"\"kind\":\"kern\\u0065l\" } "},
    {"{\"name\":\"a\",\"kind\":\"kernel\",\"name\":null,\"name\":\"b\"}",
	"{\"name\":\"kernel_#\",\"kind\":\"kernel\",\"name\":null,"
	"\"name\":\"kernel_#\"}"},
    {"{\"kind\":\"mark\",\"name\":\"\\\"\\\\\",\"x\":\"\\\\\"}",
	"{\"kind\":\"mark\",\"name\":\"mark_#\",\"x\":\"text_#\"}"},
};

/* the redacted record, or record where it stays as it is */
static void
redact(struct redact *r, const char *record, struct text *out)
{
	struct event ev = {0};
	struct text line = {0};
	bool changed;

	text_add_str(&line, record);
	text_reserve(&line, EVENT_PADDING);
	out->len = 0;
	if (event_parse(&ev, text_span(&line), NULL)) {
		changed = redact_apply(r, &ev, out);
		CHECK(changed || out->len == 0, "%s: appended", record);
		if (!changed)
			text_add_str(out, record);
	}
	CHECK(ev.error == NULL, "%s: %s", record, shown(ev.error));
	text_free(&line);
	event_free(&ev);
}

/* Does text look like pattern? */
static bool
looks_like(struct span text, const char *pattern)
{
	for (; *pattern != '\0'; pattern++) {
		bool digits = pattern[0] == '#' && pattern[1] != 'f';
		size_t n = digits ? 12 : 1;

		if (text.len < n ||
		    (digits ? strspn(text.p, "0123456789abcdef") < n
			    : *text.p != *pattern))
			return false;
		text = (struct span){text.p + n, text.len - n};
	}
	return text.len == 0;
}

static void
test_records(void)
{
	struct redact *r = redact_open("key");
	struct text out = {0};

	for (size_t i = 0; i < COUNT(records); i++) {
		const char *expected = records[i][1];

		redact(r, records[i][0], &out);
		text_add_char(&out, '\0');
		out.len--;
		CHECK(looks_like(text_span(&out),
			  expected != NULL ? expected : records[i][0]),
		    "%s", out.p);
		CHECK(json_valid(text_span(&out)), "%s", out.p);
	}
	text_free(&out);
	redact_free(r);
}

/* the n-th pseudonym of that sort in a redacted record */
static void
pick(struct redact *r, const char *record, const char *sort, int n, char *to)
{
	struct text out = {0};
	const char *p;

	redact(r, record, &out);
	text_add_char(&out, '\0');
	p = strstr(out.p, sort);
	while (--n > 0 && p != NULL)
		p = strstr(p + 1, sort);
	CHECK(p != NULL, "%s: no %s", out.p, sort);
	snprintf(to, 40, "%.*s", p != NULL ? (int)strlen(sort) + 12 : 0,
	    p != NULL ? p : "");
	text_free(&out);
}

#define KERNEL "{\"kind\":\"kernel\",\"name\":\"k\",\"path\":[\"d:e:a\"]}"

/* pairs of records of which the n-th pseudonym of a sort is the same, or not */
static const struct pair_row {
	const char *sort;
	const char *a;
	int a_n;
	const char *b;
	int b_n;
	bool same;
} pairs[] = {
    {"kernel_", KERNEL, 1, "{\"kind\":\"symbol\",\"name\":\"k\"}", 1, true},
    {"kernel_", KERNEL, 1, "{\"kind\":\"symbol\",\"name\":\"K\"}", 1, false},
    {"kernel_", KERNEL, 1, "{\"kind\":\"kernel\",\"name\":\"\\u006b\"}", 1,
	true},
    {"range_", KERNEL, 1, "{\"kind\":\"range\",\"name\":\"a\"}", 1, true},
    {"range_", KERNEL, 1, "{\"kind\":\"gpu-range\",\"name\":\"a\"}", 1, true},
    {"range_", KERNEL, 1, "{\"kind\":\"range\",\"name\":\"e:a\"}", 1, true},
    {"domain_", KERNEL, 2, "{\"kind\":\"range\",\"name\":\"e:a\"}", 1, true},
    {"domain_", KERNEL, 1, "{\"kind\":\"range\",\"domain\":\"d\"}", 1, true},
    {"domain_", KERNEL, 2, "{\"kind\":\"range\",\"domain\":\"d:e\"}", 2, true},
    {"domain_", KERNEL, 1, KERNEL, 2, false},
    {"host_", "{\"kind\":\"trace\",\"host\":\"h\"}", 1,
	"{\"kind\":\"process\",\"host\":\"h\"}", 1, true},
};

static void
test_pairs(void)
{
	struct redact *r = redact_open("key"), *other = redact_open("Key");
	char a[40], b[40];

	for (size_t i = 0; i < COUNT(pairs); i++) {
		const struct pair_row *x = &pairs[i];

		pick(r, x->a, x->sort, x->a_n, a);
		pick(r, x->b, x->sort, x->b_n, b);
		CHECK((strcmp(a, b) == 0) == x->same, "%s, %s", x->a, x->b);
		pick(other, x->b, x->sort, x->b_n, b);
		CHECK(strcmp(a, b) != 0, "%s: another key", x->b);
	}
	redact_free(r);
	redact_free(other);
}

/* what was shared once is to agree with what is shared in future */
static void
test_stable(void)
{
	struct redact *r = redact_open("key");
	char a[40];

	pick(r, KERNEL, "kernel_", 1, a);
	CHECK(strcmp(a, "kernel_3924cd221dd2") == 0, "%s", a);
	pick(r, KERNEL, "range_", 1, a);
	CHECK(strcmp(a, "range_c6f585fae170") == 0, "%s", a);
	redact_free(r);
}

int
main(void)
{
	test_siphash();
	test_records();
	test_pairs();
	test_stable();
	return check_status();
}
