/*
 * tq-table - a stream as tables: a Parquet file for each kind of record, for
 * DuckDB, pandas, Polars, ClickHouse, Spark
 */

#include <err.h>
#include <inttypes.h>

#include "tq/io/note.h"
#include "tq/io/opts.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"

#include "kind_files.h"

struct table_options {
	const char *folder;
	bool hive;
};

#define OPT_STRUCT struct table_options
static const struct opt options[] = {
    {OPT_HELP},
    {'o', "output", "DIR",
	"write to the folder DIR; files appear when all are\ncomplete",
	OPT_TEXT(folder), .synopsis = OPT_HAS_TO},
    {OPT_QUIET},
    {OPT_VERSION},
    {0, "hive", NULL, "a file for each kind and rank: kind=kernel/rank=7/...",
	OPT_SET(hive, true)},
    {0},
};

static const struct opts opts = {
    .tool = "tq-table",
    .operands = "[FILE ...]",
    .all = options,
    .column = 21,
    .status = TQ_USAGE,
};

static int
write_tables(struct kind_files *files, char **operands)
{
	struct reader in;
	int status;

	reader_init(&in, operands, NULL, NULL);
	in.takes_parts = UINT64_MAX;
	while (reader_next(&in))
		kind_files_add(files, &in.event);
	status = in.status;
	kind_files_finish(files, status == TQ_OK);
	reader_free(&in);
	whole_folder_publish(files->folder);
	if (files->repaired > 0)
		warnx("warning: %" PRId64 " text%s not UTF-8: U+FFFD stands "
		      "for each byte that is none",
		    files->repaired, files->repaired == 1 ? " is" : "s are");
	note("%" PRId64 " records in, %zu files of %" PRId64 " bytes out",
	    files->records, files->folder->count, files->bytes);
	return status;
}

int
main(int argc, char *argv[])
{
	static struct whole_folder folder;
	static struct kind_files files = {.folder = &folder};
	struct table_options o = {0};
	char **operands = opts_parse(&opts, &o, argc, argv);
	int status;

	if (o.folder == NULL)
		errx(TQ_USAGE, "no folder: -o DIR");
	opts_need_input(&opts, operands);
	files.hive = o.hive;
	whole_folder_open(&folder, o.folder);
	if (!o.hive)
		whole_folder_refuse(&folder, ".parquet");
	status = write_tables(&files, operands);
	kind_files_free(&files);
	whole_folder_free(&folder);
	return status;
}
