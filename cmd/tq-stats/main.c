/*
 * tq-stats - what a stream adds up to: the reports of nsys stats, and others
 */

#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tq/mem.h"
#include "tq/reader.h"
#include "tq/status.h"

#include "format.h"
#include "partial.h"
#include "report.h"

static const char help[] =
    "usage: tq-stats [-hqV] [-f table|csv|tsv|json|ndjson|markdown|html]\n"
    "                [-g keys] [-o file] [-r reports] [--compat version]\n"
    "                [--help-reports] [--merge] [--partial] [--timeunit unit]\n"
    "                [file ...]\n"
    "\n"
    "  -f, --format FORMAT    how tables are written\n"
    "  -g, --group KEYS       durations by these keys of the records\n"
    "  -h, --help             show this help\n"
    "  -o, --output FILE      write to FILE, which appears when it is "
    "complete\n"
    "  -q, --quiet            do not say what a report had nothing to tell of\n"
    "  -r, --report LIST      these reports, as NAME[:ARGUMENT]\n"
    "  -V, --version          show the version\n"
    "      --compat VERSION   be wrong where nsys is: 2023.4, 2024.6\n"
    "      --help-reports     list the reports\n"
    "      --merge            read what --partial wrote\n"
    "      --partial          write sums, to be merged with those of other "
    "input\n"
    "      --timeunit UNIT    show times in ns, us, ms, s\n";

enum {
	OPT_COMPAT = 256,
	OPT_HELP_REPORTS,
	OPT_MERGE,
	OPT_PARTIAL,
	OPT_TIMEUNIT
};

static const struct option options[] = {
    {"compat",           required_argument, NULL, OPT_COMPAT},
    {"format",              required_argument, NULL, 'f'},
    {"group",		  required_argument, NULL, 'g'},
    {"help",no_argument, NULL, 'h'},
    {"help-reports",               no_argument, NULL, OPT_HELP_REPORTS},
    {"merge",            no_argument, NULL, OPT_MERGE},
    {"output",              required_argument, NULL, 'o'},
    {"partial",		  no_argument, NULL, OPT_PARTIAL},
    {"quiet",		    no_argument, NULL, 'q'},
    {"report",	       required_argument, NULL, 'r'},
    {"timeunit",     required_argument, NULL, OPT_TIMEUNIT},
    {"version",              no_argument, NULL, 'V'},
    {0		 },
};

const struct report_kind *const report_kinds[] = {report_cuda,
    report_cuda_trace, report_nvtx, report_nvtx_gpu, report_host, report_device,
    report_step, report_gaps, report_launch, report_self, report_memory,
    report_group, NULL};

/* what is asked for when nothing is: those that nsys prints first */
static const char default_reports[] =
    "device_time,cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_gpu_mem_size_sum,"
    "cuda_api_sum,nvtx_sum,osrt_sum";

struct stats {
	struct ask ask;
	struct format_options format;
	bool quiet, chosen, merge, partial;
	struct report *reports;
	size_t count;
	struct reader in;
	struct output out;
	struct known known;
	bool correlated; /* an operation tells of its launch */
};

/* ---- reports by name ---- */

static void
list_reports(FILE *f)
{
	for (size_t i = 0; report_kinds[i] != NULL; i++)
		for (const struct report_kind *k = report_kinds[i];
		     k->name != NULL; k++)
			fprintf(f, "  %-24s %s%s%s\n", k->name, k->title,
			    k->args != NULL ? ", :" : "",
			    k->args != NULL ? k->args : "");
}

static _Noreturn void
no_report(struct span name)
{
	static const char *const graphics[] = {
	    "opengl", "vulkan", "dx1", "wddm", "khr", "nvvideo"};

	for (size_t i = 0; i < sizeof(graphics) / sizeof(*graphics); i++)
		if (name.len >= strlen(graphics[i]) &&
		    memcmp(name.p, graphics[i], strlen(graphics[i])) == 0)
			errx(TQ_USAGE, "%.*s: reports of graphics are left out",
			    (int)name.len, name.p);
	warnx("no report is named '%.*s'; there are:", (int)name.len, name.p);
	list_reports(stderr);
	exit(TQ_USAGE);
}

/* NAME[:ARGUMENT]... */
static void
add_report(struct stats *s, struct span text)
{
	struct report r = {.ask = &s->ask, .known = &s->known};
	struct span bad;

	if (!report_parse(&r, text, &bad)) {
		if (r.kind == NULL)
			no_report(bad);
		errx(TQ_USAGE, "%s takes no argument '%.*s'", r.kind->name,
		    (int)bad.len, bad.p);
	}
	s->reports = mem_resize(s->reports, s->count + 1, sizeof(*s->reports));
	s->reports[s->count++] = r;
}

static void
add_reports(struct stats *s, const char *list)
{
	for (;;) {
		size_t n = strcspn(list, ",");

		add_report(s, (struct span){list, n});
		if (list[n] == '\0')
			return;
		list += n + 1;
	}
}

/* ---- the stream ---- */

/* keys that end with KEY_NONE; NULL: none */
static void
ask_for(struct keyset *want, const enum key *keys)
{
	for (; keys != NULL && *keys != KEY_NONE; keys++)
		keyset_add(want, *keys);
}

static void
open_report(struct report *r, struct keyset *want)
{
	const struct report_kind *kind = r->kind;

	if (kind->grouped && r->ask->group == NULL)
		errx(TQ_USAGE, "%s needs -g", kind->name);
	report_open(r);
	kind = r->kind; /* its argument may make it another */
	for (enum kind k = 0; k < KIND_COUNT; k++) {
		if ((kind->kinds >> k & 1) == 0)
			continue;
		ask_for(&want[k], kind->keys);
		if (kind->grouped)
			ask_for(&want[k], r->ask->group);
		if (schema_kinds[k].role == ROLE_WORK)
			ask_for(&want[k], kind->work_keys);
	}
}

/* of those that nobody asked for, these are left */
static void
keep_mergeable(struct stats *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->reports[i].kind->groups != NULL)
			s->reports[n++] = s->reports[i];
		else if (s->chosen)
			errx(TQ_USAGE, "%s cannot be merged",
			    s->reports[i].name);
		else
			report_free(&s->reports[i]);
	s->count = n;
}

static void
open_reports(struct stats *s, struct keyset *want)
{
	for (enum kind k = 0; k <= KIND_COUNT; k++)
		keyset_add(&want[k], KEY_kind);
	for (size_t i = 0; i < s->count; i++) {
		const struct report *r = &s->reports[i];

		open_report(&s->reports[i], want);
		if (r->kind->text != NULL && s->format.format != FORMAT_TABLE)
			errx(TQ_USAGE, "%s is text, in no format but table",
			    r->name);
	}
	/* all of a definition; what no bit stands for is never found */
	for (enum kind k = 0; k < KIND_COUNT; k++)
		if (schema_kinds[k].role == ROLE_DEF)
			memset(&want[k], 0xff, sizeof(want[k]));
}

static void
end_section(struct stats *s)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->reports[i].kind->section_end != NULL)
			s->reports[i].kind->section_end(&s->reports[i]);
	known_reset(&s->known);
}

static void
read_stream(struct stats *s)
{
	const struct event *ev = &s->in.event;
	bool in_section = false;

	while (reader_next(&s->in)) {
		uint64_t kind = (uint64_t)1 << ev->kind;

		if (ev->kind == KIND_trace || s->in.in_section != in_section) {
			end_section(s);
			in_section = s->in.in_section;
		}
		if (schema_role(ev->kind) == ROLE_DEF)
			known_define(&s->known, ev);
		s->correlated |=
		    event_has(ev, KEY_api_ts) || ev->kind == KIND_gpu_range;
		for (size_t i = 0; i < s->count; i++)
			if ((s->reports[i].kind->kinds & kind) != 0)
				s->reports[i].kind->event(&s->reports[i], ev);
	}
	end_section(s);
}

/* ---- what came of it ---- */

static struct partial
partial_of(struct stats *s)
{
	return (struct partial){.ask = &s->ask,
	    .reports = s->reports,
	    .count = s->count,
	    .chosen = s->chosen,
	    .correlated = s->correlated};
}

/* instead of a stream */
static void
read_partials(struct stats *s, char **operands)
{
	struct partial p = partial_of(s);

	partial_read(&p, operands);
	s->reports = p.reports;
	s->count = p.count;
	s->correlated = p.correlated;
	s->in.status = p.status;
}

/* instead of tables */
static size_t
write_partial(struct stats *s)
{
	const struct partial p = partial_of(s);

	partial_write(&s->out, &p);
	for (size_t i = 0; i < s->count; i++)
		report_free(&s->reports[i]);
	return 1; /* also without a line of a group */
}

static void
say_missing(const struct stats *s, const struct report *r)
{
	if (s->quiet)
		return;
	if (r->kind->correlated && !s->correlated)
		warnx("%s: the stream did not go through tq-correlate",
		    r->kind->name);
	else
		warnx("%s: %s", r->kind->name, r->kind->missing);
}

/* how many had something to tell */
static bool
write_report(struct stats *s, struct report *r, bool first)
{
	struct table t = {.report = r->name, .title = r->kind->title};
	bool any;

	if (r->kind->text != NULL) {
		size_t before = s->out.buf.len;

		if (!first)
			text_add_char(&s->out.buf, '\n');
		any = r->kind->text(r, &s->out);
		if (!any)
			s->out.buf.len = before;
		return any;
	}
	r->kind->table(r, &t);
	any = table_rows(&t) > 0;
	if (any)
		format_table(&s->out, &s->format, &t, first);
	table_free(&t);
	return any;
}

static size_t
write_reports(struct stats *s)
{
	const struct partial p = partial_of(s);
	size_t written = 0;

	format_begin(&s->out, &s->format);
	for (size_t i = 0; i < s->count; i++) {
		struct report *r = &s->reports[i];

		if (write_report(s, r, written == 0))
			written++;
		else if (s->chosen)
			say_missing(s, r);
		if (s->merge)
			partial_hand_on(&p, i);
		report_free(r);
	}
	format_end(&s->out, &s->format);
	return written;
}

static size_t
terminal_width(void)
{
	struct winsize w;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0)
		return w.ws_col;
	return 0;
}

static void
choose_format(struct stats *s, const char *file)
{
	s->format.compat = s->ask.compat;
	s->format.several = s->count > 1;
	if (s->format.format == FORMAT_TABLE && file == NULL &&
	    isatty(STDOUT_FILENO)) {
		s->format.width = terminal_width();
		s->format.human = true;
	}
}

static int
compat_version(const char *text)
{
	if (strcmp(text, "2023.4") == 0)
		return 2023;
	if (strcmp(text, "2024.6") == 0)
		return 2024;
	errx(TQ_USAGE, "expected 2023.4 or 2024.6, not '%s'", text);
}

static void
group_by(struct stats *s, const char *list)
{
	size_t len;
	const char *bad = group_parse(list, &s->ask.group, &len);

	if (bad != NULL)
		errx(TQ_USAGE, "'%.*s' is no key to group by", (int)len, bad);
	if (!s->chosen)
		add_reports(s, "group");
	s->chosen = true;
}

static void
parse_options(struct stats *s, int argc, char *argv[], const char **file)
{
	int c;

	while (
	    (c = getopt_long(argc, argv, "f:g:ho:qr:V", options, NULL)) != -1)
		switch (c) {
		case 'f':
			if (!format_named(optarg, &s->format.format))
				errx(TQ_USAGE, "no format is named '%s'",
				    optarg);
			break;
		case 'g':
			group_by(s, optarg);
			break;
		case 'h':
			status_help(help);
		case 'o':
			*file = optarg;
			break;
		case 'q':
			s->quiet = true;
			break;
		case 'r':
			s->chosen = true;
			add_reports(s, optarg);
			break;
		case 'V':
			status_version("tq-stats");
		case OPT_COMPAT:
			s->ask.compat = true;
			s->ask.version = compat_version(optarg);
			break;
		case OPT_HELP_REPORTS:
			list_reports(stdout);
			exit(TQ_OK);
		case OPT_MERGE:
			s->merge = true;
			break;
		case OPT_PARTIAL:
			s->partial = true;
			break;
		case OPT_TIMEUNIT:
			if (!format_time_unit(optarg, &s->format.time_unit))
				errx(TQ_USAGE, "no unit of time is named '%s'",
				    optarg);
			break;
		default:
			status_usage(help);
		}
}

int
main(int argc, char *argv[])
{
	struct stats s = {.ask.version = 2024, .format.time_unit = 1};
	static struct keyset want[KIND_COUNT + 1];
	const char *file = NULL;
	size_t written;

	parse_options(&s, argc, argv, &file);
	if (!s.chosen && !s.merge)
		add_reports(&s, default_reports);
	if (s.merge || s.partial)
		keep_mergeable(&s);
	if (!s.merge)
		open_reports(&s, want);
	output_open(&s.out, file, zio_format_of(file != NULL ? file : ""));
	if (s.merge) {
		read_partials(&s, argv + optind);
	} else {
		reader_init(&s.in, argv + optind, want, NULL);
		read_stream(&s);
	}
	choose_format(&s, file);
	written = s.partial ? write_partial(&s) : write_reports(&s);
	if (written > 0)
		output_finish(&s.out);
	else
		output_abandon(&s.out);
	if (written == 0 && !s.chosen && !s.quiet)
		warnx("no report has anything to tell of this stream");
	known_free(&s.known);
	free(s.reports);
	free(s.ask.group);
	reader_free(&s.in);
	return written > 0 ? s.in.status : TQ_FAIL;
}
