/* extensions.c - fields of extensions that a trace describes */

#include <stdlib.h>

#include "annotations.h"
#include "read/proto_reader.h"

/* fields of FileDescriptorProto and of its messages */
enum {
	FILE_PACKAGE = 2,
	FILE_MESSAGE = 4,
	FILE_ENUM = 5,
	MESSAGE_NAME = 1,
	MESSAGE_FIELD = 2,
	MESSAGE_EXTENSION = 6,
	FIELD_NAME = 1,
	FIELD_EXTENDS = 2,
	FIELD_NUMBER = 3,
	FIELD_LABEL = 4,
	FIELD_TYPE_NAME = 6,
	ENUM_NAME = 1,
	ENUM_VALUE = 2,
	VALUE_NAME = 1,
	VALUE_NUMBER = 2
};

enum { REPEATED = 3 };

#define TRACK_EVENT SPAN(".perfetto.protos.TrackEvent")

/* the number of .package.name, + 1 */
static uint32_t
type_of(struct extensions *x, struct span package, struct span name)
{
	struct text full = {0};
	uint32_t n;

	text_add_char(&full, '.');
	if (package.len > 0) {
		text_add_span(&full, package);
		text_add_char(&full, '.');
	}
	text_add_span(&full, name);
	n = intern_get(&x->types, text_span(&full)) + 1;
	text_free(&full);
	return n;
}

static void
take_field(struct extensions *x, uint32_t type, struct span field)
{
	struct span type_name = proto_reader_bytes(field, FIELD_TYPE_NAME);
	struct proto_field number = {0}, f;
	struct extension_field to = {0};
	bool fresh;

	if (!proto_reader_find(field, FIELD_NUMBER, &number))
		return;
	to.repeated =
	    proto_reader_find(field, FIELD_LABEL, &f) && f.v == REPEATED;
	to.name = region_copy(&x->texts, proto_reader_bytes(field, FIELD_NAME));
	if (type_name.len > 0)
		to.type = intern_get(&x->types, type_name) + 1;
	*keyed_get(&x->fields, type, number.v, &fresh) = to;
}

static void
take_message(struct extensions *x, struct span package, struct span message)
{
	struct proto_reader r = proto_reader(message);
	uint32_t type =
	    type_of(x, package, proto_reader_bytes(message, MESSAGE_NAME));
	struct proto_field f;

	while (proto_reader_next(&r, &f)) {
		if (f.bytes.p == NULL)
			continue;
		if (f.number == MESSAGE_FIELD)
			take_field(x, type, f.bytes);
		if (f.number == MESSAGE_EXTENSION &&
		    span_eq(proto_reader_bytes(f.bytes, FIELD_EXTENDS),
			TRACK_EVENT))
			take_field(
			    x, intern_get(&x->types, TRACK_EVENT) + 1, f.bytes);
	}
}

static void
take_enum(struct extensions *x, struct span package, struct span message)
{
	struct proto_reader r = proto_reader(message);
	uint32_t type =
	    type_of(x, package, proto_reader_bytes(message, ENUM_NAME));
	struct proto_field f, number = {0};
	bool fresh;

	while (proto_reader_next(&r, &f))
		if (f.number == ENUM_VALUE && f.bytes.p != NULL &&
		    proto_reader_find(f.bytes, VALUE_NUMBER, &number))
			*keyed_get(&x->values, type, number.v, &fresh) =
			    (struct extension_field){
				.name = region_copy(&x->texts,
				    proto_reader_bytes(f.bytes, VALUE_NAME))};
}

static void
take_file(struct extensions *x, struct span file)
{
	struct span package = proto_reader_bytes(file, FILE_PACKAGE);
	struct proto_reader r = proto_reader(file);
	struct proto_field f;

	if (span_eq(package, SPAN("tq")))
		x->ours = true;
	while (proto_reader_next(&r, &f))
		if (f.number == FILE_MESSAGE && f.bytes.p != NULL)
			take_message(x, package, f.bytes);
		else if (f.number == FILE_ENUM && f.bytes.p != NULL)
			take_enum(x, package, f.bytes);
}

void
extensions_take(struct extensions *x, struct span descriptor)
{
	struct proto_reader r = proto_reader(proto_reader_bytes(descriptor, 1));
	struct proto_field f;

	while (proto_reader_next(&r, &f))
		if (f.number == 1 && f.bytes.p != NULL)
			take_file(x, f.bytes);
}

uint32_t
extensions_message(const struct extensions *x, uint32_t n)
{
	uint32_t event = intern_find(&x->types, TRACK_EVENT);
	const struct extension_field *f = NULL;

	if (event != INTERN_NONE)
		f = keyed_find(&x->fields, (uint64_t)event + 1, n);
	return f != NULL ? f->type : 0;
}

void
extensions_read(const struct extensions *x, uint32_t message, struct span bytes,
    void (*put)(void *arg, const struct extension_field *f, struct span value),
    void *arg)
{
	struct proto_reader r = proto_reader(bytes);
	const struct extension_field *type, *named;
	struct text value = {0};
	struct proto_field f;

	while (proto_reader_next(&r, &f)) {
		type = keyed_find(&x->fields, message, f.number);
		if (type == NULL)
			continue;
		named = type->type > 0 ? keyed_find(&x->values, type->type, f.v)
				       : NULL;
		value.len = 0;
		if (f.bytes.p != NULL)
			text_add_json(&value, f.bytes.p, f.bytes.len);
		else if (named != NULL)
			text_add_json(&value, named->name.p, named->name.len);
		else
			annotations_int(&value, (int64_t)f.v);
		put(arg, type, text_span(&value));
	}
	text_free(&value);
}

void
extensions_free(struct extensions *x)
{
	intern_free(&x->types);
	keyed_free(&x->fields);
	keyed_free(&x->values);
	region_free(&x->texts);
}
