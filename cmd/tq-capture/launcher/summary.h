/*
 * summary.h - what tq-capture prints at the end of a capture
 */
#ifndef TQ_CAPTURE_SUMMARY_H
#define TQ_CAPTURE_SUMMARY_H

#include "capture.h"

/* Print events, losses and cost on stderr. */
void summary_print(const struct capture *c);

#endif
