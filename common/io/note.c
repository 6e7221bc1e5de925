/* note.c - notes, which -q silences */

#include <err.h>
#include <stdarg.h>

#include "tq/io/note.h"

static bool silent;

void
note_silence(void)
{
	silent = true;
}

bool
note_wanted(void)
{
	return !silent;
}

void
note(const char *format, ...)
{
	va_list values;

	if (silent)
		return;
	va_start(values, format);
	vwarnx(format, values);
	va_end(values);
}
