/*
 * opts.h - the command line of a tool: a table with a row for each option.
 *
 *	#define OPT_STRUCT struct filter_options
 *	static const struct opt options[] = {
 *	    {OPT_HELP},
 *	    {'n', "top", "N", "so many rows", OPT_COUNT(top, 1, INT64_MAX)},
 *	    {OPT_QUIET},
 *	    {OPT_VERSION},
 *	    {0, "clip", NULL, "shorten ranges", OPT_SET(clip, true)},
 *	    {0},
 *	};
 *
 * --help with its synopsis, messages and completions are made of it.
 */
#ifndef TQ_IO_OPTS_H
#define TQ_IO_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tq/base/span.h"
#include "tq/base/units.h"
#include "tq/io/zio.h"

enum opt_how {
	OPT_SHOW_HELP,
	OPT_SHOW_VERSION,
	OPT_SILENCE,
	OPT_BOOL,
	OPT_INT,
	OPT_STRING,
	OPT_COUNT_INT,
	OPT_COUNT_INT64,
	OPT_COUNT_SIZE,
	OPT_NS,
	OPT_BYTES,
	OPT_PERCENT_WHOLE,
	OPT_PERCENT_DOUBLE,
	OPT_PART,
	OPT_BITS,
	OPT_NUMBERS_TEXT,
	OPT_FUNCTION,
	OPT_PARSER
};

/* Where an option stands in the synopsis: in brackets, without, in o->forms. */
enum opt_place { OPT_MAY_BE, OPT_HAS_TO, OPT_ELSEWHERE };

/* The rows stand in the order of --help. */
struct opt {
	char letter;       /* or 0 */
	const char *name;  /* the long name; NULL ends the table */
	const char *value; /* its name; "[=NAME]" if optional; NULL: none */
	const char *help;  /* lines of text; NULL: --help leaves it out */
	enum opt_place synopsis;
	size_t to; /* offset of the member that it sets */
	enum opt_how how;
	int number; /* a bool or int becomes this, or a size without a value */
	int64_t least, most; /* of a count, time, size or percentage */
	const char *unit;    /* of a time without one; NULL: it needs one */
	const char *words;   /* or the number of the value in "a|b|c", from 0 */
	void (*take)(void *member, const char *value);
	/* returns what is wrong, as a constant text, or NULL */
	const char *(*parse)(void *member, const char *value);
};

/*
 * How an option sets a member of OPT_STRUCT, which a tool defines.  A bool, int
 * or enum becomes v, or the number of the value in w, "a|b|c"; a const
 * char * becomes the value; a function gets a pointer to the member, or to all
 * of the struct, and the value or NULL.  A wrong value of any type but a text
 * and a function ends the program with opts_refuse().
 *
 * A count is digits, in an int, int64_t or size_t.  A time or duration is ns in
 * an int64_t, see units_option_time(); a duration is from 0 or 1 on, and with
 * OPT_DURATION_IN a bare number has a unit.  A size is bytes in an int64_t.  A
 * percentage is a double or whole int64_t, and a share the hundredth part of
 * it; UNITS_PERCENT is 1 % of their bounds.  A list is bit 1 << i of an
 * unsigned for each word i of w but "none"; the last list counts.  Numbers are
 * a list of digits, as a text.  For OPT_WINDOW see tq/ask/window.h.
 *
 * A size or share without its value, "[=SIZE]", becomes number; bytes, percent.
 */
#define OPT_SET(member, v) OPT_NUMBER(member), .number = (v)
#define OPT_WORD(member, w) OPT_NUMBER(member), .words = (w)
#define OPT_TAKE(member, function) \
	.to = offsetof(OPT_STRUCT, member), OPT_CALL(function)
#define OPT_CALL(function) .how = OPT_FUNCTION, .take = (function)
#define OPT_PARSE(member, function) \
	.to = offsetof(OPT_STRUCT, member), .how = OPT_PARSER, \
	.parse = (function)

/* clang-format off */
#define OPT_TEXT(member) OPT_MEMBER(member, const char *: OPT_STRING)
#define OPT_COUNT(member, from, to) \
	OPT_MEMBER(member, int: OPT_COUNT_INT, int64_t: OPT_COUNT_INT64, \
	    size_t: OPT_COUNT_SIZE), .least = (from), .most = (to)
#define OPT_TIME(member) \
	OPT_MEMBER(member, int64_t: OPT_NS), .least = INT64_MIN, \
	.most = INT64_MAX
#define OPT_DURATION(member, from) OPT_DURATION_TO(member, from, INT64_MAX)
#define OPT_DURATION_IN(member, from, u) OPT_DURATION(member, from), .unit = (u)
#define OPT_DURATION_TO(member, from, to) \
	OPT_MEMBER(member, int64_t: OPT_NS), .least = (from), .most = (to)
#define OPT_SIZE(member, from, to) \
	OPT_MEMBER(member, int64_t: OPT_BYTES), .least = (from), .most = (to)
#define OPT_PERCENT(member, from, to) \
	OPT_MEMBER(member, int64_t: OPT_PERCENT_WHOLE, \
	    double: OPT_PERCENT_DOUBLE), .least = (from), .most = (to)
#define OPT_SHARE(member, from, to) \
	OPT_MEMBER(member, double: OPT_PART), .least = (from), .most = (to)
#define OPT_LIST(member, w) \
	OPT_MEMBER(member, unsigned: OPT_BITS), .words = (w)
#define OPT_NUMBERS(member) OPT_MEMBER(member, const char *: OPT_NUMBERS_TEXT)
#define OPT_NUMBER(member) \
	OPT_MEMBER(member, bool: OPT_BOOL, int: OPT_INT, unsigned: OPT_INT)
#define OPT_MEMBER(member, ...) .to = offsetof(OPT_STRUCT, member), \
	.how = _Generic(((OPT_STRUCT *)0)->member, __VA_ARGS__)
/* clang-format on */

/* behind the row of a letter: a long name that it had before */
#define OPT_OLD_NAME NULL, .how = OPT_STRING

/* the options of many tools, for members file, format and verbose */
#define OPT_HELP 'h', "help", NULL, "show this help", .how = OPT_SHOW_HELP
#define OPT_OUTPUT \
	'o', "output", "FILE", \
	    "write to FILE, which appears when it is complete", \
	    OPT_TAKE(file, opts_take_file)
#define OPT_QUIET \
	'q', "quiet", NULL, "print only warnings and errors on stderr", \
	    .how = OPT_SILENCE
#define OPT_VERBOSE(help) 'v', "verbose", NULL, help, OPT_SET(verbose, true)
#define OPT_VERSION \
	'V', "version", NULL, "show the version", .how = OPT_SHOW_VERSION
#define OPT_ZSTD \
	'z', "zstd", NULL, "compress with zstd", OPT_SET(format, ZIO_ZSTD)

struct opts {
	const char *tool;     /* "tq-stats", or a command: "tq view" */
	const char *operands; /* in the synopsis: "[FILE ...]" */
	const char *forms[4]; /* what else may stand behind the tool */
	const struct opt *all;
	int column;             /* of the texts in --help */
	int status;             /* of a wrong command line, for exit */
	bool command;           /* the first operand ends the options */
	void (*more)(FILE *to); /* prints the end of --help; may be NULL */
	const char *commit;     /* that --version names; NULL or "": none */
};

/*
 * Apply the options from argv[optind] on to *settings; returns the operands.
 * Does not return after --help, --version or an error.  To be called before the
 * program opens files: from here on none gets the number of a closed stdin,
 * stdout or stderr, whose use fails with EBADF.
 */
char **opts_parse(const struct opts *o, void *settings, int argc, char *argv[]);

/* A value that names a file to write: const char *, NULL for "-", stdout. */
void opts_take_file(void *member, const char *value);

/*
 * Print how the tool is called, which is made of its table, as lines that are
 * no longer than 80 columns.
 */
void opts_synopsis(const struct opts *o, FILE *to);

/* Print the synopsis to stderr, and exit. */
_Noreturn void opts_usage(const struct opts *o);

/* The same if there are no operands, and nobody has typed "-" at a terminal. */
void opts_need_input(const struct opts *o, char **operands);

/*
 * Add the kinds of a comma separated list to *kinds, as schema_choose does, or
 * exit; the word "help" prints all of them.
 */
void opts_kinds(const char *list, uint64_t *kinds);

/* Exit with a message that suggests the kind, or key, that was meant. */
_Noreturn void opts_no_kind(struct span name);
_Noreturn void opts_no_key(const char *name, size_t len);

/*
 * Exit with status and "--NAME VALUE: PROBLEM", where value is what is wrong,
 * all of the option's value or a part of it.
 */
_Noreturn void opts_refuse(
    int status, const char *name, struct span value, const char *problem);

/* The same of a word that is none of "a|b|c". */
_Noreturn void opts_refuse_word(
    int status, const char *name, struct span value, const char *words);

/* The bits of a list of such words, as of OPT_LIST; refuses others. */
unsigned opts_bits(int status, const char *name, struct span list,
    char separator, const char *words);

/*
 * Append the numbers of a comma separated list to *all, free(3) it, which may
 * be NULL; NULL, or a constant text with the error.
 */
const char *opts_numbers(const char *list, int64_t **all, size_t *count);

/* The number of a word in "a|b|c", from 0, or -1. */
int opts_word(const char *words, const char *word);

/* Word i, which is there, of "a|b|c": the way back. */
struct span opts_word_at(const char *words, int i);

/*
 * The number of the word in "a|b|c" that is the suffix of the name of a file,
 * below .gz or .zst, where ".md" is markdown; 0 where there is none, or file is
 * NULL.
 */
int opts_word_of_file(const char *words, const char *file);

/* "a|b|c" as "a, b or c"; free(3) it. */
char *opts_list(const char *words);

#endif
