/* python_lines.c - Python stacks of a program as definitions */

#include <inttypes.h>

#include "line_table.h"
#include "lines.h"
#include "python_lines.h"

enum { FRAMES_MOST = 4096 };

/*
 * The file as Python imports it: the path behind the folder of packages, else
 * its name alone.
 */
static struct span
short_file(struct span file)
{
	static const char *const folders[] = {
	    "/site-packages/", "/dist-packages/"};
	const char *name = file.p;

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		size_t n = strlen(folders[i]);
		const char *at = memmem(file.p, file.len, folders[i], n);

		if (at != NULL)
			return (struct span){
			    at + n, (size_t)(file.p + file.len - at) - n};
	}
	for (const char *p = file.p; p < file.p + file.len; p++)
		if (*p == '/')
			name = p + 1;
	return (struct span){name, (size_t)(file.p + file.len - name)};
}

void
python_lines_frame(
    struct text *to, struct span function, struct span file, int32_t line)
{
	text_add_span(to, function);
	text_add_str(to, " (");
	text_add_span(to, short_file(file));
	text_printf(to, ":%" PRId32 ")", line);
}

static void
add_frame(struct lines *l, struct text *t, uint32_t code, uint32_t offset)
{
	const struct named_id *n =
	    dictionary_find(&l->names, RECORD_PYTHON_CODE, 0, code);
	struct record_cursor c;
	struct span file, table;
	int64_t first;
	uint64_t form;
	int32_t line;

	if (n == NULL) {
		text_add_str(t, code == 0 ? "[truncated]" : "[unknown]");
		return;
	}
	c = (struct record_cursor){n->blob.p, n->blob.len, true};
	first = (int64_t)cursor_number(&c);
	form = cursor_number(&c);
	file = cursor_text(&c);
	table = cursor_text(&c);
	if (!c.ok || form > PYTHON_LOCATIONS || first != (int32_t)first) {
		text_add_span(t, n->text);
		return;
	}
	line = line_table_find(
	    (enum python_lines)form, table, (int32_t)first, offset);
	python_lines_frame(t, n->text, file, line > 0 ? line : (int32_t)first);
}

/* The number of a stack whose frames are in blob, as of stack_names. */
static uint32_t
number_of(struct lines *l, struct span blob)
{
	struct stack_names *names = &l->stacks->names;
	uint32_t frames[FRAMES_MOST];
	size_t count = 0;

	for (; blob.len >= 8 && count < FRAMES_MOST;
	     blob.p += 8, blob.len -= 8) {
		uint32_t pair[2];

		memcpy(pair, blob.p, sizeof(pair));
		names->scratch.len = 0;
		add_frame(l, &names->scratch, pair[0], pair[1]);
		frames[count++] =
		    stack_names_frame(names, text_span(&names->scratch));
	}
	return stack_names_of(names, frames, count);
}

int64_t
python_lines_stack(struct lines *l, uint64_t number)
{
	struct named_id *n = number != 0 ? dictionary_find(&l->names,
					       RECORD_PYTHON_STACK, 0, number)
					 : NULL;

	if (n == NULL)
		return 0;
	if (n->number == 0)
		n->number = (int64_t)number_of(l, n->blob) + 1;
	return stack_lines_id(l->stacks, l->out, (uint32_t)(n->number - 1));
}
