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

/* what a file is to a tool: nothing, where it has no events */
static enum recording
look_at(const char *path)
{
	enum recording r = recording_of(path);

	return r == RECORDING_JSON && !recording_has_events(path)
		   ? RECORDING_FOREIGN
		   : r;
}

/* a recording goes to all words, a stream to those behind them */
static void
add_file(struct words *all, struct words *streams, const char *folder,
    const char *name)
{
	const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
	enum recording r;
	char *path;

	if (asprintf(&path, "%s%s%s", folder, slash, name) < 0)
		err(TQ_FAIL, "%s", folder);
	r = look_at(path);
	if (recording_is_extracted(r))
		add(all, path);
	else if (r == RECORDING_STREAM)
		add(streams, path);
	else
		free(path);
}

static void
add_folder(struct words *w, const char *folder)
{
	struct dirent **entries = NULL;
	int n = scandir(folder, &entries, not_hidden, alphasort);
	size_t before = w->count;
	struct words streams = {0};

	if (n < 0)
		err(TQ_FAIL, "%s", folder);
	for (int i = 0; i < n; i++) {
		add_file(w, &streams, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	for (size_t i = 0; i < streams.count; i++)
		add(w, streams.all[i]);
	free(streams.all);
	if (w->count == before)
		errx(TQ_FAIL, "%s: no recording is in this folder", folder);
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
