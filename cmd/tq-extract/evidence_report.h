/*
 * evidence_report.h - what --check finds out about the recording itself: the
 * stream goes through a pipe to a process that examines it, instead of to
 * nowhere.
 */
#ifndef EVIDENCE_REPORT_H
#define EVIDENCE_REPORT_H

#include <sys/types.h>

#include "check_sheet.h"

struct evidence_report {
	pid_t child;
	char pipe[32]; /* the name of its end to write to */
	int fd, whole; /* and of the one that says that it is complete */
};

/* Begin, and open the output; exits where it can't. */
void evidence_report_open(
    struct evidence_report *r, struct check_sheet *sheet, struct output *o);

/* The output is finished: write the facts to the sheet.  Returns the status. */
int evidence_report_close(struct evidence_report *r);

#endif
