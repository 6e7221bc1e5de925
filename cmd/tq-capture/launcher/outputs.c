/* outputs.c - the streams of a capture */

#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tq/base/mem.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"
#include "tq/line/edit.h"
#include "tq/io/opts.h"
#include "tq/io/temporary.h"

#include "counters/counter_thread.h"
#include "lines/thread_comm.h"
#include "outputs.h"

enum { SORTER_MEMORY = 64 << 20, NS_PER_MS = 1000000 };

/* slack: a range is written at its end, so a record can be any time late */
static const int64_t SLACK = (INT64_C(1) << 53) - 1;

/* the length of NAME if s begins with %q{NAME}, else 0 */
static size_t
variable_at(const char *s)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz_0123456789";
	size_t n;

	if (strncmp(s, "%q{", 3) != 0)
		return 0;
	n = strspn(s + 3, letters);
	return s[3 + n] == '}' ? n : 0;
}

/*
 * A value comes from the environment of a program, and is to be a part of a
 * name: it leads to no other folder, and does nothing to a terminal.
 */
static void
add_value(struct text *t, const char *v)
{
	for (; *v != '\0'; v++) {
		char before = t->len > 0 ? t->p[t->len - 1] : '/';
		bool unfit = *v == '/' || iscntrl((unsigned char)*v);

		unfit |= *v == '.' && (before == '/' || before == '.');
		text_add_char(t, unfit ? '_' : *v);
	}
}

static void
add_variable(struct text *t, const char *name, size_t n,
    const struct captured_process *p)
{
	char *key = mem_copy(name, n);
	const char *v = captured_process_variable(p, key);

	if (v != NULL)
		add_value(t, v);
	free(key);
}

static void
add_rank(struct text *t, const struct captured_process *p)
{
	const char *v = p == NULL ? captured_process_rank(NULL) : NULL;

	if (p != NULL && p->lines.rank >= 0)
		text_add_int(t, p->lines.rank);
	if (v != NULL)
		add_value(t, v);
}

char *
outputs_name(const char *s, const struct captured_process *p)
{
	const char *pattern = s;
	char host[256] = "";
	struct text t = {0};
	size_t n;

	if (s == NULL)
		return NULL;
	gethostname(host, sizeof(host) - 1);
	for (; *s != '\0'; s++) {
		if (*s == '/' && t.len == 0 && s > pattern)
			text_add_char(&t, '_'); /* a value that is empty */
		if (strncmp(s, "%p", 2) == 0) {
			text_add_int(&t, p != NULL ? p->lines.pid : getpid());
			s++;
		} else if (strncmp(s, "%h", 2) == 0) {
			add_value(&t, host);
			s++;
		} else if ((n = variable_at(s)) > 0) {
			add_variable(&t, s + 3, n, p);
			s += 3 + n;
		} else if (strncmp(s, "%{rank}", 7) == 0) {
			add_rank(&t, p);
			s += 6;
		} else {
			s += strncmp(s, "%%", 2) == 0;
			text_add_char(&t, *s);
		}
	}
	text_add_char(&t, '\0');
	return t.p;
}

void
outputs_variables(struct text *names, const char *s)
{
	size_t n;

	for (; s != NULL && *s != '\0'; s++) {
		if (s[0] == '%' && s[1] == '%')
			s++;
		else if ((n = variable_at(s)) > 0) {
			if (names->len > 0)
				text_add_char(names, ',');
			text_add(names, s + 3, n);
		}
	}
}

/* true of a regular file, or a new one; devices and pipes are like stdout */
static bool
is_file(const char *name)
{
	struct stat st;

	return name != NULL && (stat(name, &st) != 0 || S_ISREG(st.st_mode));
}

/* false with EEXIST where a file that is there is to be kept */
static bool
may_write(const struct outputs *o, const char *name)
{
	struct stat st;

	errno = EEXIST;
	return !o->options->keep_existing || name == NULL ||
	       stat(name, &st) != 0 || !S_ISREG(st.st_mode);
}

/* ",name:a,b": the words of the bits that are set, if there are some */
static void
add_words(struct text *t, const char *name, const char *words, uint32_t bits)
{
	char before = ':';

	if (bits != 0)
		text_printf(t, ",%s", name);
	for (int i = 0; bits != 0; i++, bits >>= 1)
		if (bits & 1) {
			text_add_char(t, before);
			text_add_span(t, opts_word_at(words, i));
			before = ',';
		}
}

/* the kinds that the program records */
static void
add_recorded(struct text *t, uint32_t on)
{
	static const struct {
		uint32_t bit;
		const char *word;
	} words[] = {{ARENA_OSRT, ",osrt"}, {ARENA_GIL, ",python-gil"},
	    {ARENA_MPI, ",mpi"}, {ARENA_NCCL, ",nccl"}};

	if (on & ARENA_NVTX)
		text_add_str(t, on & ARENA_CUDA ? "cuda,nvtx" : "nvtx");
	else
		text_add_str(t, on & ARENA_CUDA ? "cuda" : "none");
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (on & words[i].bit)
			text_add_str(t, words[i].word);
}

/* stacks of calls, and annotated functions */
static void
add_stacks(struct text *t, const struct capture_options *o)
{
	uint32_t classes = 0;

	for (int i = 0; i < CUDA_CLASSES; i++)
		if ((o->on & ARENA_CUDA_STACKS) && o->cuda_ns[i] >= 0)
			classes |= 1U << i;
	add_words(t, "cudabacktrace", CUDA_CLASS_WORDS, classes);
	add_words(t, "python-backtrace", "nvtx|osrt|cuda",
	    (o->on & ARENA_PYTHON) / ARENA_PYTHON_NVTX);
	if (o->functions != NULL)
		text_add_str(t, ",python-functions-trace");
	add_words(t, "pytorch", PYTORCH_WORDS, o->pytorch);
}

/* the kinds of records: "cuda,nvtx,counters:gpu,cpu@10"; free(3) its text */
static struct text
mode_of(const struct capture_options *o)
{
	static const char *const backtraces[] = {"dwarf", "fp", "none"};
	struct text t = {0};

	add_recorded(&t, o->on);
	add_stacks(&t, o);
	add_words(&t, "counters", COUNTERS_WORDS, o->counters);
	if (o->counters != 0)
		text_printf(&t, "@%" PRId64, o->counter_hz);
	if (o->samples)
		text_printf(&t, ",sample:%s@%" PRId64 ":%s",
		    o->on & ARENA_SAMPLES ? "timers" : "perf", o->sample_hz,
		    backtraces[o->backtrace]);
	if (o->switches)
		text_add_str(&t, ",sched:perf");
	if (o->blocked)
		text_add_str(&t, ",blocked:read");
	if (o->python_samples)
		text_printf(&t, ",python:read@%" PRId64, o->python_hz);
	if (o->keep > 0)
		text_printf(&t, ",keep:%" PRId64 "ms", o->keep / NS_PER_MS);
	text_add_char(&t, '\0');
	return t;
}

static struct out_stream *
open_stream(struct outputs *o, char *name, const struct captured_process *p)
{
	struct text command = {0}, mode = mode_of(o->options);
	struct out_stream *s = mem_alloc(sizeof(*s));
	struct trace_info about = {.clock = o->clock,
	    .mode = mode.p,
	    .rank = p != NULL ? p->lines.rank : -1,
	    .keep_nested = o->options->keep_nested};

	for (char **a = o->options->command; *a != NULL; a++) {
		if (command.len > 0)
			text_add_char(&command, ' ');
		text_add_str(&command, *a);
	}
	text_add_char(&command, '\0');
	about.command =
	    p != NULL && p->command != NULL ? p->command : command.p;
	if (o->options->keep > 0)
		about.recorder = true;
	else if (o->options->live || is_file(name))
		about.slack = SLACK;
	if (!may_write(o, name) || !out_stream_open(s, name, o->options->format,
				       &about, o->focus, SORTER_MEMORY)) {
		if (o->not_opened == 0)
			o->not_opened = errno;
		warn("%s", name != NULL ? name : "<stdout>");
		free(s);
		s = NULL;
	} else {
		o->all = mem_resize(o->all, o->count + 1, sizeof(*o->all));
		o->all[o->count++] = s;
		s->id = o->count;
	}
	text_free(&command);
	text_free(&mode);
	return s;
}

/* the length of the template up to its first value */
static size_t
fixed_length(const char *pattern)
{
	size_t n = 0;

	while (
	    pattern[n] != '\0' && (pattern[n] != '%' || pattern[n + 1] == '%'))
		n += pattern[n] == '%' ? 2 : 1;
	return n;
}

/*
 * 0, or errno where no process can have a file of that name: its folder, as far
 * as it is the same for all, is none; or there is one file for all, which is to
 * be kept.
 */
static int
why_not_split(const struct outputs *o)
{
	const char *pattern = o->options->file;
	size_t n = fixed_length(pattern);
	char *fixed = mem_copy(pattern, n), *name = outputs_name(fixed, NULL);
	char *slash = strrchr(name, '/');
	struct stat st;
	int error = 0;

	if (pattern[n] == '\0' && !may_write(o, name))
		error = errno;
	if (slash != NULL)
		slash[1] = '\0'; /* of a file it is ENOTDIR */
	if (error == 0 && slash != NULL && stat(name, &st) != 0)
		error = errno;
	free(name);
	free(fixed);
	return error;
}

static bool
look_for_folder(const struct outputs *o)
{
	int error = why_not_split(o);

	errno = error;
	if (error != 0)
		warn("%s", o->options->file);
	return error == 0;
}

int
outputs_wait_for_reader(const struct capture_options *o)
{
	char *name = o->split ? NULL : outputs_name(o->file, NULL);
	int fd = -1, high = -1;
	struct stat st;

	if (name != NULL && stat(name, &st) == 0 && S_ISFIFO(st.st_mode))
		fd = open(name, O_WRONLY | O_CLOEXEC);
	free(name);
	/* standard descriptors may be closed */
	if (fd >= 0)
		high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (fd >= 0)
		close(fd);
	return high;
}

bool
outputs_open(struct outputs *o)
{
	char *name;
	bool ok;

	if (o->options->split)
		return look_for_folder(o);
	name = outputs_name(o->options->file, NULL);
	ok = open_stream(o, name, NULL) != NULL;
	free(name);
	return ok;
}

struct out_stream *
outputs_for(struct outputs *o, const struct captured_process *p)
{
	struct out_stream *s = NULL;
	char *name;

	if (!o->options->split)
		return o->all[0];
	name = outputs_name(o->options->file, p);
	for (size_t i = 0; s == NULL && i < o->count; i++)
		if (strcmp(o->all[i]->name, name) == 0)
			s = o->all[i];
	if (s == NULL)
		s = open_stream(o, name, p);
	free(name);
	return s;
}

struct out_stream *
outputs_of_process(const struct outputs *o, int pid,
    struct captured_process *const *targets, size_t count)
{
	if (!o->options->split)
		return o->all[0];
	for (size_t i = count; i-- > 0;)
		if (targets[i]->lines.pid == pid)
			return targets[i]->lines.out;
	return NULL;
}

void
outputs_name_thread(struct outputs *o, struct out_stream *s, int pid, int tid)
{
	uint64_t *done =
	    map_get(&o->named, s->id, (uint64_t)pid << 32 | (uint32_t)tid);
	char name[THREAD_COMM];

	if (*done != 0)
		return;
	*done = 1;
	if (!thread_comm_read(name, pid, tid))
		return;
	out_stream_name(s, pid, tid, span_of(name), -1);
}

size_t
outputs_behind(const struct outputs *o)
{
	size_t most = 0;

	for (size_t i = 0; i < o->count; i++) {
		size_t n = writer_thread_behind(o->all[i]->writer);

		if (n > most)
			most = n;
	}
	return most;
}

int
outputs_error(const struct outputs *o)
{
	for (size_t i = 0; i < o->count; i++) {
		const struct out_stream *s = o->all[i];
		int error = s->error;

		if (error == 0 && s->writer != NULL) /* not closed yet */
			error = writer_thread_error(s->writer);
		if (error != 0)
			return error;
	}
	return 0;
}

bool
outputs_are_live(const struct outputs *o)
{
	for (size_t i = 0; i < o->count; i++)
		if (!o->all[i]->live)
			return false;
	return true;
}

void
outputs_release(struct outputs *o, int64_t until)
{
	for (size_t i = 0; i < o->count; i++)
		out_stream_release(o->all[i], until);
}

void
outputs_flush(struct outputs *o)
{
	for (size_t i = 0; i < o->count; i++)
		if (o->all[i]->recorder == NULL)
			writer_thread_flush(o->all[i]->writer);
}

void
outputs_forget(struct outputs *o, int64_t before)
{
	for (size_t i = 0; i < o->count; i++)
		flight_recorder_forget(o->all[i]->recorder, before);
}

int64_t
outputs_dump(struct outputs *o, int64_t from)
{
	int64_t lines = 0;

	for (size_t i = 0; i < o->count; i++)
		lines += out_stream_dump(o->all[i], from);
	return lines;
}

/* ---- a file in order of time ---- */

static void
write_line(void *arg, const struct sorter_line *l)
{
	output_line(arg, l->line);
}

static void
write_trace(struct output *o, struct span line)
{
	struct edit e = {0};
	struct text t = {0};

	edit_drop(&e, KEY_slack);
	edit_write(&e, line, &t);
	output_line(o, text_span(&t));
	text_free(&t);
}

static void
add_event(struct output *o, struct sorter *s, const struct event *ev)
{
	/* a range that never ended is the longest */
	int64_t dur =
	    event_true(ev, KEY_open) ? INT64_MAX : event_int(ev, KEY_dur, 0);

	switch (schema_role(ev->kind)) {
	case ROLE_DEF:
		output_line(o, ev->line);
		break;
	case ROLE_FRAME:
		if (ev->kind == KIND_trace) {
			write_trace(o, ev->line);
			break;
		}
		if (!sorter_finish(s, write_line, o))
			err(TQ_FAIL, "%s", temporary_directory());
		output_line(o, ev->line);
		break;
	default:
		if (!sorter_add(s, event_int(ev, KEY_ts, 0), dur, ev->line, 0))
			err(TQ_FAIL, "%s", temporary_directory());
	}
}

/* errors end the program, as in any tool: call it in a process of its own */
static int
sort_file(char *file, enum zio_format format)
{
	char *operands[] = {file, NULL};
	struct keyset want[KIND_COUNT + 1] = {0};
	struct sorter *s = sorter_open(SORTER_MEMORY);
	struct output out;
	struct reader in;
	int status;

	for (size_t i = 0; i <= KIND_COUNT; i++) {
		keyset_add(&want[i], KEY_ts);
		keyset_add(&want[i], KEY_dur);
		keyset_add(&want[i], KEY_open);
	}
	output_open_again(&out, file, format);
	reader_init(&in, operands, want, NULL);
	in.any_order = true;
	while (reader_next(&in))
		add_event(&out, s, &in.event);
	status = in.status;
	if (status == TQ_OK)
		output_finish(&out, true);
	else
		output_abandon(&out);
	reader_free(&in);
	sorter_free(s);
	return status;
}

/*
 * Replace the file, a whole section that tq-capture wrote with slack, by the
 * same section in order of time.  False after a message: the file is unchanged.
 */
static bool
sort_by_time(const char *file, enum zio_format format)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		char *copy = mem_copy(file, strlen(file));

		status = sort_file(copy, format);
		free(copy);
		exit(status);
	}
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
		return true;
	warnx("%s: its events stay in the order in which they came; "
	      "tq-extract puts them in order",
	    file);
	return false;
}

/* ---- the end ---- */

bool
outputs_close(struct outputs *o)
{
	const struct capture_options *options = o->options;
	int64_t from = clock_now(o->clock) - options->keep;
	bool ok = o->not_opened == 0;

	for (size_t i = 0; i < o->count; i++) {
		struct out_stream *s = o->all[i];

		if (out_stream_close(s, from)) {
			if (s->live && !options->live && options->keep == 0)
				ok = sort_by_time(s->name, options->format) &&
				     ok;
			continue;
		}
		ok = false;
		if (s->error == EPIPE) {
			warnx("the reader left, which ended the recording: "
			      "%" PRId64 " records were not delivered",
			    s->undelivered);
			continue;
		}
		errno = s->error;
		warn("%s", s->temporary      ? temporary_directory()
			   : s->name != NULL ? s->name
					     : "<stdout>");
	}
	return ok;
}

void
outputs_abandon(struct outputs *o)
{
	for (size_t i = 0; i < o->count; i++) {
		bool created = writer_thread_created(o->all[i]->writer);

		out_stream_abandon(o->all[i]);
		if (created)
			unlink(o->all[i]->name);
	}
}

void
outputs_free(struct outputs *o)
{
	for (size_t i = 0; i < o->count; i++) {
		out_stream_free(o->all[i]);
		free(o->all[i]);
	}
	free(o->all);
	map_free(&o->named);
}
