/* side_recordings.c - the recordings of the operands of a side */

#include <err.h>
#include <inttypes.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tq/account/account_file.h"
#include "tq/ask/serve_rules.h"
#include "tq/base/threads.h"
#include "tq/io/printed_command.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"
#include "tq/names/model.h"

#include "side_recordings.h"

struct side_input {
	struct reader in;
	struct keyset want[KIND_COUNT + 1];
	struct names names;
	struct model model;
	struct account_file file;
	struct accounts *recordings;
	char **operand;          /* of the last record */
	const char *read, *name; /* of the input, and of its recording */
	bool in_section;
	bool has_accounts;
};

static _Noreturn void
refuse_account(const struct side_input *s)
{
	const struct account_file *f = &s->file;

	if (f->version != 0)
		errx(TQ_FAIL,
		    "%s:%zu: an account of version %" PRId64
		    ": this is version %d",
		    s->in.in.name, s->in.in.lineno, f->version,
		    ACCOUNT_VERSION);
	errx(TQ_FAIL, "%s:%zu: %s", s->in.in.name, s->in.in.lineno, f->error);
}

/* version 2: until the release after 0.2 */
static bool
take_account_line(void *input, struct span line)
{
	struct side_input *s = input;

	if (!account_file_has_line(&s->file, line))
		return false;
	s->has_accounts = true;
	if (!account_file_read_line(&s->file, line, s->recordings))
		refuse_account(s);
	return true;
}

static void
check_account(const struct side_input *s)
{
	if (s->file.a != NULL)
		errx(TQ_FAIL, "%s: an account ends without its last line",
		    s->in.in.name);
}

/* True if the record is of an account. */
static bool
take_account(struct side_input *s)
{
	const struct event *ev = &s->in.event;

	if (!account_file_has(&s->file, ev)) {
		check_account(s);
		return false;
	}
	s->has_accounts = true;
	if (ev->kind == KIND_trace || s->file.old)
		check_account(s);
	if (!account_file_read(&s->file, ev, s->recordings))
		refuse_account(s);
	return true;
}

/* The section at hand, or the operand, has ended before this record. */
static void
end_section(struct side_input *s, struct account_build *b)
{
	const struct event *ev = &s->in.event;

	if (s->operand != s->in.in.operands) {
		account_build_finish(b);
		names_reset(&s->names);
	} else if (s->in_section && !s->in.in_section && ev->kind != KIND_end) {
		account_build_section_end(b, false);
	}
	s->operand = s->in.in.operands;
	s->in_section = s->in.in_section;
}

/* The recording that is being read. */
static const char *
name_of(struct side_input *s)
{
	if (s->read != s->in.in.name) {
		s->read = s->in.in.name;
		s->name = printed_command_name(s->read);
	}
	return s->name;
}

static void
read_records(struct side_input *s, struct account_build *b)
{
	const struct event *ev = &s->in.event;

	while (reader_next(&s->in)) {
		if (take_account(s))
			continue;
		model_event(&s->model, ev);
		end_section(s, b);
		if (ev->kind == KIND_trace) {
			account_build_section_end(b, false);
			names_reset(&s->names);
		}
		names_define(&s->names, ev);
		account_build_event(b, ev, name_of(s));
		if (ev->kind == KIND_end)
			account_build_section_end(b, true);
		if (account_build_error(b) != NULL)
			errx(TQ_FAIL, "%s:%zu: %s", s->in.in.name,
			    s->in.in.lineno, account_build_error(b));
	}
	check_account(s);
	account_build_finish(b);
}

void
side_recordings_open(struct side *side, char **operands)
{
	struct side_input *s = mem_alloc(sizeof(*s));

	side->input = s;
	s->recordings = &side->recordings;
	account_build_keys(s->want);
	keyset_add(&s->want[KIND_account], KEY_args);
	reader_init(&s->in, operands, s->want, NULL);
	s->in.takes_parts = UINT64_C(1) << KIND_account;
	s->in.event.model = &s->model;
}

void
side_recordings_look(struct side *side, struct common_unit_side *p)
{
	input_keep(&side->input->in.in);
	common_unit_look(p, &side->input->in);
}

/* Lines of an account, which has its units, are passed over. */
static bool
skip_line(void *input, struct span line)
{
	(void)input, (void)line;
	return true;
}

unsigned
side_recordings_classes(struct side *side)
{
	struct side_input *s = side->input;
	const struct event *ev = &s->in.event;
	struct serve_rules *rules = serve_rules_open(NULL);
	struct text t = {0};
	unsigned classes = 0;

	input_keep(&s->in.in);
	s->in.quiet = true;
	s->in.other = skip_line;
	while (reader_next(&s->in)) {
		struct serve_counts c;

		t.len = 0;
		if (ev->kind == KIND_range && event_has(ev, KEY_dur) &&
		    serve_rules_step(rules, event_str(ev, KEY_name, &t), &c))
			classes |= 1u << c.class;
	}
	reader_rewind(&s->in);
	s->in.quiet = false;
	s->in.status = TQ_OK;
	text_free(&t);
	serve_rules_free(rules);
	return classes;
}

void
side_recordings_close(struct side *side)
{
	struct side_input *s = side->input;

	reader_free(&s->in);
	free(s);
	side->input = NULL;
}

void
side_recordings_read(
    struct side *side, const struct account_units *units, bool again)
{
	struct side_input *s = side->input;
	struct account_build *b =
	    account_build_new(units, &s->names, &side->recordings);

	s->in.other = take_account_line;
	s->in.other_arg = s;
	read_records(s, b);
	side->status |= s->in.status;
	side->has_accounts |= s->has_accounts;
	account_build_free(b);
	account_file_free(&s->file);
	names_free(&s->names);
	model_free(&s->model);
	if (!again) {
		side_recordings_close(side);
		return;
	}
	reader_rewind(&s->in);
	s->names = (struct names){0};
	s->model = (struct model){0};
	s->file = (struct account_file){0};
	s->operand = NULL;
	s->read = s->name = NULL;
	s->in_section = false;
}

/* ---- both sides at the same time ---- */

static bool
stat_operand(const char *operand, struct stat *st)
{
	return strcmp(operand, "-") == 0 ? fstat(STDIN_FILENO, st) == 0
					 : stat(operand, st) == 0;
}

/* True if what one of them reads is not there any more for the other: a pipe,
   or a file that is read through one descriptor. */
static bool
is_shared(const char *x, const char *y)
{
	struct stat a, b;

	if (!stat_operand(x, &a) || !stat_operand(y, &b) ||
	    a.st_dev != b.st_dev || a.st_ino != b.st_ino)
		return false;
	return !S_ISREG(a.st_mode) ||
	       (strcmp(x, "-") == 0 && strcmp(y, "-") == 0);
}

static bool
share_operand(const struct side *a, const struct side *b)
{
	char **first = a->input->in.in.first, **second = b->input->in.in.first;

	for (size_t i = 0; first[i] != NULL; i++)
		for (size_t k = 0; second[k] != NULL; k++)
			if (is_shared(first[i], second[k]))
				return true;
	return false;
}

enum { LARGE_ARRAY = 1 << 17 }; /* bytes */

struct side_reading {
	struct side *side;
	const struct account_units *units;
};

static void *
read_side(void *reading)
{
	struct side_reading *r = reading;

	if (r->side->input != NULL)
		side_recordings_read(r->side, r->units, false);
	return NULL;
}

void
side_recordings_read_both(
    struct side sides[SIDES], const struct account_units units[SIDES])
{
	struct side_reading a = {&sides[SIDE_A], &units[SIDE_A]};
	struct side_reading b = {&sides[SIDE_B], &units[SIDE_B]};
	pthread_t thread;
	bool beside;

#ifdef M_MMAP_THRESHOLD
	/* large arrays grow without a copy, and leave no room behind */
	mallopt(M_MMAP_THRESHOLD, LARGE_ARRAY);
#endif
	beside = a.side->input != NULL && b.side->input != NULL &&
		 threads_two() && !share_operand(a.side, b.side);

	/* a message of B waits for the lock until A is read */
	flockfile(stderr);
	beside = beside && pthread_create(&thread, NULL, read_side, &b) == 0;
	read_side(&a);
	funlockfile(stderr);
	if (beside)
		pthread_join(thread, NULL);
	else
		read_side(&b);
#ifdef __GLIBC__
	malloc_trim(0); /* what reading took */
#endif
}

void
side_recordings_free(struct side *s)
{
	account_free_all(&s->recordings);
}
