/* symbols.h - symbol records of kernels, which other records refer to by id */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include "string_ids.h"
#include "tq/base/map.h"
#include "tq/io/output.h"

enum { SYMBOLS_CACHE = 1 << 11 };

/* ids of strings; negative ones stand for none */
struct symbol_names {
	int64_t base, demangled, mangled;
};

struct recent_symbol {
	struct symbol_names names;
	int64_t id; /* 0: unused */
};

struct symbols {
	struct string_ids *strings;
	struct output *out;
	struct map ids; /* (demangled, mangled) -> id */
	int64_t count;
	struct recent_symbol recent[SYMBOLS_CACHE];
};

void symbols_free(struct symbols *s);

/* The id of a symbol, whose record is written where it is new. */
int64_t symbols_get(struct symbols *s, struct symbol_names names);

#endif
