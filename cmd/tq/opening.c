/* opening.c - where the page of Perfetto opens a trace */

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "tq/base/time.h"
#include "tq/line/json.h"

#include "opening.h"
#include "pipeline.h"
#include "url.h"

enum { UNFOLDED = 2 }; /* GPUs, at most: what one screen has room for */

struct shown_gpu {
	int64_t pid, device; /* or NONE */
};

enum { NONE = -1 };

/* {0}: nothing is known */
struct opening {
	struct shown_gpu gpus[UNFOLDED]; /* that of the finding, then others */
	size_t gpu_count;
	int64_t from, to; /* all GPUs; from > to: unknown */
	int64_t ts, dur;  /* what the finding shows first; dur 0: nothing */
	struct text title;
};

/* ---- what tq-advise says ---- */

/* The value of a member of an object; empty if there is none. */
static struct span
member(struct span object, const char *name)
{
	struct json j;
	struct text key = {0};
	struct span value, found = {"", 0};

	json_open(&j, object);
	while (found.len == 0 && json_next(&j, &key, &value))
		if (span_eq(text_span(&key), span_of(name)))
			found = value;
	text_free(&key);
	return found;
}

static int64_t
number(struct span object, const char *name)
{
	int64_t v = NONE;

	json_int(member(object, name), &v);
	return v;
}

static void
add_gpu(struct opening *o, struct shown_gpu gpu)
{
	if (o->gpu_count < UNFOLDED)
		o->gpus[o->gpu_count++] = gpu;
}

static bool
has_gpu(const struct opening *o, struct shown_gpu gpu)
{
	for (size_t i = 0; i < o->gpu_count; i++)
		if (o->gpus[i].pid == gpu.pid &&
		    o->gpus[i].device == gpu.device)
			return true;
	return false;
}

/* all GPUs; where they are too many, the first of them */
static void
read_account(struct opening *o, struct span devices)
{
	struct json j;
	struct span d;

	json_open_array(&j, devices);
	while (json_next_element(&j, &d)) {
		struct shown_gpu gpu = {number(d, "pid"), number(d, "device")};
		int64_t ts = number(d, "ts");
		int64_t end = time_end(ts, number(d, "wall_ns"));

		o->from = ts < o->from ? ts : o->from;
		o->to = end > o->to ? end : o->to;
		if (!has_gpu(o, gpu))
			add_gpu(o, gpu);
	}
}

/* the first piece of evidence of a finding, if it has one */
static void
read_finding(struct opening *o, struct span finding)
{
	struct span title = member(finding, "title"), first;
	struct json j;

	json_open_array(&j, member(finding, "evidence"));
	if (!json_next_element(&j, &first))
		return;
	o->ts = number(first, "ts");
	o->dur = number(first, "dur");
	add_gpu(o,
	    (struct shown_gpu){number(first, "pid"), number(first, "device")});
	if (title.len > 0)
		json_decode(&o->title, title);
}

static void
read_lines(struct opening *o, struct span said)
{
	struct span line, account = {"", 0};

	while (span_next_line(&said, &line)) {
		struct span devices = member(line, "account");

		if (devices.len > 0)
			account = devices;
		else if (o->dur == 0 && member(line, "finding").len > 0)
			read_finding(o, line);
	}
	if (account.len > 0)
		read_account(o, account);
}

/* what it finds in the file; false if it cannot read it */
static bool
ask(struct text *said, const char *file)
{
	const char *extract[] = {"tq-extract", "--", file, NULL};
	static const char *const correlate[] = {"tq-correlate", NULL};
	static const char *const advise[] = {"tq-advise", "-f", "ndjson", NULL};
	struct pipeline p = {.silent = true};
	int from;
	ssize_t n;

	pipeline_add(&p, extract);
	pipeline_add(&p, correlate);
	pipeline_add(&p, advise);
	from = pipeline_open(&p);
	while ((n = read(from, text_reserve(said, 1 << 16), 1 << 16)) != 0)
		if (n > 0)
			said->len += (size_t)n;
		else if (errno != EINTR)
			break;
	close(from);
	return pipeline_close(&p) == 0;
}

/* ---- what the page is told ---- */

/*
 * So much time around the evidence that the launches, and what is beside it,
 * are in sight.  The page shows all where the window is not within the trace.
 */
static void
add_window(struct text *url, const struct opening *o)
{
	enum { AROUND = 4, LEAST = 500000 /* ns */ };
	int64_t around, from, to;

	if (o->dur <= 0 || o->dur > time_between(o->from, o->to) / 2 ||
	    __builtin_mul_overflow(o->dur, AROUND, &around))
		return;
	around = around > LEAST ? around : LEAST;
	to = time_end(time_end(o->ts, o->dur), around);
	from = o->ts < INT64_MIN + around ? INT64_MIN : o->ts - around;
	text_printf(url, "&visStart=%" PRId64 "&visEnd=%" PRId64,
	    from > o->from ? from : o->from, to < o->to ? to : o->to);
}

/* a command of the page with two words; these commands are to stay */
static void
add_command(
    struct text *t, const char *name, struct span first, struct span second)
{
	text_add_str(t, t->len > 0 ? ",{\"id\":\"dev.perfetto."
				   : "{\"id\":\"dev.perfetto.");
	text_add_str(t, name);
	text_add_str(t, "\",\"args\":[");
	text_add_json(t, first.p, first.len);
	text_add_char(t, ',');
	text_add_json(t, second.p, second.len);
	text_add_str(t, "]}");
}

/*
 * A group is called "rank 0 python 144 · GPU 0" or "python 144 · threads", and
 * maybe "... · group 7" (see tracks.c); the row of a main thread "python 144".
 */
static void
add_unfolding(struct text *t, const struct shown_gpu *gpu)
{
	struct text name = {0};

	if (gpu->device != NONE) {
		if (gpu->pid != NONE)
			text_printf(&name, " %" PRId64 " \xc2\xb7 ", gpu->pid);
		text_printf(&name, "GPU %" PRId64 "( |$)", gpu->device);
		add_command(
		    t, "ExpandTracksByRegex", text_span(&name), SPAN("name"));
	}
	name.len = 0;
	text_printf(
	    &name, " %" PRId64 "($| \xc2\xb7 (threads|group))", gpu->pid);
	if (gpu->pid != NONE)
		add_command(
		    t, "ExpandTracksByRegex", text_span(&name), SPAN("name"));
	text_free(&name);
}

static void
add_note(struct text *t, const struct opening *o)
{
	struct text ts = {0};

	if (o->title.len == 0)
		return;
	text_add_int(&ts, o->ts);
	add_command(
	    t, "AddNoteAtTimestamp", text_span(&ts), text_span(&o->title));
	text_free(&ts);
}

void
opening_add(struct text *url, const char *file)
{
	struct opening o = {.from = INT64_MAX, .to = INT64_MIN};
	struct text said = {0}, commands = {0};

	if (ask(&said, file)) {
		text_add_char(&said, '\0'); /* json.h: a byte behind it */
		said.len--;
		read_lines(&o, text_span(&said));
	}
	add_window(url, &o);
	for (size_t i = 0; i < o.gpu_count; i++)
		add_unfolding(&commands, &o.gpus[i]);
	add_note(&commands, &o);
	if (commands.len > 0) {
		text_add_str(url, "&startupCommands=%5B");
		url_add(url, text_span(&commands));
		text_add_str(url, "%5D");
	}
	text_free(&said);
	text_free(&commands);
	text_free(&o.title);
}
