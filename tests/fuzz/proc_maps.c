/*
 * proc_maps.c - any bytes as a line of /proc/PID/maps: what is taken for one
 * has a beginning, an end, and a path in the line
 */

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "stacks/proc_maps.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = malloc(size + 1);
	struct mapped_area a;

	memcpy(line, data, size);
	line[size] = '\0';
	if (proc_maps_parse(&a, line)) {
		REQUIRE(a.start < a.end);
		REQUIRE(a.path >= line && a.path <= line + size);
		REQUIRE(strchr(a.path, '\n') == NULL);
	}
	free(line);
	return 0;
}
