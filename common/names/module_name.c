/* module_name.c - the modules of a model, by the names of their ranges */

#include "tq/names/module_name.h"

static const struct span torch = {"nn.Module: ", 11};
static const struct span key = {"'Module': '", 11};

struct span
module_name(struct span range)
{
	const struct span none = {"", 0};
	const char *p = range.p, *end = range.p + range.len, *quote;

	if (span_begins(range, torch))
		return (struct span){p + torch.len, range.len - torch.len};
	if (!span_begins(range, SPAN("{")))
		return none;
	p = memmem(p, range.len, key.p, key.len);
	if (p == NULL)
		return none;
	p += key.len;
	quote = memchr(p, '\'', (size_t)(end - p));
	return quote == NULL ? none : (struct span){p, (size_t)(quote - p)};
}
