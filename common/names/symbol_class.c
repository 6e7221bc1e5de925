/* symbol_class.c - the class of a kernel or a function, by its name */

#include <string.h>

#include "tq/names/symbol_class.h"

/* one pass over names that hardly ever have a library in them */
bool
symbol_class_communicates(struct span name)
{
	const char *p = name.p;

	for (size_t i = 0; i + 3 < name.len; i++) {
		if (p[i] != 'n' && p[i] != 'r')
			continue;
		if (p[i + 1] == 'c' && p[i + 2] == 'c' && p[i + 3] == 'l')
			return true;
		if (p[i] == 'n' && p[i + 1] == 'v' &&
		    span_begins(
			(struct span){p + i, name.len - i}, SPAN("nvshmem")))
			return true;
	}
	return false;
}

bool
symbol_class_hta_communicates(struct span name)
{
	return span_begins(name, SPAN("nccl")) ||
	       span_begins(name, SPAN("hip")) ||
	       span_begins(name, SPAN("hccl")) ||
	       memmem(name.p, name.len, "ncclKernel", 10) != NULL;
}

bool
symbol_class_cut_nccl(struct span *name)
{
	static const char *const behind[] = {"DevKernel_", "Kernel_", ":"};

	if (!span_begins(*name, SPAN("nccl")) &&
	    !span_begins(*name, SPAN("rccl")))
		return false;
	*name = (struct span){name->p + 4, name->len - 4};
	for (size_t i = 0; i < sizeof(behind) / sizeof(*behind); i++) {
		struct span s = span_of(behind[i]);

		if (!span_begins(*name, s))
			continue;
		*name = (struct span){name->p + s.len, name->len - s.len};
		break;
	}
	return true;
}
