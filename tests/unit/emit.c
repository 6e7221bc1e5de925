/* emit.c - lines that builds with sanitizers take for events, and others */

#include "check.h"

#include "tq/io/emit.h"

static const struct emit_row {
	const char *text;
	bool is;
} rows[] = {
    {"{\"kind\":\"mark\",\"ts\":0}\n", true},
    {"{\"kind\":\"mark\",\"ts\":0,\"args\":{\"a\":1,\"b\":[2,3]}}\n", true},
    {"{\"kind\":1}\n{\"kind\":\"mark\"}\n", true},
    {"{\"kind\":\"mark\"}\n{\"kind\":1}\n", false},
    {"{\"kind\":\"mark\",\"args\":{\"a\":1\"b\":2}}\n", false},
    {"{\"kind\":\"mark\",\"args\":{\"a\":01}}\n", false},
    {"{\"kind\":\"mark\",\"args\":{\"a\":\"\t\"}}\n", false},
    {"{\"kind\":\"mark\",\"args\":1}\n", false},
    {"{\"kind\":\"mark\",\"ts\":0.5}\n", false},
    {"{\"kind\":\"mark\",\"ts\":0\n", false},
};

int
main(void)
{
	struct output o = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		o.buf.len = 0;
		text_add_str(&o.buf, rows[i].text);
		CHECK(emit_is_event(&o.buf) == rows[i].is, "%s", rows[i].text);
	}
	o.buf.len = 0;
	emit_open(&o, KIND_mark);
	emit_int(&o, KEY_ts, 0);
	emit_close(&o);
	CHECK(emit_is_event(&o.buf), "%.*s", (int)o.buf.len, o.buf.p);
	text_free(&o.buf);
	return check_status();
}
