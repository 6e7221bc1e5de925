/*
 * functions_file.c - any bytes as a file of functions of Python: each line that
 * comes of it has seven fields, and a file that is refused says why
 */

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "launcher/functions_file.h"

enum { FIELDS = 7 };

static void
check_line(struct span line)
{
	size_t tabs = 0;

	for (size_t i = 0; i < line.len; i++)
		tabs += line.p[i] == '\t';
	REQUIRE(tabs == FIELDS - 1);
	REQUIRE(span_begins(line, SPAN("function\t")));
	REQUIRE(memchr(line.p, '\0', line.len) == NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text to = {0}, why = {0};
	char *text = malloc(size + 1);
	struct span all, line;
	bool ok;

	memcpy(text, data, size);
	text[size] = '\0';
	ok = functions_file_parse(&to, "x", (struct span){text, size}, 0, &why);
	REQUIRE(ok == (why.len == 0));
	all = text_span(&to);
	while (ok && span_next_line(&all, &line))
		check_line(line);
	text_free(&to);
	text_free(&why);
	free(text);
	return 0;
}
