/* view.c - tq view: a trace of a recording, and how to open it */

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/base/region.h"
#include "tq/base/shell.h"
#include "tq/draw/made_of.h"
#include "tq/io/opts.h"
#include "tq/io/output.h"
#include "tq/io/status.h"

#include "opening.h"
#include "pipeline.h"
#include "recording.h"
#include "serve.h"
#include "url.h"
#include "view.h"

struct view_options {
	const char *file, *page;
	int port;
	bool serve, json;
};

#define PAGE "https://ui.perfetto.dev"

#define OPT_STRUCT struct view_options
static const struct opt options[] = {
    {OPT_HELP},
    {'o', "output", "FILE", "write the trace to FILE", OPT_TEXT(file)},
    {0, "json", NULL, "make a trace that chrome://tracing reads, too",
	OPT_SET(json, true)},
    {0, "page", "URL", "the page of the viewer (https://ui.perfetto.dev)",
	OPT_TEXT(page)},
    {0, "port", "PORT",
	"of --serve (9001: the only one that\n"
	"https://ui.perfetto.dev may read from)",
	OPT_COUNT(port, 1, UINT16_MAX)},
    {0, "serve", NULL, "hand the trace to the viewer, then exit",
	OPT_SET(serve, true)},
    {0},
};

static const struct opts opts = {
    .tool = "tq view",
    .operands = "FILE",
    .all = options,
    .column = 22,
    .status = TQ_USAGE,
};

static bool
is_stdout(const char *name)
{
	return strcmp(name, "-") == 0;
}

/* ---- the trace ---- */

/* x.sqlite, x.tq.zst -> x.pftrace, in the same folder */
static const char *
trace_name(struct region *memory, const char *file, const char *suffix)
{
	static const char *const endings[] = {
	    ".zst", ".gz", ".sqlite", ".nsys-rep", ".qdrep", ".tq", ".pftrace"};
	size_t n = strlen(file);
	struct text t = {0};
	const char *name;

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t len = strlen(endings[i]);

		if (n > len && file[n - len - 1] != '/' &&
		    memcmp(file + n - len, endings[i], len) == 0)
			n -= len;
	}
	text_add(&t, file, n);
	text_add_str(&t, suffix);
	name = region_copy(memory, text_span(&t)).p;
	text_free(&t);
	return name;
}

/* the mark of a trace of this file, as it is now */
static const char *
made_of(struct region *memory, const char *file)
{
	struct text t = {0};
	struct stat st;
	const char *mark;

	if (stat(file, &st) < 0)
		err(TQ_FAIL, "%s", file);
	text_printf(&t, "tq " TQ_VERSION " %" PRId64 " %" PRId64 ".%09ld %s",
	    (int64_t)st.st_size, (int64_t)st.st_mtim.tv_sec, st.st_mtim.tv_nsec,
	    basename(file));
	mark = region_copy(memory, text_span(&t)).p;
	text_free(&t);
	return mark;
}

/* append up to so many bytes of the file; false if there is no such file */
static bool
read_head(struct text *t, const char *file, size_t most)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0 && errno == ENOENT)
		return false;
	if (fd < 0 || (n = read(fd, text_reserve(t, most), most)) < 0)
		err(TQ_FAIL, "%s", file);
	close(fd);
	t->len += (size_t)n;
	return true;
}

/*
 * True if there is a trace with this mark.  A trace with another mark may be
 * replaced; one without a mark is somebody else's.
 */
static bool
made_before(const struct view_options *o, const char *trace, const char *file,
    const char *mark)
{
	struct text wanted = {0}, head = {0};
	bool same = false;

	if (o->json)
		made_of_add_member(&wanted, mark);
	else
		made_of_add_packet(&wanted, mark);
	if (read_head(&head, trace, wanted.len + 64)) {
		same = span_begins(text_span(&head), text_span(&wanted));
		if (!same && !made_of_any(text_span(&head)))
			errx(TQ_FAIL,
			    "%s exists, and tq view did not make it of %s: "
			    "-o replaces it",
			    trace, file);
	}
	text_free(&wanted);
	text_free(&head);
	return same;
}

/* true if the viewer opens the file as it is */
static bool
is_trace(const struct view_options *o, const char *file, enum recording what)
{
	switch (what) {
	case RECORDING_JSON:
		return o->file == NULL && recording_has_events(file) &&
		       !recording_is_zstd(file);
	case RECORDING_PERFETTO:
		return o->file == NULL && !o->json && !recording_is_zstd(file);
	default:
		return false;
	}
}

/* returns the name of the trace, which is the file itself if it is one */
static const char *
make_trace(struct region *memory, const struct view_options *o,
    const char *file, enum recording what)
{
	const char *name = o->file, *mark = made_of(memory, file);
	const char *extract[] = {"tq-extract", "--", file, NULL};
	const char *correlate[] = {"tq-correlate", "--", file, NULL};
	const char *draw[] = {o->json ? "tq-chrome" : "tq-perfetto", "-q",
	    "--made-of", mark, "-o", NULL, NULL};
	struct pipeline p = {0};
	int status;

	if (is_trace(o, file, what))
		return file;
	if (name != NULL && !is_stdout(name))
		output_refuse_input(name, file);
	if (name == NULL) {
		name = trace_name(memory, file, o->json ? ".json" : ".pftrace");
		if (!pipeline_explains() && made_before(o, name, file, mark))
			return name;
	}
	if (what != RECORDING_STREAM) {
		pipeline_add(&p, extract);
		correlate[1] = NULL; /* it reads the pipe */
	}
	pipeline_add(&p, correlate);
	draw[5] = name;
	pipeline_add(&p, draw);
	status = pipeline_run(&p);
	if (pipeline_explains())
		exit(status);
	/* the next call is not to take half a trace for a whole one */
	if (status != 0 && o->file == NULL && made_before(o, name, file, mark))
		unlink(name);
	if (status != 0)
		exit(status);
	return name;
}

/* ---- the address ---- */

/* scheme and host of a URL: the origin of its page */
static char *
origin_of(const char *url)
{
	const char *host = strstr(url, "://");
	size_t n;

	if (host == NULL)
		errx(TQ_USAGE, "--page: not a URL: '%s'", url);
	host += 3;
	n = (size_t)(host - url) + strcspn(host, "/?#\r\n");
	return strndup(url, n);
}

/* the command that serves the trace to this page, for a shell */
static void
add_command(struct text *t, const struct view_options *o, const char *trace)
{
	text_add_str(t, "tq view --serve ");
	if (strcmp(o->page, PAGE) != 0) {
		text_add_str(t, "--page ");
		shell_add_word(t, o->page);
		text_add_char(t, ' ');
	}
	if (o->port != SERVE_PORT)
		text_printf(t, "--port %d ", o->port);
	shell_add_file(t, trace);
	text_add_char(t, '\0');
}

/*
 * What tq-advise reads to find where the trace opens: JSON does not keep of
 * which process a GPU is, and its recording may have other times than a trace
 * in Perfetto's format.  NULL: tq view did not make the trace.
 */
static const char *
evidence_for(const char *file, const char *trace, enum recording what)
{
	enum { HEAD = 64 };
	struct text head = {0};
	bool is_json, made = read_head(&head, trace, HEAD) &&
			     made_of_any(text_span(&head));

	is_json = head.len > 0 && *head.p == '{';
	text_free(&head);
	if (!made || (is_json && what == RECORDING_JSON))
		return NULL;
	return is_json ? file : trace;
}

static int
serve(const struct view_options *o, const char *trace, const char *evidence)
{
	char *origin = origin_of(o->page), secret[SERVE_SECRET];
	int listener = serve_listen(o->port), status;
	struct text target = {0}, opening = {0};

	serve_secret(secret);
	text_printf(&target, "/%s/", secret);
	url_add(&target, span_of(basename(trace)));
	text_add_char(&target, '\0');
	if (evidence != NULL)
		opening_add(&opening, evidence);
	text_add_char(&opening, '\0');
	printf("open %s/#!/?url=http://127.0.0.1:%d%s%s\n", o->page, o->port,
	    target.p, opening.p);
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TQ_FAIL, "<stdout>");
	status = serve_file(
	    listener, &(struct serve){trace, target.p, origin, o->port});
	text_free(&target);
	text_free(&opening);
	free(origin);
	return status;
}

static void
say_how(const struct view_options *o, const char *file, const char *trace)
{
	struct text visible = {0}, command = {0};
	struct stat st;

	if (stat(trace, &st) < 0)
		err(TQ_FAIL, "%s", trace);
	if (trace != file)
		printf("%s: %" PRId64 " bytes\n",
		    text_visible_name(&visible, trace), (int64_t)st.st_size);
	add_command(&command, o, trace);
	printf("open %s and drop the file there, or let it come by itself:\n"
	       "    %s\n",
	    o->page, command.p);
	if (o->json)
		printf("chrome://tracing opens it, too\n");
	if (fflush(stdout) != 0 || ferror(stdout))
		err(TQ_FAIL, "<stdout>");
	text_free(&visible);
	text_free(&command);
}

static void
check_options(const struct view_options *o)
{
	free(origin_of(o->page));
	if (o->serve && o->file != NULL && is_stdout(o->file))
		errx(TQ_USAGE, "--output -: --serve needs a file");
}

static _Noreturn void
no_recording(const char *file)
{
	static struct text visible; /* no error leaks it */
	const char *name = text_visible_name(&visible, file);
	struct stat st;

	if (stat(file, &st) < 0 || access(file, R_OK) < 0)
		err(TQ_FAIL, "%s", name);
	errx(TQ_FAIL, "%s: %s", name,
	    S_ISDIR(st.st_mode) ? "is a folder: give one recording of it"
				: "is no regular file: save what it has first");
}

int
view_main(int argc, char *argv[])
{
	struct view_options o = {.page = PAGE, .port = SERVE_PORT};
	struct region memory = {0};
	int status = TQ_OK;
	char **operands;
	enum recording what;
	const char *trace;

	optind = 0; /* getopt begins again */
	operands = opts_parse(&opts, &o, argc, argv);
	if (operands[0] == NULL || operands[1] != NULL)
		opts_usage(&opts);
	check_options(&o);
	what = recording_of(operands[0]);
	if (what == RECORDING_NONE)
		no_recording(operands[0]);
	trace = make_trace(&memory, &o, operands[0], what);
	if (o.serve)
		status =
		    serve(&o, trace, evidence_for(operands[0], trace, what));
	else if (!is_stdout(trace) || o.file == NULL)
		say_how(&o, operands[0], trace);
	region_free(&memory);
	return status;
}
