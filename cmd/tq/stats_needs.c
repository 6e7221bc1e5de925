/* stats_needs.c - the tools that have to run before tq-stats for its reports */

#include <stdlib.h>
#include <string.h>

#include "tq/base/mem.h"
#include "tq/base/text.h"

#include "pipeline.h"
#include "stats_needs.h"

/* the words of a line, which is cut into them; free(3) the list */
static const char **
words_of(char *line)
{
	const char **words = NULL;
	char *rest = NULL, *word = strtok_r(line, " ", &rest);
	size_t n = 0;

	do {
		words = mem_resize(words, n + 1, sizeof(*words));
		words[n++] = word;
		if (word != NULL)
			word = strtok_r(NULL, " ", &rest);
	} while (words[n - 1] != NULL);
	return words;
}

/* the first line is of tq-extract, each other one a command */
static void
read_lines(struct stats_needs *n)
{
	char *rest = NULL;
	char *line = strtok_r(n->text, "\n", &rest);

	if (line == NULL || *line != '-')
		return;
	n->extract = words_of(line);
	while ((line = strtok_r(NULL, "\n", &rest)) != NULL)
		if (strncmp(line, "tq-align", strlen("tq-align")) == 0)
			n->align = true;
		else
			n->correlate = words_of(line);
}

int
stats_needs_ask(struct stats_needs *n, const char *const argv[], bool silent)
{
	size_t count = 0;
	const char **ask;
	struct text t = {0};
	int status;

	*n = (struct stats_needs){0};
	while (argv[count] != NULL)
		count++;
	ask = mem_alloc((count + 2) * sizeof(*ask));
	ask[0] = argv[0];
	ask[1] = "--needs";
	memcpy(ask + 2, argv + 1, count * sizeof(*ask)); /* and the NULL */
	status = pipeline_read(ask, &t, silent);
	free(ask);
	text_add_char(&t, '\0');
	n->text = t.p;
	if (status == 0)
		read_lines(n);
	return status;
}

void
stats_needs_free(struct stats_needs *n)
{
	free(n->extract);
	free(n->correlate);
	free(n->text);
}
