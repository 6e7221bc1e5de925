/* perf_reason.c - why the kernel allows no perf_event_open(2), in words */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "perf_reason.h"

bool
perf_reason_paranoid(int64_t *value)
{
	char text[24];
	ssize_t n;
	int fd =
	    open("/proc/sys/kernel/perf_event_paranoid", O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof(text) - 1);
	close(fd);
	text[n > 0 ? n : 0] = '\0';
	*value = strtoll(text, NULL, 10);
	return n > 0;
}

void
perf_reason_add(struct text *t, int error)
{
	int64_t paranoid;

	text_printf(t, "perf_event_open: %s",
	    error == ENOLCK ? "no memory may be locked (ulimit -l)"
			    : strerror(error));
	if (error == EPERM)
		text_add_str(t, " (denied by seccomp; a container can be "
				"given CAP_PERFMON)");
	else if (error == EACCES && perf_reason_paranoid(&paranoid))
		text_printf(t, " (kernel.perf_event_paranoid is %" PRId64 ")",
		    paranoid);
}
