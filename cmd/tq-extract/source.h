/*
 * source.h - a source of tq-extract: a kind of recording, detected by its
 * content.
 *
 * A source is a folder with a const struct source, and a row of SOURCES below.
 * The program opens the operand, tries the sources in that order, and makes one
 * section: definitions, records, end.
 */
#ifndef SOURCE_H
#define SOURCE_H

#include "check_sheet.h"
#include "sqlite/database.h"
#include "time_window.h"
#include "tq/io/output.h"
#include "tq/show/table.h"
#include "write/key_choice.h"

/* settings of the command line */
struct source_settings {
	uint64_t kinds; /* bits */
	struct key_choice keys;
	bool only; /* events alone */
	struct time_window window;
	bool sqlite; /* large tables are not to be read directly */
	bool live;   /* sort_stream writes at once what its slack allows */
	bool check;
	bool via_nsys;    /* have nsys export a report */
	bool salvage;     /* read a cut or damaged report as far as it goes */
	bool raw_metrics; /* GPU metrics of a report, as their numbers are */
};

struct source_input {
	struct operand *from;
	struct database *db; /* open, of an SQLite file; else NULL */
	const struct source_settings *settings;
	struct output *out;    /* of events */
	struct output *frames; /* of all else: the same, but for --only */
	int64_t *counts;       /* of --kinds, by kind; else NULL */
};

/* how a section ended */
struct source_result {
	int64_t lost; /* events that did not become records */
	int status;   /* TQ_FAIL where that fails without --check, too */
	bool cut;     /* the input ends too early: the section has no end */
	bool told;    /* a warning about the loss was printed */
};

struct source {
	const char *name, *about; /* for --format and --list-sources */
	bool database;            /* reads SQLite files */
	/*
	 * True if the input is of this kind: by the first bytes of from, or the
	 * tables of db.
	 */
	bool (*detect)(const struct source_input *);

	/*
	 * Read a whole section.  The input is borrowed until close.  open
	 * returns the argument of the other functions; it exits where the input
	 * can not be read.
	 */
	void *(*open)(const struct source_input *);
	/* the trace record, and all that come before events */
	void (*definitions)(void *);
	/* instead of these three: count the records of each kind; the status */
	int (*count)(void *, int64_t counts[KIND_COUNT]);
	/* all events in order of time, and a lost record for each loss */
	struct source_result (*records)(void *);
	/* write the report of --check, after the end of the section */
	void (*check)(void *, struct check_sheet *);
	void (*close)(void *);

	/*
	 * In place of these: write all sections of a stream, or count its
	 * records, and take from over; returns the exit status.
	 */
	int (*pass)(const struct source_input *);
};

/*
 * The sources, in the order in which they are tried: each detects its own
 * input.  ROW(x) is of x_source.
 */
#define SOURCES(ROW) \
	ROW(nsysrep) \
	ROW(nsys) \
	ROW(rpd) \
	ROW(rocpd) \
	ROW(wprof) \
	ROW(nccl) \
	ROW(speedscope) \
	ROW(memory) \
	ROW(chrome) \
	ROW(perfetto) \
	ROW(perf) \
	ROW(folded) \
	ROW(sort_stream)

#define SOURCE(name) extern const struct source name##_source;
SOURCES(SOURCE)
#undef SOURCE

/*
 * The source of an input, which exits where there is none.  A database is
 * opened into *db.  format is a name, or NULL to find it by content.
 */
const struct source *source_find(
    struct source_input *in, struct database *db, const char *format);

/* False where no source has this name. */
bool source_exists(const char *name);

/* Append the names of all sources, with a description, a line each. */
void source_list(struct text *to);

/* Write a record of a loss, unless the count is 0. */
void source_write_lost(struct output *o, int64_t ts, const char *reason,
    const char *what, int64_t count);

#endif
