/* thread_comm.c - the name that the kernel has for a thread */

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "thread_comm.h"

bool
thread_comm_read(char name[THREAD_COMM], pid_t pid, pid_t tid)
{
	char path[64];
	ssize_t n = -1;
	int fd;

	snprintf(
	    path, sizeof(path), "/proc/%d/task/%d/comm", (int)pid, (int)tid);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0) {
		n = read(fd, name, THREAD_COMM - 1);
		close(fd);
	}
	name[n > 0 ? n - (name[n - 1] == '\n') : 0] = '\0';
	return n > 0;
}
