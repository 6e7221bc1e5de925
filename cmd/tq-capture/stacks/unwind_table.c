/* unwind_table.c - .eh_frame becomes rules */

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "tq/base/array.h"
#include "tq/base/keyed.h"
#include "tq/base/lower_bound.h"

#include "dwarf_bytes.h"
#include "unwind_table.h"

enum {
	RULES_MOST = UINT16_MAX,
	ROWS_MOST = 1 << 24,
	LETTERS_MOST = 8,     /* of an augmentation */
	STATES_MOST = 64,     /* that DW_CFA_remember_state pushes */
	PROLOGUE_MOST = 1024, /* bytes of instructions of a CIE */
	REG_BP = 6,
	REG_SP = 7,
	REG_RETURN = 16
};

/* ---- pointers ---- */

/* a pointer in one of the encodings DW_EH_PE_*; relative: to where it stands */
static uint64_t
take_pointer(struct bytes *b, uint8_t encoding)
{
	uint64_t at = address_of(b), v;

	switch (encoding & 0x0f) {
	case 0x00:
	case 0x04:
	case 0x0c:
		v = take_fixed(b, 8);
		break;
	case 0x01:
		v = take_uleb(b);
		break;
	case 0x02:
		v = take_fixed(b, 2);
		break;
	case 0x03:
		v = take_fixed(b, 4);
		break;
	case 0x09:
		v = (uint64_t)take_sleb(b);
		break;
	case 0x0a:
		v = (uint64_t)(int16_t)take_fixed(b, 2);
		break;
	case 0x0b:
		v = (uint64_t)(int32_t)take_fixed(b, 4);
		break;
	default:
		b->bad = true;
		return 0;
	}
	if ((encoding & 0x70) == 0x10)
		v += at;
	else if ((encoding & 0x70) != 0)
		b->bad = true;
	return v;
}

/* ---- common information ---- */

struct cie {
	uint64_t code; /* factors */
	int64_t data;
	uint8_t encoding; /* of pointers */
	bool augmented;   /* FDEs have data of a length of their own */
	bool signal;      /* a frame that the kernel made */
	struct bytes instructions;
};

/* the bytes of a record behind its length; false at the end of all */
static bool
take_record(struct bytes *all, struct bytes *record)
{
	uint64_t length = take_fixed(all, 4);

	if (length == 0xffffffff)
		length = take_fixed(all, 8);
	if (all->bad || length == 0 || length > (uint64_t)(all->end - all->p))
		return false;
	*record = (struct bytes){
	    all->p, all->p + length, address_of(all) + length, false};
	all->p += length;
	return true;
}

static bool
read_augmentation(struct bytes *b, const char *letters, struct cie *c)
{
	uint64_t length;
	struct bytes data;

	if (*letters == '\0')
		return true;
	if (*letters != 'z')
		return false;
	length = take_uleb(b);
	data = *b;
	skip(b, length);
	if (b->bad)
		return false;
	c->augmented = true;
	while (*++letters != '\0') {
		switch (*letters) {
		case 'R':
			c->encoding = (uint8_t)take_fixed(&data, 1);
			break;
		case 'P':
			take_pointer(
			    &data, (uint8_t)take_fixed(&data, 1) & 0x8f);
			break;
		case 'L':
			skip(&data, 1);
			break;
		case 'S':
			c->signal = true;
			break;
		case 'B': /* of ARM's pointers */
			break;
		default:
			return false;
		}
	}
	return !data.bad;
}

static bool
read_cie(struct bytes b, struct cie *c)
{
	uint8_t version;
	const char *letters;

	*c = (struct cie){0};
	skip(&b, 4); /* its id */
	version = (uint8_t)take_fixed(&b, 1);
	letters = (const char *)b.p;
	while (take_fixed(&b, 1) != 0)
		;
	if (b.bad || (const char *)b.p - letters > LETTERS_MOST + 1 ||
	    (version != 1 && version != 3))
		return false;
	c->code = take_uleb(&b);
	c->data = take_sleb(&b);
	if ((version == 1 ? take_fixed(&b, 1) : take_uleb(&b)) != REG_RETURN)
		return false;
	if (!read_augmentation(&b, letters, c) || b.bad ||
	    b.end - b.p > PROLOGUE_MOST)
		return false;
	c->instructions = b;
	return true;
}

/* ---- rows ---- */

/* a row of the table that is being made */
struct table_row {
	uint32_t offset;
	uint16_t rule;
	bool end; /* of a function: the row of another one beats it */
};

struct maker {
	struct unwind_table *t;
	struct table_row *rows;
	size_t count, cap;
	struct map rules; /* a rule in two words -> its index + 1 */
	size_t rule_cap;
	bool sorted;
	/* the CIE that was read last, by where it stands */
	const unsigned char *cie_at;
	struct cie cie;
	bool cie_good;
};

static uint16_t
rule_index(struct maker *m, struct unwind_rule r)
{
	uint64_t words[2] = {
	    (uint64_t)(uint32_t)r.offset << 32 | (uint32_t)r.bp_offset,
	    (uint64_t)r.how << 8 | r.bp};
	uint64_t *slot;

	if (m->t->rule_count >= RULES_MOST) {
		const uint64_t *old = map_find(&m->rules, words[0], words[1]);

		return old != NULL ? (uint16_t)(*old - 1) : 0;
	}
	slot = map_get(&m->rules, words[0], words[1]);
	if (*slot == 0) {
		*array_add(&m->t->rules, &m->t->rule_count, &m->rule_cap) = r;
		*slot = m->t->rule_count;
	}
	return (uint16_t)(*slot - 1);
}

static void
add_row(struct maker *m, uint64_t address, struct unwind_rule r, bool end)
{
	uint64_t offset = address - m->t->base;
	struct table_row *last = m->count > 0 ? &m->rows[m->count - 1] : NULL;
	uint16_t rule = rule_index(m, r);

	if (offset > UINT32_MAX || m->count >= ROWS_MOST)
		return;
	if (last != NULL && last->offset > offset)
		m->sorted = false;
	*array_add(&m->rows, &m->count, &m->cap) =
	    (struct table_row){(uint32_t)offset, rule, end};
}

/* ---- instructions ---- */

struct state {
	struct unwind_rule rule;
	bool by_sp, by_bp; /* the CFA is a register and an offset */
	bool lost;         /* the return address is not where it should be */
	bool ended;        /* there is none */
};

struct machine {
	const struct cie *cie;
	struct state now, first; /* first: behind those of the CIE */
	struct state stack[STATES_MOST];
	size_t depth;
	uint64_t pc;
	bool bad;
};

/* of PLTs, as linkers write it:
   rsp + 8 + ((rip & 15) >= 11) * 8 */
static const unsigned char plt[] = {
    0x77, 0x08, 0x80, 0x00, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};

static void
set_cfa(struct machine *m, uint64_t reg, int64_t offset)
{
	struct unwind_rule *r = &m->now.rule;

	r->how = reg == REG_SP   ? UNWIND_SP
		 : reg == REG_BP ? UNWIND_BP
				 : UNWIND_NONE;
	if (offset < INT32_MIN || offset > INT32_MAX) {
		r->how = UNWIND_NONE;
		offset = 0;
	}
	r->offset = (int32_t)offset;
}

static void
set_saved(struct machine *m, uint64_t reg, int64_t factored)
{
	struct unwind_rule *r = &m->now.rule;
	int64_t offset;

	if (__builtin_mul_overflow(factored, m->cie->data, &offset) ||
	    offset < INT32_MIN || offset > INT32_MAX)
		offset = 0;
	if (reg == REG_RETURN)
		m->now.lost = offset != -8;
	if (reg != REG_BP)
		return;
	r->bp = UNWIND_BP_SAVED;
	r->bp_offset = (int32_t)offset;
}

/* a register whose value cannot be followed */
static void
set_lost(struct machine *m, uint64_t reg)
{
	if (reg == REG_BP) {
		m->now.rule.bp = UNWIND_BP_LOST;
		m->now.rule.bp_offset = 0;
	}
	if (reg == REG_RETURN)
		m->now.lost = true;
}

static void
set_same(struct machine *m, uint64_t reg)
{
	if (reg != REG_BP)
		return;
	m->now.rule.bp = UNWIND_BP_SAME;
	m->now.rule.bp_offset = 0;
}

static void
restore(struct machine *m, uint64_t reg)
{
	if (reg == REG_BP) {
		m->now.rule.bp = m->first.rule.bp;
		m->now.rule.bp_offset = m->first.rule.bp_offset;
	}
	if (reg == REG_RETURN) {
		m->now.lost = m->first.lost;
		m->now.ended = m->first.ended;
	}
}

static void
set_expression(struct machine *m, struct bytes *b)
{
	uint64_t length = take_uleb(b);
	const unsigned char *p = b->p;

	skip(b, length);
	m->now.rule.how =
	    !b->bad && length == sizeof(plt) && memcmp(p, plt, sizeof(plt)) == 0
		? UNWIND_PLT
		: UNWIND_NONE;
	m->now.rule.offset = 0;
}

/* the instructions that define the CFA */
static bool
run_cfa(struct machine *m, struct bytes *b, unsigned op)
{
	int64_t factor = m->cie->data, offset;
	uint64_t reg;

	switch (op) {
	case 0x0c: /* def_cfa */
		reg = take_uleb(b);
		set_cfa(m, reg, (int64_t)take_uleb(b));
		return true;
	case 0x12: /* def_cfa_sf */
		reg = take_uleb(b);
		if (__builtin_mul_overflow(take_sleb(b), factor, &offset))
			offset = INT64_MAX;
		set_cfa(m, reg, offset);
		return true;
	case 0x0d: /* def_cfa_register */
		set_cfa(m, take_uleb(b), m->now.rule.offset);
		return true;
	case 0x0e: /* def_cfa_offset */
	case 0x13: /* def_cfa_offset_sf */
		offset = op == 0x0e ? (int64_t)take_uleb(b) : take_sleb(b);
		if (op == 0x13 &&
		    __builtin_mul_overflow(offset, factor, &offset))
			offset = INT64_MAX;
		if (m->now.rule.how == UNWIND_SP ||
		    m->now.rule.how == UNWIND_BP)
			set_cfa(m,
			    m->now.rule.how == UNWIND_SP ? REG_SP : REG_BP,
			    offset);
		return true;
	case 0x0f: /* def_cfa_expression */
		set_expression(m, b);
		return true;
	}
	return false;
}

/* the instructions that define where a register is */
static bool
run_register(struct machine *m, struct bytes *b, unsigned op)
{
	uint64_t reg;

	switch (op) {
	case 0x05: /* offset_extended */
	case 0x2f: /* GNU_negative_offset_extended */
		reg = take_uleb(b);
		set_saved(m, reg,
		    (int64_t)((op == 0x2f ? -UINT64_C(1) : 1) * take_uleb(b)));
		return true;
	case 0x11: /* offset_extended_sf */
		reg = take_uleb(b);
		set_saved(m, reg, take_sleb(b));
		return true;
	case 0x06: /* restore_extended */
		restore(m, take_uleb(b));
		return true;
	case 0x07: /* undefined */
		reg = take_uleb(b);
		m->now.ended |= reg == REG_RETURN;
		if (reg == REG_BP)
			set_lost(m, reg);
		return true;
	case 0x08: /* same_value */
		set_same(m, take_uleb(b));
		return true;
	case 0x09: /* register */
	case 0x14: /* val_offset */
	case 0x15: /* val_offset_sf */
		set_lost(m, take_uleb(b));
		take_uleb(b);
		return true;
	case 0x10: /* expression */
	case 0x16: /* val_expression */
		set_lost(m, take_uleb(b));
		skip(b, take_uleb(b));
		return true;
	}
	return false;
}

static void
remember(struct machine *m)
{
	if (m->depth < STATES_MOST)
		m->stack[m->depth++] = m->now;
	else
		m->bad = true;
}

/*
 * an instruction that is in no table above; the length of an unknown one is
 * unknown, and so are the instructions behind it
 */
static void
run_other(struct machine *m, struct bytes *b, unsigned op)
{
	switch (op) {
	case 0x00: /* nop */
		break;
	case 0x0a:
		remember(m);
		break;
	case 0x0b:
		if (m->depth > 0)
			m->now = m->stack[--m->depth];
		else
			m->bad = true;
		break;
	case 0x2e: /* GNU_args_size */
		take_uleb(b);
		break;
	default:
		m->bad = true;
	}
}

/* bytes that the pc goes on, in units of the CIE; 0: not such an instruction */
static uint64_t
take_advance(struct bytes *b, unsigned op)
{
	switch (op) {
	case 0x02:
		return take_fixed(b, 1);
	case 0x03:
		return take_fixed(b, 2);
	case 0x04:
		return take_fixed(b, 4);
	default:
		return op >> 6 == 1 ? op & 0x3f : 0;
	}
}

/* one instruction that does not move the pc */
static void
run_one(struct machine *m, struct bytes *b, unsigned op)
{
	if (op >> 6 == 2)
		set_saved(m, op & 0x3f, (int64_t)take_uleb(b));
	else if (op >> 6 == 3)
		restore(m, op & 0x3f);
	else if (!run_cfa(m, b, op) && !run_register(m, b, op))
		run_other(m, b, op);
	m->bad |= b->bad;
}

static struct unwind_rule
rule_of(const struct machine *m)
{
	static const struct unwind_rule none = {.how = UNWIND_NONE};

	if (m->cie->signal)
		return (struct unwind_rule){.how = UNWIND_SIGNAL};
	if (m->now.ended)
		return (struct unwind_rule){.how = UNWIND_END};
	return m->bad || m->now.lost ? none : m->now.rule;
}

/* true for instructions that move the pc */
static bool
is_advance(unsigned op)
{
	return op >> 6 == 1 || (op >= 0x02 && op <= 0x04);
}

static void
read_fde(struct maker *k, struct bytes b)
{
	struct machine m = {.cie = &k->cie};
	uint64_t begin = take_pointer(&b, k->cie.encoding), size;
	struct bytes i = k->cie.instructions;

	size = take_pointer(&b, k->cie.encoding & 0x0f);
	if (k->cie.augmented)
		skip(&b, take_uleb(&b));
	if (b.bad || size == 0 || begin + size < begin)
		return;
	m.pc = begin;
	while (i.p < i.end && !m.bad)
		run_one(&m, &i, (unsigned)take_fixed(&i, 1));
	m.first = m.now;
	while (b.p < b.end && !m.bad) {
		unsigned op = (unsigned)take_fixed(&b, 1);

		if (!is_advance(op)) {
			run_one(&m, &b, op);
			continue;
		}
		add_row(k, m.pc, rule_of(&m), false);
		m.pc += take_advance(&b, op) * k->cie.code;
		if (m.pc < begin || m.pc - begin >= size)
			break;
	}
	if (m.pc - begin < size)
		add_row(k, m.pc, rule_of(&m), false);
	add_row(k, begin + size, (struct unwind_rule){0}, true);
}

/* the CIE that stands before an FDE, distance bytes before place */
static bool
find_cie(struct maker *k, struct bytes all, const unsigned char *start,
    const unsigned char *place, uint64_t distance)
{
	struct bytes b = all, record;

	if (distance > (uint64_t)(place - start))
		return false;
	b.p = place - distance;
	if (b.p == k->cie_at)
		return k->cie_good;
	k->cie_at = b.p;
	k->cie_good = take_record(&b, &record) && read_cie(record, &k->cie);
	return k->cie_good;
}

/* ---- the table ---- */

static int
compare_rows(const void *a, const void *b)
{
	const struct table_row *x = a, *y = b;

	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	return (int)y->end - (int)x->end;
}

/* of rows of one offset the last counts; equal neighbours are one */
static void
finish_table(struct maker *k)
{
	struct unwind_table *t = k->t;

	/* qsort(3) of rows that are sorted is slow, and most are */
	if (!k->sorted)
		qsort(k->rows, k->count, sizeof(*k->rows), compare_rows);
	t->offsets = mem_resize(NULL, k->count + 1, sizeof(*t->offsets));
	t->rules_of = mem_resize(NULL, k->count + 1, sizeof(*t->rules_of));
	for (size_t i = 0; i < k->count; i++) {
		const struct table_row *r = &k->rows[i];

		if (i + 1 < k->count && r[1].offset == r->offset &&
		    (r->end || !r[1].end))
			continue;
		if (t->count > 0 && t->offsets[t->count - 1] == r->offset)
			continue; /* an end behind the row of another */
		if (t->count > 0 && t->rules_of[t->count - 1] == r->rule)
			continue;
		t->offsets[t->count] = r->offset;
		t->rules_of[t->count++] = r->rule;
	}
}

void
unwind_table_parse(
    struct unwind_table *t, struct span eh_frame, uint64_t address)
{
	const unsigned char *start = (const unsigned char *)eh_frame.p;
	struct bytes all = {
	    start, start + eh_frame.len, address + eh_frame.len, false};
	struct maker k = {.t = t, .sorted = true};
	struct bytes record;

	rule_index(&k, (struct unwind_rule){0});
	while (take_record(&all, &record)) {
		const unsigned char *place = record.p;
		uint64_t id = take_fixed(&record, 4);

		if (id != 0 && !record.bad &&
		    find_cie(&k,
			(struct bytes){start, all.end, all.address, false},
			start, place, id))
			read_fde(&k, record);
	}
	finish_table(&k);
	free(k.rows);
	map_free(&k.rules);
}

/* the section, or what .eh_frame_hdr points to */
static struct elf_part
find_frames(const struct elf_file *e)
{
	struct elf_part header, part = elf_file_section(e, ".eh_frame");
	struct bytes b;
	uint64_t at;
	uint8_t encoding;

	if (part.bytes != NULL || e->frame_header == 0)
		return part;
	header = elf_file_loaded(e, e->frame_header, 12);
	if (header.bytes == NULL)
		return part;
	b = (struct bytes){(unsigned char *)header.bytes,
	    (unsigned char *)header.bytes + 12, header.address + 12, false};
	skip(&b, 1);
	encoding = (uint8_t)take_fixed(&b, 1);
	skip(&b, 2);
	at = take_pointer(&b, encoding);
	free(header.bytes);
	for (size_t i = 0; !b.bad && i < e->segment_count; i++) {
		const struct elf_segment *s = &e->segments[i];

		if (at >= s->address && at - s->address < s->size)
			return elf_file_loaded(
			    e, at, s->size - (at - s->address));
	}
	return part;
}

void
unwind_table_read(struct unwind_table *t, const struct elf_file *e)
{
	struct elf_part frames;

	*t = (struct unwind_table){0};
	if (e->machine != EM_X86_64)
		return;
	for (size_t i = 0; i < e->segment_count; i++)
		if (i == 0 || e->segments[i].address < t->base)
			t->base = e->segments[i].address;
	frames = find_frames(e);
	if (frames.bytes != NULL)
		unwind_table_parse(t, (struct span){frames.bytes, frames.size},
		    frames.address);
	free(frames.bytes);
}

struct unwind_rule
unwind_table_find(const struct unwind_table *t, uint64_t address)
{
	static const struct unwind_rule none = {.how = UNWIND_NONE};
	uint64_t offset = address - t->base;
	size_t i;

	if (address < t->base || offset > UINT32_MAX)
		return none;
	LOWER_BOUND(i, 0, t->count, t->offsets[i] <= offset);
	return i > 0 ? t->rules[t->rules_of[i - 1]] : none;
}

void
unwind_table_free(struct unwind_table *t)
{
	free(t->offsets);
	free(t->rules_of);
	free(t->rules);
	*t = (struct unwind_table){0};
}
