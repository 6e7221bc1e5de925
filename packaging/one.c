/* one.c - all readers in one program: the name it is called by chooses */

#include <err.h>
#include <string.h>

#include "tq/io/status.h"

#define READER(name, run) int run(int argc, char *argv[]);
#include "readers.def"
#undef READER

int
main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		int (*run)(int argc, char *argv[]);
	} readers[] = {
#define READER(name, run) {name, run},
#include "readers.def"
	};
	const char *name = argc > 0 ? argv[0] : "";

	if (strrchr(name, '/') != NULL)
		name = strrchr(name, '/') + 1;
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (strcmp(readers[i].name, name) == 0)
			return readers[i].run(argc, argv);
	errx(TQ_USAGE, "no tool is named so: call it tq");
}
