/* counts.c - the numbers of records that a storm has deserved */

#include <stdatomic.h>
#include <unistd.h>

#include "counts.h"

static const char *const names[COUNTS] = {
    [KERNEL] = "kernel",
    [GRAPH_KERNEL] = "graph_kernel",
    [GRAPH] = "graph",
    [MEMCPY] = "memcpy",
    [MEMCPY2] = "memcpy2",
    [MEMSET] = "memset",
    [RUNTIME] = "runtime",
    [DRIVER] = "driver",
    [SILENT] = "silent",
    [SYNC] = "sync",
    [MEMORY] = "memory",
    [POOL] = "pool",
    [EVENT] = "event",
    [STREAM] = "stream",
    [CONTEXT] = "context",
    [DEVICE] = "device",
    [OVERHEAD] = "overhead",
    [RANGE] = "range",
    [MARK] = "mark",
};

static _Atomic unsigned long all[COUNTS], range[COUNTS];
static atomic_bool in_range;

void
counts_range(bool inside)
{
	atomic_store(&in_range, inside);
}

void
counts_add(enum count what, unsigned int n)
{
	atomic_fetch_add(&all[what], n);
	if (atomic_load(&in_range))
		atomic_fetch_add(&range[what], n);
}

static void
print(FILE *fp, const char *name, const _Atomic unsigned long *n)
{
	fprintf(fp, ",\"%s\":{", name);
	for (int i = 0; i < COUNTS; i++)
		fprintf(fp, "%s\"%s\":%lu", i == 0 ? "" : ",", names[i],
		    atomic_load(&n[i]));
	fputc('}', fp);
}

void
counts_print(FILE *fp)
{
	fprintf(fp, "{\"pid\":%ld", (long)getpid());
	print(fp, "all", all);
	print(fp, "range", range);
	fputs("}\n", fp);
	fflush(fp);
}
