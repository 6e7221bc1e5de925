/* whole_file.c - a small file, such as one of rules, read at once */

#include <err.h>
#include <errno.h>
#include <stdio.h>

#include "tq/io/status.h"
#include "tq/io/whole_file.h"

int
whole_file_try(struct text *t, const char *file, size_t most)
{
	FILE *in = fopen(file, "re");
	size_t n, from = t->len;
	int error = 0;

	if (in == NULL)
		return errno;
	do {
		n = fread(text_reserve(t, BUFSIZ), 1, BUFSIZ, in);
		t->len += n;
	} while (n > 0 && t->len - from <= most);
	if (ferror(in))
		error = errno;
	else if (t->len - from > most)
		error = EFBIG;
	fclose(in);
	return error;
}

void
whole_file_read(struct text *t, const char *file)
{
	errno = whole_file_try(t, file, SIZE_MAX);
	if (errno != 0)
		err(TQ_FAIL, "%s", file);
}
