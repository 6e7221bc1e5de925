/* trace_args.c - the values of the current event: members, args, its name */

#include "trace_args.h"
#include "tq/base/cpp_name.h"

int64_t
trace_args_symbol(struct chrome *c, struct span name, struct span *base)
{
	uint32_t n = intern_get(&c->symbols, name);

	if (n == c->symbol_count) {
		struct text full = {0}, json = {0};

		lenient_decode(&full, name);
		*base = cpp_name_base(text_span(&full));
		text_add_json(&json, base->p, base->len);
		*array_add(&c->symbol_of, &c->symbol_count, &c->symbol_cap) =
		    (struct chrome_symbol){
			region_copy(&c->texts, text_span(&json))};
		text_free(&full);
		text_free(&json);
	}
	*base = c->symbol_of[n].base;
	return (int64_t)n + 1;
}
