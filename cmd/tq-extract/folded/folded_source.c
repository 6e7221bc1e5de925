/*
 * folded_source.c - folded stacks become a section
 *
 *	line  = frame { ";" frame } blanks count
 *	count = digits
 *
 * The root comes first.  There are no times: a sample stands where the counts
 * before it add up to.
 */

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>

#include "read/text_lines.h"
#include "source.h"
#include "tq/base/mem.h"
#include "tq/line/json.h"
#include "write/sorted_section.h"
#include "write/stack_list.h"

struct folded_text {
	struct sorted_section section; /* first: see sorted_section.h */
	struct text_lines lines;
	struct stack_list stacks;
	int64_t total;      /* of the counts so far */
	int64_t first_lost; /* line */
};

/* ---- lines ---- */

/* take the count off the end of a line, and the blanks before it */
static bool
take_count(struct span *line, int64_t *count)
{
	size_t end = line->len, start;

	while (end > 0 && (line->p[end - 1] == ' ' || line->p[end - 1] == '\t'))
		end--;
	start = end;
	while (
	    start > 0 && line->p[start - 1] >= '0' && line->p[start - 1] <= '9')
		start--;
	if (start == 0 || start == end || line->p[start - 1] != ' ' ||
	    !json_int((struct span){line->p + start, end - start}, count))
		return false;
	while (start > 0 && line->p[start - 1] == ' ')
		start--;
	line->len = start;
	return line->len > 0 && *count >= 0;
}

/* the leaf comes first in a record */
static void
add_frames(struct stack_list *stacks, struct span line)
{
	const char *end = line.p + line.len, *p;

	stack_list_begin(stacks);
	do {
		p = memrchr(line.p, ';', (size_t)(end - line.p));
		p = p != NULL ? p + 1 : line.p;
		stack_list_add(stacks, (struct span){p, (size_t)(end - p)});
		end = p - 1;
	} while (p > line.p);
}

static void
take_line(struct folded_text *f, struct span line)
{
	struct sorted_records *h = &f->section.records;
	int64_t count, after;

	event_counts_begin(&f->section.counts, SPAN("line"));
	if (!take_count(&line, &count) ||
	    __builtin_add_overflow(f->total, count, &after)) {
		event_counts_lose(&f->section.counts, EVENT_LOST_SYNTAX);
		if (f->first_lost == 0)
			f->first_lost = f->lines.number;
		return;
	}
	add_frames(&f->stacks, line);
	sorted_section_begin(&f->section, KIND_sample, f->total, NO_ID);
	sorted_records_int(h, KEY_stack, stack_list_end(&f->stacks));
	sorted_records_int(h, KEY_count, count);
	sorted_section_end(&f->section);
	f->total = after;
}

/* ---- detection ---- */

/* a text without the NUL of each character of UTF-16 */
static struct span
narrow(struct span head, char to[OPERAND_HEAD])
{
	size_t n = 0;

	if (head.len < 2 || (memcmp(head.p, "\xff\xfe", 2) != 0 &&
				memcmp(head.p, "\xfe\xff", 2) != 0))
		return head;
	for (size_t i = 2 + (*head.p == '\xfe'); i < head.len; i += 2)
		to[n++] = head.p[i];
	return (struct span){to, n};
}

/* true if it begins with a line of two frames or more */
static bool
detect(const struct source_input *in)
{
	char narrowed[OPERAND_HEAD] = {0};
	struct span s =
	    narrow((struct span){in->from->head, in->from->len}, narrowed);
	const char *newline;
	int64_t count;

	if (span_begins(s, SPAN("\xef\xbb\xbf"))) {
		s.p += 3;
		s.len -= 3;
	}
	newline = memchr(s.p, '\n', s.len);
	if (newline != NULL)
		s.len = (size_t)(newline - s.p);
	while (s.len > 0 && s.p[s.len - 1] == '\r')
		s.len--;
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.p[i] < ' ')
			return false;
	return s.len > 0 && strchr("{[\"#;", *s.p) == NULL &&
	       memchr(s.p, ';', s.len) != NULL &&
	       (newline == NULL
		       ? in->from->len == OPERAND_HEAD || take_count(&s, &count)
		       : take_count(&s, &count));
}

/* ---- the section ---- */

static void *
open_text(const struct source_input *in)
{
	struct folded_text *f = mem_alloc(sizeof(*f));
	struct span line;

	sorted_section_open(&f->section, &folded_source, in);
	f->lines.from = in->from->zio;
	while (text_lines_next(&f->lines, &line))
		if (line.len > 0)
			take_line(f, line);
	text_lines_warn(&f->lines, f->section.name, &f->section.cut);
	if (f->first_lost > 0)
		warnx("warning: %s:%" PRId64 ": no count at the end of a line",
		    f->section.name, f->first_lost);
	return f;
}

static void
definitions(void *text)
{
	const struct folded_text *f = text;

	sorted_section_trace(&f->section, &(struct trace_record){0});
	stack_list_write(&f->stacks, f->section.frames);
}

static void
close_text(void *text)
{
	struct folded_text *f = text;

	text_lines_free(&f->lines);
	stack_list_free(&f->stacks);
	sorted_section_free(&f->section);
	free(f);
}

const struct source folded_source = {
    .name = "folded",
    .about = "folded stacks: a;b;c COUNT, as of FlameGraph and py-spy",
    .detect = detect,
    .open = open_text,
    .definitions = definitions,
    .count = sorted_section_count,
    .records = sorted_section_records,
    .check = sorted_section_check,
    .close = close_text,
};
