/* agent_file.c - the libraries that programs load */

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent_file.h"

bool
agent_file_find(char path[AGENT_FILE_PATH])
{
	static const char *const places[] = {"", "../lib/tq/"};
	const char *given = getenv("TQ_CAPTURE_AGENT");
	char self[PATH_MAX], *slash;
	ssize_t n;

	if (given != NULL) {
		/* absolute: the command may change its directory */
		if (strchr(given, '/') == NULL || realpath(given, self) == NULL)
			snprintf(self, sizeof(self), "%s", given);
		snprintf(path, AGENT_FILE_PATH, "%s", self);
		return true;
	}
	n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	self[n > 0 ? n : 0] = '\0';
	slash = strrchr(self, '/');
	for (size_t i = 0; slash != NULL && i < 2; i++) {
		char place[PATH_MAX + 64], *real;

		snprintf(place, sizeof(place), "%.*s/%slibtq-capture.so",
		    (int)(slash - self), self, places[i]);
		if ((real = realpath(place, NULL)) == NULL)
			continue;
		snprintf(path, AGENT_FILE_PATH, "%s", real);
		free(real);
		return true;
	}
	return false;
}

char *
agent_file_beside(const char *agent, const char *name)
{
	const char *slash = strrchr(agent, '/');
	struct text t = {0};

	text_printf(&t, "%.*s%s", slash != NULL ? (int)(slash + 1 - agent) : 0,
	    agent, name);
	text_add_char(&t, '\0');
	return t.p;
}

bool
agent_file_preload(const char *agent, const char *name,
    char path[AGENT_FILE_PRELOAD], struct text *why)
{
	char *beside = agent_file_beside(agent, name);

	snprintf(path, AGENT_FILE_PRELOAD, "%s", beside);
	free(beside);
	if (access(path, R_OK) != 0)
		text_printf(why, "%s: %s", path, strerror(errno));
	else if (path[strcspn(path, " :")] != '\0')
		text_printf(why,
		    "%s: LD_PRELOAD takes no path with a space or a colon",
		    path);
	else
		return true;
	return false;
}
