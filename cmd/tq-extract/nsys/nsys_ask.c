/* nsys_ask.c - questions about the map of an nsys export */

#include <string.h>

#include "nsys_map.h"

const char *
nsys_column_as(const struct nsys_table *map, enum how how)
{
	for (const struct nsys_column *c = map->columns; c->column; c++)
		if (c->how == how)
			return c->column;
	return NULL;
}

bool
nsys_support_table(const char *name)
{
	static const char *const prefixes[] = {"ENUM_", "TARGET_INFO_",
	    "META_DATA_", "EXPORT_META_DATA", "ANALYSIS_", "StringIds",
	    "ThreadNames", "ProcessStreams", "PROCESSES", "UnwindMethodType",
	    "NVTX_PAYLOAD_", "NVTX_SCOPES", "MPI_RANKS", "MPI_COMMUNICATORS",
	    "UCP_WORKERS", "OSRT_ARGUMENTS", "OSRT_FILE_ACCESS_",
	    "CUDA_CALLCHAINS", "OSRT_CALLCHAINS", "SAMPLING_CALLCHAINS",
	    "SYSCALL_CALLCHAINS", "MPI_CALLCHAINS", "sqlite_", NULL};

	for (size_t i = 0; prefixes[i] != NULL; i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

bool
nsys_event_table(const char *name)
{
	for (size_t i = 0; i < nsys_table_count; i++) {
		size_t n = strcspn(nsys_tables[i].table, "*");

		if (strncmp(name, nsys_tables[i].table, n) == 0)
			return true;
	}
	return false;
}
