/*
 * parquet_file.h - a table as a file of Apache Parquet.
 *
 *	file      = "PAR1" { row group } footer, length of that (4 bytes) "PAR1"
 *	row group = { column }
 *	column    = [ page of the dictionary ] { page of data }
 *	page      = header, bytes (compressed with zstd, or none of the column)
 *
 * Headers and footer are structs of Thrift's compact protocol.  Pages are of
 * version 1.
 */
#ifndef TQ_TABLE_PARQUET_FILE_H
#define TQ_TABLE_PARQUET_FILE_H

#include "table_column.h"
#include "whole_folder.h"

enum { PARQUET_FILE_ROWS = 1 << 17 }; /* of a row group, at most */

struct parquet_file {
	struct whole_folder *folder;
	size_t number; /* in the folder */
	struct table_column *columns;
	size_t count;
	const struct table_column *order; /* that rows may be in; or NULL */

	int64_t rows;   /* of the row group at hand */
	bool sorted;    /* these, so far, */
	int64_t newest; /* up to this value */

	int64_t all_rows, size; /* of the row groups before */
	struct text groups;     /* their metadata */
	size_t group_count;
};

/* a property of the table, in its footer */
struct parquet_property {
	const char *name, *value;
};

/* Begin a row with this value of the column `order`, if it has one. */
void parquet_file_row(struct parquet_file *f, bool ordered, int64_t value);

/* End the row group; trim: free its memory. */
void parquet_file_flush(
    struct parquet_file *f, struct page_press *press, bool trim);

/* End the file, and free all but *f. */
void parquet_file_finish(struct parquet_file *f, struct page_press *press,
    const struct parquet_property *properties, size_t count);

void parquet_file_free(struct parquet_file *f);

/* Bytes of memory, about. */
size_t parquet_file_memory(const struct parquet_file *f);

#endif
