/* whole_file.c - a small file, such as one of rules, read at once */

#include <err.h>
#include <stdio.h>

#include "tq/io/status.h"
#include "tq/io/whole_file.h"

void
whole_file_read(struct text *t, const char *file)
{
	FILE *in = fopen(file, "re");
	size_t n;

	if (in == NULL)
		err(TQ_FAIL, "%s", file);
	do {
		n = fread(text_reserve(t, BUFSIZ), 1, BUFSIZ, in);
		t->len += n;
	} while (n > 0);
	if (ferror(in))
		err(TQ_FAIL, "%s", file);
	fclose(in);
}
