/* temporary.c - files that are gone with the process */

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "tq/io/temporary.h"
#include "tq/base/text.h"

const char *
temporary_directory(void)
{
	const char *dir = getenv("TMPDIR");

	return dir != NULL && *dir != '\0' ? dir : "/tmp";
}

int
temporary_open(void)
{
	const char *dir = temporary_directory();
	struct text name = {0};
	int fd;

	fd = open(dir, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	/* where the file system has no such: a moment with a name */
	text_printf(&name, "%s/tq.XXXXXX%c", dir, 0);
	if ((fd = mkostemp(name.p, O_CLOEXEC)) >= 0)
		unlink(name.p);
	text_free(&name);
	return fd;
}
