/* unwind.c - the callers of a function */

#include <string.h>

#include "unwind.h"

/* of the registers that the kernel pushes before a handler of a signal, from
   the stack pointer of __restore_rt on: struct ucontext of x86-64 */
enum { SIGNAL_BP = 120, SIGNAL_SP = 160, SIGNAL_PC = 168 };

struct registers {
	uint64_t pc, sp, bp;
	bool has_bp;
	bool exact; /* pc is of the instruction itself, not of the next one */
};

/* the eight bytes at an address of the stack */
static bool
read_word(const struct unwind_input *in, uint64_t address, uint64_t *v)
{
	uint64_t offset = address - in->sp;

	if (address < in->sp || in->stack.len < 8 || offset > in->stack.len - 8)
		return false;
	memcpy(v, in->stack.p + offset, 8);
	return true;
}

static struct unwind_rule
rule_at(const struct code_area *area, uint64_t pc, bool *has_table)
{
	static const struct unwind_rule none = {.how = UNWIND_NONE};
	struct module *m = area->module;
	uint64_t address;

	module_read(m);
	*has_table = m->table.count > 0;
	if (!module_address(m, pc - area->start + area->offset, &address))
		return none;
	return unwind_table_find(&m->table, address);
}

/* code that has no table, made at run time: it may keep frame pointers */
static enum unwind_end
step_by_bp(const struct code_map *map, const struct unwind_input *in,
    struct registers *r)
{
	uint64_t bp, pc;

	if (!r->has_bp || r->bp < r->sp || !read_word(in, r->bp, &bp) ||
	    !read_word(in, r->bp + 8, &pc) || code_map_find(map, pc) == NULL)
		return UNWIND_LOST;
	*r = (struct registers){
	    .pc = pc, .sp = r->bp + 16, .bp = bp, .has_bp = true};
	return UNWIND_WHOLE;
}

static enum unwind_end
step_signal(const struct unwind_input *in, struct registers *r)
{
	struct registers next = {.has_bp = true, .exact = true};

	if (!read_word(in, r->sp + SIGNAL_BP, &next.bp) ||
	    !read_word(in, r->sp + SIGNAL_SP, &next.sp) ||
	    !read_word(in, r->sp + SIGNAL_PC, &next.pc))
		return UNWIND_TRUNCATED;
	*r = next;
	return UNWIND_WHOLE;
}

static bool
find_cfa(struct unwind_rule rule, const struct registers *r, uint64_t *cfa)
{
	switch (rule.how) {
	case UNWIND_SP:
		*cfa = r->sp + (uint64_t)(int64_t)rule.offset;
		return true;
	case UNWIND_BP:
		*cfa = r->bp + (uint64_t)(int64_t)rule.offset;
		return r->has_bp;
	case UNWIND_PLT:
		*cfa = r->sp + 8 + ((r->pc & 15) >= 11 ? 8 : 0);
		return true;
	default:
		return false;
	}
}

/* A place below the stack pointer is one from which the end of the function has
   popped the register. */
static bool
find_bp(const struct unwind_input *in, struct unwind_rule rule,
    const struct registers *r, uint64_t cfa, uint64_t *bp)
{
	uint64_t saved = cfa + (uint64_t)(int64_t)rule.bp_offset;

	if (rule.bp == UNWIND_BP_SAVED && saved >= r->sp)
		return read_word(in, saved, bp);
	*bp = r->bp;
	return r->has_bp && rule.bp != UNWIND_BP_LOST;
}

static enum unwind_end
step_by_rule(
    const struct unwind_input *in, struct unwind_rule rule, struct registers *r)
{
	struct registers next = {0};
	uint64_t cfa;

	if (!find_cfa(rule, r, &cfa) || cfa <= r->sp)
		return UNWIND_LOST;
	if (!read_word(in, cfa - 8, &next.pc))
		return UNWIND_TRUNCATED;
	next.sp = cfa;
	next.has_bp = find_bp(in, rule, r, cfa, &next.bp);
	*r = next;
	return UNWIND_WHOLE;
}

/* from a frame at pc to its caller; *ended: it has none */
static enum unwind_end
step(const struct code_map *map, const struct unwind_input *in,
    struct unwind_frames *f, struct registers *r, bool *ended)
{
	uint64_t pc = f->pcs[f->count - 1];
	const struct code_area *area = code_map_find(map, pc);
	struct unwind_rule rule = {.how = UNWIND_NONE};
	bool has_table = false;

	f->strange |= area == NULL;
	if (area != NULL)
		rule = rule_at(area, pc, &has_table);
	if (rule.how == UNWIND_END) {
		*ended = true;
		return UNWIND_WHOLE;
	}
	if (rule.how == UNWIND_SIGNAL)
		return step_signal(in, r);
	if (rule.how == UNWIND_NONE)
		return has_table ? UNWIND_LOST : step_by_bp(map, in, r);
	return step_by_rule(in, rule, r);
}

void
unwind_stack(struct unwind_frames *f, const struct code_map *map,
    const struct unwind_input *in)
{
	struct registers r = {.pc = in->pc,
	    .sp = in->sp,
	    .bp = in->bp,
	    .has_bp = true,
	    .exact = true};
	bool ended = false;

	f->count = 0;
	f->end = UNWIND_TRUNCATED;
	f->strange = false;
	while (f->count < UNWIND_FRAMES) {
		f->pcs[f->count++] = r.exact ? r.pc : r.pc - 1;
		f->end = step(map, in, f, &r, &ended);
		if (ended || f->end != UNWIND_WHOLE || r.pc == 0)
			return;
		f->end = UNWIND_TRUNCATED;
	}
}
