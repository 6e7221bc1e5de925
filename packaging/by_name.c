/* by_name.c - run tq, beside this program, by the name of this one: a wheel has
   no links */

#include <err.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char *argv[])
{
	char path[PATH_MAX], tq[PATH_MAX + 4];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n <= 0 || argc == 0)
		err(1, "/proc/self/exe");
	path[n] = '\0';
	snprintf(
	    tq, sizeof(tq), "%.*s/tq", (int)(strrchr(path, '/') - path), path);
	argv[0] = strrchr(path, '/') + 1;
	execv(tq, argv);
	err(1, "%s", tq);
}
