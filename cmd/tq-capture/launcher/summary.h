/*
 * report.h - what a capture says of itself at its end
 */
#ifndef TQ_CAPTURE_SUMMARY_H
#define TQ_CAPTURE_SUMMARY_H

#include "capture.h"

/* On stderr: events, losses, what it cost. */
void summary_print(const struct capture *c);

#endif
