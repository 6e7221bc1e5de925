/*
 * sort_stream.h - a stream whose records are not in order of time, as live
 * capture writes it, becomes one that is.
 */
#ifndef SORT_STREAM_H
#define SORT_STREAM_H

#include "source.h"

/*
 * Of the settings, live: write records at once that are older than the slack.
 */
extern const struct source sort_stream_source;

#endif
