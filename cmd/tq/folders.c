/* folders.c - an operand that is a folder stands for the recordings in it */

#include <dirent.h>
#include <err.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tq/base/array.h"
#include "tq/io/status.h"

#include "arguments.h"
#include "folders.h"
#include "recording.h"

struct words {
	char **all;
	size_t count, cap;
};

static void
add(struct words *w, char *word)
{
	char **to = array_add(&w->all, &w->count, &w->cap);

	*to = word;
}

/* a word behind an option may be the value of it, unless it ends in "/" */
static bool
is_folder(const struct argument *a)
{
	size_t len = strlen(a->word);
	struct stat st;

	return a->is == ARGUMENT_OPERAND && len > 0 &&
	       (!a->perhaps_value || a->word[len - 1] == '/') &&
	       stat(a->word, &st) == 0 && S_ISDIR(st.st_mode);
}

static int
not_hidden(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* of tq-extract, or a stream */
static bool
is_read(const char *path, bool extracted)
{
	enum recording r = recording_of(path);

	if (r == RECORDING_JSON && !recording_has_events(path))
		return false;
	return extracted ? recording_is_extracted(r) : r == RECORDING_STREAM;
}

static void
add_files(struct words *w, const char *folder, struct dirent **entries, int n,
    bool extracted)
{
	const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";

	for (int i = 0; i < n; i++) {
		char *path;

		if (asprintf(
			&path, "%s%s%s", folder, slash, entries[i]->d_name) < 0)
			err(TQ_FAIL, "%s", folder);
		if (is_read(path, extracted))
			add(w, path);
		else
			free(path);
	}
}

static void
add_folder(struct words *w, const char *folder)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, not_hidden, alphasort);
	size_t before = w->count;

	if (n < 0)
		err(TQ_FAIL, "%s", folder);
	add_files(w, folder, entries, n, true);
	add_files(w, folder, entries, n, false);
	if (w->count == before)
		errx(TQ_FAIL, "%s: no recording is in this folder", folder);
	while (n > 0)
		free(entries[--n]);
	free(entries);
}

char **
folders_expand(int *argc, char *argv[])
{
	struct argument *all = arguments_parse(*argc - 1, argv + 1);
	static struct words w;

	add(&w, argv[0]);
	for (int i = 1; i < *argc; i++)
		if (is_folder(&all[i - 1]))
			add_folder(&w, argv[i]);
		else
			add(&w, argv[i]);
	free(all);
	*argc = (int)w.count;
	add(&w, NULL);
	return w.all;
}
