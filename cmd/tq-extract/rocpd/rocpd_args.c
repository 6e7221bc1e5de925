/* rocpd_args.c - members of args, and stacks */

#include "read/lenient.h"
#include "rocpd_args.h"
#include "tq/line/json.h"
#include "write/definition_writer.h"

/* columns of the args of a suffix */
enum { ARG_EVENT, ARG_POSITION, ARG_NAME, ARG_VALUE };

void
rocpd_args_member(struct rocpd *r, struct span name)
{
	if (r->args.len > 0)
		text_add_char(&r->args, ',');
	r->writer.bad_bytes +=
	    (int64_t)text_add_json(&r->args, name.p, name.len);
	text_add_char(&r->args, ':');
}

/* JSON without white space between its parts */
static void
add_compact(struct text *t, struct span json)
{
	bool string = false;

	for (size_t i = 0; i < json.len; i++) {
		char c = json.p[i];

		if (string && c == '\\') {
			text_add_char(t, c);
			c = json.p[++i];
		} else if (c == '"')
			string = !string;
		else if (!string && strchr(" \t\r\n", c) != NULL)
			continue;
		text_add_char(t, c);
	}
}

void
rocpd_args_put(struct rocpd *r)
{
	if (r->args.len > 0)
		record_values_text(&r->record, KEY_args, text_span(&r->args));
}

/* True if extdata is JSON with members; counts values that are no JSON */
static bool
is_extdata(struct rocpd *r, const struct sql_value *v)
{
	if (v->type == SQL_BLOB) {
		r->notes[NOTE_BLOB]++;
		return false;
	}
	if (v->type != SQL_TEXT || span_eq(v->s, SPAN("{}")) || v->s.len == 0)
		return false;
	if (json_valid(v->s))
		return true;
	r->notes[NOTE_BROKEN]++;
	return false;
}

struct span
rocpd_args_message(struct rocpd *r, const struct sql_value *extdata)
{
	struct text key = {0};
	struct span value;
	struct json j;

	r->text.len = 0;
	if (!is_extdata(r, extdata))
		return SPAN("");
	json_open(&j, extdata->s);
	while (json_next(&j, &key, &value))
		if (span_eq(text_span(&key), SPAN("message")) &&
		    *value.p == '"') {
			r->text.len = 0;
			json_decode(&r->text, value);
		}
	text_free(&key);
	return text_span(&r->text);
}

void
rocpd_args_extdata(struct rocpd *r, const struct sql_value *extdata)
{
	struct text key = {0};
	struct span value;
	struct json j;

	if (!is_extdata(r, extdata))
		return;
	json_open(&j, extdata->s);
	while (json_next(&j, &key, &value)) {
		rocpd_args_member(r, text_span(&key));
		add_compact(&r->args, value);
	}
	text_free(&key);
}

/* names of arguments of a call that are compared with each other */
enum { NAMES = 64 };

/* true if one of the names, each with a NUL behind it, is this one */
static bool
is_repeated(const struct text *names, struct span name)
{
	for (size_t i = 0; i < names->len;) {
		size_t n = strlen(names->p + i);

		if (span_eq((struct span){names->p + i, n}, name))
			return true;
		i += n + 1;
	}
	return false;
}

void
rocpd_args_call(struct rocpd *r, struct rocpd_chain *c, int64_t event)
{
	struct rocpd_details_reader *a = &c->args;
	struct text names = {0};
	int count = 0;

	if (!rocpd_details_find(a, &c->suffix->args, event))
		return;
	text_reserve(&names, 1);
	do {
		struct sql_value name = rocpd_details_value(a, ARG_NAME);
		struct sql_value value = rocpd_details_value(a, ARG_VALUE);
		struct span s = name.type == SQL_TEXT ? name.s : SPAN("");
		bool again = count++ >= NAMES || is_repeated(&names, s);
		size_t start = names.len;

		text_add_span(&names, s);
		if (again)
			text_printf(&names, "#%lld",
			    (long long)rocpd_details_int(a, ARG_POSITION));
		rocpd_args_member(
		    r, (struct span){names.p + start, names.len - start});
		text_add_char(&names, '\0');
		if (value.type == SQL_TEXT)
			r->writer.bad_bytes += (int64_t)text_add_json(
			    &r->args, value.s.p, value.s.len);
		else if (value.type == SQL_INT)
			text_add_int(&r->args, value.i);
		else
			text_add_str(&r->args, "null");
		c->suffix->arguments++;
	} while (rocpd_details_next(a));
	text_free(&names);
}

/* ---- stacks ---- */

/* the function of a frame, which is a string or an object; empty for others */
static struct span
function_of(struct span frame)
{
	struct span s =
	    lenient_is_string(frame) ? frame : lenient_find(frame, "function");

	return s.p != NULL && lenient_is_string(s) ? lenient_inner(s)
						   : SPAN("");
}

/* frames of a stack as JSON, in *json; false if it is none */
static bool
read_frames(struct text *json, struct span stack)
{
	const char *at = NULL;
	struct span frame;

	while (lenient_element(stack, &at, &frame)) {
		struct span function = function_of(frame);

		if (function.len == 0)
			return false;
		if (json->len > 0)
			text_add_char(json, ',');
		lenient_write_string(json, function);
	}
	return json->len > 0;
}

/* the number of a stack; the first of its records comes after it */
static int64_t
define_stack(struct rocpd *r, struct span frames)
{
	size_t known = r->stacks.count;
	int64_t id = (int64_t)intern_get(&r->stacks, frames) + 1;

	if (r->stacks.count > known)
		definition_writer_stack(r->frames, id, frames);
	return id;
}

void
rocpd_args_stack(struct rocpd *r, enum kind kind, const struct sql_value *v)
{
	struct text copy = {0}, frames = {0};

	if (!is_extdata(r, v))
		return;
	text_add_span(&copy, v->s);
	memset(text_reserve(&copy, LENIENT_PADDING), 0, LENIENT_PADDING);
	if (read_frames(&frames, text_span(&copy)))
		record_values_int(
		    &r->record, KEY_stack, define_stack(r, text_span(&frames)));
	else
		rocpd_args_json(r, kind, "call_stack", v);
	text_free(&copy);
	text_free(&frames);
}

void
rocpd_args_json(struct rocpd *r, enum kind kind, const char *name,
    const struct sql_value *v)
{
	if (!rocpd_wants_args(r, kind) || !is_extdata(r, v))
		return;
	rocpd_args_member(r, span_of(name));
	add_compact(&r->args, v->s);
}

void
rocpd_args_address(struct rocpd *r, const char *name, int64_t address)
{
	if (address == ROCPD_NONE || address == 0)
		return;
	rocpd_args_member(r, span_of(name));
	text_add_char(&r->args, '"');
	text_add_hex(&r->args, (uint64_t)address);
	text_add_char(&r->args, '"');
}
