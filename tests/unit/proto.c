/* proto.c - fields of messages, byte by byte */

#include "check.h"
#include "tq/draw/proto.h"

/* what was appended, in hexadecimal */
static void
expect(const char *what, struct text *t, const char *hex)
{
	struct text got = {0};

	for (size_t i = 0; i < t->len; i++)
		text_printf(&got, "%02x", (unsigned char)t->p[i]);
	text_add_char(&got, '\0');
	CHECK(strcmp(got.p, hex) == 0, "%s: %s", what, got.p);
	text_free(&got);
	t->len = 0;
}

static void
check_values(void)
{
	struct text t = {0};

	proto_uint(&t, 1, 0);
	expect("0", &t, "0800");
	proto_uint(&t, 1, 127);
	expect("127", &t, "087f");
	proto_uint(&t, 1, 128);
	expect("128", &t, "088001");
	proto_uint(&t, 1000, 300);
	expect("a large field", &t, "c03eac02");
	proto_uint(&t, 15, UINT64_MAX);
	expect("-1", &t, "78ffffffffffffffffff01");
	proto_fixed64(&t, 47, 0x0102030405060708);
	expect("fixed64", &t, "f9020807060504030201");
	proto_double(&t, 44, 1.5);
	expect("double", &t, "e102000000000000f83f");
	text_free(&t);
}

/* each length, and what is next to it, is the same as byte by byte */
static void
check_small(void)
{
	char got[PROTO_VARINT_MAX], expected[PROTO_VARINT_MAX];

	for (uint64_t power = 1; power <= PROTO_SMALL; power *= 2)
		for (uint64_t v = power - 1; v <= power + 1; v++) {
			size_t n = (size_t)(proto_put(expected, v) - expected);

			if (v < PROTO_SMALL)
				CHECK(proto_put_small(got, v) == got + n &&
					  memcmp(got, expected, n) == 0,
				    "small: %llu", (unsigned long long)v);
		}
}

static void
check_strings(void)
{
	struct text t = {0};

	proto_bytes(&t, 2, (struct span){NULL, 0});
	expect("nothing", &t, "1200");
	proto_string(&t, 2, SPAN("abcdefgh\0"));
	expect("ASCII", &t, "1209616263646566676800");
	proto_string(&t, 2, SPAN("\xc3\xa9"));
	expect("UTF-8", &t, "1202c3a9");
	proto_string(&t, 2, SPAN("a\xff\xc3"));
	expect("no UTF-8", &t, "120761efbfbdefbfbd");
	text_free(&t);
}

static void
check_messages(void)
{
	static const size_t sizes[] = {0, 1, 127, 128, 16383, 16384, 3000000};
	struct text t = {0}, expected = {0};

	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		size_t outer = proto_open(&t, 3), inner = proto_open(&t, 60);

		memset(text_reserve(&t, sizes[i]), 'x', sizes[i]);
		t.len += sizes[i];
		proto_close(&t, inner);
		proto_close(&t, outer);

		/* the same from the inside out */
		memset(text_reserve(&expected, sizes[i] + 1), 'x', sizes[i]);
		expected.len = sizes[i];
		for (int k = 0; k < 2; k++) {
			struct text whole = {0};

			proto_bytes(
			    &whole, k == 0 ? 60 : 3, text_span(&expected));
			text_free(&expected);
			expected = whole;
		}
		CHECK(span_eq(text_span(&t), text_span(&expected)),
		    "a message of %zu bytes", sizes[i]);
		t.len = expected.len = 0;
	}
	text_free(&t);
	text_free(&expected);
}

int
main(void)
{
	check_values();
	check_small();
	check_strings();
	check_messages();
	return check_status();
}
