/* source_line.c - .debug_line, read until a row has the address */

#include <stdlib.h>

#include "dwarf_bytes.h"
#include "source_line.h"

/* DWARF 5, sections 7.22 and 7.5.6 */
enum {
	LNS_COPY = 1,
	LNS_ADVANCE_PC,
	LNS_ADVANCE_LINE,
	LNS_SET_FILE,
	LNS_CONST_ADD_PC = 8,
	LNS_FIXED_ADVANCE_PC,
	LNE_END_SEQUENCE = 1,
	LNE_SET_ADDRESS,
	LNCT_PATH = 1,
	FORM_DATA2 = 0x05,
	FORM_DATA4,
	FORM_DATA8,
	FORM_STRING,
	FORM_BLOCK,
	FORM_DATA1 = 0x0b,
	FORM_STRP = 0x0e,
	FORM_UDATA,
	FORM_DATA16 = 0x1e,
	FORM_LINE_STRP = 0x1f
};

enum { FORMATS_MOST = 255 };

/* where names of files may be */
struct line_strings {
	struct elf_part line_strings, strings;
};

/* the header of a unit, and where its parts are */
struct line_unit {
	uint64_t version, opcode_base, line_range, least; /* of instructions */
	int8_t line_base;
	size_t offset_size;         /* 8: in the format of 64 bits */
	const unsigned char *sizes; /* of standard operations, from 1 */
	struct bytes files, program;
};

struct line_row {
	uint64_t address, file;
	int64_t line;
};

/* ---- names of files ---- */

static const char *
take_string(struct bytes *b)
{
	const char *s = (const char *)b->p;
	const unsigned char *end = memchr(b->p, 0, (size_t)(b->end - b->p));

	if (end == NULL) {
		b->bad = true;
		b->p = b->end;
		return "";
	}
	b->p = end + 1;
	return s;
}

/* elf_part has a NUL behind it */
static const char *
string_at(const struct elf_part *part, uint64_t offset)
{
	return offset < part->size ? part->bytes + offset : "";
}

/* a value of an entry of version 5; a string, or "" where it is none */
static const char *
take_form(struct bytes *b, uint64_t form, const struct line_unit *u,
    const struct line_strings *names)
{
	static const unsigned char sizes[] = {[FORM_DATA1] = 1,
	    [FORM_DATA2] = 2,
	    [FORM_DATA4] = 4,
	    [FORM_DATA8] = 8,
	    [FORM_DATA16] = 16};

	switch (form) {
	case FORM_STRING:
		return take_string(b);
	case FORM_LINE_STRP:
		return string_at(
		    &names->line_strings, take_fixed(b, u->offset_size));
	case FORM_STRP:
		return string_at(
		    &names->strings, take_fixed(b, u->offset_size));
	case FORM_UDATA:
		take_uleb(b);
		break;
	case FORM_BLOCK:
		skip(b, take_uleb(b));
		break;
	default:
		if (form >= sizeof(sizes) || sizes[form] == 0)
			b->bad = true;
		else
			skip(b, sizes[form]);
	}
	return "";
}

/*
 * The path of an entry of a list of version 5; the last one, to skip a list.
 * "": there is none.
 */
static const char *
take_entries(struct bytes *b, uint64_t wanted, const struct line_unit *u,
    const struct line_strings *names)
{
	struct {
		uint64_t content, form;
	} format[FORMATS_MOST];
	uint64_t n = take_fixed(b, 1), count;
	const char *path = "";

	for (uint64_t i = 0; i < n; i++) {
		format[i].content = take_uleb(b);
		format[i].form = take_uleb(b);
	}
	count = take_uleb(b);
	for (uint64_t i = 0; i < count && n > 0 && !b->bad; i++)
		for (uint64_t k = 0; k < n; k++) {
			const char *s = take_form(b, format[k].form, u, names);

			if (i == wanted && format[k].content == LNCT_PATH)
				path = s;
		}
	return path;
}

/* the path of a file, which counts from 1, of version 2 to 4 */
static const char *
take_old_file(struct bytes *b, uint64_t wanted)
{
	while (*take_string(b) != '\0') /* folders */
		;
	for (uint64_t i = 1; !b->bad; i++) {
		const char *path = take_string(b);

		if (*path == '\0')
			break;
		if (i == wanted)
			return path;
		take_uleb(b); /* folder, time, size */
		take_uleb(b);
		take_uleb(b);
	}
	return "";
}

static const char *
file_name(const struct line_unit *u, uint64_t number,
    const struct line_strings *names)
{
	struct bytes b = u->files;
	const char *path;

	if (u->version < 5) {
		path = take_old_file(&b, number);
	} else {
		take_entries(&b, UINT64_MAX, u, names);
		path = take_entries(&b, number, u, names);
	}
	return b.bad ? "" : basename(path);
}

/* ---- units ---- */

/* the next unit of a section; false: it can't be read, its program is skipped;
   all->p is behind it */
static bool
take_unit(struct bytes *all, struct line_unit *u)
{
	uint64_t length = take_fixed(all, 4);
	struct bytes b;

	u->offset_size = 4;
	if (length == 0xffffffff) {
		length = take_fixed(all, 8);
		u->offset_size = 8;
	}
	b = *all;
	skip(all, length);
	if (all->bad)
		return false;
	b.end = all->p;
	u->version = take_fixed(&b, 2);
	if (u->version < 2 || u->version > 5)
		return false;
	if (u->version == 5)
		skip(&b, 2); /* sizes of an address and of a segment */
	length = take_fixed(&b, u->offset_size);
	u->program = b;
	skip(&u->program, length);
	u->least = take_fixed(&b, 1);
	skip(&b, u->version >= 4 ? 2 : 1); /* operations, is_stmt */
	u->line_base = (int8_t)take_fixed(&b, 1);
	u->line_range = take_fixed(&b, 1);
	u->opcode_base = take_fixed(&b, 1);
	u->sizes = b.p - 1;
	skip(&b, u->opcode_base > 0 ? u->opcode_base - 1 : 0);
	u->files = b;
	u->files.end = u->program.p;
	return !b.bad && !u->program.bad && b.p <= u->program.p &&
	       u->opcode_base > 0 && u->line_range > 0;
}

/* ---- programs ---- */

/* the rows of a sequence, of which *at is the next one */
struct line_search {
	const struct line_unit *unit;
	uint64_t address;
	uint64_t start; /* of the sequence; 0: the linker dropped its code */
	struct line_row at, before;
	bool any;   /* before is set */
	bool found; /* before is the row of the address */
};

static void
begin_sequence(struct line_search *s)
{
	s->at = (struct line_row){.file = 1, .line = 1};
	s->any = false;
}

/* a row is complete: the one before it ends there */
static void
end_row(struct line_search *s)
{
	if (!s->any)
		s->start = s->at.address;
	s->found = s->any && s->start != 0 && s->before.address <= s->address &&
		   s->address < s->at.address;
	if (s->found)
		return;
	s->before = s->at;
	s->any = true;
}

static void
run_extended(struct line_search *s, struct bytes *b)
{
	uint64_t length = take_uleb(b);
	struct bytes x = *b;

	skip(b, length);
	x.end = b->p;
	switch (take_fixed(&x, 1)) {
	case LNE_END_SEQUENCE:
		end_row(s);
		if (!s->found)
			begin_sequence(s);
		break;
	case LNE_SET_ADDRESS:
		s->at.address = take_fixed(&x, 8);
		break;
	default:
		break;
	}
}

static void
run_standard(struct line_search *s, struct bytes *b, uint64_t op)
{
	const struct line_unit *u = s->unit;

	switch (op) {
	case LNS_COPY:
		end_row(s);
		break;
	case LNS_ADVANCE_PC:
		s->at.address += take_uleb(b) * u->least;
		break;
	case LNS_ADVANCE_LINE:
		s->at.line =
		    (int64_t)((uint64_t)s->at.line + (uint64_t)take_sleb(b));
		break;
	case LNS_SET_FILE:
		s->at.file = take_uleb(b);
		break;
	case LNS_CONST_ADD_PC:
		s->at.address +=
		    (255 - u->opcode_base) / u->line_range * u->least;
		break;
	case LNS_FIXED_ADVANCE_PC:
		s->at.address += take_fixed(b, 2);
		break;
	default:
		for (int i = 0; i < u->sizes[op]; i++)
			take_uleb(b);
	}
}

/* DWARF 5, section 6.2.5.1 */
static void
run_special(struct line_search *s, uint64_t op)
{
	const struct line_unit *u = s->unit;
	uint64_t step = op - u->opcode_base;

	s->at.address += step / u->line_range * u->least;
	s->at.line = (int64_t)((uint64_t)s->at.line + (uint64_t)u->line_base +
			       step % u->line_range);
	end_row(s);
}

static bool
run(const struct line_unit *u, uint64_t address, struct line_row *row)
{
	struct line_search s = {.unit = u, .address = address};
	struct bytes b = u->program;

	begin_sequence(&s);
	while (b.p < b.end && !b.bad && !s.found) {
		uint64_t op = take_fixed(&b, 1);

		if (op >= u->opcode_base)
			run_special(&s, op);
		else if (op == 0)
			run_extended(&s, &b);
		else
			run_standard(&s, &b, op);
	}
	*row = s.before;
	return s.found;
}

/* ---- a file ---- */

/* line 0: code that is of no line */
static bool
write_row(const struct line_unit *u, const struct line_row *row,
    const struct line_strings *names, struct text *to)
{
	const char *file = file_name(u, row->file, names);

	if (*file == '\0' || row->line <= 0)
		return false;
	text_printf(to, "%s:%lld", file, (long long)row->line);
	return true;
}

bool
source_line_find(const struct elf_file *e, uint64_t address, struct text *to)
{
	struct elf_part lines = elf_file_section(e, ".debug_line");
	struct line_strings names = {0};
	struct line_unit u;
	struct line_row row;
	bool found = false;
	struct bytes all;

	if (lines.bytes == NULL)
		return false;
	all.p = (const unsigned char *)lines.bytes;
	all.end = all.p + lines.size;
	all.address = 0;
	all.bad = false;
	while (!found && all.p < all.end && !all.bad)
		found = take_unit(&all, &u) && run(&u, address, &row);
	if (found) {
		names.line_strings = elf_file_section(e, ".debug_line_str");
		names.strings = elf_file_section(e, ".debug_str");
		found = write_row(&u, &row, &names, to);
		free(names.line_strings.bytes);
		free(names.strings.bytes);
	}
	free(lines.bytes);
	return found;
}
