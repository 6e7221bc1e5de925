/*
 * snake.c - a program with the entry points of a Python that is none.
 *
 *	snake none|unknown|wild|moved
 *
 * It sleeps, and prints that it did.  none: no thread has a state; unknown: it
 * has no frame; wild: it leads nowhere; moved: to other objects.
 */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *mode = "none";
static uint64_t zeros[64];
static uint64_t objects[64];

int PyCode_Type, PyUnicode_Type, PyBytes_Type;

const char *Py_GetVersion(void);
void *PyGILState_GetThisThreadState(void);

const char *
Py_GetVersion(void)
{
	return "3.11.7 (main)";
}

void *
PyGILState_GetThisThreadState(void)
{
	if (strcmp(mode, "wild") == 0)
		return (void *)(uintptr_t)0x123450;
	if (strcmp(mode, "moved") == 0) {
		for (size_t i = 0; i < 64; i++)
			objects[i] = (uint64_t)(uintptr_t)objects;
		return objects;
	}
	if (strcmp(mode, "unknown") == 0)
		return zeros;
	return NULL;
}

int
main(int argc, char *argv[])
{
	const struct timespec pause = {.tv_nsec = 3000000};

	if (argc > 1)
		mode = argv[1];
	for (int i = 0; i < 3; i++)
		nanosleep(&pause, NULL);
	puts("slept");
	return 0;
}
