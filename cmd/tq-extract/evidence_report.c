/* evidence_report.c - what --check finds out about the recording itself */

#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "evidence_report.h"
#include "tq/evidence/evidence.h"
#include "tq/io/reader.h"
#include "tq/io/status.h"
#include "tq/names/model.h"

/*
 * The child: where its parent has given up, which never writes to whole, it
 * prints nothing of what it has got so far.
 */
static _Noreturn void
examine(int whole, struct check_sheet *sheet)
{
	struct keyset want[KIND_COUNT + 1] = {0};
	struct recording_evidence x = {0};
	struct model model = {0};
	char *none[] = {NULL};
	struct reader in;
	char byte;

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
	if (read(whole, &byte, 1) == 1)
		check_sheet_evidence(sheet, &x);
	evidence_free(&x);
	model_free(&model);
	reader_free(&in);
	exit(TQ_OK);
}

void
evidence_report_open(
    struct evidence_report *r, struct check_sheet *sheet, struct output *o)
{
	int ends[2], whole[2];

	if (fflush(stdout) != 0 || pipe(ends) != 0 || pipe(whole) != 0)
		err(TQ_FAIL, "pipe");
	if ((r->child = fork()) < 0)
		err(TQ_FAIL, "fork");
	if (r->child == 0) {
		close(ends[1]);
		if (dup2(ends[0], STDIN_FILENO) < 0)
			err(TQ_FAIL, "dup2");
		close(ends[0]);
		close(whole[1]);
		examine(whole[0], sheet);
	}
	close(ends[0]);
	close(whole[0]);
	r->whole = whole[1];
	r->fd = ends[1];
	snprintf(r->pipe, sizeof(r->pipe), "/dev/fd/%d", ends[1]);
	output_open(o, r->pipe, ZIO_PLAIN);
}

int
evidence_report_close(struct evidence_report *r)
{
	int status = 0;

	close(r->fd);
	/* a child that has failed has said why */
	signal(SIGPIPE, SIG_IGN);
	(void)!write(r->whole, "", 1);
	signal(SIGPIPE, SIG_DFL);
	close(r->whole);
	waitpid(r->child, &status, 0);
	return status == 0 ? TQ_OK : TQ_FAIL;
}
