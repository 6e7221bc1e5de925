/* status.c - what tools say of themselves */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tq/io/status.h"

static _Noreturn void
written(void)
{
	if (fflush(stdout) != 0)
		err(TQ_FAIL, "<stdout>");
	exit(TQ_OK);
}

_Noreturn void
status_help(const char *help)
{
	fputs(help, stdout);
	written();
}

_Noreturn void
status_usage_as(const char *help, int status)
{
	const char *end = strstr(help, "\n\n");

	fprintf(stderr, "%.*s\n", (int)(end - help), help);
	exit(status);
}

_Noreturn void
status_usage(const char *help)
{
	status_usage_as(help, TQ_USAGE);
}

_Noreturn void
status_version(const char *tool)
{
	printf("%s %s\n", tool, TQ_VERSION);
	written();
}
