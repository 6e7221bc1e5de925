/* annotate.c - what a program says of a range or mark, as keys of a line */

#include "annotate.h"
#include "payload.h"

struct span
annotate_message(const struct source *from, const struct record *rec,
    const struct record_parts *x, struct span *json)
{
	const struct named_id *n = NULL;

	if (rec->flags & FLAG_STRING)
		n = dictionary_find(from->names, RECORD_STRING, 0, x->string);
	*json = n != NULL ? n->json : (struct span){NULL, 0};
	if (n != NULL)
		return n->text;
	/* one that only has a payload is called as its schema is */
	return x->text.len == 0 && x->blob.len > 0
		   ? payload_name(from->names, rec->domain, x->blob)
		   : x->text;
}

void
annotate_name(struct text *t, struct span text, struct span json)
{
	if (json.p != NULL) {
		emit_add_json(t, KEY_name, json);
		return;
	}
	text_add_str(t, ",\"name\":");
	text_add_json(t, text.p, text.len);
}

void
annotate_style(struct text *t, const struct source *from, uint32_t domain,
    const struct record_parts *x)
{
	static const char hex[] = "0123456789abcdef";
	const struct named_id *n;
	char color[9] = "\"#";

	n = domain != 0 ? dictionary_find(from->names, RECORD_DOMAIN, 0, domain)
			: NULL;
	if (n != NULL)
		emit_add_json(t, KEY_domain, n->json);
	else if (domain != 0) /* there was no room to define it */
		text_printf(t, ",\"domain\":\"domain %u\"", domain);
	if (x->category != 0) {
		n = dictionary_find(
		    from->names, RECORD_CATEGORY, domain, x->category);
		if (n != NULL)
			emit_add_json(t, KEY_category, n->json);
		else
			text_printf(t, ",\"category\":\"%u\"", x->category);
	}
	if (x->argb != 0) {
		for (int i = 0; i < 6; i++)
			color[2 + i] = hex[x->argb >> (20 - 4 * i) & 15];
		color[8] = '"';
		emit_add_json(t, KEY_color, (struct span){color, 9});
	}
}

void
annotate_args(struct text *t, const struct source *from,
    const struct record *rec, const struct record_parts *x)
{
	size_t start = t->len, inside;
	bool some = false;

	text_add_str(t, ",\"args\":{");
	inside = t->len;
	if (rec->flags & FLAG_PAYLOAD)
		some = payload_add_value(t, x->payload_type, x->payload);
	if (rec->flags & (FLAG_BLOB | FLAG_PARTS) && x->blob.len > 0) {
		if (t->len > inside)
			text_add_char(t, ',');
		some = payload_add_blobs(
			   t, "payload", from->names, rec->domain, x->blob) ||
		       some;
	}
	if (some)
		text_add_char(t, '}');
	else
		t->len = start;
}

void
annotate_end(struct text *t, bool has_args, const struct source *from,
    const struct record *rec, const struct record_parts *x)
{
	if (x->blob.len == 0)
		return;
	if (has_args)
		t->p[t->len - 1] = ','; /* was the closing brace */
	else
		text_add_str(t, ",\"args\":{");
	if (!payload_add_blobs(
		t, "endPayload", from->names, rec->domain, x->blob))
		text_add_str(t, "\"endPayload\":null");
	text_add_char(t, '}');
}
