/* evidence_report.c - what --check finds out about the recording itself */

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evidence_report.h"
#include "tq/evidence/evidence.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"
#include "tq/names/model.h"
#include "tq/show/escape.h"

static void
print_facts(const struct recording_evidence *x)
{
	for (size_t i = 0; i < x->fact_count; i++) {
		const struct evidence_fact *f = &x->facts[i];

		printf("evidence: %s: ", evidence_name(f->check));
		escape_print(stdout, f->title);
		fputs(". ", stdout);
		escape_print(stdout, f->text);
		putchar('\n');
	}
}

/*
 * The child: where its parent has given up, it prints nothing of what it has
 * got so far.
 */
static _Noreturn void
examine(pid_t parent)
{
	struct keyset want[KIND_COUNT + 1] = {0};
	struct recording_evidence x = {0};
	struct model model = {0};
	char *none[] = {NULL};
	struct reader in;

	evidence_keys(want);
	for (size_t k = 0; k <= KIND_COUNT; k++)
		keyset_add(&want[k], KEY_kind);
	reader_init(&in, none, want, NULL);
	in.any_order = in.quiet = true; /* others print warnings */
	in.event.model = &model;
	while (reader_next(&in)) {
		model_event(&model, &in.event);
		evidence_event(&x, &in.event);
	}
	evidence_finish(&x);
	if (getppid() == parent)
		print_facts(&x);
	evidence_free(&x);
	model_free(&model);
	reader_free(&in);
	exit(fflush(stdout) == 0 ? TQ_OK : TQ_FAIL);
}

void
evidence_report_open(struct evidence_report *r, struct output *o)
{
	pid_t parent = getpid();
	int ends[2];

	if (fflush(stdout) != 0 || pipe(ends) != 0)
		err(TQ_FAIL, "pipe");
	if ((r->child = fork()) < 0)
		err(TQ_FAIL, "fork");
	if (r->child == 0) {
		close(ends[1]);
		if (dup2(ends[0], STDIN_FILENO) < 0)
			err(TQ_FAIL, "dup2");
		close(ends[0]);
		examine(parent);
	}
	close(ends[0]);
	r->fd = ends[1];
	snprintf(r->pipe, sizeof(r->pipe), "/dev/fd/%d", ends[1]);
	output_open(o, r->pipe, ZIO_PLAIN);
}

void
evidence_report_close(struct evidence_report *r)
{
	close(r->fd);
	waitpid(r->child, NULL, 0);
}
