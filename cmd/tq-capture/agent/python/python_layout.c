/* python_layout.c - where CPython keeps the frames of a stack */

#include <stddef.h>
#include <string.h>

#include "arena/record.h"

#include "python_layout.h"

/* clang-format off */
static const struct python_layout layouts[] = {
	/*       thread    frame                code                             str */
	{ 8, 24, PYTHON_NONE, 32, 24, 104, 1, PYTHON_NONE,
	    40, 104, 112, 120, 0, PYTHON_LNOTAB, 48, 72},
	{ 9, 24, PYTHON_NONE, 32, 24, 104, 1, PYTHON_NONE,
	    40, 104, 112, 120, 0, PYTHON_LNOTAB, 48, 72},
	{10, 24, PYTHON_NONE, 32, 24, 96, 2, PYTHON_NONE,
	    40, 104, 112, 120, 0, PYTHON_RANGES, 48, 72},
	{11, 56, 8, 32, 48, 56, 0, PYTHON_NONE,
	    72, 112, 128, 136, 184, PYTHON_LOCATIONS, 48, 72},
	{12, 56, 0, 0, 8, 56, 0, 70,
	    68, 112, 128, 136, 192, PYTHON_LOCATIONS, 40, 56},
	{13, 72, PYTHON_NONE, 0, 8, 56, 0, 70,
	    68, 112, 128, 136, 200, PYTHON_LOCATIONS, 40, 56},
};
/* clang-format on */

/* the number after "3."; -1 if there is none */
static int
minor_of(const char *version)
{
	int minor = 0;

	if (version[0] != '3' || version[1] != '.')
		return -1;
	for (version += 2; *version >= '0' && *version <= '9' && minor < 100;
	     version++)
		minor = minor * 10 + (*version - '0');
	return minor;
}

const struct python_layout *
python_layout_of(const char *version)
{
	/* its objects have other headers */
	if (sizeof(void *) != 8 || strstr(version, "free-threading") != NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(layouts) / sizeof(layouts[0]); i++)
		if (layouts[i].minor == minor_of(version))
			return &layouts[i];
	return NULL;
}
