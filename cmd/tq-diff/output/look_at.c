/* look_at.c - the first suspect of a comparison, as a command */

#include <string.h>

#include "look_at.h"
#include "tq/io/printed_command.h"

enum { LOOK_WIDTH = 44 };

/*
 * The operations of a row as an expression of tq-filter: false if no short one
 * finds them in the recordings of both sides.
 */
static bool
add_expression(struct text *t, const struct match *m, const struct match_row *r)
{
	const struct span copy = SPAN("[CUDA memcpy ");
	bool base = m->by == MATCH_BY_BASE;
	struct span name = r->name;

	if ((!base && m->by != MATCH_BY_NAME && m->by != MATCH_BY_GRID) ||
	    r->level > (base ? MATCH_BASE : MATCH_FULL) ||
	    name.len > LOOK_WIDTH)
		return false;
	for (size_t i = 0; i < name.len; i++)
		if (strchr("'\"\\", name.p[i]) != NULL)
			return false;
	if (r->kind == KIND_memset) {
		text_add_str(t, "kind == \"memset\"");
		return true;
	}
	if (r->kind == KIND_memcpy && span_begins(name, copy)) {
		text_add_str(t, "kind == \"memcpy\" and copy == \"");
		name =
		    (struct span){name.p + copy.len, name.len - copy.len - 1};
	} else if (r->kind == KIND_kernel) {
		if (!base) {
			text_add_str(t, "demangled == \"");
			text_add_visible(t, name, "");
			text_add_str(t, "\" or ");
		}
		text_add_str(t, "name == \"");
	} else {
		return false;
	}
	text_add_visible(t, name, "");
	text_add_char(t, '"');
	return true;
}

const struct match_row *
look_at_add(struct text *t, const struct comparison *c)
{
	size_t len = t->len;

	for (size_t i = 0; i < c->match.row_count; i++) {
		size_t row = c->order[i];

		if (!c->rows[row].suspect)
			continue;
		text_add_str(t, "tq-filter '");
		if (add_expression(t, &c->match, &c->match.rows[row])) {
			text_add_char(t, '\'');
			return &c->match.rows[row];
		}
		t->len = len;
	}
	return NULL;
}

/* Append a command, whose file is what a side has been read from. */
static void
add_for(struct text *t, struct span command, char *const *operands)
{
	struct printed_command_input in;

	printed_command_input(&in, operands);
	printed_command_add(t, &in, command);
	printed_command_input_free(&in);
}

size_t
look_at_each(struct text *t, const struct comparison *c,
    const struct screen_settings *s, look_at_put *put)
{
	struct text command = {0}, made[SIDES] = {{0}, {0}};
	size_t count = 0;

	if (look_at_add(&command, c) != NULL)
		text_add_str(&command, " FILE");
	for (int side = 0; side < SIDES && command.len > 0; side++) {
		struct text *to = &made[count];

		if (s->operands[side] == NULL)
			continue;
		add_for(to, text_span(&command), s->operands[side]);
		if (count == 0 || !span_eq(text_span(to), text_span(&made[0])))
			put(t, text_span(to), count++);
	}
	for (int side = 0; side < SIDES; side++)
		text_free(&made[side]);
	text_free(&command);
	return count;
}
