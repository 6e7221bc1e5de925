/*
 * whole_folder.h - a folder whose new files appear together, when all of them
 * are complete.
 *
 * Until then they have numbers for names, in a hidden folder in it that is
 * removed however the program ends, unless it is killed.  No file is replaced.
 * An error is printed with the name of the file, and ends the program with
 * status 1.
 */
#ifndef TQ_TABLE_WHOLE_FOLDER_H
#define TQ_TABLE_WHOLE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#include "tq/base/text.h"

struct whole_folder {
	const char *name;
	int dir, hidden;    /* the folder, and the one in it */
	char temporary[64]; /* the name of that */
	bool made;          /* the folder was not there */
	char **files;       /* names below the folder, by number */
	size_t count, cap;
	size_t published;
	struct text path; /* for messages */
};

/* Make the folder if it is not there; one that is there may have files. */
void whole_folder_open(struct whole_folder *f, const char *name);

/* End the program if the folder has a file with this suffix. */
void whole_folder_refuse(struct whole_folder *f, const char *suffix);

/*
 * A new file, by its name below the folder, which may have folders in it: its
 * number.  The program ends if there is one of that name.
 */
size_t whole_folder_add(struct whole_folder *f, const char *name);

/* Append to it: open it, write what there is, and close it. */
int whole_folder_begin(struct whole_folder *f, size_t file);
void whole_folder_write(
    struct whole_folder *f, size_t file, int fd, struct span s);
void whole_folder_end(struct whole_folder *f, size_t file, int fd);

/* Give all files their names. */
void whole_folder_publish(struct whole_folder *f);

void whole_folder_free(struct whole_folder *f);

#endif
