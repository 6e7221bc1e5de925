/*
 * line_table.c - any bytes as a table of lines of CPython: each instruction has
 * one line or none, and reading ends
 *
 *	form (1 byte), first line (4 bytes), the table
 */

#include "fuzz.h"
#include "lines/line_table.h"

enum { OFFSETS = 512 };

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct span table;
	int32_t first;

	if (size < 1 + sizeof(first))
		return 0;
	memcpy(&first, data + 1, sizeof(first));
	table = (struct span){
	    (const char *)data + 1 + sizeof(first), size - 1 - sizeof(first)};
	for (uint32_t i = 0; i < OFFSETS; i++) {
		int32_t line = line_table_find(
		    (enum python_lines)(data[0] % 3), table, first, i);

		REQUIRE(line >= 0);
	}
	line_table_find(
	    (enum python_lines)(data[0] % 3), table, first, UINT32_MAX);
	return 0;
}
