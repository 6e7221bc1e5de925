/* rule_lines.c - files of rules, line by line */

#include <err.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "tq/ask/rule_lines.h"
#include "tq/io/status.h"
#include "tq/io/whole_file.h"

void
rule_lines_open(struct rule_lines *l, const char *file, const char *name,
    const char *const *built_in)
{
	*l = (struct rule_lines){.file = file != NULL ? file : name};
	if (file != NULL)
		whole_file_read(&l->text, file);
	else
		for (; *built_in != NULL; built_in++) {
			text_add_str(&l->text, *built_in);
			text_add_char(&l->text, '\n');
		}
	l->rest = text_span(&l->text);
}

bool
rule_lines_any(struct rule_lines *l, struct span *line)
{
	if (!span_next_line(&l->rest, line))
		return false;
	l->number++;
	if (line->len > 0 && line->p[line->len - 1] == '\r')
		line->len--;
	return true;
}

bool
rule_lines_next(struct rule_lines *l, struct span *line)
{
	struct span rule;

	do {
		if (!rule_lines_any(l, line))
			return false;
		rule = span_trimmed(*line);
	} while (rule.len == 0 || *rule.p == '#');
	return true;
}

void
rule_lines_fail(const struct rule_lines *l, const char *format, ...)
{
	char *message = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&message, format, args) < 0)
		errx(TQ_FAIL, "out of memory");
	va_end(args);
	errx(TQ_USAGE, "%s:%zu: %s", l->file, l->number, message);
}

void
rule_lines_fail_at(const struct rule_lines *l, struct span expression,
    const struct expr_error *error)
{
	struct expr_error e = {.at = error->at};
	size_t room = sizeof(e.message) - 1;
	struct text t = {0};

	text_printf(&t, "%s:%zu: %s", l->file, l->number, error->message);
	/* of a long path the end is shown */
	if (t.len < room)
		room = t.len;
	memcpy(e.message, t.p + t.len - room, room);
	text_free(&t);
	expr_complain(expression, &e);
	exit(TQ_USAGE);
}

void
rule_lines_close(struct rule_lines *l)
{
	text_free(&l->text);
}
