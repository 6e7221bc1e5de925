/*
 * kind_files.h - the records of a stream as tables: a Parquet file for each
 * kind, or for each kind and rank, in a folder.
 *
 * Columns are the keys that events.def gives the kind, and "section"; what else
 * a record has is in its column args.  Kinds that events.def lacks have one
 * table together, "other".
 */
#ifndef TQ_TABLE_KIND_FILES_H
#define TQ_TABLE_KIND_FILES_H

#include "tq/base/keyed.h"
#include "tq/io/sorter.h"
#include "tq/line/event.h"

#include "parquet_file.h"

struct kind_file {
	enum kind kind;
	int64_t rank; /* NO_ID: none, or not by rank */
	struct parquet_file file;
	struct table_column *of[KEY_COUNT]; /* by key; NULL: none */
	struct table_column *section;
};

struct rank_of_process {
	int64_t rank;
};

/* set hive and folder; {0} else */
struct kind_files {
	bool hive; /* by rank, too; folders have names as key=value */
	struct whole_folder *folder;

	KEYED(struct kind_file *) open;           /* kind, rank */
	struct kind_file *recent[KIND_COUNT + 1]; /* of a kind, the last one */
	KEYED(size_t) parts;                      /* kind, rank: files before */
	KEYED(struct rank_of_process) ranks;      /* pid, of the section */
	int64_t section, section_rank;
	bool in_section, opened, ended; /* with "trace", with "end" */

	struct sorter *sorter; /* summaries, which follow what they are of */
	struct event sorted;   /* one of them */
	struct text line;

	struct page_press press;
	struct text scratch, valid, rest;
	size_t unchecked; /* bytes of records since memory was last looked at */
	int64_t records, bytes;
	int64_t repaired; /* texts that were no UTF-8 */
};

/* Add any record of the stream. */
void kind_files_add(struct kind_files *f, const struct event *ev);

/* All records were added; complete: so many as there should be. */
void kind_files_finish(struct kind_files *f, bool complete);

void kind_files_free(struct kind_files *f);

#endif
