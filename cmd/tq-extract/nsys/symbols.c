/* symbols.c - symbol records of kernels */

#include "symbols.h"
#include "tq/io/emit.h"

void
symbols_free(struct symbols *s)
{
	map_free(&s->ids);
}

static void
write_name(struct symbols *s, enum key key, int64_t id)
{
	if (id >= 0)
		emit_json(s->out, key, string_ids_get(s->strings, id));
}

static int64_t
find_or_write(struct symbols *s, struct symbol_names n)
{
	uint64_t *id = map_get(&s->ids, (uint64_t)n.demangled,
	    (uint64_t)n.mangled ^ (uint64_t)n.base << 32);

	if (*id != 0)
		return (int64_t)*id;
	*id = (uint64_t)++s->count;
	emit_open(s->out, KIND_symbol);
	write_name(s, KEY_name, n.base);
	emit_int(s->out, KEY_id, s->count);
	write_name(s, KEY_demangled, n.demangled);
	write_name(s, KEY_mangled, n.mangled);
	emit_close(s->out);
	return s->count;
}

int64_t
symbols_get(struct symbols *s, struct symbol_names n)
{
	uint64_t hash =
	    ((uint64_t)n.demangled + (uint64_t)n.mangled) * 0x9e3779b97f4a7c15u;
	struct recent_symbol *r = &s->recent[hash >> 32 & (SYMBOLS_CACHE - 1)];

	if (r->id == 0 || r->names.base != n.base ||
	    r->names.demangled != n.demangled || r->names.mangled != n.mangled)
		*r = (struct recent_symbol){n, find_or_write(s, n)};
	return r->id;
}
