/*
 * json.c - any bytes: the walk over members and elements agrees with
 * json_valid, and a string that is decoded and escaped again stays the same.
 */

#include "fuzz.h"
#include "tq/line/json.h"

static void
check_string(struct span string)
{
	struct text bytes = {0}, json = {0}, again = {0};

	json_decode(&bytes, string);
	REQUIRE(bytes.len <= string.len);
	if (text_add_json(&json, bytes.p, bytes.len) == 0) {
		REQUIRE(json_valid(text_span(&json)));
		json_decode(&again, text_span(&json));
		REQUIRE(span_eq(text_span(&bytes), text_span(&again)));
	}
	text_free(&bytes);
	text_free(&json);
	text_free(&again);
}

static void
check_value(struct span v)
{
	int64_t i;

	REQUIRE(json_valid(v));
	if (*v.p == '"')
		check_string(v);
	else if (*v.p == '-' || (*v.p >= '0' && *v.p <= '9'))
		json_int(v, &i);
}

/* the same bytes as an object, and as an array */
static void
check_walk(struct span text)
{
	struct json object, array;
	struct text key = {0};
	struct span v;

	json_open(&object, text);
	while (json_next(&object, &key, &v))
		check_value(v);
	json_open_array(&array, text);
	while (json_next_element(&array, &v))
		check_value(v);
	/* the outermost level does not count as one for the walk */
	if (json_valid(text))
		REQUIRE((object.error == NULL) + (array.error == NULL) <= 1);
	else if (object.error == NULL || array.error == NULL)
		REQUIRE(text.len > 2 * JSON_DEPTH);
	text_free(&key);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* all text ends at a byte that is readable */
	char *text = malloc(size + 1);
	struct text escaped = {0};

	if (size > 0)
		memcpy(text, data, size);
	text[size] = (char)(size % 2 ? '"' : '1');
	check_walk((struct span){text, size});
	text_add_json(&escaped, text, size);
	REQUIRE(json_valid(text_span(&escaped)));
	free(text);
	text_free(&escaped);
	return 0;
}
