/* fleet_names.c - what names of recordings say of ranks, for tq fleet */

#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tq/io/status.h"
#include "tq/ranks/rank_name.h"

#include "fleet.h"

static int
end_output(void)
{
	if (fflush(stdout) != 0)
		err(TQ_FAIL, "<stdout>");
	return TQ_OK;
}

int
fleet_names_rank(const char *name)
{
	struct rank_name n = rank_name_guess(name);

	if (n.rank != NO_ID)
		printf("%" PRId64 "\n", n.rank);
	return end_output();
}

int
fleet_names_of_ranks(void)
{
	char *line = NULL;
	size_t cap = 0;

	while (getline(&line, &cap, stdin) >= 0) {
		size_t length = strcspn(line, "\t");
		char *name = strndup(line, length);

		if (name == NULL)
			err(TQ_FAIL, "names of recordings");
		if (!rank_name_read(name).coordinator)
			fputs(line, stdout);
		else
			fprintf(stderr,
			    "tq fleet: left out: %s: its process hands work to "
			    "ranks, and is none\n",
			    name);
		free(name);
	}
	free(line);
	return end_output();
}
