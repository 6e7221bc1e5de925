/* emit.c - lines that builds with sanitizers take for events, and others */

#include "check.h"

#include "tq/io/emit.h"

static const struct emit_row {
	const char *text;
	bool is;
} rows[] = {
    {"{\"kind\":\"mark\",\"ts\":0}", true},
    {"{\"kind\":\"mark\",\"ts\":0,\"args\":{\"a\":1,\"b\":[2,3]}}", true},
    {"{\"kind\":1}", false},
    {"{\"kind\":\"mark\",\"args\":{\"a\":1\"b\":2}}", false},
    {"{\"kind\":\"mark\",\"args\":{\"a\":01}}", false},
    {"{\"kind\":\"mark\",\"args\":{\"a\":\"\t\"}}", false},
    {"{\"kind\":\"mark\",\"args\":1}", false},
    {"{\"kind\":\"mark\",\"ts\":0.5}", false},
    {"{\"kind\":\"mark\",\"ts\":0", false},
};

int
main(void)
{
	struct output o = {0};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		CHECK(emit_is_event(span_of(rows[i].text)) == rows[i].is, "%s",
		    rows[i].text);
	text_add_str(&o.buf, "what stands before");
	emit_open(&o, KIND_mark);
	emit_int(&o, KEY_ts, 0);
	emit_close(&o);
	emit_check(&o, o.opened);
	CHECK(o.lines == 1, "%d", (int)o.lines);
	text_free(&o.buf);
	return check_status();
}
