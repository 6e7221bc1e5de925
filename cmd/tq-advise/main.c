/*
 * tq-advise - what costs most in a recording, how that is known, and what to
 * do about it
 *
 * A record goes to the rules of nsys, which are asked for by name, or to the
 * engine that reads rules from text.
 */

#include <err.h>

#include "tq/io/opts.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"

#include "nsys/nsys_rules.h"
#include "print/sheet.h"

struct advise_options {
	const char *file;
	enum zio_format compression;
	int format;
	struct nsys_rules nsys;
};

static void
take_report(void *rules, const char *list)
{
	nsys_rules_choose(rules, list);
}

#define OPT_STRUCT struct advise_options
static const struct opt options[] = {
    {'f', "format", "FORMAT", "text (default), json, ndjson, csv, markdown",
	OPT_WORD(format, SHEET_FORMATS)},
    {OPT_HELP},
    {OPT_OUTPUT},
    {'r', "report", "LIST",
	"the expert rules of nsys: all (nsys), or by name\n"
	"(gpu_gaps:gap=1:rows=-1)",
	OPT_TAKE(nsys, take_report)},
    {OPT_VERSION},
    {0},
};

static const struct opts opts = {
    "usage: tq-advise [-hV] [-f format] [-o file] [-r list] [file ...]",
    options,
    .column = 24,
    .status = TQ_USAGE,
};

/* ---- the rules of nsys ---- */

static void
write_nsys(struct nsys_rules *rules, struct output *o, enum sheet_format format)
{
	bool json = format == SHEET_JSON;

	o->lines = 0;
	text_add_str(&o->buf, json ? "[\n" : "");
	nsys_rules_write(rules, o, format);
	text_add_str(&o->buf, !json ? "" : o->lines > 0 ? "\n]\n" : "]\n");
}

static void
read_nsys(struct nsys_rules *rules, struct reader *in)
{
	bool open = false;

	while (reader_next(in)) {
		if (in->event.kind == KIND_trace && open)
			nsys_rules_section_end(rules);
		open = true;
		nsys_rules_event(rules, &in->event);
	}
	nsys_rules_section_end(rules);
}

int
main(int argc, char *argv[])
{
	struct advise_options o = {0};
	struct reader in;
	struct output out = {0};
	struct keyset want[KIND_COUNT + 1] = {0};
	char **operands = opts_parse(&opts, &o, argc, argv);

	opts_need_input(&opts, operands);
	nsys_rules_keys(&o.nsys, want);
	reader_init(&in, operands, want, NULL);
	output_open(&out, o.file, zio_format_for(o.compression, o.file));
	read_nsys(&o.nsys, &in);
	write_nsys(&o.nsys, &out, (enum sheet_format)o.format);
	output_finish(&out, in.status == TQ_OK);
	nsys_rules_free(&o.nsys);
	reader_free(&in);
	return in.status;
}
